"""What changed between two readings, and what that time says by itself."""

from __future__ import annotations

import pytest

from flashscope.smart.difference import difference
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
