"""Programs as real processes on real files in a directory."""

import os
import signal
import time
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.drives.own_folders.owner_note import NOTE
from flashscope.errors import DriveFailed, Interrupted, WrongUse
from flashscope.records import Status, WorkloadResult
from flashscope.runner.asked import Asked
from flashscope.runner.hands.files import cache as file_hands_cache
from flashscope.runner.hands.files.result import doubt_about_speed
from flashscope.runner.hands.hands import Outcome
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.file_work import Copy, Create, Delete, Extract, File, Operation, Program, Read
from flashscope.workloads.steps import FileWork

from ..drives.bench import MIB
from ..runner.fakes import FakeExperiment
from .conftest import OpenHands

INTERVAL_NS = 50_000_000
TREE = tuple(File(f"tree/{index // 10}/{index}", 1_000 + 517 * index) for index in range(40))
TREE_BYTES = sum(file.size_bytes for file in TREE)


def quiet(bytes_done: int, elapsed_ns: int) -> None:
    """A progress callback that lets the run go on."""


def step(*programs: tuple[Operation, ...], name: str = "work") -> FileWork:
    return FileWork(name, tuple(Program(f"p{index}", each) for index, each in enumerate(programs)), INTERVAL_NS)


def measured(outcome: Outcome) -> WorkloadResult:
    assert outcome.status is Status.DONE, outcome.note
    assert outcome.workload is not None
    return outcome.workload


def copies(tree: tuple[File, ...] = TREE) -> tuple[Copy, ...]:
    return tuple(Copy(file, File(f"copy/{file.path}", file.size_bytes)) for file in tree)


def test_a_tree_is_copied_byte_for_byte_and_all_bytes_are_counted(tmp_path: Path, hands_on: OpenHands) -> None:
    result = measured(hands_on(tmp_path).perform(step(copies()), quiet))
    (folder,) = tmp_path.glob("flashscope-*")
    for file in TREE:
        source, target = folder / "files" / file.path, folder / "files" / "copy" / file.path
        assert source.stat().st_size == file.size_bytes
        assert source.read_bytes() == target.read_bytes()
    assert (result.totals["data_read_bytes"], result.totals["data_written_bytes"]) == (TREE_BYTES, TREE_BYTES)
    assert (result.totals["read_requests"], result.totals["write_requests"]) == (len(TREE), len(TREE))
    for name in ("read_bytes", "written_bytes", "read_requests", "write_requests"):
        assert int(result.series[name].sum()) == result.totals[name], "the series sums up to the total"
    assert result.latency["write"].total == len(TREE)
    assert 0 < result.totals["programs_ended_ns"] <= result.totals["synced_ns"] == result.duration_ns
    assert result.series["elapsed_ns"][-1] == result.duration_ns
    assert result.totals["programs_ended_count"] == 1


def test_programs_begin_together_and_each_counts(tmp_path: Path, hands_on: OpenHands) -> None:
    programs = [(Create(File(f"new-{index}", 4 * MIB)),) for index in range(3)]
    result = measured(hands_on(tmp_path).perform(step(*programs), quiet))
    assert result.totals["written_bytes"] == 12 * MIB
    assert result.totals["programs_ended_count"] == 3


def test_an_archive_is_really_unpacked(tmp_path: Path, hands_on: OpenHands) -> None:
    files = tuple(File(f"out/{index}", 500_000) for index in range(4))
    hands = hands_on(tmp_path)
    result = measured(hands.perform(step((Extract(File("a.zip", 2_000_000), files, compute_ns_per_byte=3.0),)), quiet))
    (folder,) = tmp_path.glob("flashscope-*")
    assert [(folder / "files" / file.path).stat().st_size for file in files] == [500_000] * 4
    assert result.totals["written_bytes"] == 2_000_000
    assert result.totals["read_bytes"] == pytest.approx((folder / "files" / "a.zip").stat().st_size, rel=0.01)


