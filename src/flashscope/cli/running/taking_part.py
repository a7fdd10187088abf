"""Which experiments take part in a run: what the drive can take, and what fits in a budget; and why others do not.

    asked for --needs--> what the drive can take --budget--> what takes part, each experiment as far as it goes

A budget of time needs a speed. That of a real drive is assumed first; when it was measured, the choice is made again
from the experiments that have not run yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import click

from flashscope import units
from flashscope.errors import DriveFailed, WrongUse
from flashscope.experiments import catalogue
from flashscope.records import Record, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.budget.budget import Budget, usual_budget, with_asked
from flashscope.runner.budget.choose import choose_within
from flashscope.runner.budget.spent import NOTHING_SPENT, Spent
from flashscope.runner.calibration import Calibration
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.needs import why_left_out
from flashscope.runner.plan import Plan
from flashscope.runner.real_estimate import assumed_speed, expected_s, lasting_speed


@dataclass(frozen=True)
class TakingPart:
    """experiments: in order. left_out: the names of the others, each with the reason. budget: None for no limits."""

    experiments: list[Experiment]
    left_out: dict[str, str] = field(default_factory=dict)
    budget: Budget | None = None

    def in_plan(self, plan: Plan) -> Plan:
        """The plan of these experiments, which also says within what budget they were chosen."""
        if self.budget is None or not self.budget.limits:
            return plan
        again = "" if plan.facts.in_virtual_time else "; once its speed is measured, again within the same bytes"
        return replace(plan, assumptions=(*plan.assumptions, f"chosen within a budget of {self.budget}{again}"))


@dataclass(frozen=True)
class Choice:
    """What there is to choose from.

    possible: the experiments that the drive can take. impossible: the names of the others, each with the reason.
    typed: the limits of --budget, beside those that an examination has by itself; None for no limits at all.
    """

    facts: DriveFacts
    effort: Effort
    possible: tuple[Experiment, ...]
    impossible: Mapping[str, str]
    typed: Sequence[str] | None

    @classmethod
    def of(
        cls,
        experiments: Sequence[Experiment],
        facts: DriveFacts,
        effort: Effort = STANDARD,
        typed: Sequence[str] | None = None,
    ) -> Choice:
        """From the experiments that are asked for. Raises WrongUse when the drive can take none of them."""
        impossible = left_out_of(experiments, facts, effort)
        if len(impossible) == len(experiments):
            reasons = "; ".join(dict.fromkeys(impossible.values()))
            raise WrongUse(
                f"{facts.address} cannot take {', '.join(impossible)}{' read-only' * effort.read_only}: {reasons}",
                accepted=", ".join(each.name for each in catalogue.all_experiments() if each.steps(facts, effort)),
                advice="see `flashscope list experiments`, or take another drive",
            )
        possible = tuple(experiment for experiment in experiments if experiment.name not in impossible)
        return cls(facts, effort, possible, impossible, typed)

    def made(
        self, speed: DriveSpeed | None = None, ran: Sequence[Experiment] = (), spent: Spent = NOTHING_SPENT
    ) -> TakingPart:
        """What takes part. Raises WrongUse when nothing fits in the budget.

        speed: of the drive, when it was measured. ran: what has run already, and takes part. spent: until now.
        """
        if self.typed is None:
            return TakingPart(list(self.possible), dict(self.impossible))
        at = self._lasting(speed)
        budget = self.budget(speed)
        names = {each.name for each in ran}
        others = [each for each in self.possible if each.name not in names]
        calibration = [] if self.facts.in_virtual_time else Calibration().steps(self.facts, self.effort)
        left = budget.less(
            spent.written_bytes + sum(step.bytes_to_write for step in calibration),
            spent.time_s + (expected_s(calibration, at) if speed is None else 0.0),
        )
        chosen, too_much = choose_within(others, self.facts, self.effort, left, at)
        if not chosen and not ran:
            raise WrongUse(
                f"no experiment on {self.facts.address} fits in the budget ({budget}): {next(iter(too_much.values()))}",
                accepted="a budget with room for at least one experiment",
                advice="give a larger --budget, run it without --quick, or name experiments with --only",
            )
        return TakingPart([*ran, *chosen], {**self.impossible, **too_much}, budget)

    def budget(self, speed: DriveSpeed | None = None) -> Budget:
        """What the examination may write and take. speed: of the drive, when it was measured."""
        usual = usual_budget(self.facts, self.effort.extent, self._lasting(speed))
        return with_asked(usual, self.typed or (), self.facts)

    def _lasting(self, speed: DriveSpeed | None) -> DriveSpeed:
        return assumed_speed(self.facts) if speed is None else lasting_speed(speed, self.facts)


def left_out_of(experiments: Sequence[Experiment], facts: DriveFacts, effort: Effort) -> dict[str, str]:
    """Names of the experiments that the drive cannot take, each with the reason; what stays unknown, when read-only."""
    reasons = {experiment.name: why_left_out(experiment, facts, effort) for experiment in experiments}
    return {name: why for name, why in reasons.items() if why}


def say_left_out(left_out: Mapping[str, str]) -> None:
    """Name the experiments that are left out, each with the reason, on standard error."""
    for name, why in left_out.items():
        click.echo(f"left out: {name}, because {why}", err=True)


def chosen_again_text(before: TakingPart, after: TakingPart) -> str:
    """What a second choice changed, a line for each experiment; "" where it is the first one."""
    names = {each.name for each in before.experiments}
    added = [f"takes part, too: {each.name}" for each in after.experiments if each.name not in names]
    gone = [f"left out: {name}, because {after.left_out[name]}" for name in after.left_out if name in names]
    return "\n".join(added + gone)


def say_no_more(
    experiments: Sequence[Experiment], records: Sequence[Record], why_no_more: Callable[[Record], str] | None
) -> None:
    """Say why experiments were not begun after the first one, on standard error; nothing where they were."""
    why = why_no_more(records[0]) if why_no_more is not None and records else ""
    if why:
        click.echo(
            f"not begun: the other {len(experiments) - 1} experiments, because {why}; --full runs them", err=True
        )


def say_not_begun(experiments: int, gone: DriveFailed) -> None:
    """What an examination has measured until the drive went away is shown all the same."""
    others = f"{experiments} more experiments" if experiments > 1 else "the last experiment"
    click.echo(f"not begun: {others}, because {gone.what}\n  to do:    {gone.advice}; then --resume", err=True)


def say_out_of_time(limit_s: float, records: Sequence[Record], ahead: Sequence[Experiment]) -> None:
    """Say that the time of an examination is over, what was broken off and what was not begun, on standard error."""
    broken = [record.experiment for record in records if record.status is Status.OUT_OF_TIME]
    said = [f"broken off: {', '.join(broken)}"] if broken else []
    said += [f"not begun: {', '.join(each.name for each in ahead)}"] if ahead else []
    limit = units.format_time(limit_s * 1e9)
    click.echo(f"out of time: {limit} were given, and the drive is slower than foreseen; {'; '.join(said)}", err=True)
