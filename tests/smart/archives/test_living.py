"""Living drives: the verdict on each, and how they compare with failed ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flashscope.smart.archives.attributes import spreads
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.likeness import OTHER_MODELS, compare_with_failed, exact_ratio, levels_of, weights_of
from flashscope.smart.archives.members import dump_of, members_of
from flashscope.smart.decoding.verdict import GOOD, UNKNOWN, WATCH
from tests.known import known
from tests.smart.archives.made_archive import HEALTHY_DISK, LIMITS, Row, day, read_into, row, write_day


def drive(index: int, serial: str, **other: object) -> Row:
    return row(index, serial, "ST12000NM0007", **{**HEALTHY_DISK, **other})


def test_living_drives_get_the_verdict_of_a_dump(tmp_path: Path) -> None:
    for index in range(10):
        rows = [drive(index, "good"), drive(index, "worn", r5=40 * (index == 9), r197=8 * (index == 9))]
        rows += [drive(index, "failed", failure=int(index == 3))] if index < 4 else []
        rows += [drive(index, "taken away")] if index < 2 else []
        rows += [row(index, "silent", "ST12000NM0007")]
        write_day(tmp_path / "days", index, rows)
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, tmp_path / "days", verdicts=True)
        by_serial = {one.serial: one for one in members_of(keeper)}
    assert by_serial.keys() == {"good", "worn", ""}  # the silent one has no numbers at all
    assert by_serial["good"].verdict == GOOD
    assert by_serial["worn"].verdict == WATCH
    assert "8 sectors cannot be read now" in by_serial["worn"].verdict_reasons[0]
    fleet = known(told.fleet)
    assert [one.serial for one in fleet.to_do] == ["worn"]
    assert fleet.verdict_counts == {"copy now": 0, WATCH: 1, GOOD: 1, UNKNOWN: 0}
    assert fleet.unreadable[0].reason == "it holds no SMART numbers"


def test_processes_judge_as_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_day(tmp_path / "days", 0, [drive(0, f"S{one:03}", r5=one % 7) for one in range(50)])
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path / "days")
        alone = members_of(keeper)
        monkeypatch.setattr("flashscope.smart.archives.members._CHUNK_DRIVES", 8)
        monkeypatch.setattr("flashscope.smart.archives.members._FEW_DRIVES", 10)
        assert members_of(keeper, workers=2) == alone
    assert len(alone) == 50


def test_numbers_that_no_attribute_can_have_are_left_out_of_the_dump() -> None:
    told = {"model": "M", "serial": "S", "day": day(0), "smart_5_raw": 1 << 48, "smart_5_normalized": 100}
    dump = dump_of({**told, "smart_9_raw": 7, "smart_9_normalized": 999, "smart_12_raw": 4, "smart_12_normalized": None,
                    "smart_1_raw": 3, "smart_1_normalized": 100})  # fmt: skip
    assert [one.id for one in dump.attributes] == [1]
    assert len(dump.unread) == 3


def population(
    folder: Path, failed_ratio: float, living_ratio: float, *, failed: int = 200, living: int = 3000
) -> None:
    """Drives of one model; 197 is above 0 on so many of the failed and of the living ones."""
    random = np.random.default_rng(18)
    rows = []
    for index in range(failed + living):
        has_failed = index < failed
        sick = random.random() < (failed_ratio if has_failed else living_ratio)
        rows.append(drive(0, f"S{index}", failure=int(has_failed), r197=int(random.integers(10, 99)) if sick else 0))
    write_day(folder, 0, rows)


def test_drives_that_look_like_failed_ones_are_named_with_what_that_is_worth(tmp_path: Path) -> None:
    population(tmp_path, 0.6, 0.005)
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path)
        (found,) = compare_with_failed(keeper)
    assert (found.model, found.failed_count, found.living_count, found.silent) == ("ST12000NM0007", 200, 3000, "")
    recall, false_alarms = known(found.recall), known(found.false_alarms)
    assert recall[1] <= 0.6 <= recall[2]
    assert false_alarms[1] <= 0.005 <= false_alarms[2]
    assert len(found.alike) == round(false_alarms[0] * 3000)
    assert "attribute 197 is" in found.alike[0].reasons[0]


def test_where_failed_drives_look_like_all_others_none_is_named(tmp_path: Path) -> None:
    population(tmp_path, 0.005, 0.005)
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path)
        (found,) = compare_with_failed(keeper)
    assert found.alike == ()
    assert "do not differ enough" in found.silent


def test_few_failures_say_nothing(tmp_path: Path) -> None:
    population(tmp_path, 1.0, 0.0, failed=9)
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path)
        (found,) = compare_with_failed(keeper)
    assert (found.model, found.recall, found.alike) == (OTHER_MODELS, None, ())
    assert found.silent == "9 failed drives with numbers of their last day, and 10 are needed"


def test_one_drive_alone_weighs_little_and_missing_numbers_nothing() -> None:
    levels = levels_of(np.array([[0.0], [9.0], [10.0], [99999.0], [np.nan], [-1.0]]))
    assert levels[:, 0].tolist() == [0, 1, 2, 4, 5, 5]
    failed = np.array([True] * 10 + [False] * 1000)
    one = np.zeros((1010, 1), dtype=np.int64)
    one[0] = 1
    many = one.copy()
    many[:8] = 1
    alone, together = np.exp(weights_of(one, failed)[0, 1]), np.exp(weights_of(many, failed)[0, 1])
    # One of ten failed drives and none of a thousand: (1 + 10 * 10/1010) / (10 * 1000/1010), against 10 in 1000.
    assert alone == pytest.approx(11.1)
    assert together > 5 * alone
    assert weights_of(many, failed)[0, 5] == 0


def test_exact_intervals_of_shares_are_those_of_the_tables() -> None:
    assert known(exact_ratio(0, 10)) == pytest.approx((0, 0, 0.3085), abs=1e-4)  # Clopper and Pearson, 95 %
    assert known(exact_ratio(5, 10)) == pytest.approx((0.5, 0.1871, 0.8129), abs=1e-4)
    assert exact_ratio(0, 0) is None


def test_attributes_are_spread_as_they_were_made(tmp_path: Path) -> None:
    rows = [drive(0, f"S{one}", r9=one) for one in range(101)]
    rows += [drive(0, f"F{one}", failure=1, r9=5000, r5=3) for one in range(4)]
    write_day(tmp_path, 0, rows)
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path)
        found = {(one.attribute_id, one.failed): one for one in spreads(keeper)}
    hours = found[9, False]
    assert (hours.count, hours.low, hours.median, hours.high, hours.most) == (101, 5, 50, 95, 100)
    assert (found[5, True].above_zero_ratio, found[5, False].above_zero_ratio) == (1, 0)
    assert (9, True) in found
    assert (201, False) not in found
