"""What an examination may write and take."""

import math
from dataclasses import replace

import pytest

from flashscope.errors import WrongUse
from flashscope.runner.budget.budget import Budget, usual_budget, with_asked
from flashscope.runner.drive_speed import PLAIN, DriveSpeed, Way
from flashscope.runner.effort import Extent
from flashscope.runner.real_estimate import assumed_speed
from tests.facts import device_facts, virtual_facts

TERABYTE = device_facts(10**12)
_WAY = Way(100e6, 8e-3, 150.0, 100e-6)
DISKLIKE = DriveSpeed(_WAY, _WAY, 0.5)


def test_quick_takes_a_tenth_of_the_drive_and_ten_minutes() -> None:
    assert usual_budget(TERABYTE, Extent.QUICK, PLAIN) == Budget(1e11, 600)


def test_the_usual_takes_three_fills_and_an_hour_for_a_terabyte() -> None:
    assert usual_budget(TERABYTE, Extent.STANDARD, PLAIN) == Budget(3e12, 3600)


def test_a_small_drive_has_twenty_minutes_and_a_slow_one_the_time_of_a_fill_and_a_quarter() -> None:
    assert usual_budget(device_facts(10**10), Extent.STANDARD, PLAIN).time_s == 1200
    assert usual_budget(TERABYTE, Extent.STANDARD, DISKLIKE).time_s == 12_500


@pytest.mark.parametrize("extent", Extent)
def test_a_drive_in_virtual_time_has_no_limit(extent: Extent) -> None:
    assert not usual_budget(virtual_facts(10**12), extent, PLAIN).limits


def test_full_has_no_limit() -> None:
    assert not usual_budget(TERABYTE, Extent.FULL, PLAIN).limits


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["500GB"], Budget(5e11, 3600)),
        (["2fills"], Budget(2e12, 3600)),
        (["0.5 drive-fills"], Budget(5e11, 3600)),
        (["20min"], Budget(3e12, 1200)),
        (["20min", "500 GB"], Budget(5e11, 1200)),
        ([], Budget(3e12, 3600)),
    ],
)
def test_what_is_asked_for_takes_the_place_of_the_limit_of_its_kind(asked: list[str], expected: Budget) -> None:
    assert with_asked(Budget(3e12, 3600), asked, TERABYTE) == expected


def test_a_budget_limits_a_virtual_drive_too() -> None:
    assert with_asked(Budget(), ["1GB"], virtual_facts(10**12)) == Budget(1e9, math.inf)


@pytest.mark.parametrize(
    "asked",
    [["12"], ["some"], ["5 apples"], ["1GB", "2fills"], ["1 s", "2 s"], [""], ["-1GB"], ["0GB"], ["0fills"], ["0s"]],
)
def test_anything_else_is_refused_with_what_is_accepted(asked: list[str]) -> None:
    with pytest.raises(WrongUse) as refused:
        with_asked(Budget(), asked, TERABYTE)
    assert "--budget" in str(refused.value)
    assert refused.value.accepted


def test_no_drive_is_taken_to_be_faster_than_its_link() -> None:
    slow = replace(device_facts(10**9), link_bytes_per_second=40_000_000)
    assert assumed_speed(slow).write.bytes_per_second == 40_000_000
