"""A step that is none of the known kinds can never count as done: whoever meets it stops the run as a fault."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from flashscope.drives.guard.consent import Consent
from flashscope.records import NO_LABELS, Labels, Status, StepKind
from flashscope.runner.asked import Asked
from flashscope.runner.cost import expected_cost_s, share_done
from flashscope.runner.hands.virtual import VirtualHands
from flashscope.runner.progress.progress import Silent
from flashscope.runner.real_estimate import assumed
from flashscope.runner.room import most_room
from flashscope.runner.run import check_steps, run_experiment
from flashscope.store.store import Store
from flashscope.workloads.steps import Step
from tests.drives.opened import open_real

from .fakes import FakeDrive, FakeExperiment


@dataclass(frozen=True)
class Defragment:
    """A kind of step that nobody has taught the runner."""

    name: str = "defragment"
    kind: StepKind = StepKind.WORKLOAD
    labels: Labels = NO_LABELS
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = False


UNKNOWN = cast(Step, Defragment())


def _nothing(bytes_done: int, elapsed_ns: int) -> None:
    pass


def test_the_hands_of_a_virtual_drive_refuse_it() -> None:
    with pytest.raises(AssertionError, match="Defragment"):
        VirtualHands(FakeDrive()).perform(UNKNOWN, _nothing)


def test_the_hands_of_a_real_drive_refuse_it(tmp_path: Path) -> None:
    from flashscope.runner.hands.real import RealHands

    image = tmp_path / "image"
    image.write_bytes(bytes(1 << 20))
    drive = open_real(f"file:{image}", consent=Consent(write_ok=True))
    try:
        with pytest.raises(AssertionError, match="Defragment"):
            RealHands(drive, 1).perform(UNKNOWN, _nothing)
    finally:
        drive.close()


def test_plans_and_progress_refuse_it() -> None:
    for ask in (
        lambda: expected_cost_s(UNKNOWN, virtual=True),
        lambda: share_done(UNKNOWN, 0, 0),
        lambda: assumed([UNKNOWN], FakeDrive().facts),
        lambda: check_steps([UNKNOWN], FakeDrive().facts),
        lambda: most_room([UNKNOWN], "drive"),
    ):
        with pytest.raises(AssertionError, match="Defragment"):
            ask()


def test_a_run_that_meets_one_is_kept_as_failed_and_the_step_not_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flashscope.runner.run.check_steps", lambda steps, facts: None)
    monkeypatch.setattr("flashscope.runner.run.expected_cost_s", lambda step, virtual: 1.0)
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(AssertionError, match="Defragment"):
            run_experiment(
                FakeExperiment([UNKNOWN]), FakeDrive(), Asked(seed=1, command="test"), store=store, progress=Silent()
            )
        kept = store.load("last")
    assert kept.status is Status.FAILED
    assert all(step.status is not Status.DONE for step in kept.steps)
