import sqlite3
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.moment import Moment
from flashscope.smart.dump import Dump
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.store.file.errors import StoreFailed
from flashscope.store.store import Store
from tests.smart.watch.make_samples import START_S, keep, make_dump, make_reading, moment

_DRIVE = "ACME X1/S-1"


def test_a_dump_comes_back_whole_with_its_raw_bytes(tmp_path: Path) -> None:
    dump = make_dump()
    with SeriesStore(tmp_path / "s.sqlite") as store:
        sample = store.append(dump, make_reading(host_written_bytes=5), "/dev/sdx", moment(0)).sample
        assert [one for _, one in store.dumps(_DRIVE)] == [dump]
        assert store.samples(_DRIVE) == (sample,)
    assert sample.number("host_written_bytes") == 5
    assert sample.number("temperature_limit_celsius") == 70
    assert sample.number("power_cycle_count") is None


def test_samples_cannot_be_changed_or_deleted(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        keep(store, 0)
    with sqlite3.connect(tmp_path / "s.sqlite") as connection:
        for statement in ("DELETE FROM samples", "UPDATE samples SET place = ''", "DELETE FROM notices"):
            if "notices" in statement:
                connection.execute("INSERT INTO notices VALUES (1, 1, 'gap', '', '', '{}')")
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    connection.close()


def test_another_programs_database_and_a_store_of_records_are_refused_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    Store(tmp_path / "records.sqlite").close()
    (tmp_path / "text.sqlite").write_text("this is no database, but a long enough text to look at" * 10)
    for path in (other, tmp_path / "records.sqlite", tmp_path / "text.sqlite"):
        before = path.read_bytes()
        with pytest.raises(WrongUse, match="store"):
            SeriesStore(path)
        assert path.read_bytes() == before
    with pytest.raises(WrongUse, match="no series store"):
        SeriesStore(tmp_path / "missing.sqlite", create=False)


_WRITER = """
import sys
from pathlib import Path
from flashscope.smart.watching.series_store import SeriesStore
from tests.smart.watch.make_samples import keep
store = SeriesStore(Path(sys.argv[1]))
index = 0
while True:
    keep(store, index, power_cycle_count=index)
    print(index, flush=True)
    index += 1
"""


@pytest.mark.parametrize("delay_s", [0.0, 0.011, 0.05, 0.2])
def test_every_acknowledged_sample_survives_a_kill(tmp_path: Path, delay_s: float) -> None:
    path = tmp_path / "s.sqlite"
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    )
    assert writer.stdout is not None
    for _ in range(3):
        writer.stdout.readline()
    threading.Event().wait(delay_s)
    writer.kill()
    acknowledged = 3 + len(writer.stdout.read().split("\n")) - 1
    writer.wait()
    writer.stdout.close()
    with SeriesStore(path) as store:
        samples = store.samples(_DRIVE)
        dumps = list(store.dumps(_DRIVE))
    assert len(dumps) == len(samples) >= acknowledged
    assert [sample.number("power_cycle_count") for sample in samples] == list(range(len(samples)))
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_four_processes_may_make_and_write_one_store_at_once(tmp_path: Path) -> None:
    code = _WRITER.replace("while True:", "while index < 10:")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "s.sqlite")],
            cwd=Path(__file__).parents[3],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    with SeriesStore(tmp_path / "s.sqlite") as store:
        assert len(store.samples(_DRIVE)) == 40


def _keep_many(store: SeriesStore) -> None:
    for index in range(1, 100):
        keep(store, index)


def test_a_disk_that_is_full_is_said_and_keeps_what_was_there(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        keep(store, 0)
        with store.transaction() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreFailed, match="full"):
            _keep_many(store)
        store._connection.execute("PRAGMA max_page_count = 100000")
        kept = store.samples(_DRIVE)
        keep(store, 200)
        assert len(store.samples(_DRIVE)) == len(kept) + 1


