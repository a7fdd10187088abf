"""The past of a drive out of a series: its own samples, comparable ones only, evenly thinned; the store as it was."""

import os
import shutil
import sqlite3
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.moment import Moment
from flashscope.reports.smart.view import view_smart
from flashscope.smart.identity import identify
from flashscope.smart.watching.past import READINGS_MOST, Now, Past, past_of, thinned
from flashscope.smart.watching.read_only import asked
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.store.store import Store
from tests.smart.watch.make_samples import START_S, keep, make_dump, make_reading, moment

HOUR_S = 3600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def fill(path: Path, hours: list[int], **more: list[int]) -> None:
    """One sample an hour; `more` are further counters, a number for each."""
    with SeriesStore(path) as store:
        for index, count in enumerate(hours):
            others = {key: counts[index] for key, counts in more.items()}
            keep(store, index * HOUR_S, power_on_time_hours=count, **others)


def now(at_s: float, *, is_saved: bool = False, place: str = "/dev/sdx", **values: int) -> Now:
    dump = make_dump()
    return Now(dump, make_reading(**values), identify(dump, place), moment(at_s), is_saved)


def hours_of(past: Past) -> list[float]:
    """When the readings were taken, in hours after the start."""
    return [((dump.taken_at_s or 0.0) - START_S) / HOUR_S for dump, _ in past.readings]


def test_earlier_samples_of_the_drive_are_its_past(path: Path) -> None:
    fill(path, [10, 11, 12])
    with SeriesStore(path) as store:
        store.append(make_dump(serial="S-2"), make_reading(), "/dev/sdy", moment(0))
    past = past_of(path, now(3 * HOUR_S, power_on_time_hours=13))
    assert hours_of(past) == [0, 1, 2]
    assert (past.kept_count, past.since_s, past.remarks) == (3, START_S, ())
    assert all(dump.serial == "S-1" for dump, _ in past.readings)


def test_a_drive_the_store_never_saw_has_no_past(path: Path) -> None:
    fill(path, [10])
    stranger = make_dump(serial="S-9")
    past = past_of(path, Now(stranger, make_reading(), identify(stranger, "/dev/sdx"), moment(HOUR_S)))
    assert past == Past(str(path))
    assert past.since_s is None


def test_only_what_was_kept_before_a_saved_dump_is_its_past(path: Path) -> None:
    fill(path, [10, 11, 12, 13])
    assert hours_of(past_of(path, now(2 * HOUR_S, is_saved=True, power_on_time_hours=12))) == [0, 1]


def test_jumps_of_the_wall_clock_do_not_disorder_the_past(path: Path) -> None:
    with SeriesStore(path) as store:
        for index, jump_s in enumerate((0.0, 9e6, -9e6, 0.0)):
            at = replace(moment(index * HOUR_S), wall_s=START_S + index * HOUR_S + jump_s)
            store.append(make_dump(), make_reading(power_on_time_hours=index), "/dev/sdx", at)
    assert hours_of(past_of(path, now(4 * HOUR_S, power_on_time_hours=4))) == [0, 1, 2, 3]


def test_a_date_in_the_far_future_harms_nothing(path: Path) -> None:
    with SeriesStore(path) as store:
        for index, wall_s in enumerate((START_S, 2.5e11, START_S)):
            reading = make_reading(power_on_time_hours=index)
            store.append(make_dump(), reading, "/dev/sdx", Moment(wall_s))
    past = past_of(path, now(HOUR_S, power_on_time_hours=4))
    assert past.kept_count == 3
    assert past.since_s is not None
    assert past.since_s < 0
    view = view_smart([(make_dump(), make_reading(power_on_time_hours=4))], past=past)
    assert "Its history: 3 readings kept by a watch." in view.sentences


def test_nothing_before_a_life_counter_went_back_is_compared(path: Path) -> None:
    fill(path, [500, 501, 502, 3, 4])
    past = past_of(path, now(5 * HOUR_S, power_on_time_hours=5))
    assert hours_of(past) == [3, 4]
    assert past.remarks == ("3 older readings left out: power_on_time_hours went back",)


def test_a_counter_that_went_back_just_now_ends_the_past(path: Path) -> None:
    fill(path, [500, 501])
    past = past_of(path, now(2 * HOUR_S, power_on_time_hours=1))
    assert (past.readings, past.kept_count) == ((), 0)
    assert past.remarks == ("2 older readings left out: power_on_time_hours went back",)


def test_other_counters_may_begin_anew(path: Path) -> None:
    fill(path, [10, 11, 12, 13], throttle_count=[7, 8, 0, 1])
    assert past_of(path, now(4 * HOUR_S, power_on_time_hours=14, throttle_count=1)).kept_count == 4


def test_a_doubted_reading_is_no_past(path: Path) -> None:
    fill(path, [10, 11, 900_000, 12, 13])
    assert hours_of(past_of(path, now(5 * HOUR_S, power_on_time_hours=14))) == [0, 1, 3, 4]
    fill(path.with_name("t.sqlite"), [10, 11, 900_000])
    assert hours_of(past_of(path.with_name("t.sqlite"), now(3 * HOUR_S, power_on_time_hours=12))) == [0, 1]


