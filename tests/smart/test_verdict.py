"""Signs of failure outweigh percentages; what solid-state drives do in normal life is no alarm."""

from __future__ import annotations

import pytest

from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.reading import NO_SMART, Reading
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, UNKNOWN, WATCH, Verdict, judge
from flashscope.smart.dump import Dump, PrintedAttribute
from tests.smart.readings import completed, dump


def verdict(reading: Reading, at: Dump | None = None) -> Verdict:
    return judge(reading, clocks([(None, reading)]), at or dump())


@pytest.mark.parametrize(
    "values",
    [
        {"critical_warning": 1}, {"critical_warning": 4}, {"critical_warning": 8}, {"write_protect_flag": 1},
        {"bad_block_table_full": 1}, {"spare_left_percent": 10, "spare_threshold_percent": 10},
        {"spare_left_percent": 0, "grown_bad_block_count": 40},
    ],
)  # fmt: skip
def test_signs_of_failure_ask_to_copy_at_once(values: dict[str, float]) -> None:
    found = verdict(completed("nvme", remaining_life_ratio=0.9, **values))
    assert found.level == COPY_NOW
    assert found.reasons
    assert "Copy everything to another drive now" in found.advice


def test_read_only_mode_says_not_to_switch_off() -> None:
    assert "before it is switched off" in verdict(completed("nvme", critical_warning=8)).advice


@pytest.mark.parametrize(
    "values",
    [
        {"uncorrectable_error_count": 3}, {"media_error_count": 1}, {"critical_warning": 2},
        {"pending_sector_count": 1},
        {"erase_count_average": 14_092, "rated_pe_cycles": 5000, "reported_life_percent": 97},
        {"endurance_used_percent": 120}, {"spare_left_percent": 5}, {"life_left_percent": 4},
    ],
)  # fmt: skip
def test_lost_data_and_used_up_ratings_are_watched(values: dict[str, float]) -> None:
    assert verdict(completed("nvme", **values)).level == WATCH


@pytest.mark.parametrize(
    "values",
    [
        {"ecc_error_count": 10**6, "soft_ecc_error_count": 5, "corrected_read_count": 10**9},
        {"link_crc_error_count": 400}, {"power_cycle_count": 10**5, "unexpected_power_loss_count": 10**4},
        {"error_log_entry_count": 5000}, {"program_failure_block_count": 2}, {"raid_recovery_count": 3},
    ],
)  # fmt: skip
def test_what_drives_do_in_normal_life_is_no_alarm(values: dict[str, float]) -> None:
    assert verdict(completed("nvme", life_left_percent=90, **values)).level == GOOD


def test_a_drive_past_the_makers_threshold_is_failing() -> None:
    printed = {5: PrintedAttribute(threshold=10, when_failed="now", pre_failure=True)}
    assert verdict(completed(life_left_percent=90), dump(printed=printed)).level == COPY_NOW
    past = {5: PrintedAttribute(threshold=10, when_failed="past", pre_failure=True)}
    assert verdict(completed(life_left_percent=90), dump(printed=past)).level == GOOD


def test_nothing_told_is_unknown_and_not_good() -> None:
    assert verdict(Reading(NO_SMART, "", None)).level == UNKNOWN
    assert verdict(completed("unknown", power_cycle_count=5)).level == UNKNOWN


def test_moved_sectors_of_disks_are_watched() -> None:
    from dataclasses import replace

    disk = replace(completed("disk", reallocated_sector_count=8), is_flash=False)
    assert verdict(disk).level == WATCH
