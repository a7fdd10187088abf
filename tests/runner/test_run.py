from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records import Finding, Record, Status, StepRecord
from flashscope.records.plain import fingerprint
from flashscope.runner.asked import Asked
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, Silent
from flashscope.runner.run import run_experiment
from flashscope.store.points import PointKey
from flashscope.store.store import Store, StoreFailed
from flashscope.workloads.steps import Step, Trim

from .fakes import ALL_KINDS, USER_BYTES, FakeDrive, FakeExperiment, FakeRun, Remembering, fails, write_step


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "s.sqlite") as opened:
        yield opened


def run(
    store: Store,
    drive: FakeDrive,
    steps: list[Step] | None = None,
    *,
    seed: int = 7,
    progress: Progress | None = None,
    interruption: Interruption | None = None,
) -> Record:
    return run_experiment(
        FakeExperiment(steps),
        drive,
        Asked(seed=seed, command="test"),
        store=store,
        progress=progress or Silent(),
        interruption=interruption,
    )


def test_every_kind_of_step_is_performed_in_order_and_kept(store: Store) -> None:
    drive = FakeDrive()
    record = run(store, drive)
    assert drive.calls == ["secure_erase", "start", "idle", "trim"]
    assert record.status is Status.DONE
    assert [step.name for step in record.steps] == [step.name for step in ALL_KINDS]
    assert {step.status for step in record.steps} == {Status.DONE}
    kept = store.load(record.id)
    assert kept.findings == record.findings
    assert kept.findings[0].value == 40 * 2**20
    assert kept.step("SMART after").smart == record.step("SMART after").smart


def test_step_times_are_on_the_drive_s_clock_and_begin_at_zero(store: Store) -> None:
    record = run(store, FakeDrive())
    rest = record.step("rest")
    assert record.steps[0].started_ns == 0
    assert rest.ended_ns - rest.started_ns == 10**9
    assert record.step("SMART after").started_ns == rest.ended_ns


def test_the_record_says_how_it_came_to_be(store: Store) -> None:
    record = store.load(run(store, FakeDrive()).id)
    assert record.seed == 7
    assert record.command == "test"
    assert record.truth == {"rate_fall": 42}
    assert record.inside is not None
    assert record.configuration["part"] == {"name": "fake", "unit": 4096}
    assert [step["name"] for step in record.configuration["steps"]] == [step.name for step in ALL_KINDS]
    assert record.configuration_hash == fingerprint(record.configuration)
    assert {"flashscope", "python", "numpy", "sqlite"} <= set(record.versions)
    assert record.host["kernel"] == os.uname().release
    assert record.host["memory_bytes"] > 0


def test_the_configuration_hash_depends_on_the_steps_and_the_seed_only(store: Store) -> None:
    first, again = run(store, FakeDrive()), run(store, FakeDrive())
    assert first.configuration_hash == again.configuration_hash
    assert first.id != again.id
    assert run(store, FakeDrive(), seed=8).configuration_hash != first.configuration_hash
    assert run(store, FakeDrive(), [write_step()]).configuration_hash != first.configuration_hash


