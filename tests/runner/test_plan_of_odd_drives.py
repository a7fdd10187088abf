"""A drive that loses data and maps by blocks: what is planned for it, and what its read curve shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.catalogue import find
from flashscope.records import Record
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.plan import make_plan
from tests.experiments.planted_drives import examine
from tests.findings import by_key
from tests.known import known, number

FULL = Effort(Extent.FULL)


@pytest.fixture(scope="module")
def curve(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """HD Tune on a stick that wraps around: what was written at the front is destroyed from beyond its real size."""
    return examine(find("hd-tune"), "sim:counterfeit-64", tmp_path_factory.mktemp("curve"), FULL)


def test_requests_that_fail_do_not_make_a_plan_of_days(curve: Record) -> None:
    """Every read of the first places fails and moves nothing: the plan was 31 hours to 10 days, for 15 s."""
    drive = SimulatedDrive.open("counterfeit-64", 0)
    plan = make_plan([find("hd-tune")], drive.facts, effort=FULL, scratch=lambda: drive)
    (planned,) = plan.experiments
    took_ns = curve.steps[-1].ended_ns
    assert known(planned.simulated_time).low_ns <= took_ns <= known(planned.simulated_time).high_ns
    assert planned.wall_time.high_ns < 60 * 10**9


def test_a_place_that_cannot_be_read_has_no_rate_of_zero(curve: Record) -> None:
    failed = [step for step in curve.steps if step.workload and step.workload.totals.get("failed_requests", 0)]
    assert failed, "the stick loses data"
    for key, finding in by_key(curve).items():
        if finding.unit == "bytes/s":
            assert number(finding.value) > 0, key
            assert finding.low is None or finding.low > 0, key
    blocks = by_key(curve)["seq_read_4mib_blocks"]
    assert [doubt.kind for doubt in blocks.doubts] == ["RequestsFailed"]


@pytest.mark.parametrize("name", ["write-buffer", "read-write-interference", "queue-depth"])
def test_what_one_probe_wrote_does_not_slow_the_next(name: str, curve: Record, tmp_path: Path) -> None:
    """Small random writes leave merges: all probes after them on one copy found the drive ten times slower."""
    effort = Effort(Extent.QUICK)
    drive = SimulatedDrive.open("counterfeit-64", 0)
    before = [find("small-write-matrix"), find(name)]
    plan = make_plan(before, drive.facts, effort=effort, scratch=lambda: SimulatedDrive.open("counterfeit-64", 0))
    planned = known(plan.experiments[1].simulated_time)
    took_ns = examine(find(name), "sim:counterfeit-64", tmp_path, effort).steps[-1].ended_ns
    assert planned.low_ns <= took_ns <= planned.high_ns


def test_a_state_that_has_to_be_written_is_planned_as_writing() -> None:
    """A block-mapped drive cannot be put into a used state at once: the plan of that took no time."""
    drive = SimulatedDrive.open("counterfeit-64", 0)
    facts = drive.facts
    plan = make_plan([find("three-states")], facts, scratch=lambda: SimulatedDrive.open("counterfeit-64", 0))
    fill_s = 3 * facts.user_bytes / 30e6  # no faster than its link
    assert known(plan.total.simulated_time).high_ns / 1e9 > fill_s
