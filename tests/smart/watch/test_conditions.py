from pathlib import Path
from typing import Any

import pytest

from flashscope.smart.watching.alerts import changes
from flashscope.smart.watching.conditions import DAY_S, EVERY_NAME, Limits
from flashscope.smart.watching.history import History
from flashscope.smart.watching.sample import values_of
from flashscope.smart.watching.series_store import SeriesStore
from tests.smart.watch.make_samples import history_of, make_dump, make_reading, moment

HOUR_S = 3600.0


def told(
    path: Path, rows: list[dict[str, Any]], every_s: float = HOUR_S, is_flash: bool | None = True, **limits: Any
) -> list[tuple[int, str, str]]:
    """(index of the sample, condition, state) of every change over a series."""
    history, raised, found = History(), set[str](), list[tuple[int, str, str]]()
    with SeriesStore(path / "s.sqlite") as store:
        for index, row in enumerate(rows):
            at = moment(index * every_s)
            history.add(
                store.append(make_dump(statistics=(), printed={}), make_reading(is_flash, **row), "x", at).sample
            )
            for change in changes(history, frozenset(raised), Limits(**limits)):
                found.append((index, change.condition, change.state))
                (raised.add if change.state == "raised" else raised.discard)(change.condition)
    return found


def series(key: str, values: list[Any]) -> list[dict[str, Any]]:
    return [{key: value} for value in values]


def test_life_is_raised_once_and_clears_by_a_margin(tmp_path: Path) -> None:
    rows = series("remaining_life_ratio", [0.105, 0.099, 0.101, 0.099, 0.13, 0.11, 0.13, 0.13])
    assert told(tmp_path, rows) == [(1, "life_left", "raised"), (7, "life_left", "cleared")]


def test_our_own_life_beats_the_claim_of_the_drive(tmp_path: Path) -> None:
    assert told(tmp_path, [{"remaining_life_ratio": 0.5, "life_left_percent": 1}] * 3) == []
    assert told(tmp_path, [{"endurance_used_percent": 120}])[0][1:] == ("life_left", "raised")


def test_spare_is_judged_by_the_drives_own_threshold_only(tmp_path: Path) -> None:
    rows = [{"spare_left_percent": spare, "spare_threshold_percent": 10} for spare in (10, 9, 9, 10, 11, 11)]
    assert told(tmp_path, rows) == [(1, "spare", "raised"), (5, "spare", "cleared")]
    (tmp_path / "b").mkdir()
    assert told(tmp_path / "b", series("spare_left_percent", [3, 2, 1])) == []
    assert told(tmp_path / "b", [{"bad_block_table_full": 1}]) == [(0, "spare", "raised")]


def test_a_failed_self_assessment_is_raised_whatever_the_numbers_say(tmp_path: Path) -> None:
    rows = [{"self_assessment_failed": failed, "remaining_life_ratio": 0.9} for failed in (0, 1, 1, 0, 0)]
    assert told(tmp_path, rows) == [(1, "self_assessment", "raised"), (4, "self_assessment", "cleared")]
    failing = make_dump(vendor_logs={"smartctl": {"smart_passed": 0}})
    assert values_of(make_reading(True), failing)["self_assessment_failed"].value == 1
    assert "self_assessment_failed" not in values_of(make_reading(True), make_dump())


def test_a_critical_warning_and_read_only_are_told_apart(tmp_path: Path) -> None:
    rows = series("critical_warning", [0, 0b1000, 0b1000, 0, 0])
    assert told(tmp_path, rows) == [
        (1, "read_only", "raised"),
        (1, "critical_warning", "raised"),
        (4, "read_only", "cleared"),
        (4, "critical_warning", "cleared"),
    ]


def test_one_noisy_reading_of_a_counter_raises_nothing(tmp_path: Path) -> None:
    for key in ("uncorrectable_error_count", "grown_bad_block_count", "link_crc_error_count"):
        (tmp_path / key).mkdir()
        assert told(tmp_path / key, series(key, [2, 2, 900, 2, 2, 0xFFFFFFFF, 2, 2])) == [], key


def test_growth_is_raised_when_confirmed_and_clears_after_a_quiet_week(tmp_path: Path) -> None:
    values = [4, 4, 5, 5] + [5] * 10
    assert told(tmp_path, series("uncorrectable_error_count", values), DAY_S) == [
        (3, "uncorrectable_errors", "raised"),
        # the readings of days 2 to 9 are the first week in which all are the same
        (10, "uncorrectable_errors", "cleared"),
    ]


