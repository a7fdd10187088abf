"""Why a property has no value: withdrawn, could not be told, not finished, or not measured; in one clause.

What was tried comes before what was not: an experiment that ran and says why it could not tell explains more than
another one that was left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.properties import Property
from flashscope.dossier.telling import Telling
from flashscope.errors import WrongUse
from flashscope.experiments import catalogue
from flashscope.records import Record, Status
from flashscope.runner.effort import Extent, effort_of
from flashscope.runner.experiment import Experiment


def why_unknown(asked: Property, told: Sequence[Telling], records: Sequence[Record]) -> str:
    """The clause after "because"; records: of the drive, oldest first."""
    withdrawn = next((each for each in told if each.is_ruled_out), None)
    if withdrawn is not None:
        return _sentence(withdrawn.finding.statement)
    abstained = next((each for each in told if not each.answers), None)
    if abstained is not None:
        return abstained.untold or _sentence(abstained.finding.statement)
    experiments = [name for source in asked.sources for name in (source.experiment, *source.rests_on) if name]
    for name in experiments:
        stopped = next((each for each in reversed(records) if each.experiment == name), None)
        if stopped is not None and stopped.status is not Status.DONE:
            return f"{name} was not finished ({stopped.status.value})"
        if stopped is not None:
            open_questions = [finding.statement for finding in stopped.findings if finding.value is None]
            if open_questions:
                return _sentence(open_questions[0])
            quick = effort_of(stopped).extent is Extent.QUICK
            return f"{name} did not measure it{' in a quick run' if quick else ''}"
    if not experiments:
        return "the findings that it follows from are missing"
    return _why_not_run(experiments[0], records[-1])


def _why_not_run(name: str, example: Record) -> str:
    """The experiment's reason on this drive at that effort; else only that it was not run."""
    experiment = _experiment(name)
    if experiment is not None:
        missing = experiment.needs.missing(example.drive_facts, effort_of(example))
        if missing:
            return f"{name} was left out: {missing}"
    return f"{name} was not run"


def _experiment(name: str) -> Experiment | None:
    try:
        return catalogue.find(name)
    except WrongUse:
        return None


def _sentence(statement: str) -> str:
    """The first sentence of a statement as a clause: without its full stop, and without a capital that only begins."""
    said = statement.strip().partition(". ")[0].rstrip(".")
    return said if said[1:2].isupper() else f"{said[:1].lower()}{said[1:]}"
