"""A run on a real drive, which is opened once, held and guarded throughout.

    plan -> guard -> consent -> what killed runs left is removed
      -> the capacity check, before anything else is written; nothing follows on a fake
      -> the speed is measured (`calibrated.py`), and what fits in the budget is chosen again
      -> the other experiments, one after another

The speed is measured in an examination that takes longer than a minute; else all experiments follow the consent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

import click

from flashscope.cli.running.calibrated import NOT_MEASURED, calibrated_text, is_worthwhile, measured_speed
from flashscope.cli.running.leftovers import clear_leftovers
from flashscope.cli.running.resume import with_experiments
from flashscope.cli.running.taking_part import TakingPart, chosen_again_text, say_left_out, say_no_more, say_not_begun
from flashscope.cli.texts.plan import plan_text
from flashscope.drives.addresses.address import Address
from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.errors import DriveFailed, Interrupted, WrongUse
from flashscope.experiments import catalogue
from flashscope.records import Record, Status
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.keeper import Keeper
from flashscope.runner.asked import Asked
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.experiment import Experiment
from flashscope.runner.plan import Plan, make_plan
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress
from flashscope.runner.run_in_turn import Turns, run_in_turn
from flashscope.store.on_call import StoreOnCall
from flashscope.store.store import Store

ChooseAgain = Callable[[DriveSpeed, Sequence[Experiment]], TakingPart]
"""What takes part at a measured speed, after these experiments."""

WhyNoMore = Callable[[Record], str]
"""Why a record makes the other experiments senseless; "" where it does not."""


class Manner(NamedTuple):
    """How a run talks. silent: no progress. quiet: no plan either. yes: it does not ask before it writes."""

    silent: bool
    quiet: bool
    yes: bool


class _UnderWay(NamedTuple):
    """An open drive, where its records are kept, and those that there are."""

    drive: RealDrive
    store: Keeper
    records: list[Record]


@dataclass(frozen=True)
class RealRun:
    """What is asked of a run, and how it talks. choose_again: None where what takes part depends on no speed."""

    address: Address
    consent: Consent
    store_path: Path
    asked: Asked
    manner: Manner
    progress: Progress
    interruption: Interruption
    choose_again: ChooseAgain | None = None

    def records(self, taking_part: TakingPart, facts: DriveFacts) -> list[Record]:
        """Run the experiments; the records of all that began.

        Raises WrongUse and Interrupted before the first one, and Interrupted while the speed is measured.
        """
        records: list[Record] = []
        plan = self._plan(taking_part, facts)
        with StoreOnCall(self.store_path) as store:
            drive = self._open(destructive=plan.destructive)
            try:
                say_left_out(taking_part.left_out)  # after the guard, so that a refusal stands alone
                self._agree(plan)
                clear_leftovers(drive, destructive=plan.destructive, quiet=self.manner.quiet)
                self._run(taking_part, plan, _UnderWay(drive, store, records))
            except BaseException:
                if not records:
                    drive.abandon()
                raise
            finally:
                drive.close()
        return records

    def _plan(self, taking_part: TakingPart, facts: DriveFacts, speed: DriveSpeed | None = None) -> Plan:
        with Store(self.store_path) as store:
            plan = make_plan(taking_part.experiments, facts, effort=self.asked.effort, store=store, speed=speed)
        return taking_part.in_plan(plan)

    def _open(self, *, destructive: bool) -> RealDrive:
        drive = open_drive(self.address, destructive=destructive, consent=self.consent, store_path=self.store_path)
        return cast(RealDrive, drive)  # the scheme is not "sim", so it is a file or a block device

    def _agree(self, plan: Plan) -> None:
        """Before the first byte: what will be done. A block device is written only after a yes.

        A file or a directory needs none: --write-ok was typed for it. Raises Interrupted and WrongUse.
        """
        if not self.manner.quiet:
            click.echo(plan_text(plan), err=True)
        if self.manner.yes or not (plan.destructive and plan.facts.can(Capability.BARE)):
            return
        drive = f"{plan.facts.address} ({plan.facts.model})"
        if not sys.stdin.isatty():
            raise WrongUse(
                f"{drive} would be overwritten, and nobody agreed to that: standard input is no terminal to ask on",
                accepted="--yes, where nobody can be asked",
                advice="nothing was written; `flashscope plan` shows what would be",
            )
        if not click.confirm(f"Overwrite {drive}?", err=True):
            raise Interrupted("not started, since you did not agree; nothing was written")

    def _run(self, taking_part: TakingPart, plan: Plan, under_way: _UnderWay) -> None:
        """The capacity check; where nothing speaks against the others, the speed; then the others."""
        asked, every, records = self.asked, taking_part.experiments, under_way.records
        why_no_more = catalogue.why_no_more(every, asked.effort)
        check: list[Experiment] = []
        try:
            if self._is_to_be_measured(every, plan):
                check = every[:1] if catalogue.is_check(every[0]) else []
                self._in_turn(check, plan, asked, under_way)
                if not self._is_over(records, why_no_more):
                    asked = replace(asked, doubts=()) if check else asked
                    taking_part, plan, asked = self._measured(taking_part, plan, asked, under_way, check)
            if not self._is_over(records, why_no_more):
                self._in_turn(taking_part.experiments[len(check) :], plan, asked, under_way, why_no_more)
        except DriveFailed as gone:
            if all(record.status is Status.DONE for record in records):
                raise
            say_not_begun(len(taking_part.experiments) - len(records), gone)
        say_no_more(every, records, why_no_more)

    def _is_to_be_measured(self, experiments: Sequence[Experiment], plan: Plan) -> bool:
        others = any(not catalogue.is_check(each) for each in experiments)
        by_time = self.choose_again is not None
        return others and self.asked.examination is not None and is_worthwhile(plan, is_chosen_by_time=by_time)

    def _is_over(self, records: Sequence[Record], why_no_more: WhyNoMore | None) -> bool:
        stopped = self.interruption.requested_by is not None
        return stopped or bool(records and why_no_more is not None and why_no_more(records[0]))

    def _measured(
        self, before: TakingPart, plan: Plan, asked: Asked, under_way: _UnderWay, ran: Sequence[Experiment]
    ) -> tuple[TakingPart, Plan, Asked]:
        """What takes part once the speed of the drive is known, with its plan; all as before where it stays unknown."""
        drive, store, _ = under_way
        speed = measured_speed(drive, asked, store, self.interruption, has_begun=bool(ran))
        if speed is None:
            self._say(NOT_MEASURED)
            return before, plan, asked
        after = before if self.choose_again is None else self.choose_again(speed, ran)
        plan = self._plan(replace(after, experiments=after.experiments[len(ran) :]), drive.facts, speed)
        self._say(calibrated_text(speed, plan))
        self._say(chosen_again_text(before, after))
        return after, plan, with_experiments(asked, after.experiments)

    def _say(self, text: str) -> None:
        if text and not self.manner.quiet:
            click.echo(text, err=True)

    def _in_turn(
        self,
        experiments: Sequence[Experiment],
        plan: Plan,
        asked: Asked,
        under_way: _UnderWay,
        why_no_more: WhyNoMore | None = None,
    ) -> None:
        costs_s = {each.name: each.wall_time.expected_ns / 1e9 for each in plan.experiments}
        turns = Turns(experiments, [costs_s[each.name] for each in experiments], asked, plan.is_assumed, why_no_more)
        drive, store, records = under_way
        run_in_turn(turns, drive, records, store=store, progress=self.progress, interruption=self.interruption)