def test_the_clock_may_jump_and_the_series_keeps_its_time(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        dump, reading = make_dump(), make_reading()
        moments = [
            Moment(START_S, "a", 100.0),
            Moment(START_S - 86400, "a", 700.0),  # the clock was set back by a day and 10 min
            Moment(START_S + 600, "b", 5.0),  # after a boot: the wall clock alone
            Moment(START_S - 50, "c", 5.0),  # a boot with a flat battery
        ]
        kept = [store.append(dump, reading, "/dev/sdx", one, 600.0) for one in moments]
    assert [one.sample.steady_s for one in kept] == [0.0, 600.0, 87600.0, 87600.0]
    assert [[notice.kind for notice in one.notices] for one in kept] == [
        [], ["clock jumped"], ["gap"], ["clock jumped"],
    ]  # fmt: skip
    assert kept[1].notices[0].details["jump_s"] == -87000


def test_a_gap_is_noticed_by_a_watch_and_not_by_hand(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        kept = [
            store.append(make_dump(), make_reading(), "/dev/sdx", moment(at_s), every_s)
            for at_s, every_s in ((0, 600), (1400, 600), (3000, 600), (90000, None))
        ]
    assert [[notice.kind for notice in one.notices] for one in kept] == [[], [], ["gap"], []]


def test_another_drive_at_the_same_place_is_noticed_and_gets_its_own_series(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        keep(store, 0, host_written_bytes=1000)
        second = store.append(make_dump(serial="S-2"), make_reading(host_written_bytes=1), "/dev/sdx", moment(9), None)
        assert [one.kind for one in second.notices] == ["drive replaced"]
        assert second.drive_before == _DRIVE
        assert len(store.samples(_DRIVE)) == 1
        assert store.drive_at("/dev/sdx") == "ACME X1/S-2"
        back = store.append(make_dump(), make_reading(host_written_bytes=1001), "/dev/sdy", moment(20), None)
        assert back.notices == ()
        assert len(store.samples(_DRIVE)) == 2


def test_a_file_that_did_not_change_is_one_sample(tmp_path: Path) -> None:
    dump = make_dump(taken_at_s=START_S - 1e6)
    with SeriesStore(tmp_path / "s.sqlite") as store:
        kept = [store.append(dump, make_reading(), "a.txt", moment(at_s)).is_new for at_s in (0, 600)]
        later = make_dump(taken_at_s=START_S - 9e5)
        kept.append(store.append(later, make_reading(), "a.txt", moment(1200)).is_new)
        assert kept == [True, False, True]
        assert [one.steady_s for one in store.samples(_DRIVE)] == [0, 1e5]


def test_misses_count_in_a_row(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        assert [store.miss("/dev/sdx", "gone", moment(at_s)) for at_s in (0, 1)] == [1, 2]
        keep(store, 2)
        assert store.misses_in_a_row("/dev/sdx") == 0
        assert store.miss("/dev/sdx", "gone", moment(3)) == 1
        assert store.misses_in_a_row("/dev/sdy") == 0


_TEXT = st.text(st.characters(exclude_categories=[]))


@given(
    st.builds(
        Dump,
        source=_TEXT,
        format=_TEXT,
        model=_TEXT,
        serial=_TEXT,
        firmware=_TEXT,
        user_bytes=st.none() | st.integers(0, 2**80),
        taken_at_s=st.none() | st.floats(),
        nvme_health=st.dictionaries(_TEXT, st.integers(0, 2**128)),
        remarks=st.lists(_TEXT).map(tuple),
    ),
    st.dictionaries(st.sampled_from(["host_written_bytes", "rber"]), st.integers(0, 2**128) | st.floats()),
    _TEXT,
)
@settings(deadline=None, max_examples=25)
def test_whatever_a_dump_says_it_is_kept_whole(dump: Dump, values: dict[str, Any], place: str) -> None:
    with tempfile.TemporaryDirectory() as folder, SeriesStore(Path(folder) / "s.sqlite") as store:
        kept = store.append(dump, make_reading(**values), place, moment(0)).sample
        ((_, back),) = store.dumps(kept.drive)
        # NaN is not equal to itself.
        assert replace(back, taken_at_s=None) == replace(dump, taken_at_s=None)
        store.miss(place, dump.source, moment(1))
        assert store.misses_in_a_row(place) == 1


def test_a_reading_with_numbers_json_has_no_word_for_is_kept(tmp_path: Path) -> None:
    with SeriesStore(tmp_path / "s.sqlite") as store:
        sample = keep(store, 0, rber=float("nan"), temperature_celsius=30)
    assert "rber" not in sample.values
    assert sample.number("temperature_celsius") == 30
