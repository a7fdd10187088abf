"""File work on virtual drives: the host's cache and lazy writer, replay, and files that live from step to step."""

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import Interrupted, WrongUse
from flashscope.records import Status, WorkloadResult
from flashscope.runner.hands.files.trace import replay
from flashscope.runner.hands.virtual import VirtualHands
from flashscope.workloads.file_system import (
    WINDOWS_7,
    WINDOWS_XP,
    FileSystem,
    Host,
    Trace,
    load_trace,
    lower,
    save_trace,
)
from flashscope.workloads.file_work import Copy, Create, Delete, File, Operation, Program, Read
from flashscope.workloads.steps import FileWork, SecureErase

MIB = 1 << 20
DRIVE = "onyx-32"


def drive(part: str = DRIVE) -> SimulatedDrive:
    return SimulatedDrive.open(part, 3)


def silent(bytes_done: int, elapsed_ns: int) -> None:
    pass


def a_trace(on: SimulatedDrive, *operations: Operation) -> Trace:
    system = FileSystem(on.facts.user_bytes, on.facts.sector_bytes, can_trim=on.facts.can_trim)
    return lower([Program("p", operations)], system, WINDOWS_7)


def work(*operations: Operation, host: Host = WINDOWS_7, part: str = DRIVE) -> WorkloadResult:
    on = drive(part)
    return replay(on, a_trace(on, *operations), host=host)


def step(name: str, *operations: Operation, sector_bytes: int = 0) -> FileWork:
    return FileWork(name, (Program("p", operations),), 10**8, sector_bytes)


def test_slices_of_any_size_give_the_same_result() -> None:
    results = []
    for budget in (1, 7, 1000, 10**9):
        on = drive()
        run = on.start_file_work(a_trace(on, *(Create(File(f"{n}", 70_000)) for n in range(60))), WINDOWS_7, 10**8)
        while not run.advance(budget):
            pass
        results.append((run.result(), on.counters(), on.now_ns))
    first = results[0]
    for other in results[1:]:
        assert other[0].totals == first[0].totals
        assert other[0].latency == first[0].latency
        assert other[1:] == first[1:]


def test_a_saved_trace_replays_to_the_same_counters(tmp_path: Path) -> None:
    original, copy = drive(), drive()
    trace = a_trace(original, *(Create(File(f"d/{n}", 5000 * n)) for n in range(40)), Read(File("d/3", 15000)))
    save_trace(trace, tmp_path / "trace")
    first, second = replay(original, trace), replay(copy, load_trace(tmp_path / "trace"))
    assert first.totals == second.totals
    assert original.counters() == copy.counters()
    assert original.now_ns == copy.now_ns


def test_a_trace_for_a_larger_drive_is_refused() -> None:
    large = drive("c300-256")
    with pytest.raises(WrongUse, match="does not fit"):
        replay(drive(), a_trace(large, *(Create(File(f"{n}", 4000 * MIB)) for n in range(9))))


def test_all_that_was_written_reaches_the_drive() -> None:
    totals = work(Create(File("a", 100 * MIB))).totals
    assert totals["data_written_bytes"] == 100 * MIB
    assert totals["written_bytes"] == totals["data_written_bytes"] + totals["metadata_written_bytes"]
    assert totals["journal_written_bytes"] > 0
    assert totals["programs_ended_ns"] < totals["synced_ns"]


def test_a_program_is_held_back_at_the_dirty_limit() -> None:
    small = replace(WINDOWS_7, dirty_limit_bytes=8 * MIB)
    held, free = work(Create(File("a", 200 * MIB)), host=small), work(Create(File("a", 200 * MIB)))
    assert held.totals["held_back_count"] > 0
    assert held.totals["dirty_max_bytes"] <= 8 * MIB
    assert free.totals["held_back_count"] == 0
    assert held.totals["programs_ended_ns"] > 5 * free.totals["programs_ended_ns"]


