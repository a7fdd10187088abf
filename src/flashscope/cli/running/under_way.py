"""Experiments on an open real drive, one after another, within what they may cost together.

    the capacity check, before anything else is written; nothing follows on a fake
      -> the speed is measured (`calibrated.py`), and what fits in the budget is chosen again
      -> the others; where they take so much longer than planned that the rest does not fit, it is chosen once more
      -> what is still under way a fifth after the end of the time is broken off; what it measured is kept

The speed is measured in an examination that takes longer than a minute. An examination that was interrupted goes on in
the same way, after the experiments that were done before.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import click

from flashscope import units
from flashscope.cli.running.calibrated import NOT_MEASURED, calibrated_text, is_worthwhile, measured_speed
from flashscope.cli.running.resume import with_experiments
from flashscope.cli.running.taking_part import (
    TakingPart,
    chosen_again_text,
    say_no_more,
    say_not_begun,
    say_out_of_time,
)
from flashscope.drives.drive import RealDrive
from flashscope.errors import DriveFailed
from flashscope.experiments import catalogue
from flashscope.records import Record, Status
from flashscope.records.keeper import Keeper
from flashscope.runner.asked import Asked
from flashscope.runner.budget.late import Pace, times_as_long
from flashscope.runner.budget.spent import NOTHING_SPENT, Spent, spent_by
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.experiment import Experiment
from flashscope.runner.plan import Plan
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress
from flashscope.runner.real_estimate import assumed_speed, expected_s, slower
from flashscope.runner.run_in_turn import Turns, run_in_turn
from flashscope.workloads.steps import Step

ChooseAgain = Callable[[DriveSpeed, Sequence[Experiment], Spent], TakingPart]
"""What takes part at a measured speed, after these experiments, when so much was spent."""

PlanOf = Callable[[TakingPart, DriveSpeed | None], Plan]
"""The plan of experiments on the open drive. speed: when it was measured."""

_BROKEN_OFF_RATIO = 1.2  # of the time of a budget
_LATE_RATIO = 1.1
_MUCH_SLOWER_RATIO = 1.25  # than at the last choice


@dataclass(frozen=True)
class Before:
    """What an interrupted examination did: the experiments that are done, and what all that began has cost."""

    done: tuple[Experiment, ...] = ()
    spent: Spent = NOTHING_SPENT


NOTHING_BEFORE = Before()


@dataclass(frozen=True)
class Around:
    """What the experiments are run with. choose_again: None where what takes part depends on no speed.

    quiet: nothing is said of plans. clock: monotonic [s], that of the interruption.
    """

    drive: RealDrive
    keeper: Keeper
    progress: Progress
    interruption: Interruption
    plan_of: PlanOf
    choose_again: ChooseAgain | None
    quiet: bool
    clock: Callable[[], float] = time.monotonic


@dataclass
class UnderWay:
    """What runs, and how far it is. plan: of what is ahead. records: of all that began, in this process.

    speed: as it was measured, or has shown since; None for the assumed one.
    """

    around: Around
    taking_part: TakingPart
    plan: Plan
    asked: Asked
    records: list[Record]
    before: Before = NOTHING_BEFORE
    speed: DriveSpeed | None = None
    _began_s: float = field(init=False)
    _paces: list[Pace] = field(default_factory=list)

    def run(self) -> None:
        """Run all. Raises Interrupted while the speed is measured, DriveFailed when the drive goes away at once."""
        self._began_s = self.around.clock()
        why_no_more = catalogue.why_no_more(self.taking_part.experiments, self.asked.effort)
        self._end_in_time()
        try:
            if self._is_to_be_measured():
                self._take([each for each in self._ahead[:1] if catalogue.is_check(each)])
                if not self._is_over(why_no_more):
                    self._measure()
            while self._ahead and not self._is_over(why_no_more):
                self._take(self._ahead)
                if self._ahead and self._is_late():
                    self._go_on_with_less()
        except DriveFailed as gone:
            if all(record.status is Status.DONE for record in self.records):
                raise
            say_not_begun(len(self._ahead), gone)
        say_no_more(self.taking_part.experiments, self.records, why_no_more)
        if self.around.interruption.is_out_of_time:
            say_out_of_time(self._limit_s, self.records, self._ahead)

    @property
    def _ran(self) -> list[Experiment]:
        return self.taking_part.experiments[: len(self.before.done) + len(self.records)]

    @property
    def _ahead(self) -> list[Experiment]:
        return self.taking_part.experiments[len(self._ran) :]

    @property
    def _spent(self) -> Spent:
        now, earlier = spent_by(self.records), self.before.spent
        since_s = self.around.clock() - self._began_s
        return Spent(earlier.written_bytes + now.written_bytes, earlier.time_s + since_s)

    @property
    def _limit_s(self) -> float:
        """The time that the examination may take [s]; infinite for no limit."""
        return math.inf if self.taking_part.budget is None else self.taking_part.budget.time_s

    def _end_in_time(self) -> None:
        """Have what is under way broken off when the time is over by far."""
        if math.isfinite(self._limit_s):
            end_s = self._began_s - self.before.spent.time_s + _BROKEN_OFF_RATIO * self._limit_s
            why = f"the end of the time for the examination, {units.format_time(self._limit_s * 1e9)}"
            self.around.interruption.end_at(end_s, why)

    def _is_to_be_measured(self) -> bool:
        others = any(not catalogue.is_check(each) for each in self._ahead)
        by_time = self.around.choose_again is not None
        return others and self.asked.examination is not None and is_worthwhile(self.plan, is_chosen_by_time=by_time)

    def _is_over(self, why_no_more: Callable[[Record], str] | None) -> bool:
        stopped = self.around.interruption.requested_by is not None
        return stopped or bool(self.records and why_no_more is not None and why_no_more(self.records[0]))

    def _measure(self) -> None:
        """What is ahead, once the speed of the drive is known; all as before where it stays unknown."""
        drive, keeper, interruption = self.around.drive, self.around.keeper, self.around.interruption
        speed = measured_speed(drive, self.asked, keeper, interruption, has_begun=bool(self._ran))
        if speed is None:
            self._say(NOT_MEASURED)
            return
        was = self._choose(speed)
        self._say(calibrated_text(speed, self.plan))
        self._say(chosen_again_text(was, self.taking_part))

    def _choose(self, speed: DriveSpeed) -> TakingPart:
        """Choose again what is ahead, at this speed, and plan it; what took part until now."""
        was = self.taking_part
        self.speed = speed
        if self.around.choose_again is not None:
            self.taking_part = self.around.choose_again(speed, self._ran, self._spent)
            self.asked = with_experiments(self.asked, self.taking_part.experiments)
            self._end_in_time()
        self.plan = self.around.plan_of(replace(self.taking_part, experiments=self._ahead), speed)
        return was

    def _is_late(self) -> bool:
        """Whether what is ahead no longer fits, since everything takes longer than it was planned to."""
        if self.around.choose_again is None or self.around.interruption.requested_by is not None:
            return False
        if times_as_long(self._paces) <= _MUCH_SLOWER_RATIO:
            return False
        ahead_s = sum(expected_s(self._steps(each), self._now_at) for each in self._ahead)
        return self._spent.time_s + ahead_s > _LATE_RATIO * self._limit_s

    @property
    def _now_at(self) -> DriveSpeed:
        """The speed that the experiments since the last choice show."""
        return slower(self.speed or assumed_speed(self.around.drive.facts), times_as_long(self._paces))

    def _steps(self, experiment: Experiment) -> list[Step]:
        return experiment.steps(self.around.drive.facts, self.asked.effort)

    def _go_on_with_less(self) -> None:
        times = units.format_number(times_as_long(self._paces), 2)
        was = self._choose(self._now_at)
        self._paces = []
        self._say(
            f"\nThe drive is slower than foreseen: {times} times the time. Chosen again for the time that is left."
        )
        self._say(chosen_again_text(was, self.taking_part))

    def _say(self, text: str) -> None:
        if text and not self.around.quiet:
            click.echo(text, err=True)

    def _take(self, experiments: Sequence[Experiment]) -> None:
        """Run these, until the last one, a stop, or one after which the rest has to be chosen again."""
        if not experiments:
            return
        costs_s = {each.name: each.wall_time.expected_ns / 1e9 for each in self.plan.experiments}
        why_no_more = catalogue.why_no_more(self.taking_part.experiments, self.asked.effort)

        def is_last(record: Record) -> bool:
            steps = self._steps(self._ran[-1])
            at = self.speed or assumed_speed(self.around.drive.facts)
            self._paces.append(Pace.of(steps, expected_s(steps, at), record))
            return bool(why_no_more is not None and why_no_more(record)) or self._is_late()

        of_these = [costs_s[each.name] for each in experiments]
        speed = self.speed
        cost_of = None if speed is None else (lambda step: expected_s([step], speed))
        turns = Turns(experiments, of_these, self.asked, self.plan.is_assumed, is_last, cost_of)
        around = self.around
        run_in_turn(
            turns,
            around.drive,
            self.records,
            store=around.keeper,
            progress=around.progress,
            interruption=around.interruption,
        )
        self.asked = replace(self.asked, doubts=())