def test_growth_while_nobody_looked_is_growth(tmp_path: Path) -> None:
    rows = series("media_error_count", [0, 3, 3])
    assert told(tmp_path, rows, 30 * DAY_S) == [(2, "uncorrectable_errors", "raised")]


def test_a_standing_count_of_old_errors_raises_nothing(tmp_path: Path) -> None:
    old = {"uncorrectable_error_count": 977, "reallocated_sector_count": 4000, "link_crc_error_count": 10**6}
    assert told(tmp_path, [old] * 20, DAY_S) == []


def test_a_counter_that_restarts_raises_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, series("uncorrectable_error_count", [900, 900, 3, 3, 3])) == []


def test_bad_blocks_are_judged_by_how_fast_they_grow(tmp_path: Path) -> None:
    assert told(tmp_path, series("retired_block_count", [1, 1, 2, 2, 3, 3]), DAY_S) == []
    rows = series("retired_block_count", [1, 1, 3, 3, 5, 5])
    (tmp_path / "b").mkdir()
    assert told(tmp_path / "b", rows, HOUR_S) == [(5, "bad_blocks", "raised")]
    (tmp_path / "c").mkdir()
    assert told(tmp_path / "c", rows, HOUR_S, is_flash=False) == []


def test_a_slow_growth_between_rare_samples_is_no_fast_one(tmp_path: Path) -> None:
    rows = series("link_crc_error_count", [0, 40, 40, 80, 80])
    assert told(tmp_path, rows, 30 * DAY_S) == []
    (tmp_path / "b").mkdir()
    assert told(tmp_path / "b", rows, DAY_S / 4) == [(2, "crc_errors", "raised")]


def test_temperature_is_a_median_of_three_with_a_margin(tmp_path: Path) -> None:
    rows = series("temperature_celsius", [40, 90, 40, 40, 71, 72, 69, 71, 68, 66, 64, 64, 64])
    assert told(tmp_path, rows) == [(5, "temperature", "raised"), (11, "temperature", "cleared")]


@pytest.mark.parametrize(("is_flash", "raised"), [(True, False), (False, True), (None, False)])
def test_the_temperature_limit_of_disks_is_not_used_for_flash(
    tmp_path: Path, is_flash: bool | None, raised: bool
) -> None:
    rows = series("temperature_celsius", [63] * 5)
    assert bool(told(tmp_path, rows, is_flash=is_flash)) == raised


def test_bit_errors_are_judged_by_the_last_days_with_enough_of_them(tmp_path: Path) -> None:
    def rows(bits: list[int]) -> list[dict[str, Any]]:
        return [{"error_bits": bit, "host_read_bytes": 10**9 + index * 10**8} for index, bit in enumerate(bits)]

    few = rows([0, 10, 20, 30])  # far below the limit, however long its life
    assert told(tmp_path, few) == []
    (tmp_path / "b").mkdir()
    many = rows([10**6 + 10**5 * index for index in range(5)])  # 1.25e-4 of the bits read
    assert [change[1:] for change in told(tmp_path / "b", many)] == [("bit_error_ratio", "raised")]
    (tmp_path / "c").mkdir()
    assert told(tmp_path / "c", many, rber_ratio=1e-3) == []


@pytest.mark.parametrize(
    "key", ["seek_error_count", "command_timeout_count", "power_cycle_count", "spin_up_count", "throttle_count",
            "error_log_entry_count", "soft_ecc_error_count", "unexpected_power_loss_count", "erase_failure_block_count"]
)  # fmt: skip
def test_attributes_that_disks_are_judged_by_raise_nothing_on_flash(tmp_path: Path, key: str) -> None:
    rows = series(key, [0, 10, 20, 30, 40, 50]) if key != "erase_failure_block_count" else series(key, [10**6] * 6)
    assert told(tmp_path, rows) == []


def test_every_condition_has_a_name_of_its_own() -> None:
    assert len(set(EVERY_NAME)) == len(EVERY_NAME) == 11


def test_history_lets_go_of_what_no_condition_asks_for(tmp_path: Path) -> None:
    history = history_of(tmp_path / "s.sqlite", [{"temperature_celsius": 30}] * 30, DAY_S)
    assert len(history) == 10  # eight days, and the samples at both ends
