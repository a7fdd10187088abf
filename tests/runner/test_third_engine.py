"""A third engine: the replay of a trace, for a drive of its own. It is registered, and nothing else has to know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.endurance.real import figures
from flashscope.endurance.real.layout import Layout
from flashscope.errors import Interrupted, WrongUse
from flashscope.experiments.queue_depth import QueueDepth
from flashscope.experiments.stutter import Stutter
from flashscope.records import Doubt, Histogram, Record, Status, Table, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.latency import bucket_of
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.engines.choose import engine_for, registered
from flashscope.runner.engines.engine import Engine, Load, Loaded, Watch
from flashscope.runner.experiment import Experiment
from flashscope.runner.hands.by_engine import EngineHands
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, Step, Workload

SECOND_NS = 10**9
REQUEST_NS = 50_000
ROWS = 20


class Recording:
    """A drive that somebody traced years ago: nothing is left of it but its answers. It has no path and no flash."""

    def __init__(self, facts: DriveFacts) -> None:
        self.facts = facts

    def close(self) -> None:
        """Nothing to let go of."""


class Replay:
    """The engine of a recording: each request took 50 us, one after another."""

    def __init__(self) -> None:
        self.loads: list[Load] = []

    def run(self, load: Load, watch: Watch) -> Loaded:
        self.loads.append(load)
        kind = "read" if load.jobs[0].only_reads else "write"
        column = "read_bytes" if kind == "read" else "written_bytes"
        size = (load.jobs[0].read_sizes if kind == "read" else load.jobs[0].write_sizes).weighted[0][0]
        ends = np.arange(1, ROWS + 1) * 100 * REQUEST_NS
        stopped = ""
        try:
            watch(ROWS * 100 * size, int(ends[-1]))
        except Interrupted as stop:
            stopped = stop.what
        names = ("read_bytes", "written_bytes", "trimmed_bytes", "read_requests", "write_requests", "trim_requests")
        amounts = dict.fromkeys(names, 0) | {column: 100 * size, f"{kind}_requests": 100}
        rows = {name: ("bytes", np.full(ROWS, amount)) for name, amount in amounts.items()}
        latency = Histogram({bucket_of(REQUEST_NS): ROWS * 100}, ROWS * 100 * REQUEST_NS, REQUEST_NS, REQUEST_NS)
        totals = {name: ROWS * amount for name, amount in amounts.items()}
        return Loaded(
            WorkloadResult(int(ends[-1]), Table.of(elapsed_ns=("ns", ends), **rows), {kind: latency}, totals), stopped
        )

    def doubts_about(self, jobs: Sequence[Job]) -> tuple[Doubt, ...]:
        return (Doubt("Replayed", "the answers are those of a trace", "ask the drive itself"),)

    def versions(self) -> dict[str, str]:
        return {"replay": "1.0"}


def a_file(tmp_path: Path) -> Any:
    image = tmp_path / "image"
    image.write_bytes(bytes(64 << 20))
    return open_drive(parse_address(f"file:{image}"), destructive=False)


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    drive = a_file(tmp_path)
    facts = drive.facts
    drive.close()
    return Recording(facts)


@pytest.fixture
def replay() -> Iterator[Replay]:
    engine = Replay()

    def make(target: object) -> Engine | None:
        return engine if isinstance(target, Recording) else None

    with registered(make):
        yield engine


def run(experiment: Experiment, drive: Recording, tmp_path: Path) -> Record:
    asked = Asked(seed=1, command="test", effort=Effort(Extent.QUICK))
    with Store(tmp_path / "store.sqlite") as store:
        run_experiment(experiment, drive, asked, store=store, progress=Silent())
        return store.load("last")


def test_an_experiment_is_run_by_an_engine_that_nobody_knew(
    recording: Recording, replay: Replay, tmp_path: Path
) -> None:
    record = run(Stutter(), recording, tmp_path)
    assert (record.status, record.note) == (Status.DONE, "")
    assert len(replay.loads) == 3
    found = {finding.key: finding.value for finding in record.findings}
    assert found["longest_freeze_writes_ns"] == REQUEST_NS
    assert record.versions["replay"] == "1.0"
    assert "Replayed" in {doubt.kind for doubt in record.doubts}


class Shortened(QueueDepth):
    """Without the seconds of rest, which a test does not want to wait for."""

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        return [step for step in super().steps(facts, effort) if not isinstance(step, Idle)]


def test_every_step_goes_through_it_and_is_analysed_as_any_other(
    recording: Recording, replay: Replay, tmp_path: Path
) -> None:
    record = run(Shortened(), recording, tmp_path)
    assert record.status is Status.DONE
    assert len(replay.loads) == len([step for step in record.steps if step.workload is not None]) > 5
    assert {finding.key for finding in record.findings} >= {
        "effective_parallelism_reads",
        "effective_parallelism_writes",
    }


def test_what_was_measured_before_a_stop_is_kept(recording: Recording, replay: Replay) -> None:
    (step, *_) = [step for step in Stutter().steps(recording.facts, Effort(Extent.QUICK)) if isinstance(step, Workload)]

    def stop(bytes_done: int, elapsed_ns: int) -> None:
        raise Interrupted("somebody pressed Ctrl-C")

    outcome = EngineHands(recording, replay).perform(step, stop)
    assert (outcome.status, outcome.note) == (Status.INTERRUPTED, "somebody pressed Ctrl-C")
    assert outcome.workload is not None


def test_the_figures_of_an_endurance_run_come_from_the_engine_of_the_drive(tmp_path: Path) -> None:
    drive, engine = a_file(tmp_path), Replay()

    def quiet(bytes_done: int, elapsed_ns: int) -> None:
        """Show no progress."""

    try:
        with registered(lambda target: engine if target is drive.held else None):
            layout = Layout.of(drive.facts.user_bytes, 4096, 0.1)
            found, written, read = figures.measure(drive.held, drive.facts, layout, seed=1, on_progress=quiet)
    finally:
        drive.close()
    assert len(engine.loads) == len(found) == 4
    assert (written > 0, read > 0) == (True, True)


def test_a_drive_without_an_engine_is_refused_in_words(recording: Recording) -> None:
    with pytest.raises(WrongUse, match="no engine loads a Recording"):
        engine_for(recording)