def test_an_archive_made_or_copied_by_the_program_can_be_unpacked(tmp_path: Path, hands_on: OpenHands) -> None:
    far, near, own = File("a.zip", 200_000, "memory"), File("b.zip", 200_000), File("c.zip", 200_000)
    files = (File("x", 100_000), File("y", 100_000))
    others = (File("z", 100_000), File("w", 100_000))
    hands = hands_on(tmp_path)
    result = measured(
        hands.perform(step((Copy(far, near), Extract(near, files)), (Create(own), Extract(own, others))), quiet)
    )
    assert result.totals["memory_read_bytes"] > 200_000
    assert result.totals["programs_ended_count"] == 2


def test_files_in_memory_cost_no_drive_bytes_and_are_removed(tmp_path: Path, hands_on: OpenHands) -> None:
    before = set(Path("/dev/shm").glob("flashscope-*"))
    hands = hands_on(tmp_path)
    far = File("x", MIB, "memory")
    result = measured(hands.perform(step((Copy(far, File("near", MIB)), Copy(File("near", MIB), far))), quiet))
    assert (result.totals["read_bytes"], result.totals["written_bytes"]) == (MIB, MIB)
    assert (result.totals["memory_read_bytes"], result.totals["memory_written_bytes"]) == (MIB, MIB)
    hands._directory.close()
    assert set(Path("/dev/shm").glob("flashscope-*")) <= before
    assert list(tmp_path.iterdir()) == []


