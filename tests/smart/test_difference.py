"""What changed between two readings, and what that time says by itself."""

from __future__ import annotations

import pytest

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.dump import Dump
from flashscope.smart.watching.difference import difference
from tests.smart.readings import completed, dump

TB = 10**12
BEFORE = {
    "host_written_bytes": 10 * TB,
    "nand_written_bytes": 100 * TB,
    "power_on_time_hours": 1000,
    "temperature_celsius": 30,
}
AFTER = {
    "host_written_bytes": 11 * TB,
    "nand_written_bytes": 102 * TB,
    "power_on_time_hours": 1024,
    "temperature_celsius": 30,
}


def test_the_write_amplification_is_that_of_the_time_between() -> None:
    found = difference(
        (dump(taken_at_s=0.0), completed("x", **BEFORE)), (dump(taken_at_s=86400.0), completed("x", **AFTER))
    )
    by_key = {field.key: field.value for field in found.interval}
    assert by_key["write_amplification"] == 2, "not the 9.3 of the whole life"
    assert (found.power_on_hours, found.calendar_hours) == (24, 24)
    changed = {one.after.key: one.difference for one in found.changes}
    assert changed["host_written_bytes"] == TB
    assert "temperature_celsius" not in changed
    assert found.same_count == 1
    assert found.remarks == ()


def test_new_losses_are_named_first() -> None:
    before = {**BEFORE, "uncorrectable_error_count": 3, "media_error_count": 0, "critical_warning": 0}
    after = {**AFTER, "uncorrectable_error_count": 4, "media_error_count": 1200, "critical_warning": 8}
    failing = dump(vendor_logs={"smartctl": {"smart_passed": 0}})
    found = difference((dump(), completed("x", **before)), (failing, completed("x", **after)))
    assert found.losses == (
        "its own self-assessment fails now: copy everything to another drive first",
        "it is read-only now: it refuses every write",
        "1 new read that failed beyond correction",
        "1200 new errors of the medium that were not corrected",
    )
    assert difference((dump(), completed("x", **after)), (dump(), completed("x", **before))).losses == ()


def test_remarks_name_numbers_in_words_and_not_by_their_keys() -> None:
    found = difference((dump(), completed("x", **AFTER)), (dump(), completed("x", **BEFORE)))
    assert "what the host wrote" in found.remarks[0]
    assert "host_written_bytes" not in found.remarks[0]


def test_the_bit_error_ratio_is_that_of_the_time_between() -> None:
    before = completed(error_bits=10**6, host_read_bytes=TB)
    after = completed(error_bits=10**6 + 800, host_read_bytes=2 * TB)
    found = {field.key: field.value for field in difference((dump(), before), (dump(), after)).interval}
    assert found["rber"] == pytest.approx(800 / (8 * TB))


def test_counters_that_went_backwards_are_named_and_give_no_ratio() -> None:
    found = difference((dump(), completed("x", **AFTER)), (dump(), completed("x", **BEFORE)))
    assert found.interval == ()
    assert "went backwards" in found.remarks[0]


def test_two_drives_are_told_apart() -> None:
    found = difference((dump(serial="A", model="M"), completed()), (dump(serial="B", model="N"), completed()))
    assert len([one for one in found.remarks if "two drives" in one]) == 2
    assert (
        difference((dump(firmware="1"), completed()), (dump(firmware="2"), completed()))
        .remarks[0]
        .startswith("the firmware")
    )


def test_fields_of_one_reading_only_are_named() -> None:
    found = difference((dump(), completed("x", trim_count=1)), (dump(), completed("x", throttle_count=1)))
    assert (found.appeared, found.vanished) == (("throttle_count",), ("trim_count",))


def test_nothing_changed_is_an_answer() -> None:
    same = (dump(), completed("x", **AFTER))
    found = difference(same, same)
    assert found.changes == ()
    assert found.interval == ()


MX500 = (1, 5, 9, 12, 171, 172, 173, 174, 180, 183, 184, 187, 194, 196, 197, 198, 199, 202, 206, 210, 246, 247, 248)


def micron_dump(**raws: int) -> Dump:
    """A dump in the layout of an MX500 with these raw numbers, keys such as a246; the others are 0."""
    told = {int(name[1:]): raw for name, raw in raws.items()}
    attributes = tuple(
        SmartAttribute(id, 0x32, 100, 100, told.get(id, 0).to_bytes(6, "little"), f"A_{id}") for id in MX500
    )
    return dump(model="CT500MX500SSD1", user_bytes=500_107_862_016, attributes=attributes)


def reads(one: Dump) -> tuple[Dump, Reading]:
    return one, read(one)


def test_host_sectors_that_went_round_at_2_to_32_are_counted_on() -> None:
    """By the edge alone: no pages are told, and no hours."""
    before = reads(micron_dump(a173=12, a202=0, a246=2**32 - 1000))
    found = difference(before, reads(micron_dump(a173=12, a202=0, a246=5000)))
    assert before[1].family == "micron-client"
    (changed,) = [one for one in found.changes if one.after.key == "host_written_bytes"]
    assert (changed.difference, changed.low, changed.high) == (6000 * 512, 6000 * 512, 6000 * 512)
    assert any("wrapped round" in remark for remark in found.remarks)
    assert not any("backwards" in remark for remark in found.remarks)


def test_a_counter_that_went_round_far_from_the_edge_is_believed_where_the_growth_fits_the_pace() -> None:
    first = micron_dump(a9=1000, a173=12, a246=3_500_000_000)
    growth = 2**32 - 3_500_000_000 + 900_000_000
    near, far = (
        difference(reads(first), reads(micron_dump(a9=hours, a173=12, a246=900_000_000))) for hours in (1500, 1001)
    )
    by_key = {one.after.key: one.difference for one in near.changes}
    assert by_key["host_written_bytes"] == growth * 512
    assert any("backwards" in remark for remark in far.remarks), "so much was not written in one hour"


def test_the_pages_of_flash_tell_how_often_the_counter_of_sectors_went_round() -> None:
    sectors = 2**32 - 10_000_000, 2**32 + 30_000_000
    before, after = (
        reads(micron_dump(a9=hours, a173=9, a180=40, a246=count % 2**32, a247=count // 32, a248=count // 64))
        for hours, count in zip((1000, 1010), sectors, strict=True)
    )
    assert after[1].value("host_written_bytes") == sectors[1] * 512
    assert "CounterWentRound" in [one.kind for one in after[1].contradictions]
    found = difference(before, after)
    by_key = {one.after.key: one.difference for one in found.changes}
    assert by_key["host_written_bytes"] == 40_000_000 * 512
    assert {one.key: one.value for one in found.interval}["write_amplification"] == pytest.approx(1.5)
    assert not any("backwards" in remark for remark in found.remarks)


def test_a_counter_that_was_reset_is_not_taken_for_one_that_went_round() -> None:
    found = difference(
        reads(micron_dump(a9=1000, a173=12, a246=900_000_000)), reads(micron_dump(a9=1001, a173=12, a246=10))
    )
    assert any("backwards" in remark for remark in found.remarks)
