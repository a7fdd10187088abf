"""The experiments of an examination within a budget, each as far as it goes, and why the others are left out."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.budget.allotted import Allotted
from flashscope.runner.budget.budget import Budget
from flashscope.runner.budget.offers import candidate
from flashscope.runner.budget.selection import select
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.effort import Effort
from flashscope.runner.experiment import Experiment


def choose_within(
    experiments: Sequence[Experiment], facts: DriveFacts, effort: Effort, budget: Budget, speed: DriveSpeed
) -> tuple[list[Experiment], dict[str, str]]:
    """Those that take part, in their order, with what they are allotted; the names of the others with the reason.

    Without any limit all take part as they are.
    """
    if not budget.limits:
        return list(experiments), {}
    candidates = [each for one in experiments if (each := candidate(one, facts, effort, speed)) is not None]
    selection = select(candidates, budget)
    chosen = [Allotted(each, selection.taken[each.name].effort) for each in experiments if each.name in selection.taken]
    return list(chosen), dict(selection.left_out)
