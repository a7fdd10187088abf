"""An experiment whose pauses are cut to a hundredth, and runs to an eighth of a second, for drives in real time."""

from __future__ import annotations

from dataclasses import replace

from flashscope.records import Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.workloads.steps import Idle, Step, Workload

_SECOND_NS = 10**9


class Hurried:
    """The experiment; all but the lengths of its steps is its own."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self.name, self.title, self.question = experiment.name, experiment.title, experiment.question
        self.expects = experiment.expects
        self.tells = experiment.tells
        self.needs = experiment.needs

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        return [_hurried(step) for step in self._experiment.steps(facts, effort)]

    def analyse(self, record: Record) -> list[Finding]:
        return self._experiment.analyse(record)


def _hurried(step: Step) -> Step:
    if isinstance(step, Idle):
        return replace(step, duration_ns=10_000_000)
    if isinstance(step, Workload):
        jobs = tuple(replace(job, runtime_ns=min(job.runtime_ns, _SECOND_NS // 8)) for job in step.jobs)
        return replace(step, jobs=jobs)
    return step