def test_read_ahead_hides_computing_behind_reading() -> None:
    hands = VirtualHands(drive())
    hands.perform(step("create", Create(File("a", 64 * MIB))), silent)
    outcome = hands.perform(step("read", Read(File("a", 64 * MIB))), silent)
    assert outcome.workload is not None
    totals = outcome.workload.totals
    assert totals["data_read_bytes"] == 64 * MIB
    waited_ns = outcome.workload.latency["read"].sum_ns
    assert totals["programs_ended_ns"] < waited_ns + totals["computed_ns"]


def test_a_file_read_again_in_the_same_step_comes_from_memory() -> None:
    totals = work(Create(File("a", 64 * MIB)), Read(File("a", 64 * MIB))).totals
    assert totals["data_read_bytes"] == 0


def test_programs_share_the_cores() -> None:
    on = drive()
    memory = [Program(f"{n}", (Create(File(f"{n}", 512 * MIB, "memory")),)) for n in range(4)]
    system = FileSystem(on.facts.user_bytes, on.facts.sector_bytes, can_trim=True)
    times = {}
    for cores in (1, 2, 4):
        result = replay(on, lower(memory, system, WINDOWS_7), host=replace(WINDOWS_7, core_count=cores))
        times[cores] = result.totals["programs_ended_ns"]
    assert times[1] == pytest.approx(4 * times[4], rel=0.01)
    assert times[2] == pytest.approx(2 * times[4], rel=0.01)


def test_xp_writes_in_smaller_pieces() -> None:
    seven = work(Copy(File("m", 64 * MIB, "memory"), File("a", 64 * MIB)))
    xp = work(Copy(File("m", 64 * MIB, "memory"), File("a", 64 * MIB)), host=WINDOWS_XP)
    assert xp.totals["write_requests"] > 10 * seven.totals["write_requests"]


def test_files_live_from_step_to_step_until_the_drive_is_erased() -> None:
    hands = VirtualHands(drive())
    hands.perform(step("create", Create(File("a", MIB))), silent)
    outcome = hands.perform(step("read", Read(File("a", MIB))), silent)
    assert outcome.status is Status.DONE
    assert outcome.workload is not None
    assert outcome.workload.totals["data_read_bytes"] == MIB
    hands.perform(SecureErase("erase"), silent)
    with pytest.raises(WrongUse, match="no file"):
        hands.perform(step("read again", Read(File("a", MIB))), silent)


def test_larger_sectors_mean_larger_records() -> None:
    written = {}
    for sector_bytes in (0, 4096):
        hands = VirtualHands(drive("c300-256"))
        outcome = hands.perform(
            step("create", *(Create(File(f"{n}", 2000)) for n in range(300)), sector_bytes=sector_bytes), silent
        )
        assert outcome.workload is not None
        totals = outcome.workload.totals
        written[sector_bytes] = (totals["metadata_written_bytes"], totals["record_write_count"])
    assert written[4096][1] == written[0][1] > 300
    assert written[4096][0] - written[0][0] == 3072 * written[0][1]


def test_deleting_tells_the_drive() -> None:
    hands = VirtualHands(drive("c300-256"))
    hands.perform(step("create", Create(File("a", 10 * MIB))), silent)
    outcome = hands.perform(step("delete", Delete(File("a", 10 * MIB))), silent)
    assert outcome.workload is not None
    assert outcome.workload.totals["trimmed_bytes"] == 10 * MIB


def test_a_step_that_a_person_stops_keeps_what_it_measured() -> None:
    def stop(bytes_done: int, elapsed_ns: int) -> None:
        raise Interrupted("enough")

    hands = VirtualHands(drive())
    outcome = hands.perform(step("create", *(Create(File(f"{n}", 2 * MIB)) for n in range(3000))), stop)
    assert outcome.status is Status.INTERRUPTED
    assert outcome.workload is not None
    assert hands.perform(step("after", Create(File("b", MIB))), silent).status is Status.DONE
