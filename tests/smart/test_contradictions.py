"""Each rule finds what it is for, says which number is believed, and is silent on a healthy drive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.smart.decoding.contradictions import RULES
from flashscope.smart.decoding.health import complete
from flashscope.smart.decoding.reading import Reading
from tests.smart.readings import attribute, completed, dump, field, reading, statistics

TB = 10**12


def kinds(found: Reading) -> list[str]:
    return [one.kind for one in found.contradictions]


HEALTHY = {
    "erase_count_min": 100, "erase_count_average": 148, "erase_count_max": 200, "rated_pe_cycles": 5000,
    "reported_life_percent": 98, "host_written_bytes": TB, "nand_written_bytes": 2 * TB, "power_on_time_hours": 9000,
    "temperature_celsius": 30, "temperature_min_celsius": 10, "temperature_max_celsius": 50, "spare_left_percent": 100,
    "grown_bad_block_count": 0,
}  # fmt: skip


def test_a_healthy_drive_contradicts_nothing() -> None:
    at = dump(statistics=statistics(written=TB // 512, hours=9000), taken_at_s=1_700_000_000.0)
    assert kinds(completed("indilinx", at, **HEALTHY)) == []


@pytest.mark.parametrize(
    ("erases", "rated", "claimed"),
    [(11_047, 10_000, 100), (18_877, 10_000, 100), (14_092, 5000, 97)],
)
def test_the_claims_of_drives_past_their_rating_are_not_believed(erases: int, rated: int, claimed: int) -> None:
    found = completed(erase_count_average=erases, rated_pe_cycles=rated, reported_life_percent=claimed)
    (one,) = found.contradictions
    assert one.kind == "LifeDisagrees"
    assert one.believed == "remaining_life_ratio"
    assert "known to be wrong" in one.message
    assert found.value("remaining_life_ratio") == 0
    assert found.value("reported_life_percent") == claimed, "what the drive says stays to be seen"


@pytest.mark.parametrize(("erases", "claimed"), [(0, 99), (13, 99), (49, 99), (148, 98), (3500, 30)])
def test_rounding_and_the_clamp_of_new_drives_are_no_contradiction(erases: int, claimed: int) -> None:
    assert kinds(completed(erase_count_average=erases, rated_pe_cycles=5000, reported_life_percent=claimed)) == []


def test_a_claim_is_not_held_against_the_rating_it_gave() -> None:
    found = completed("micron", erase_count_average=953, life_used_percent=19)
    assert found.value("rated_pe_cycles") == 5000
    assert kinds(found) == []


def test_device_statistics_win_and_the_unit_that_fits_is_named() -> None:
    raw = 1000
    at = dump(statistics=statistics(written=raw * 2**25 // 512))
    found = completed("silicon-motion", at, host_written_bytes=raw * 2**30)
    assert kinds(found) == ["HostBytesDisagree"]
    stated = found.fields["host_written_bytes"]
    assert stated.value == raw * 2**25
    assert stated.raw == raw * 2**25 // 512
    assert stated.origin == "Device Statistics 01h:018h"


def test_the_unit_is_named_from_the_raw_number() -> None:
    made = reading("phison")
    wrong = field("host_written_bytes", 1000 * 2**30, raw=1000, origin="attribute 241", attribute_id=241)
    at = dump(statistics=statistics(written=1000 * 2**25 // 512))
    (one,) = complete(replace(made, fields={wrong.key: wrong}), at).contradictions
    assert "With units of 32 MiB they agree." in one.message
    assert "attribute 241" in one.message


def test_what_the_decoder_judged_already_is_not_judged_again() -> None:
    at = dump(statistics=statistics(written=4_000_000_000))
    wrapped = {"host_written_bytes": 35 * TB, "host_written_bytes_statistics": 2 * TB}
    found = completed("indilinx", at, **wrapped)
    assert kinds(found) == []
    assert found.value("host_written_bytes") == 35 * TB
    kept = {"host_written_bytes": 2_048_000_000_000, "host_written_bytes_vendor": 35 * TB}
    assert kinds(completed("indilinx", at, **kept)) == ["HostBytesDisagree"]


def test_coarse_units_are_no_contradiction() -> None:
    at = dump(statistics=statistics(written=(10 * 2**30 + 2**29) // 512, read=0))
    assert "HostBytesDisagree" in kinds(completed("indilinx", at, host_written_bytes=10 * 2**30)), (
        "exact, so it disagrees"
    )
    coarse = field("host_written_bytes", 10 * 2**30, width=2**30)
    assert kinds(complete(Reading("x", "", True, fields={coarse.key: coarse}), at)) == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"host_written_bytes": 2 * TB, "nand_written_bytes": TB}, "FlashBelowHost"),
        ({"erase_count_min": 300}, "EraseCountsOutOfOrder"),
        ({"erase_count_max": 120}, "EraseCountsOutOfOrder"),
        ({"spare_left_percent": 130}, "SpareImpossible"),
        ({"spare_left_percent": 0}, "SpareDisagrees"),
        ({"temperature_celsius": 300}, "TemperatureImpossible"),
        ({"temperature_min_celsius": 60}, "TemperaturesOutOfOrder"),
        ({"power_on_time_hours": 2, "host_written_bytes": 9 * TB, "nand_written_bytes": 9 * TB}, "FasterThanTheLink"),
        ({"power_on_time_hours": 900_000}, "PowerOnTimeImpossible"),
        ({"power_on_time_hours": 200_000}, "PowerOnTimeAgainstDate"),
        ({"nand_written_bytes": 300 * TB}, "FlashFarAboveHost"),
    ],
)  # fmt: skip
def test_one_wrong_number_is_found_by_one_rule(values: dict[str, float], kind: str) -> None:
    assert kinds(completed("indilinx", dump(taken_at_s=1_700_000_000.0), **{**HEALTHY, **values})) == [kind]


def test_impossible_numbers_are_taken_away() -> None:
    found = completed(
        "indilinx", dump(taken_at_s=1.7e9), temperature_celsius=300, spare_left_percent=130, power_on_time_hours=1e6
    )
    assert not {"temperature_celsius", "spare_left_percent", "power_on_time_hours"} & found.fields.keys()
    assert len(found.contradictions) == 3


def test_erase_counts_of_one_raw_number_that_are_out_of_order_are_both_left_out() -> None:
    average = field("erase_count_average", 56_757, raw=33_021_365, origin="attribute 173", attribute_id=173)
    highest = field("erase_count_max", 503, raw=33_021_365, origin="attribute 173", attribute_id=173)
    made = replace(reading("toshiba-hg"), fields={average.key: average, highest.key: highest})
    found = complete(made, dump())
    assert kinds(found) == ["EraseCountsOutOfOrder"]
    assert not {"erase_count_average", "erase_count_max", "erase_count_evenness_ratio"} & found.fields.keys()
    apart = complete(
        replace(made, fields={average.key: average, highest.key: replace(highest, attribute_id=174)}), dump()
    )
    assert "erase_count_average" in apart.fields, "of two attributes, either may be right"


def test_hours_of_the_device_statistics_win() -> None:
    found = completed("indilinx", dump(statistics=statistics(hours=1000)), power_on_time_hours=60_000)
    assert found.value("power_on_time_hours") == 1000
    assert kinds(found) == ["PowerOnTimeDisagrees"]


def test_a_drive_that_compresses_may_write_less() -> None:
    assert kinds(completed("sandforce", host_written_bytes=2 * TB, nand_written_bytes=TB)) == []


@pytest.mark.parametrize(("other", "expected"), [(1000, []), (1001, []), (5000, ["TwinCountersDiffer"])])
def test_twin_counters_of_intel_drives(other: int, expected: list[str]) -> None:
    at = dump(attributes=(attribute(225, 1000), attribute(241, other)))
    assert kinds(completed("intel-x25", at, power_on_time_hours=5)) == expected
    assert kinds(completed("phison", at, power_on_time_hours=5)) == []


def test_every_rule_is_told_apart_by_name_and_says_what_it_is_for() -> None:
    assert len({rule.__name__ for rule in RULES}) == len(RULES)
    assert all(rule.__doc__ for rule in RULES)
