"""Steps of experiments, as the kind that a test means."""

from __future__ import annotations

from collections.abc import Iterable

from flashscope.workloads.job import Job
from flashscope.workloads.steps import Step, Workload


def jobs_of(step: Step) -> tuple[Job, ...]:
    """The jobs of a step that is a workload."""
    assert isinstance(step, Workload), f"{step.name} is no workload"
    return step.jobs


def workloads(steps: Iterable[Step]) -> list[Workload]:
    """Those of the steps that are workloads."""
    return [step for step in steps if isinstance(step, Workload)]
