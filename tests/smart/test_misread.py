"""A number that cannot mean what its row says is left out, and the number that shows it is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.table import all_tables
from tests.smart.made_up import nameless, words

TABLES = {table.name: table for table in all_tables()}
GIB, GB = 2**30, 10**9
HOURS, WRITTEN, UNCORRECTABLE = (1, 0x10), (1, 0x18), (4, 0x08)


def of(
    family: str,
    numbers: dict[int, int],
    values: dict[int, int] | None = None,
    statistics: dict[tuple[int, int], int] | None = None,
) -> Reading:
    reading = read(nameless(TABLES[family], numbers, values, statistics=statistics))
    assert reading.family == family
    return reading


def kinds(reading: Reading) -> list[str]:
    return [one.kind for one in reading.contradictions]


def test_a_rating_that_repeats_an_erase_count_is_none() -> None:
    erases = {149: 389, 151: 197, 165: 129, 167: 65, 169: 94, 232: 100, 161: 100}
    reading = of("silicon-motion", {**erases, 168: 389})
    assert "rated_pe_cycles" not in {key for key, one in reading.fields.items() if one.attribute_id == 168}
    assert "RatingRepeats" in kinds(reading)
    assert reading.value("slc_erase_count_max") == 389
    assert of("silicon-motion", {**erases, 168: 1000}).value("rated_pe_cycles") == 1000


def test_a_workload_timer_sees_no_more_wear_than_the_drive() -> None:
    seen = of("intel-dc", {9: 50_000, 226: 102_400, 227: 5, 228: 3000}, {233: 99})
    assert "timed_wear_percent" not in seen.fields
    assert "TimerImpossible" in kinds(seen)
    assert of("intel-dc", {9: 50_000, 226: 38_092, 228: 3000}, {233: 63}).value("timed_wear_percent") == 38_092 / 1024


def test_a_drive_that_was_erased_often_was_written() -> None:
    assert of("sandisk", {241: 0, 173: 46, 9: 900}).value("host_written_bytes") is None
    assert of("sandisk", {241: 0, 173: 1, 9: 900}).value("host_written_bytes") == 0


@pytest.mark.parametrize(("minutes", "kept"), [(362_060_752, False), (21_000 * 60, True)])
def test_a_workload_timer_runs_no_longer_than_the_drive(minutes: int, kept: bool) -> None:
    reading = of("intel-dc", {9: 21_213, 226: 4075, 227: 34, 228: minutes}, {233: 96})
    assert (reading.value("timed_wear_percent") == 4075 / 1024) is kept
    assert ("timed_workload_minutes" in reading.fields) is kept
    assert ("TimerImpossible" in kinds(reading)) is not kept


@pytest.mark.parametrize(("told", "doubted"), [(720, True), (5700, False), (5828, False), (60_000, True)])
def test_hours_that_differ_much_are_doubted(told: int, doubted: bool) -> None:
    reading = of("sandisk", {9: 5828, 241: 8000, 173: 30}, statistics={HOURS: told})
    hours = reading.fields["power_on_time_hours"]
    assert hours.value == 5828
    assert ("PowerOnTimeDisagrees" in kinds(reading)) is doubted
    assert (hours.low <= told <= hours.high) or not doubted


def test_packed_numbers_are_no_million_errors() -> None:
    told = of("intel-sandforce", {187: 3_032_437, 225: 5, 241: 5}, statistics={UNCORRECTABLE: 0})
    assert told.value("uncorrectable_error_count") == 0
    assert told.fields["uncorrectable_error_count"].origin == "Device Statistics 04h:008h"
    alone = of("intel-sandforce", {187: 3_032_437, 225: 5, 241: 5})
    assert alone.value("uncorrectable_error_count") is None
    assert kinds(alone) == kinds(told) == ["ErrorsPacked"]
    many = of("micron", {187: 85_663, 173: 1000, 202: 33}, statistics={UNCORRECTABLE: 85_663})
    assert many.value("uncorrectable_error_count") == 85_663, "a second number that agrees is believed"
    bad = of("samsung", {187: 784_821}, {187: 22})
    assert bad.value("uncorrectable_error_count") == 784_821, "a value byte that fell says the same"


@pytest.mark.parametrize(("value", "raw", "left"), [(100, words(31, 119, 3), None), (170, words(31, 119, 3), 70)])
def test_a_byte_that_stays_at_100_beside_erase_counts_is_no_used_up_life(
    value: int, raw: int, left: int | None
) -> None:
    made = nameless(TABLES["toshiba-hg"], {173: raw}, {173: value})
    reading = read(replace(made, model="TOSHIBA THNSNC128GCSJ", firmware="CJLA0201"))
    assert reading.family == "toshiba-hg"
    assert reading.value("life_left_percent") == left
    assert ("LifeNotFilledIn" in kinds(reading)) is (left is None)
    assert reading.value("erase_count_average") == 31


@pytest.mark.parametrize(("value", "raw", "left"), [(100, 74, 74), (86, 86, 86), (12, 88, 88), (93, 0, 93)])
def test_the_life_of_phison_drives_is_its_raw_number(value: int, raw: int, left: int) -> None:
    reading = of("phison", {231: raw, 173: 200 | 150 << 16}, {231: value})
    assert reading.value("life_left_percent") == left


@pytest.mark.parametrize(
    ("family", "unit", "numbers"),
    [
        ("sk-hynix", GB, {177: 7}),
        ("sk-hynix", GIB, {177: 7}),
        ("sk-hynix", 512, {177: 7}),
        ("maxio", GIB, {}),
        ("phison", 2**20, {}),
        ("maxio-sn", 2**25, {}),
        ("maxio-sn", GIB, {}),
        ("hp-client", 2**24, {}),
        ("hp-client", GIB, {}),
        ("dell-server", 2**25, {}),
        ("dell-server", 512, {}),
        ("toshiba-phison", 2**25, {}),
        ("toshiba-phison", GIB, {}),
    ],
)
def test_the_unit_of_the_hosts_bytes_is_that_of_the_device_statistics(
    family: str, unit: int, numbers: dict[int, int]
) -> None:
    written = 4_740_960_000_000
    id = next(row.id for row in TABLES[family].rows if row.key == "host_written_bytes")
    reading = of(family, {**numbers, id: written // unit}, statistics={WRITTEN: written // 512})
    assert reading.value("host_written_bytes") == written // 512 * 512
    vendor = reading.fields["host_written_bytes_vendor"]
    assert vendor.value == written // unit * unit
    assert reading.fields["host_written_bytes"].provenance == "verified"


def test_statistics_of_all_ones_are_absent() -> None:
    ones = (1 << 48) - 1
    reading = of("ssstc", {241: 5837, 173: 7}, statistics={WRITTEN: ones, HOURS: 1837})
    assert reading.fields["host_written_bytes"].attribute_id == 241
    assert "host_written_bytes_statistics" not in reading.fields


@pytest.mark.parametrize(("raw", "value", "left"), [(0, 79, 79), (100, 100, 100), (99, 99, 99)])
def test_life_of_a_drive_with_dells_attributes_is_the_value_byte(raw: int, value: int, left: int) -> None:
    assert of("dell-server", {245: raw}, {245: value}).value("life_left_percent") == left


def test_232_of_a_superdom_is_life_left_and_233_its_flash() -> None:
    numbers = {9: 22_240, 167: 801, 165: 853, 166: 749, 168: 3000, 232: 74, 233: 100_059, 241: 10_282}
    reading = of("superdom", numbers, statistics={(7, 8): 26})
    assert reading.value("life_left_percent") == 74
    assert reading.value("spare_left_percent") is None or reading.fields["spare_left_percent"].attribute_id != 232
    assert reading.value("nand_written_bytes") == 100_059 * GIB
    assert "LifeDisagrees" not in kinds(reading)
