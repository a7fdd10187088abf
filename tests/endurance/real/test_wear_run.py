"""Stops, pauses, silence of SMART, clocks that jump, writes that fail: each ends as it should, in words."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flashscope.endurance.real import wear_run
from flashscope.endurance.real.journal import Entry
from flashscope.endurance.real.run_state import RunState
from flashscope.endurance.real.smart_look import ReadDump
from flashscope.endurance.real.wear_run import WearRun
from flashscope.errors import DriveFailed, WrongUse
from flashscope.moment import Moment
from flashscope.records import Finding, Record, Status
from flashscope.runner.build import this_build
from flashscope.smart.dump import Dump
from flashscope.store.store import Store, StoreFailed

from .worn import MIB, PLAIN, Worn, dump_of


def checkpoints(record: Record) -> list[dict[str, Any]]:
    return [step.parameters["checkpoint"] for step in record.steps]


def finding(record: Record, key: str) -> Finding:
    return next(one for one in record.findings if one.key == key)


def smart_of(*series: Mapping[str, float] | None) -> ReadDump:
    """SMART that says one after another; None: it does not answer. The last one stays."""
    left = list(series)

    def read() -> Dump:
        numbers = left.pop(0) if len(left) > 1 else left[0]
        if numbers is None:
            raise DriveFailed("it did not answer smartctl within 60 s")
        return dump_of(**numbers)()

    return read


def test_a_run_ends_at_its_budget_and_every_figure_adds_up(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    record = worn.begin(replace(PLAIN, static_ratio=0.3, compressible_ratio=0.5))
    assert record.status is Status.DONE
    seen = checkpoints(record)
    assert PLAIN.budget_bytes - 4096 < seen[-1]["host_written_bytes"] <= PLAIN.budget_bytes
    assert finding(record, "data_integrity").value == 0
    failure = finding(record, "host_bytes_to_failure")
    assert failure.value is None
    assert failure.low == seen[-1]["host_written_bytes"]
    assert "92 %" in failure.doubts[0].message
    with Store(worn.store_path) as store:
        kept = store.load(record.id)
    assert checkpoints(kept) == seen
    assert kept.configuration["consent"] == {"write_ok": True, "serial": None, "allow": []}


def test_the_drives_own_word_ends_a_run_as_read_only(tmp_path: Path) -> None:
    smart = smart_of({"percent_used": 1}, {"percent_used": 90}, {"percent_used": 101, "critical_warning": 8})
    record = Worn(tmp_path).begin(read_smart=smart)
    assert record.status is Status.DONE
    assert finding(record, "host_bytes_to_failure").details["end"] == "read-only"


def test_the_rating_is_reached_by_the_drives_own_count(tmp_path: Path) -> None:
    smart = smart_of(*({"percent_used": used} for used in (10, 50, 100)))
    record = Worn(tmp_path).begin(replace(PLAIN, until="rating"), read_smart=smart)
    assert record.status is Status.DONE
    assert "rated life is used up" in record.note
    assert checkpoints(record)[-1]["host_written_bytes"] < PLAIN.budget_bytes


def test_heat_pauses_a_run_and_it_goes_on_when_it_is_cool(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    cool, hot = {"temperature": 300}, {"temperature": 350}
    record = worn.begin(replace(PLAIN, temperature_above_celsius=60.0), read_smart=smart_of(cool, cool, hot))
    assert record.status is Status.INTERRUPTED
    assert "77 degrees" in record.note
    assert "--resume" in record.note
    assert checkpoints(record)
    before = worn.path.read_bytes()
    assert worn.resume(read_smart=smart_of(hot)).status is Status.INTERRUPTED
    assert worn.path.read_bytes() == before, "still too hot, so nothing is written"
    after = worn.resume(read_smart=smart_of(cool))
    assert after.status is Status.DONE
    assert after.id == record.id


def test_smart_that_stops_answering_is_recorded_and_the_run_goes_on(tmp_path: Path) -> None:
    record = Worn(tmp_path).begin(read_smart=smart_of({"percent_used": 1}, None))
    assert record.status is Status.DONE
    silent = [one for one in checkpoints(record) if one["smart_failure"]]
    assert silent
    assert "did not answer" in silent[0]["smart_failure"]
    assert finding(record, "smart_series").doubts[0].kind == "SmartSilent"


def test_a_stop_that_depends_on_silent_smart_pauses_the_run(tmp_path: Path) -> None:
    settings = replace(PLAIN, temperature_above_celsius=60.0, budget_bytes=64 * MIB, checkpoint_bytes=4 * MIB)
    record = Worn(tmp_path).begin(settings, read_smart=smart_of({"temperature": 300}, None))
    assert record.status is Status.INTERRUPTED
    assert "no answer 3 times" in record.note


def test_a_stop_that_smart_cannot_tell_is_refused_before_the_first_byte(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    for settings in (
        replace(PLAIN, temperature_above_celsius=60.0),
        replace(PLAIN, until="cycles", erase_count=3000),
        replace(PLAIN, until="rating"),
    ):
        with pytest.raises(WrongUse, match="does not show"):
            worn.begin(settings)
    assert not any(worn.path.read_bytes())


def test_a_wall_clock_that_jumps_is_noted_and_times_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moments: Iterator[Moment] = (Moment(1e9 - 7000 * number, "boot", float(number)) for number in range(10**6))
    monkeypatch.setattr(wear_run, "now", lambda: next(moments))
    record = Worn(tmp_path).begin()
    assert record.status is Status.DONE
    jump = next(doubt for doubt in record.doubts if doubt.kind == "ClockJumped")
    assert "-7001 s" in jump.message
    assert 0 < checkpoints(record)[-1]["elapsed_ns"] < 600e9


def failing(patch: pytest.MonkeyPatch, error: OSError, after_writes: int) -> Callable[[WearRun], None]:
    def change(run: WearRun) -> None:
        real, left = run._file.write, [after_writes]

        def write(buffer: memoryview, requests: list[tuple[int, int]]) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise error
            real(buffer, requests)

        patch.setattr(run._file, "write", write)

    return change


def test_a_drive_that_takes_no_write_any_more_but_reads_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Worn(tmp_path).begin(change=failing(monkeypatch, OSError(5, "Input/output error"), 100))
    assert record.status is Status.DONE
    assert finding(record, "host_bytes_to_failure").details["end"] == "read-only"
    assert "Input/output error" in record.note
    assert finding(record, "data_integrity").value == 0


def test_a_drive_that_neither_takes_nor_gives_is_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(run: WearRun) -> None:
        def read_into(buffer: memoryview, offset: int) -> None:
            raise OSError(5, "Input/output error")

        def write(buffer: memoryview, requests: list[tuple[int, int]]) -> None:
            if run._ledger.state.batches > 100:
                monkeypatch.setattr(run._file, "read_into", read_into)
                raise OSError(5, "Input/output error")
            real(buffer, requests)

        real = run._file.write
        monkeypatch.setattr(run._file, "write", write)

    record = Worn(tmp_path).begin(change=change)
    assert record.status is Status.DONE
    assert finding(record, "host_bytes_to_failure").details["end"] == "dead"


def test_a_block_torn_by_a_crash_is_written_again_and_is_no_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worn = Worn(tmp_path)
    worn.begin(change=failing(monkeypatch, OSError(19, "No such device"), 100))
    ledger = worn.ledger()
    assert ledger.state.intent is not None
    block = int(ledger.state.intent.blocks[3])
    place = MIB + block * 4096
    whole = worn.path.read_bytes()[place : place + 4096]
    ledger.close()
    with worn.path.open("r+b") as drive:
        drive.seek(place + 2048)
        drive.write(bytes(2048))
    assert any(whole)
    after = worn.resume()
    assert after.status is Status.DONE
    assert finding(after, "crash_recovery").details["in_doubt"]["torn"] == 1
    assert finding(after, "data_integrity").value == 0


def test_lost_data_that_a_killed_session_had_found_ends_the_run_when_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worn = Worn(tmp_path)

    def killed(self: WearRun, stop: object) -> None:
        raise KeyboardInterrupt

    def spoil(batches: int, written_bytes: int) -> None:
        if written_bytes > 16 * MIB:
            with worn.path.open("r+b") as drive:
                drive.seek(11 * MIB - 8192)
                drive.write(bytes(4096))

    monkeypatch.setattr(WearRun, "_end", killed)
    with pytest.raises(KeyboardInterrupt):
        worn.begin(replace(PLAIN, static_ratio=0.5), on_acknowledged=spoil)
    monkeypatch.undo()
    before = worn.path.read_bytes()
    after = worn.resume()
    assert worn.path.read_bytes() == before
    assert finding(after, "host_bytes_to_failure").details["end"] == "data-lost"


def test_a_run_that_another_build_goes_on_with_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worn, ours = Worn(tmp_path), this_build()
    paused = worn.begin(change=failing(monkeypatch, OSError(19, "No such device"), 100))
    assert "SeveralBuilds" not in {doubt.kind for doubt in paused.doubts}
    monkeypatch.setattr("flashscope.endurance.real.opening.this_build", lambda: replace(ours, results="another"))
    (doubt,) = [doubt for doubt in worn.resume().doubts if doubt.kind == "SeveralBuilds"]
    assert f"build {ours.identity}, build {ours.version}+another" in doubt.message


def test_the_builds_of_a_journal_from_before_they_were_noted_are_unknown() -> None:
    session = {"torn_bytes": 0, "consent": {}}
    state = RunState()
    state.apply(Entry({"event": {"session": session}}))
    assert state.builds == ["build unknown"]
    older = RunState(sessions=3)  # as a state that was kept without builds
    older.apply(Entry({"event": {"session": {**session, "build": "build 0.1.0+9"}}}))
    assert older.builds == ["build unknown", "build 0.1.0+9"]


def test_a_drive_that_went_away_pauses_the_run_and_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worn = Worn(tmp_path)
    record = worn.begin(change=failing(monkeypatch, OSError(19, "No such device"), 100))
    assert record.status is Status.INTERRUPTED
    assert "went away" in record.note
    after = worn.resume()
    assert after.status is Status.DONE
    crash = finding(after, "crash_recovery")
    assert set(crash.details["in_doubt"]) == {"old"}
    assert finding(after, "data_integrity").value == 0


def test_a_full_disk_under_the_journal_stops_before_the_write_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    worn, real, left = Worn(tmp_path), os.pwrite, [150]

    def full(handle: int, data: bytes, offset: int) -> int:
        if os.readlink(f"/proc/self/fd/{handle}").endswith("/journal"):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(28, "No space left on device")
        return real(handle, data, offset)

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(StoreFailed, match="its disk is full"):
        worn.begin()
    monkeypatch.setattr(os, "pwrite", real)
    with Store(worn.store_path) as store:
        assert store.load("last").status is Status.INTERRUPTED
    after = worn.resume()
    assert after.status is Status.DONE
    assert finding(after, "data_integrity").value == 0


def test_a_rest_off_power_has_its_date_and_is_read_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worn = Worn(tmp_path)
    record = worn.begin(replace(PLAIN, hold_days=14.0))
    assert record.status is Status.INTERRUPTED
    assert "plug it in again on " in record.note
    before = worn.path.read_bytes()
    with pytest.raises(WrongUse, match=r"rest without power until .* 14\.0 days"):
        worn.resume()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 15 * 86_400)
    after = worn.resume()
    assert after.status is Status.DONE
    assert worn.path.read_bytes() == before, "only read"
    rested = finding(after, "retention_off_power")
    assert rested.value == 0
    assert "15.0 days off power" in rested.statement


def test_a_rest_can_be_ended_before_its_date(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    worn.begin(replace(PLAIN, hold_days=14.0))
    after = worn.resume(end_rest=True)
    assert after.status is Status.DONE
    assert "0.0 days off power, of 14.0 that were meant" in finding(after, "retention_off_power").statement


def test_a_run_that_does_not_rest_has_no_rest_to_be_ended(tmp_path: Path) -> None:
    worn = Worn(tmp_path)

    def stops(run: WearRun) -> None:
        run._around.interruption.request("the test")

    worn.begin(change=stops)
    with pytest.raises(WrongUse, match="does not rest"):
        worn.resume(end_rest=True)


def test_data_lost_in_a_rest_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worn = Worn(tmp_path)
    worn.begin(replace(PLAIN, hold_days=1.0))
    with worn.path.open("r+b") as drive:
        drive.seek(5 * MIB + 17)
        drive.write(b"rot")
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 2 * 86_400)
    after = worn.resume()
    assert finding(after, "retention_off_power").value == 1
    assert finding(after, "host_bytes_to_failure").details["end"] == "data-lost"
    assert "corrupted" in finding(after, "data_integrity").statement


JOBS = """
[churn]
rw=randwrite
bs=64k
size=2m
offset=1m
randseed=7
"""


def test_a_users_job_file_wears_and_what_it_touched_is_not_verified(tmp_path: Path) -> None:
    if subprocess.run(["which", "fio"], capture_output=True, check=False).returncode:
        pytest.skip("fio is not installed")
    worn = Worn(tmp_path)
    settings = replace(PLAIN, workloads=("jobs",), jobs_text=JOBS, jobs_name="churn.fio", static_ratio=0.5)
    record = worn.begin(settings)
    assert record.status is Status.DONE, record.note
    assert finding(record, "data_integrity").value == 0
    first, last = checkpoints(record)[0], checkpoints(record)[-1]
    untouched = first["verification"]["checked_blocks"] - 2 * MIB // 4096
    assert last["verification"]["checked_blocks"] == untouched
    assert "NotVerified" in {doubt.kind for doubt in record.doubts}


def test_a_job_file_that_reaches_into_static_data_is_refused(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    settings = replace(
        PLAIN, workloads=("jobs",), jobs_text=JOBS.replace("size=2m", "size=6m"), jobs_name="x.fio", static_ratio=0.6
    )
    with pytest.raises(WrongUse):
        worn.begin(settings)
    assert not any(worn.path.read_bytes())
