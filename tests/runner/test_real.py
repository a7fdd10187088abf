"""The runner's hands on real drives, with fio's place taken by a function; `tests/cli/test_end_to_end.py` has fio."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flashscope.drives.held.held import Held
from flashscope.errors import Interrupted, WrongUse
from flashscope.records import SmartSnapshot, Status, WorkloadResult
from flashscope.records.capability import Capability
from flashscope.runner.asked import Asked
from flashscope.runner.engines.fio import engine as fio_engine
from flashscope.runner.hands import real
from flashscope.runner.hands.real import RealHands
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, ReadSmart, SecureErase, Step, Trim
from tests.facts import file_facts

from .fakes import USER_BYTES, FakeExperiment, FakeRun, write_step
from .fakes import FakeDrive as VirtualFake


class Located:
    """A real drive that only says where it is and counts how often the guard was asked."""

    def __init__(self, path: Path, *, has_smart: bool = False) -> None:
        self.held = Held.take(path, os.O_RDONLY)
        self.facts = file_facts(USER_BYTES, *([Capability.SMART_ATTRIBUTES] if has_smart else []), address="file:t")
        self.guarded = 0
        self.refusal: WrongUse | None = None

    def guard_again(self) -> None:
        self.guarded += 1
        if self.refusal:
            raise self.refusal

    def close(self) -> None:
        """Nothing to let go of."""

    def abandon(self) -> None:
        """Nothing to remove."""


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    jobs_seen: list[Job] = []

    def run_jobs(
        target: Held,
        jobs: Sequence[Job],
        *,
        sample_interval_ns: int,
        on_progress: Callable[[int, int], None],
        by_job: bool,
    ) -> WorkloadResult:
        assert not by_job
        jobs_seen.extend(jobs)
        on_progress(4096, 10**6)
        run = FakeRun(VirtualFake(), 100)
        run.advance(100)
        return run.result()

    monkeypatch.setattr(fio_engine, "run_jobs", run_jobs)
    monkeypatch.setattr(fio_engine, "fio_version", lambda: "fio-3.33")
    return jobs_seen


def quiet(bytes_done: int, elapsed_ns: int) -> None:
    """A progress callback that lets the run go on."""


def test_the_guard_is_asked_once_more_just_before_the_first_write(seen: list[Job], tmp_path: Path) -> None:
    drive = Located(tmp_path)
    hands = RealHands(drive, 0)
    hands.perform(replace(write_step(), jobs=(replace(write_step().jobs[0], direction="read"),)), quiet)
    assert drive.guarded == 0
    hands.perform(write_step(), quiet)
    hands.perform(write_step(), quiet)
    assert drive.guarded == 1


def test_a_guard_that_refuses_meanwhile_stops_the_run_before_the_first_byte(seen: list[Job], tmp_path: Path) -> None:
    drive = Located(tmp_path)
    drive.refusal = WrongUse("it was mounted meanwhile")
    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(WrongUse, match="mounted meanwhile"):
            run_experiment(
                FakeExperiment([write_step()]), drive, Asked(seed=0, command=""), store=store, progress=Silent()
            )
        assert store.load("last").status is Status.FAILED
    assert seen == []


@pytest.mark.parametrize("step", [Trim("t", 0, 4096), SecureErase("s"), ReadSmart("r")])
def test_what_a_file_cannot_take_is_skipped_with_the_reason(seen: list[Job], tmp_path: Path, step: Step) -> None:
    outcome = RealHands(Located(tmp_path), 0).perform(step, quiet)
    assert outcome.status is Status.SKIPPED
    assert "file" in outcome.note


def test_smart_is_read_by_smartctl_and_its_failure_is_a_reason_to_skip(
    seen: list[Job], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = SmartSnapshot(5, "smartctl 7.3", "m", "f", USER_BYTES, ())
    monkeypatch.setattr(real, "read_with_smartctl", lambda path, elapsed_ns: snapshot)
    hands = RealHands(Located(tmp_path, has_smart=True), 0)
    assert hands.perform(ReadSmart("r"), quiet).smart == snapshot
    assert "smartctl" in hands.versions()

    def missing(path: Path, elapsed_ns: int) -> Any:
        raise WrongUse("smartctl is not installed")

    monkeypatch.setattr(real, "read_with_smartctl", missing)
    outcome = hands.perform(ReadSmart("r"), quiet)
    assert (outcome.status, outcome.note) == (Status.SKIPPED, "smartctl is not installed")


def test_idle_takes_as_long_as_it_says_and_can_be_interrupted(seen: list[Job], tmp_path: Path) -> None:
    hands = RealHands(Located(tmp_path), 0)
    before_ns = hands.now_ns()
    hands.perform(Idle("rest", 150_000_000), quiet)
    assert 150_000_000 <= hands.now_ns() - before_ns < 2_000_000_000

    def stop(bytes_done: int, elapsed_ns: int) -> None:
        raise Interrupted("stopped")

    with pytest.raises(Interrupted):
        hands.perform(Idle("rest", 3600 * 10**9), stop)


def test_the_run_s_seed_reaches_every_job(seen: list[Job], tmp_path: Path) -> None:
    RealHands(Located(tmp_path), 9).perform(write_step(), quiet)
    RealHands(Located(tmp_path), 0).perform(write_step(), quiet)
    assert [job.seed for job in seen] == [9, 0]