@pytest.mark.parametrize(("serial", "kept"), [("", 1), ("S-1", 2)])
def test_another_drive_at_the_place_ends_a_past_that_hangs_on_the_place(path: Path, serial: str, kept: int) -> None:
    mine = make_dump(serial=serial)
    with SeriesStore(path) as store:
        for index, dump in enumerate((mine, make_dump(model="OTHER", serial="S-2"), mine)):
            store.append(dump, make_reading(power_on_time_hours=10 + index), "/dev/sdx", moment(index * HOUR_S))
    identity = identify(mine, "/dev/sdx")
    past = past_of(path, Now(mine, make_reading(power_on_time_hours=20), identity, moment(3 * HOUR_S)))
    assert past.kept_count == kept
    assert [("another drive" in remark) for remark in past.remarks] == [True] * (2 - kept)


def test_a_long_past_is_thinned_evenly_with_both_ends(path: Path) -> None:
    fill(path, list(range(3 * READINGS_MOST)))
    past = past_of(path, now(3 * READINGS_MOST * HOUR_S, power_on_time_hours=3 * READINGS_MOST))
    hours = hours_of(past)
    assert past.kept_count == 3 * READINGS_MOST
    assert len(hours) == READINGS_MOST
    assert (hours[0], hours[-1]) == (0, 3 * READINGS_MOST - 1)
    assert {after - before for before, after in pairwise(hours)} <= {2, 3, 4}


@given(times_s=st.lists(st.floats(0, 1e9), min_size=1, max_size=60).map(sorted), at_most=st.integers(2, 20))
def test_thinning_keeps_both_ends_and_no_more_than_asked(times_s: list[float], at_most: int) -> None:
    kept = thinned(times_s, at_most)
    assert kept == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, len(times_s) - 1)
    assert len(kept) <= at_most
    if len(times_s) <= at_most:
        assert len(kept) == len(times_s)


def _traces(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.parent.iterdir() if not one.name.endswith("-shm")}


def test_looking_leaves_no_trace(path: Path) -> None:
    fill(path, [10, 11])
    before, names = _traces(path), sorted(os.listdir(path.parent))
    assert past_of(path, now(2 * HOUR_S, power_on_time_hours=12)).kept_count == 2
    assert _traces(path) == before
    assert sorted(os.listdir(path.parent)) == names == ["s.sqlite"]


def test_a_watch_that_has_the_store_open_is_read_along(path: Path) -> None:
    with SeriesStore(path) as store:
        keep(store, 0, power_on_time_hours=10)
        before = _traces(path)
        assert past_of(path, now(HOUR_S, power_on_time_hours=11)).kept_count == 1
        assert _traces(path) == before
        keep(store, HOUR_S, power_on_time_hours=11)
        assert past_of(path, now(2 * HOUR_S, power_on_time_hours=12)).kept_count == 2


def test_what_a_killed_watch_left_in_its_journal_is_read(path: Path, tmp_path: Path) -> None:
    with SeriesStore(path) as store:
        keep(store, 0, power_on_time_hours=10)
        left = tmp_path / "left" / "s.sqlite"
        left.parent.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{left}{end}")
    before, names = _traces(left), sorted(os.listdir(left.parent))
    assert past_of(left, now(HOUR_S, power_on_time_hours=11)).kept_count == 1
    assert _traces(left) == before
    assert sorted(os.listdir(left.parent)) == names


def test_a_store_that_changes_while_it_is_read_is_asked_again(path: Path) -> None:
    fill(path, [10])
    answers = iter((True, False))

    def question(_: sqlite3.Connection) -> str:
        if next(answers):
            os.utime(path, (1, 1))
            return "torn"
        return "whole"

    assert asked(path, question) == "whole"
    times = iter(range(2, 99))

    def restless(_: sqlite3.Connection) -> None:
        os.utime(path, (1, next(times)))

    with pytest.raises(WrongUse, match="changes while it is read"):
        asked(path, restless)


def test_what_is_no_series_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store(tmp_path / "records.sqlite").close()
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "text.sqlite").write_text("this is no database, but a long enough text to look at" * 10)
    for name, says in (
        ("records.sqlite", "not a series store"),
        ("empty.sqlite", "empty"),
        ("text.sqlite", "not a store"),
        ("missing.sqlite", "there is no series store"),
    ):
        before = _traces(tmp_path / name)
        with pytest.raises(WrongUse, match=says):
            past_of(tmp_path / name, now(0))
        assert _traces(tmp_path / name) == before


def test_a_damaged_sample_is_said_to_be_one(path: Path) -> None:
    fill(path, [10])
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER samples_are_not_updated")
        connection.execute("UPDATE samples SET dump = x'00'")
    connection.close()
    with pytest.raises(WrongUse, match="sample 1 cannot be unpacked"):
        past_of(path, now(HOUR_S, power_on_time_hours=11))
