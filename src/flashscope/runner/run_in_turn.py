"""Experiments on one real drive, one after another, with one progress over all of them.

drive --experiment A--> record --experiment B--> record ... until the last one, or a stop
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flashscope.drives.drive import Drive
from flashscope.records import Record, Status
from flashscope.records.keeper import Keeper
from flashscope.runner.asked import Asked
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.runner.progress.whole import Whole
from flashscope.runner.run import run_experiment
from flashscope.workloads.steps import Step


@dataclass(frozen=True)
class Turns:
    """What is run, in order. costs_s: what each experiment is expected to take.

    asked: for all of them; its doubts are those of the first one alone. is_assumed: the costs rest on assumed rates, so
    that only their ratios count.
    cost_of: what a step is expected to take [s]; None where no speed is known.
    is_last: asked after each, once its record is kept; where it says yes, the rest is not begun here.
    """

    experiments: Sequence[Experiment]
    costs_s: Sequence[float]
    asked: Asked
    is_assumed: bool = False
    is_last: Callable[[Record], bool] | None = None
    cost_of: Callable[[Step], float] | None = None


def run_in_turn(
    turns: Turns,
    drive: Drive,
    records: list[Record],
    *,
    store: Keeper,
    progress: Progress,
    interruption: Interruption,
) -> None:
    """Run experiments on an open drive, and append the records of all that began to `records`.

    A failed one does not keep the next from running. Raises what `run_experiment` raises.
    """
    whole = _whole(turns, drive, progress) if len(turns.experiments) > 1 else None
    asked, status = turns.asked, Status.FAILED
    try:
        for experiment in turns.experiments:
            if interruption.requested_by is not None:
                break
            shown = whole or progress
            records.append(
                run_experiment(
                    experiment,
                    drive,
                    asked,
                    store=store,
                    progress=shown,
                    interruption=interruption,
                    cost_of=turns.cost_of,
                )
            )
            asked = replace(asked, doubts=())
            if turns.is_last is not None and turns.is_last(records[-1]):
                break
        status = _status(interruption)
    finally:
        if whole is not None:
            failed = sum(record.status is Status.FAILED for record in records)
            whole.ends(f"{failed} of {len(turns.experiments)} failed" if failed else status.value)


def _status(interruption: Interruption) -> Status:
    if interruption.is_out_of_time:
        return Status.OUT_OF_TIME
    return Status.INTERRUPTED if interruption.requested_by else Status.DONE


def _whole(turns: Turns, drive: Drive, progress: Progress) -> Whole:
    title = f"{len(turns.experiments)} experiments on {drive.facts.address}"
    return Whole(
        progress,
        title,
        [
            StepAhead(each.name, cost_s, not turns.is_assumed)
            for each, cost_s in zip(turns.experiments, turns.costs_s, strict=True)
        ],
    )
