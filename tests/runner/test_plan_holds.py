"""What a plan promises of a virtual drive, held against the run: bytes, simulated time and processor time.

What all these runs find must be possible, too (`tests/experiments/possible.py`), have a truth or a reason to have none
(`drives/truth/untold.py`), and agree with it.
"""

import time
from pathlib import Path

import pytest

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.catalogue import all_experiments
from flashscope.records import Record, StepKind
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.plan import make_plan
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from tests.drives.stated_truth import without_truth
from tests.experiments.known_misses import missed
from tests.experiments.possible import impossible
from tests.known import known

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

WITHIN = 1.5
_SMALL_BYTES = 200 * 10**6


def written_bytes(record: Record) -> int:
    return sum(step.workload.totals.get("written_bytes", 0) for step in record.steps if step.workload)


def laid_out_bytes(record: Record) -> int:
    """What is in the drive without having been written: no promise of bytes counts it."""
    return sum(step.parameters["bytes_to_write"] for step in record.steps if step.note == "laid out at once")


@pytest.mark.parametrize(
    ("part", "extent"),
    [
        ("onyx-32", Extent.QUICK),
        pytest.param("onyx-32", Extent.STANDARD, marks=pytest.mark.long),
        pytest.param("vertex2-60", Extent.QUICK, marks=pytest.mark.long),
        pytest.param("x25m-80", Extent.QUICK, marks=pytest.mark.long),
    ],
)
def test_an_examination_writes_and_takes_what_was_promised(part: str, extent: Extent, tmp_path: Path) -> None:
    """Processor time stands for wall time: other programs on this machine are none of the plan's business."""

    def scratch() -> SimulatedDrive:
        return SimulatedDrive.open(part, 0)

    effort, facts = Effort(extent), scratch().facts
    experiments = [each for each in all_experiments() if each.steps(facts, effort)]
    plan = make_plan(experiments, facts, effort=effort, scratch=scratch)
    broken, took_ns, simulated_ns, written = [], 0, 0, 0
    with Store(tmp_path / "s.sqlite") as store:
        for experiment, planned in zip(experiments, plan.experiments, strict=True):
            drive, began_ns = scratch(), time.thread_time_ns()
            asked = Asked(seed=0, command="", effort=effort)
            record = run_experiment(experiment, drive, asked, store=store, progress=Silent())
            took_ns += time.thread_time_ns() - began_ns
            simulated_ns += drive.now_ns
            wrote = written_bytes(record)
            written += wrote
            broken += impossible(record) + without_truth(record) + missed(record, "onyx-32")
            if not any(step.kind == StepKind.FILE_WORK for step in record.steps):  # a file system writes its own, too
                assert laid_out_bytes(record) + wrote <= planned.bytes_to_write, f"{experiment.name}: more than at most"
            if not near(planned.expected_bytes_to_write, wrote) and wrote > _SMALL_BYTES:
                broken.append(f"{experiment.name}: wrote {wrote}, planned {planned.expected_bytes_to_write}")
            simulated = known(planned.simulated_time)
            if not simulated.low_ns <= drive.now_ns <= simulated.high_ns:
                broken.append(f"{experiment.name}: {drive.now_ns / 1e9} s simulated, planned {simulated}")
    assert broken == []
    total = plan.total
    simulated, processor = known(total.simulated_time), known(total.processor_time)
    assert near(total.expected_bytes_to_write, written, 1.1)
    assert near(simulated.expected_ns, simulated_ns)
    assert processor.low_ns / WITHIN <= took_ns <= processor.high_ns * WITHIN


def near(promised: float, taken: float, within: float = WITHIN) -> bool:
    """Whether the one is within a factor of the other."""
    return taken / within <= promised <= taken * within
