"""An experiment with its share of a budget: it goes as far as it was allotted, whatever the run was asked for.

Its steps write at most what its effort states (`Effort.most_bytes`): the experiment takes a smaller span or fewer
repeats where that still tells something (`steps()` reads the effort), and loads that end by time get an end by bytes,
too (`elastic.py`). Its analysis is that of the experiment.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.records import Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.budget.elastic import within
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.needs import Needs
from flashscope.workloads.steps import Step


def steps_within(experiment: Experiment, facts: DriveFacts, effort: Effort) -> list[Step]:
    """The steps of an experiment, which write at most effort.most_bytes; empty where that is too little for it."""
    steps = experiment.steps(facts, effort)
    return steps if effort.most_bytes is None else within(steps, effort.most_bytes)


@dataclass(frozen=True)
class Allotted:
    """An experiment that goes as far as its own effort says, not that of the run."""

    experiment: Experiment
    effort: Effort

    @property
    def name(self) -> str:
        """Of the experiment."""
        return self.experiment.name

    @property
    def title(self) -> str:
        """Of the experiment."""
        return self.experiment.title

    @property
    def question(self) -> str:
        """Of the experiment."""
        return self.experiment.question

    @property
    def expects(self) -> frozenset[str]:
        """Of the experiment."""
        return self.experiment.expects

    @property
    def tells(self) -> frozenset[str]:
        """Of the experiment."""
        return self.experiment.tells

    @property
    def needs(self) -> Needs:
        """Of the experiment."""
        return self.experiment.needs

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The steps for the effort that was allotted; the one given here is not used."""
        return steps_within(self.experiment, facts, self.effort)

    def analyse(self, record: Record) -> list[Finding]:
        """The findings of the experiment."""
        return self.experiment.analyse(record)
