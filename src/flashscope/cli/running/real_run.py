"""A run on a real drive, which is opened once, held and guarded throughout.

plan -> guard -> consent -> what killed runs left is removed -> the experiments, in order (`under_way.py`)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

import click

from flashscope.cli.running.leftovers import clear_leftovers
from flashscope.cli.running.taking_part import TakingPart, say_left_out
from flashscope.cli.running.under_way import NOTHING_BEFORE, Around, Before, ChooseAgain, UnderWay
from flashscope.cli.texts.plan import plan_text
from flashscope.drives.addresses.address import Address
from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.errors import Interrupted, WrongUse
from flashscope.records import Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.keeper import Keeper
from flashscope.runner.asked import Asked
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.engines.fio.start import start_s
from flashscope.runner.plan import Plan, make_plan
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress
from flashscope.store.on_call import StoreOnCall
from flashscope.store.store import Store


class Manner(NamedTuple):
    """How a run talks. silent: no progress. quiet: no plan either. yes: it does not ask before it writes.

    on_record: told of each record on a virtual drive as it is finished, in the thread of its run; not on a real drive,
    where other work beside the next experiment would disturb it.
    """

    silent: bool
    quiet: bool
    yes: bool
    on_record: Callable[[Record], None] = lambda record: None


@dataclass(frozen=True)
class RealRun:
    """What is asked of a run, and how it talks. choose_again: None where what takes part depends on no speed.

    before: what was done of an examination that was interrupted.
    """

    address: Address
    consent: Consent
    store_path: Path
    asked: Asked
    manner: Manner
    progress: Progress
    interruption: Interruption
    choose_again: ChooseAgain | None = None
    before: Before = NOTHING_BEFORE

    def records(self, taking_part: TakingPart, facts: DriveFacts) -> list[Record]:
        """Run the experiments that are not done; the records of all that began.

        Raises WrongUse and Interrupted before the first one, and Interrupted while the speed is measured.
        """
        records: list[Record] = []
        ahead = replace(taking_part, experiments=taking_part.experiments[len(self.before.done) :])
        plan = self._plan(ahead, facts)
        with StoreOnCall(self.store_path) as store:
            drive = self._open(destructive=plan.destructive)
            if plan.is_assumed:  # after the guard: what is refused starts no program
                plan = self._plan(ahead, facts, start_s=start_s())
            try:
                say_left_out(taking_part.left_out)  # after the guard, so that a refusal stands alone
                self._agree(plan)
                clear_leftovers(drive, destructive=plan.destructive, quiet=self.manner.quiet)
                self._under_way(taking_part, plan, drive, store, records).run()
            except BaseException:
                if not records:
                    drive.abandon()
                raise
            finally:
                drive.close()
        return records

    def _plan(
        self, ahead: TakingPart, facts: DriveFacts, speed: DriveSpeed | None = None, start_s: float | None = None
    ) -> Plan:
        effort = self.asked.effort
        with Store(self.store_path) as store:
            plan = make_plan(ahead.experiments, facts, effort=effort, store=store, speed=speed, start_s=start_s)
        return ahead.in_plan(plan)

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

    def _under_way(
        self, taking_part: TakingPart, plan: Plan, drive: RealDrive, store: Keeper, records: list[Record]
    ) -> UnderWay:
        def plan_of(ahead: TakingPart, speed: DriveSpeed | None) -> Plan:
            return self._plan(ahead, drive.facts, speed)

        around = Around(
            drive, store, self.progress, self.interruption, plan_of, self.choose_again, quiet=self.manner.quiet
        )
        return UnderWay(around, taking_part, plan, self.asked, records, self.before)
