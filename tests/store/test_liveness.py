"""Who is at work on a record is known by a byte that only a living process holds; what nobody can tell is said."""

import platform
from pathlib import Path

import pytest

from flashscope.records import Status
from flashscope.store import liveness
from flashscope.store.liveness import Standing, standing_of, this_process
from flashscope.store.presence import Presence
from flashscope.store.store import Store
from tests.elsewhere import elsewhere
from tests.records.make_records import small_record

_BEGINS = """
import os, sys
from pathlib import Path
from flashscope.store.store import Store
from tests.records.make_records import small_record
store = Store(Path(sys.argv[1]))
store.begin(small_record())
print("begun", flush=True)
sys.stdin.readline()
os.kill(os.getpid(), 9)
"""


def test_a_run_in_another_namespace_is_running_until_it_is_killed_and_then_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    run = elsewhere(_BEGINS, path)
    assert run.stdin is not None
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    with Store(path) as store:
        assert store.list()[0].status is Status.RUNNING
    run.communicate("go on\n")
    with Store(path) as store:
        assert store.list()[0].status is Status.INTERRUPTED
        assert store.load("last").status is Status.INTERRUPTED


def test_a_host_that_was_given_another_name_still_knows_its_own_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "s.sqlite")
    store.begin(small_record())
    monkeypatch.setattr(platform, "node", lambda: "renamed")
    with Store(tmp_path / "s.sqlite") as reader:
        assert reader.list()[0].status is Status.RUNNING
    store.close()
    with Store(tmp_path / "s.sqlite") as reader:
        assert reader.list()[0].status is Status.INTERRUPTED


@pytest.mark.parametrize(
    ("differs", "one_kernel", "expected"),
    [
        ({}, True, Standing.RUNS),
        ({"host": "renamed"}, False, Standing.RUNS),
        ({"start": "1"}, False, Standing.ENDED),
        ({"namespace": "pid:[1]"}, True, Standing.UNKNOWN),
        ({"boot": "before"}, False, Standing.ENDED),
        ({"boot": "before", "host": "renamed"}, True, Standing.ENDED),
        ({"boot": "theirs", "host": "another"}, False, Standing.UNKNOWN),
    ],
)
def test_a_record_without_a_held_byte_goes_by_its_process(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    differs: dict[str, str],
    one_kernel: bool,
    expected: Standing,
) -> None:
    monkeypatch.setattr(liveness, "_on_disk_of_one_kernel", lambda path: one_kernel)
    assert standing_of(this_process() | differs, tmp_path / "s.sqlite") is expected


@pytest.mark.parametrize(
    ("differs", "expected"),
    [
        ({}, Standing.ENDED),
        ({"namespace": "pid:[1]", "process_id": 1}, Standing.ENDED),
        ({"boot": "theirs", "host": "another"}, Standing.UNKNOWN),
    ],
)
def test_a_byte_that_nobody_holds_says_that_the_process_has_ended_if_this_kernel_would_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, differs: dict[str, str], expected: Standing
) -> None:
    monkeypatch.setattr(liveness, "_on_disk_of_one_kernel", lambda path: False)
    path = tmp_path / "s.sqlite"
    held = Presence(path)
    process = this_process(held.place) | differs
    assert standing_of(process, path) is Standing.RUNS
    held.close()
    assert standing_of(process, path) is expected


def test_what_cannot_be_told_from_here_is_said_in_the_list_and_in_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "_on_disk_of_one_kernel", lambda path: False)
    path = tmp_path / "s.sqlite"
    store = Store(path)
    monkeypatch.setattr(platform, "node", lambda: "bench7")
    monkeypatch.setattr(liveness, "_read", lambda name: f"{name}) of another boot" + " 1" * 20)
    store.begin(small_record())
    store.close()
    monkeypatch.undo()
    monkeypatch.setattr(liveness, "_on_disk_of_one_kernel", lambda path: False)
    with Store(path) as reader:
        (summary,), record = reader.list(), reader.load("last")
    assert summary.status is record.status is Status.UNKNOWN
    assert summary.note == record.note == "begun on host bench7; whether it is still at work cannot be told from here"