def test_each_step_is_durable_before_the_next_begins(store: Store, tmp_path: Path) -> None:
    seen: list[list[tuple[str, Status]]] = []

    def look(_: FakeRun) -> None:
        with Store(tmp_path / "s.sqlite") as reader:
            seen.append([(step.name, step.status) for step in reader.load("last").steps])

    run(store, FakeDrive(look))
    assert seen[0] == [("erase", Status.DONE), ("SMART before", Status.DONE), ("write", Status.RUNNING)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_keeps_what_was_measured_and_marks_it(store: Store, number: signal.Signals) -> None:
    def interrupt(run: FakeRun) -> None:
        if run.done and not run.drive.calls.count("interrupted"):
            run.drive.calls.append("interrupted")
            os.kill(os.getpid(), number)

    before = signal.getsignal(signal.SIGINT)  # ignored where the tests run in the background
    drive = FakeDrive(interrupt)
    record = store.load(run(store, drive, [write_step(io_bytes=60 * 2**20), write_step("more")]).id)
    assert record.status is Status.INTERRUPTED
    (step,) = record.steps
    assert step.status is Status.INTERRUPTED
    assert step.workload is not None
    assert 0 < step.workload.totals["written_bytes"] < 60 * 2**20
    assert record.findings[0].value == step.workload.totals["written_bytes"]
    assert signal.getsignal(signal.SIGINT) is before


def test_the_second_signal_stops_at_once_and_leaves_a_valid_record(store: Store) -> None:
    def interrupt(run: FakeRun) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(store, FakeDrive(interrupt))
    record = store.load("last")
    assert record.status is Status.INTERRUPTED
    assert [step.name for step in record.steps] == ["erase", "SMART before", "write"]
    assert record.steps[-1].status is Status.INTERRUPTED


def test_a_run_that_ends_too_early_for_its_analysis_says_so(store: Store) -> None:
    with Interruption() as interruption:
        interruption.request("Ctrl-C")
        record = run(store, FakeDrive(), interruption=interruption)
    assert record.status is Status.INTERRUPTED
    assert record.findings == []
    assert [doubt.kind for doubt in record.doubts] == ["NotAnalysed"]


def test_a_drive_that_fails_is_recorded_and_not_raised(store: Store) -> None:
    record = store.load(run(store, FakeDrive(fails)).id)
    assert record.status is Status.FAILED
    assert record.step("write").status is Status.FAILED
    assert "does not answer" in record.note
    assert "rest" not in [step.name for step in record.steps]


def test_a_step_beyond_the_end_of_the_drive_is_refused_before_anything(store: Store) -> None:
    drive = FakeDrive()
    for step in (write_step(size_bytes=USER_BYTES + 512), Trim("t", 512, USER_BYTES)):
        with pytest.raises(WrongUse, match=f"ends at {USER_BYTES}"):
            run(store, drive, [step])
    assert drive.calls == []
    assert store.list() == ()


def test_a_fault_in_the_analysis_keeps_the_measurement(store: Store) -> None:
    class Faulty(FakeExperiment):
        def analyse(self, record: Record) -> list[Finding]:
            raise ZeroDivisionError("a fault")

    with pytest.raises(ZeroDivisionError):
        run_experiment(Faulty(), FakeDrive(), Asked(seed=0, command=""), store=store, progress=Silent())
    record = store.load("last")
    assert record.status is Status.FAILED
    assert "ZeroDivisionError" in record.note
    assert record.step("write").workload is not None


def test_progress_hears_of_every_step_and_reaches_the_whole(store: Store) -> None:
    progress = Remembering()
    run(store, FakeDrive(), progress=progress)
    assert progress.told[0] == "run fake-experiment on sim:fake"
    assert progress.told[1:-1] == [line for index in range(len(ALL_KINDS)) for line in (f"step {index}", "done")]
    assert progress.told[-1] == "end done"
    assert progress.shares == sorted(progress.shares)
    assert progress.shares[-1] == 1.0


def test_a_store_that_fails_during_a_run_stops_it_and_keeps_the_first_error(tmp_path: Path) -> None:
    class Filling(Store):
        def save_step(self, record_id: str, step: StepRecord, *, point: PointKey | None = None) -> None:
            if step.name == "rest":
                raise StoreFailed("the disk under the store is full")
            super().save_step(record_id, step, point=point)

    progress = Remembering()
    drive = FakeDrive()
    with Filling(tmp_path / "s.sqlite") as store:
        with pytest.raises(StoreFailed, match="full"):
            run(store, drive, progress=progress)
        record = store.load("last")
    assert "idle" not in drive.calls
    assert progress.told[-1] == "end failed"
    assert record.status is Status.FAILED
    assert record.step("write").workload is not None