def test_without_a_place_in_memory_the_step_is_refused_politely(
    tmp_path: Path, hands_on: OpenHands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flashscope.drives.real.directory.MEMORY_PLACE", tmp_path)
    with pytest.raises(WrongUse, match="is not a file system in memory"):
        hands_on(tmp_path).perform(step((Create(File("x", 1, "memory")),)), quiet)


def test_files_stay_for_later_steps_and_targets_are_made_anew(tmp_path: Path, hands_on: OpenHands) -> None:
    hands = hands_on(tmp_path)
    kept = File("kept", MIB)
    measured(hands.perform(step((Create(kept),)), quiet))
    (path,) = tmp_path.glob("flashscope-*/files/kept")
    inode = path.stat().st_ino
    measured(hands.perform(step((Read(kept), Copy(kept, File("copy", MIB)))), quiet))
    assert path.stat().st_ino == inode
    measured(hands.perform(step((Copy(kept, File("copy", MIB)), Delete(kept))), quiet))
    assert not path.exists()


def test_what_was_read_came_from_the_drive_or_a_doubt_says_so(
    tmp_path: Path, hands_on: OpenHands, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = hands_on(tmp_path)
    source = File("x", 8 * MIB)
    outcome = hands.perform(step((Read(source),)), quiet)
    if os.geteuid() == 0 and not outcome.doubts:
        assert measured(outcome).totals["fetched_bytes"] >= 8 * MIB
    monkeypatch.setattr(file_hands_cache, "_DROP", tmp_path / "no" / "such" / "place")
    outcome = hands.perform(step((Read(source),)), quiet)
    assert outcome.doubts[0].kind == "CacheInTheWay"
    assert "could not be emptied completely" in outcome.doubts[0].message
    assert file_hands_cache.doubt_about_reads("s", 8 * MIB, MIB)[0].kind == "CacheInTheWay"
    assert file_hands_cache.doubt_about_reads("s", 8 * MIB, -1) == ()


def test_a_step_without_room_is_refused_before_a_byte_is_written(tmp_path: Path, hands_on: OpenHands) -> None:
    hands = hands_on(tmp_path, room_bytes=4 * MIB)
    with pytest.raises(WrongUse, match=f"needs {6 * MIB} bytes") as refused:
        hands.perform(step((Copy(File("a", 3 * MIB), File("b", 3 * MIB)),)), quiet)
    assert "nothing was written" in refused.value.advice
    (folder,) = tmp_path.glob("flashscope-*")
    assert [entry.name for entry in folder.iterdir()] == [NOTE]
    measured(hands.perform(step((Create(File("a", 3 * MIB)),)), quiet))
    with pytest.raises(DriveFailed, match="may be used there"):
        hands.perform(step((Create(File("b", 3 * MIB)),), name="second"), quiet)


def test_ctrl_c_keeps_what_was_measured_and_leaves_no_process(tmp_path: Path, hands_on: OpenHands) -> None:
    def stop(bytes_done: int, elapsed_ns: int) -> None:
        if bytes_done > 4 * MIB:
            raise Interrupted("stopped by Ctrl-C")

    turns = tuple(operation for _ in range(2000) for operation in (Create(File("x", MIB)), Delete(File("x", MIB))))
    began_s = time.monotonic()
    outcome = hands_on(tmp_path).perform(step(turns, turns_of("y")), stop)
    assert time.monotonic() - began_s < 20
    assert (outcome.status, outcome.note) == (Status.INTERRUPTED, "stopped by Ctrl-C")
    assert outcome.workload is not None
    assert outcome.workload.totals["written_bytes"] > 4 * MIB
    assert outcome.workload.totals["programs_ended_count"] == 0
    assert programs_that_run() == []


def test_a_program_that_computes_all_the_time_is_doubted() -> None:
    waits = {"began_ns": 0, "ended_ns": 10**9, "computed_ns": 10**8}
    computes = {"began_ns": 0, "ended_ns": 10**9, "computed_ns": 95 * 10**7}
    assert doubt_about_speed("s", [waits]) == ()
    (doubt,) = doubt_about_speed("s", [waits, computes])
    assert (doubt.kind, "95%" in doubt.message) == ("CpuBound", True)


def turns_of(name: str) -> tuple[Operation, ...]:
    return tuple(operation for _ in range(2000) for operation in (Create(File(name, MIB)), Delete(File(name, MIB))))


def programs_that_run() -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
            parent = int((path.parent / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if b"flashscope.runner.hands.files.program" in words and parent == os.getpid():
            found.append(int(path.parent.name))
    return found


def test_a_program_that_is_killed_fails_the_step_and_keeps_the_others(tmp_path: Path, hands_on: OpenHands) -> None:
    killed: list[int] = []

    def kill_one(bytes_done: int, elapsed_ns: int) -> None:
        if bytes_done > MIB and not killed:
            killed.append(programs_that_run()[0])
            os.kill(killed[0], signal.SIGKILL)

    outcome = hands_on(tmp_path).perform(step(turns_of("x"), turns_of("y")), kill_one)
    assert outcome.status is Status.FAILED
    assert "ended from outside" in outcome.note
    assert outcome.workload is not None
    assert outcome.workload.totals["programs_ended_count"] == 1


def test_a_folder_removed_during_a_step_fails_it_in_clear_words(tmp_path: Path, hands_on: OpenHands) -> None:
    hands = hands_on(tmp_path)

    def remove(bytes_done: int, elapsed_ns: int) -> None:
        for folder in tmp_path.glob("flashscope-*"):
            if bytes_done > MIB:
                folder.rename(tmp_path / "moved-away")

    outcome = hands.perform(step(turns_of("x")), remove)
    assert outcome.status is Status.FAILED
    assert "is gone" in outcome.note
    assert outcome.workload is not None


def test_doubts_of_a_step_and_of_the_place_are_kept_with_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_hands_cache, "_DROP", tmp_path / "no" / "such" / "place")
    place = tmp_path / "place"
    (place / "flashscope-old").mkdir(parents=True)
    consent = Consent(write_ok=True, create_bytes=8 * MIB)
    drive = open_drive(parse_address(f"dir:{place}"), destructive=True, consent=consent)
    source = step((Read(File("x", MIB)),), name="write")
    try:
        with Store(tmp_path / "records.sqlite") as store:
            experiment = FakeExperiment([source, step((Read(File("x", MIB)),), name="again")])
            record = run_experiment(experiment, drive, Asked(seed=0, command=""), store=store, progress=Silent())
            kept = store.load(record.id)
    finally:
        drive.close()
    assert kept.status is Status.DONE
    kinds = [doubt.kind for doubt in kept.doubts]
    assert kinds.count("CacheInTheWay") == 1, "said once, however many steps it holds for"
    assert "DriveWarning" in kinds
