"""What a plan promises of a virtual drive, held against the run: simulated time, and processor time.

What all these runs find must be possible, too (`tests/experiments/possible.py`), and have a truth or a reason to have
none (`drives/truth/untold.py`).
"""

import time
from pathlib import Path

import pytest

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.catalogue import all_experiments
from flashscope.records.store import Store
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.plan import make_plan
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from tests.drives.stated_truth import without_truth
from tests.experiments.possible import impossible

pytest.importorskip("flashscope._core", reason="the Rust core is not built")


def onyx() -> SimulatedDrive:
    return SimulatedDrive.open("onyx-32", 0)


@pytest.mark.parametrize("extent", [Extent.QUICK, pytest.param(Extent.STANDARD, marks=pytest.mark.long)])
def test_every_experiment_ends_within_its_range(extent: Extent, tmp_path: Path) -> None:
    """Processor time stands for wall time: other programs on this machine are none of the plan's business."""
    effort, facts = Effort(extent), onyx().facts
    experiments = [each for each in all_experiments() if each.steps(facts, effort)]
    plan = make_plan(experiments, facts, effort=effort, scratch=onyx)
    broken, took_s = [], 0.0
    with Store(tmp_path / "s.sqlite") as store:
        for experiment, planned in zip(experiments, plan.experiments, strict=True):
            drive, began_ns = onyx(), time.thread_time_ns()
            asked = Asked(seed=0, command="", effort=effort)
            record = run_experiment(experiment, drive, asked, store=store, progress=Silent())
            took_ns = time.thread_time_ns() - began_ns
            took_s += took_ns / 1e9
            broken += impossible(record) + without_truth(record)
            simulated = planned.simulated_time
            assert simulated is not None
            if not simulated.low_ns <= drive.now_ns <= simulated.high_ns:
                broken.append(f"{experiment.name}: {drive.now_ns / 1e9} s simulated, planned {simulated}")
            if not planned.wall_time.low_ns <= took_ns <= planned.wall_time.high_ns:
                broken.append(f"{experiment.name}: {took_ns / 1e9} s of the processor, planned {planned.wall_time}")
    assert broken == []
    assert plan.total.wall_time.low_ns / 1e9 <= took_s <= sum(each.wall_time.high_ns for each in plan.experiments) / 1e9
