from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from flashscope.errors import WrongUse
from flashscope.records import Finding, Record, Status, Table
from flashscope.store.checksums import TABLES, Part, filled_tables, stored_rows
from flashscope.store.layout.schema import MIGRATIONS, migrate
from flashscope.store.store import Store, default_store_path, make_record_id
from tests.records.make_records import assert_tables_equal, records, small_record, small_step


def assert_records_equal(left: Record, right: Record) -> None:
    assert_tables_equal(left.inside, right.inside)
    assert len(left.steps) == len(right.steps)
    for one, other in zip(left.steps, right.steps, strict=True):
        assert (one.workload is None) == (other.workload is None)
        if one.workload and other.workload:
            assert_tables_equal(one.workload.series, other.workload.series)
            assert replace(one.workload, series=Table()) == replace(other.workload, series=Table())
        assert replace(one, workload=None) == replace(other, workload=None)
    assert replace(left, inside=None, steps=[]) == replace(right, inside=None, steps=[])


@given(record=records())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_loaded_record_equals_the_saved_one(record: Record, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("store") / "records.sqlite"
    with Store(path) as store:
        store.begin(replace(record, steps=[], findings=[], doubts=[], truth={}, inside=None, note=""))
        for step in record.steps:
            store.save_step(record.id, step)
        store.finish(record)
    with Store(path) as store:
        assert_records_equal(store.load(record.id), record)


def test_a_step_saved_twice_is_kept_once_in_its_last_state(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(small_record())
        step = small_step(0)
        store.save_step(small_record().id, replace(step, status=Status.RUNNING, workload=None))
        store.save_step(small_record().id, step)
        (kept,) = store.load("last").steps
    assert kept.status is Status.DONE
    assert kept.workload is not None


def test_records_of_the_same_second_get_different_ids(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        ids = [store.begin(small_record()) for _ in range(3)]
    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]


def test_ids_say_when_what_and_how() -> None:
    assert (
        make_record_id("2026-11-21T04:05:12Z", "sim:onyx-32?seed=7", "smart-inference")
        == "20261121-040512-onyx-32-smart-inference"
    )
    for address in ("file:/tmp/target.img", "file:target.img"):
        assert make_record_id("2026-11-21T04:05:12.345Z", address, "x") == "20261121-040512-target-img-x"
    assert make_record_id("2026-11-21T04:05:12Z", "/dev/sdb", "x") == "20261121-040512-sdb-x"


def test_an_id_can_be_the_name_of_a_file_whatever_the_job_file_is_called() -> None:
    for name, part in (("two\nlines", "two-lines"), ("a/../b", "a-..-b"), ("[x] y", "x-y"), ("n" * 250, "n" * 60)):
        assert make_record_id("2026-11-21T04:05:12Z", "sim:k5-64", name) == f"20261121-040512-k5-64-{part}"


def test_a_unique_beginning_and_last_name_a_record(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(small_record("20261121-a"))
        newer = small_record("20261122-b")
        newer.created_utc = "2026-11-22T00:00:00Z"
        store.begin(newer)
        assert store.load("20261121").id == "20261121-a"
        assert store.load("last").id == "20261122-b"
        with pytest.raises(WrongUse, match="beginning of 2 records"):
            store.load("2026")
        with pytest.raises(WrongUse, match="no record 'nonsense'"):
            store.load("nonsense")
        with pytest.raises(WrongUse, match="no record"):
            store.load("%")


def test_an_id_that_begins_another_id_still_names_its_own_record(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        first = store.begin(small_record())
        store.begin(small_record())
        assert store.load(first).id == first


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.begin(small_record())
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 4}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(WrongUse, match=rf"version {len(MIGRATIONS) + 4}; .* up to {len(MIGRATIONS)}"):
        Store(path)
    assert path.read_bytes() == before


def test_an_older_store_is_migrated_step_by_step(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    connection = sqlite3.connect(path, isolation_level=None)
    first, second = "CREATE TABLE a (x);", "ALTER TABLE a ADD COLUMN y DEFAULT 5; CREATE INDEX i ON a (y);"
    assert migrate(connection, path, [first]) == 1
    connection.execute("INSERT INTO a VALUES (1)")
    assert migrate(connection, path, [first, second]) == 2
    assert connection.execute("SELECT x, y FROM a").fetchall() == [(1, 5)]
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, path, [first, second, "CREATE TABLE b (z); SELECT nonsense FROM nowhere;"])
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'b'").fetchone() == (0,)
    connection.close()


def test_a_file_that_is_not_sqlite_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my holiday notes, not a database\n" * 100)
    before = path.read_bytes()
    with pytest.raises(WrongUse, match="not a store"):
        Store(path)
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(WrongUse, match="another program"):
        Store(path)
    assert path.read_bytes() == before


def test_a_truncated_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.begin(small_record())
        for index in range(20):
            store.save_step(small_record().id, small_step(index))
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(WrongUse, match="damaged"), Store(path) as store:
        store.load("last")


def test_a_missing_store_is_not_made_for_a_reader(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="no store at"):
        Store(tmp_path / "s.sqlite", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_run_whose_process_lives_is_running_and_its_reader_sees_that(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(small_record())
        with Store(tmp_path / "s.sqlite") as reader:
            assert reader.load("last").status is Status.RUNNING


_WRITER = """
import sys
from pathlib import Path
from tests.records.make_records import small_record, small_step
from flashscope.store.store import Store
store = Store(Path(sys.argv[1]))
store.begin(small_record())
index = 0
while True:
    store.save_step(small_record().id, small_step(index))
    print(index, flush=True)
    index += 1
"""


@pytest.mark.parametrize("delay_s", [0.0, 0.013, 0.05])
def test_every_acknowledged_step_survives_a_kill_and_the_run_shows_as_interrupted(
    tmp_path: Path, delay_s: float
) -> None:
    path = tmp_path / "s.sqlite"
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert writer.stdout is not None
    for _ in range(3):
        writer.stdout.readline()
    threading.Event().wait(delay_s)
    writer.kill()
    acknowledged = 2 + len(writer.stdout.read().split())
    writer.wait()
    writer.stdout.close()
    with Store(path) as store:
        record = store.load("last")
        assert record.status is Status.INTERRUPTED
        assert store.list()[0].status is Status.INTERRUPTED
    assert [step.index for step in record.steps][: acknowledged + 1] == list(range(acknowledged + 1))
    assert all(step.workload is not None and len(step.workload.series) == 100 for step in record.steps)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT status FROM records").fetchone() == ("interrupted",)
    connection.close()


def test_four_processes_may_make_and_write_one_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    code = _WRITER.replace("while True:", "while index < 10:")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path)], cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL
        )
        for _ in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    with Store(path) as store:
        assert len(store.list()) == 4
        assert store.load(small_record().id).status is Status.INTERRUPTED


def test_a_nan_or_numpy_value_does_not_lose_the_record(tmp_path: Path) -> None:
    import numpy as np

    record = small_record(status=Status.DONE)
    record.findings = [Finding("k", "s", float("nan"), "ratio", details={"cells": np.arange(2), "pair": (1, 2)})]
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(record)
        (finding,) = store.load("last").findings
    assert finding.value != finding.value
    assert finding.details == {"cells": [0, 1], "pair": [1, 2]}


def test_the_default_store_is_in_the_state_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_store_path() == tmp_path / "flashscope" / "records.sqlite"
    monkeypatch.setenv("XDG_STATE_HOME", "")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_store_path() == Path("/home/someone/.local/state/flashscope/records.sqlite")


_AS_NOBODY = """
import os, sqlite3, sys
from pathlib import Path
from flashscope.errors import WrongUse
from flashscope.store.store import Store
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    Store(Path(sys.argv[1]))
except WrongUse as error:
    print(error.exit_code, error)
"""


def test_a_read_only_directory_is_wrong_use() -> None:
    with tempfile.TemporaryDirectory() as open_to_all:
        Path(open_to_all).chmod(0o755)
        closed = Path(open_to_all, "closed")
        closed.mkdir(mode=0o555)
        for path in (closed / "s.sqlite", closed / "below" / "s.sqlite"):
            command = [sys.executable, "-c", _AS_NOBODY, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            assert done.stdout.startswith("2 ")
            assert str(path) in done.stdout
        assert list(closed.iterdir()) == []


def test_a_repeatable_run_waits_for_the_disk_only_when_it_ends(tmp_path: Path) -> None:
    for repeatable, of_steps in ((True, "NORMAL"), (False, "FULL")):
        with Store(tmp_path / f"{repeatable}.sqlite", repeatable=repeatable) as store:
            modes = _modes_at_commits(store)
            record = small_record()
            store.begin(replace(record, steps=[]))
            store.save_step(record.id, small_step(0))
            assert modes == [of_steps, of_steps]
            store.finish(record)
            assert modes[2:] == ["FULL"]
            store.save_step(record.id, small_step(1))
            assert modes[3:] == [of_steps]


def _modes_at_commits(store: Store) -> list[str]:
    """The setting of PRAGMA synchronous at each commit from now on; the list grows."""
    connection, modes = store._connection, []
    mode = {1: "NORMAL", 2: "FULL"}[connection.execute("PRAGMA synchronous").fetchone()[0]]

    def trace(statement: str) -> None:
        nonlocal mode
        if statement.startswith("PRAGMA synchronous = "):
            word = statement.removeprefix("PRAGMA synchronous = ")
            mode = {"1": "NORMAL", "2": "FULL"}.get(word, word)
        elif statement == "COMMIT":
            modes.append(mode)

    connection.set_trace_callback(trace)
    return modes


def test_tables_with_rows_of_a_step_are_found_by_one_question(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        record = small_record()
        store.begin(replace(record, steps=[]))
        store.save_step(record.id, small_step(0))
        connection = store._connection

        def has_rows(table: str) -> bool:
            return bool(stored_rows(connection, table, record.id, step_index=0))

        expected = tuple(table for table in TABLES[Part.STEPS] if has_rows(table))
        assert filled_tables(connection, Part.STEPS, record.id, step_index=0) == expected
        assert "steps" in expected
        assert not filled_tables(connection, Part.STEPS, record.id, step_index=1)
        assert filled_tables(connection, Part.HEAD, record.id) == tuple(
            table for table in TABLES[Part.HEAD] if stored_rows(connection, table, record.id)
        )
