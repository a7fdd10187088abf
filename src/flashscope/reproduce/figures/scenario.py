"""One measurement that yields one or more published figures, and the laboratory that runs it.

    Scenario "c300-256: small-write matrix" --measure(laboratory)--> {"F016": 1284.0, "F017": 1275.2, ...}

A scenario runs experiments of the catalogue, or steps of its own, on fresh virtual drives; every run leaves a record.
Values are in the unit of the published row. A figure that the run did not yield is left out, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from flashscope.drives.drive import Drive
from flashscope.drives.parts.published_figures import Figure, published_figures
from flashscope.records import Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.needs import Needs
from flashscope.workloads.steps import Step

SEED = 1
"""Of every drive; the figures are single runs of single drives."""


class Laboratory(Protocol):
    """Where a scenario gets its records from (`run.py`)."""

    def run(self, address: str, experiment: Experiment, effort: Effort = STANDARD) -> Record:
        """Run an experiment on a new drive of that address. Raises FlashscopeError when it does not end as done."""

    def open(self, address: str) -> Drive:
        """A new drive, for measurements that no experiment makes."""

    def check(self) -> None:
        """To be called now and then in long work: raises Interrupted when a person has stopped it."""


@dataclass(frozen=True)
class Scenario:
    """How some figures are measured.

    name: for progress, "c300-256: small-write matrix". ids: the rows it yields.
    cost: expected CPU time [s]; only ratios matter. measure: runs it; id -> value in the row's unit.
    """

    name: str
    ids: tuple[str, ...]
    cost: float
    measure: Callable[[Laboratory], Mapping[str, float]]


@dataclass(frozen=True)
class Script:
    """A scenario's own steps, as an experiment without findings. name: as in the record."""

    name: str
    lay_out: Callable[[DriveFacts], Sequence[Step]]
    question: str = "What did the documents measure?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()
    needs = Needs()

    @property
    def title(self) -> str:
        """The name again."""
        return self.name

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The same steps for every effort."""
        return list(self.lay_out(facts))

    def analyse(self, record: Record) -> list[Finding]:
        """Nothing: the scenario reads the record itself."""
        return []


def figures_where(
    experiment: str, *, drive: str | None = None, condition: Callable[[str], bool] = lambda text: True
) -> list[Figure]:
    """The published rows of an experiment, of one drive, under some conditions."""
    return [
        figure
        for figure in published_figures()
        if figure.experiment == experiment and drive in (None, figure.drive) and condition(figure.condition)
    ]


def ids_of(figures: Sequence[Figure]) -> tuple[str, ...]:
    """Their ids."""
    return tuple(figure.id for figure in figures)
