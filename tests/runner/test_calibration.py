"""What a calibration measures foretells how long other loads take; a virtual drive stands for a real one here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.catalogue import find
from flashscope.records import Record, Status
from flashscope.runner.asked import Asked
from flashscope.runner.calibration import Calibration, speed_of
from flashscope.runner.drive_speed import FASTEST, SLOWEST, DriveSpeed, Way, round_s
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.plan import make_plan
from flashscope.runner.progress.progress import Silent
from flashscope.runner.real_estimate import ASSUMED, assumed, by_speed
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.steps import Idle, Step, Workload
from tests.facts import device_facts, file_facts
from tests.known import known

from .fakes import FakeExperiment, write_step

pytest.importorskip("flashscope._core", reason="the Rust core is not built")
QUICK = Effort(Extent.QUICK)


def run(experiment: Experiment, store_path: Path, effort: Effort = QUICK) -> Record:
    with Store(store_path) as store:
        drive = SimulatedDrive.open("x25m-80", 0)
        return run_experiment(experiment, drive, Asked(0, "", effort), store=store, progress=Silent())


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> DriveSpeed:
    record = run(Calibration(), tmp_path_factory.mktemp("speed") / "s.sqlite")
    assert record.status is Status.DONE
    return known(speed_of(record))


def test_a_calibration_costs_little() -> None:
    for user_bytes in (1 << 30, 64 * 10**9, 4 * 10**12):
        steps = Calibration().steps(device_facts(user_bytes))
        assert sum(step.bytes_to_write for step in steps) <= max(user_bytes / 20, 512 << 20)
        assert all(isinstance(step, Workload) and step.jobs[0].runtime_ns <= 10**9 for step in steps)


def test_a_calibration_that_may_not_write_only_reads_and_a_tiny_drive_gets_none() -> None:
    assert not any(step.destructive for step in Calibration().steps(file_facts(1 << 30), Effort(read_only=True)))
    assert Calibration().steps(file_facts(2 << 20)) == []


def test_an_interrupted_calibration_measures_nothing(tmp_path: Path) -> None:
    record = run(Calibration(), tmp_path / "s.sqlite")
    assert speed_of(replace(record, status=Status.INTERRUPTED)) is None
    assert speed_of(replace(record, steps=record.steps[:2])) is None


@pytest.mark.parametrize("name", ["queue-depth", "crystaldiskmark-8", "write-buffer"])
def test_the_measured_speed_foretells_the_time_of_loads(name: str, measured: DriveSpeed, tmp_path: Path) -> None:
    experiment = find(name)
    record = run(experiment, tmp_path / "s.sqlite")
    steps: list[Step] = experiment.steps(record.drive_facts, QUICK)
    promised = by_speed(steps, file_facts(record.drive_facts.user_bytes), replace(measured, start_s=0.0))
    assert promised.time.expected_ns / 1.5 <= record.steps[-1].ended_ns <= promised.time.expected_ns * 1.5
    written = sum(step.workload.totals.get("written_bytes", 0) for step in record.steps if step.workload)
    assert written / 1.5 <= promised.written_bytes <= written * 1.5


def test_what_a_time_limit_ends_is_known_whatever_the_speed() -> None:
    rest, load = Idle("rest", 60 * 10**9), write_step(io_bytes=1 << 40, runtime_ns=30 * 10**9)
    slow = replace(SLOWEST, start_s=0.0)
    time = by_speed([rest, load], file_facts(1 << 42), slow).time
    assert time.low_ns == pytest.approx(90e9, rel=0.01)
    assert time.high_ns == pytest.approx(90e9, rel=0.01)


def test_flash_that_fills_up_may_become_slower_and_a_file_is_not_known_to() -> None:
    steps: list[Step] = [write_step(io_bytes=1 << 36)]
    bare = by_speed(steps, device_facts(1 << 37), FASTEST).time
    file = by_speed(steps, file_facts(1 << 37), FASTEST).time
    assert bare.expected_ns > file.expected_ns
    assert bare.high_ns > 3 * file.high_ns


def test_several_at_a_time_take_the_longest_of_bytes_requests_and_latency() -> None:
    way = Way(bytes_per_second=100e6, request_s=1e-3, requests_per_second=5_000, next_s=1e-4)
    assert way.time_s(1_000, 4096, 1) == pytest.approx(1.04, rel=0.01)
    assert way.time_s(1_000, 4096, 1, in_order=True) == pytest.approx(0.14, rel=0.01)
    assert way.time_s(1_000, 4096, 4) == pytest.approx(0.25)
    assert way.time_s(1_000, 4096, 32) == pytest.approx(0.2)
    assert way.time_s(1_000, 1 << 20, 32) == pytest.approx(10.5, rel=0.01)
    assert round_s(write_step(io_bytes=4096 * 1_000), DriveSpeed(way, way, 0.0)) > 0


def test_a_plan_with_a_measured_speed_assumes_nothing() -> None:
    experiment = FakeExperiment([write_step()])
    assert make_plan([experiment], file_facts(64 << 20)).is_assumed
    plan = make_plan([experiment], file_facts(64 << 20), speed=FASTEST)
    assert not plan.is_assumed
    assert ASSUMED not in plan.assumptions


def test_the_first_promise_counts_how_long_fio_takes_to_start_here() -> None:
    facts = file_facts(1 << 30)
    steps = find("queue-depth").steps(facts)
    loads = sum(isinstance(step, Workload) for step in steps)
    promised_s = [assumed(steps, facts, start_s).time.expected_ns / 1e9 for start_s in (None, 0.1, 2.5)]
    assert promised_s[0] == promised_s[1], "half a second is assumed at least"
    assert promised_s[2] - promised_s[0] == pytest.approx(2.0 * loads, rel=1e-6)
