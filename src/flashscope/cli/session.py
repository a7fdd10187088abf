"""From an address and options to records: opens drives, shows the plan of a real one, runs experiments.

A virtual drive is built anew for every experiment, so that none depends on what another left behind. A real
one is opened once, held and guarded throughout.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

import click

from flashscope import units
from flashscope.cli.calibrated import calibrated_text, is_worthwhile, measured_speed
from flashscope.cli.command_line import command_line
from flashscope.cli.leftovers import clear_leftovers
from flashscope.cli.memory_limit import check_memory
from flashscope.cli.options import DriveOptions
from flashscope.cli.plan_text import plan_text, virtual_total_text
from flashscope.cli.result_files import replacing_beside
from flashscope.cli.resume import Typed, new_examination, say_taken_up, take_up
from flashscope.drives.addresses.address import Address, parse_address
from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import memory_needed, open_drive, probe
from flashscope.errors import DriveFailed, Interrupted, WrongUse
from flashscope.experiments import catalogue
from flashscope.outputs import Replacing
from flashscope.records import Record, Status
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.on_call import StoreOnCall
from flashscope.records.store import Store, default_store_path
from flashscope.runner.asked import Asked
from flashscope.runner.budget.budget import usual_budget, with_asked
from flashscope.runner.budget.choose import choose_within
from flashscope.runner.budget.own_speed import assumed_speed, time_s
from flashscope.runner.calibration import Calibration
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.hands.choose import choose_virtual
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.runner.needs import why_left_out
from flashscope.runner.plan import Plan, make_plan
from flashscope.runner.progress.choose import choose_progress
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.long_calls import long_calls_told
from flashscope.runner.progress.progress import Progress
from flashscope.runner.run_in_turn import Turns, run_in_turn
from flashscope.runner.run_many import Several, run_side_by_side
from flashscope.runner.workers import workers_for

ChooseExperiments = Callable[[DriveFacts], Sequence[Experiment]]
"""The experiments for a drive of which only the facts are known."""


class Course(enum.Enum):
    """Whether experiments that run are an examination: one that begins, or one that was interrupted and goes on."""

    ALONE = "alone"
    EXAMINATION = "examination"
    RESUMED = "resumed"


class _Manner(NamedTuple):
    """How a run talks; see `Session.run`."""

    silent: bool
    quiet: bool
    yes: bool


@dataclass(frozen=True)
class Session:
    """One command's view of one drive. store_path: None for the default place.

    budget: the limits that were typed beside the usual ones of an examination; None for no limits.
    """

    address: Address
    consent: Consent
    seed: int
    store_path: Path
    budget: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        address_text: str,
        options: DriveOptions,
        store_path: Path | None,
        budget: tuple[str, ...] | None = None,
    ) -> Session:
        """Read address and options. Raises WrongUse when they make no sense."""
        address = parse_address(address_text)
        if options.seed is not None and address.is_virtual:
            if "seed" in address.options and address.seed != options.seed:
                raise WrongUse(
                    f"the address says seed {address.seed} and --seed says {options.seed}", advice="give it once"
                )
            address = replace(address, options={**address.options, "seed": str(options.seed)})
        size = None if options.size is None else int(units.parse(options.size, "bytes", key="--size"))
        consent = Consent(options.write_ok, options.serial, size, frozenset(options.allow))
        seed = address.seed if address.is_virtual else options.seed or 0
        return cls(address, consent, seed, store_path or default_store_path(), budget)

    def replacing(self, *, force: bool) -> Replacing:
        """What results of this command may replace. force: also files that flashscope did not make."""
        return replacing_beside(force=force, store_path=self.store_path, address=self.address)

    def facts(self) -> DriveFacts:
        """What is known of the drive; nothing is touched."""
        return probe(self.address, self.consent)

    def plan(self, choose: ChooseExperiments, effort: Effort = STANDARD) -> Plan:
        """The plan of experiments on the drive; nothing is touched, and no store is made."""
        with long_calls_told(silent=False):
            return self._plan(choose, effort)

    def _plan(self, choose: ChooseExperiments, effort: Effort) -> Plan:
        facts = self.facts()
        experiments, left_out = possible(choose(facts), facts, effort, self.budget)
        say_left_out(left_out)
        if self.address.is_virtual:
            drive_bytes = memory_needed(self.address)
            return make_plan(experiments, facts, effort=effort, scratch=self._scratch, drive_bytes=drive_bytes)
        if not self.store_path.exists():
            return make_plan(experiments, facts, effort=effort)
        with Store(self.store_path, create=False) as store:
            return make_plan(experiments, facts, effort=effort, store=store)

    def run(
        self,
        choose: ChooseExperiments,
        *,
        silent: bool,
        quiet: bool,
        yes: bool,
        glass: bool = False,
        effort: Effort = STANDARD,
        course: Course = Course.ALONE,
        named: bool = False,
    ) -> list[Record]:
        """Run the experiments; a failed one does not keep the next from running.

        On a virtual drive they run side by side, each on a drive of its own; on a real one, one after the other.

        silent: no progress. quiet: no plan on standard error either. yes: do not ask before writing to a block device.
        glass: look inside a virtual drive meanwhile. effort: how far the experiments may go.
        course: whether they are an examination, or the rest of one. named: they were asked for by name.
        Returns the records of all that began, of a resumed examination also those of before. Raises WrongUse before
        anything was started.
        """
        manner = _Manner(silent, quiet, yes)
        asked = Asked(self.seed, command_line(), effort, glass)
        with long_calls_told(silent=silent):
            facts = self.facts()
            if course is Course.RESUMED:
                return self._resume(choose(facts), facts, asked, manner)
            self._check_glass(facts, asked)
            chosen = possible(choose(facts), facts, effort, self.budget)
            if course is Course.EXAMINATION:
                examination = new_examination(chosen.experiments, facts, asked, self.budget or (), named=named)
                asked = replace(asked, examination=examination)
            return self._run(chosen, facts, asked, manner)

    def _resume(
        self, experiments: Sequence[Experiment], facts: DriveFacts, asked: Asked, manner: _Manner
    ) -> list[Record]:
        every = len(experiments) == len(catalogue.all_experiments())
        names = None if every else tuple(each.name for each in experiments)
        typed = Typed(names, asked.effort, self.seed or None, asked.glass, self.budget or ())
        taken = take_up(self.store_path, facts, typed)
        if not manner.silent:
            click.echo(say_taken_up(taken), err=True)
        asked = taken.asked(asked.command, in_virtual_time=facts.in_virtual_time)
        return taken.in_order(self._run(Chosen(list(taken.left), {}), facts, asked, manner))

    def _check_glass(self, facts: DriveFacts, asked: Asked) -> None:
        if asked.glass and not facts.can(Capability.GLASS):
            from flashscope.drives.glass.glass import no_glass

            raise no_glass(facts.address)

    def _run(self, chosen: Chosen, facts: DriveFacts, asked: Asked, manner: _Manner) -> list[Record]:
        progress = choose_progress(sys.stderr, silent=manner.silent)
        if not self.address.is_virtual:
            with Interruption(_say_stopping) as interruption:
                return self._run_real(chosen, facts, asked, manner, progress, interruption)
        say_left_out(chosen.left_out)
        why_no_more = catalogue.why_no_more(chosen.experiments, asked.effort)
        several = Several(self._scratch, self.store_path, asked, memory_needed(self.address), why_no_more)
        if not manner.silent:
            self._say_memory(len(chosen.experiments))
            if asked.examination is not None:
                several = self._planned(several, chosen, facts)
        with Interruption(_say_stopping) as interruption:
            records = run_side_by_side(chosen.experiments, facts, several, progress=progress, interruption=interruption)
            _say_no_more(chosen.experiments, records, why_no_more)
            return records

    def _planned(self, several: Several, chosen: Chosen, facts: DriveFacts) -> Several:
        """With what each experiment is expected to take, once the total has been said."""
        drive_bytes = several.drive_bytes
        plan = make_plan(
            chosen.experiments, facts, effort=several.asked.effort, scratch=self._scratch, drive_bytes=drive_bytes
        )
        click.echo(f"Plan: {virtual_total_text(plan)}", err=True)
        costs_s = [each.wall_time.expected_ns / 1e9 for each in plan.experiments]
        return replace(several, costs_s=costs_s, wall_s=plan.total.wall_time.expected_ns / 1e9)

    def _say_memory(self, experiments: int) -> None:
        needed = memory_needed(self.address)
        check_memory(workers_for(experiments, needed), needed, lambda line: click.echo(line, err=True))

    def _run_real(
        self,
        chosen: Chosen,
        facts: DriveFacts,
        asked: Asked,
        manner: _Manner,
        progress: Progress,
        interruption: Interruption,
    ) -> list[Record]:
        records: list[Record] = []
        with Store(self.store_path) as opened:
            plan = make_plan(chosen.experiments, facts, effort=asked.effort, store=opened)
        with StoreOnCall(self.store_path) as store:
            drive = self._open_real(destructive=plan.destructive)
            try:
                say_left_out(chosen.left_out)  # after the guard, so that a refusal stands alone
                self._show_plan(plan, quiet=manner.quiet, yes=manner.yes)
                clear_leftovers(drive, destructive=plan.destructive, quiet=manner.quiet)
                if asked.examination is not None and is_worthwhile(plan):
                    speed = measured_speed(drive, asked, store, interruption)
                    with Store(self.store_path) as opened:
                        plan = make_plan(chosen.experiments, facts, effort=asked.effort, store=opened, speed=speed)
                    if not manner.quiet:
                        click.echo(calibrated_text(speed, plan), err=True)
                costs_s = [each.wall_time.expected_ns / 1e9 for each in plan.experiments]
                why_no_more = catalogue.why_no_more(chosen.experiments, asked.effort)
                turns = Turns(chosen.experiments, costs_s, asked, plan.is_assumed, why_no_more)
                try:
                    run_in_turn(turns, drive, records, store=store, progress=progress, interruption=interruption)
                except DriveFailed as gone:
                    if overall_status(records) is Status.DONE:
                        raise
                    _say_not_begun(len(chosen.experiments) - len(records), gone)
                _say_no_more(chosen.experiments, records, why_no_more)
            except BaseException:
                if not records:
                    drive.abandon()
                raise
            finally:
                drive.close()
        return records

    def _scratch(self) -> VirtualDrive:
        drive = choose_virtual(open_drive(self.address, destructive=True))
        assert drive is not None, f"{self.address} is planned as a virtual drive but is not one"
        return drive

    def open_virtual(self) -> VirtualDrive:
        """A new drive of a virtual address."""
        return self._scratch()

    def _open_real(self, *, destructive: bool) -> RealDrive:
        drive = open_drive(self.address, destructive=destructive, consent=self.consent, store_path=self.store_path)
        return cast(RealDrive, drive)  # the scheme is not "sim", so it is a file or a block device

    def _show_plan(self, plan: Plan, *, quiet: bool, yes: bool) -> None:
        """Before the first byte: what will be done. A block device is written only after a yes.

        A file or a directory needs none: --write-ok was typed for it. Raises Interrupted and WrongUse.
        """
        if not quiet:
            click.echo(plan_text(plan), err=True)
        if yes or not (plan.destructive and plan.facts.can(Capability.BARE)):
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


class Chosen(NamedTuple):
    """The experiments that a drive can take. left_out: the names of the others, each with the reason."""

    experiments: list[Experiment]
    left_out: dict[str, str]


def possible(
    experiments: Sequence[Experiment],
    facts: DriveFacts,
    effort: Effort = STANDARD,
    budget: Sequence[str] | None = None,
) -> Chosen:
    """Which of the experiments the drive can take, and what fits in the budget. Raises WrongUse when none is left.

    budget: the limits that were typed, beside those that an examination has by itself; None for no limits.
    """
    left_out = left_out_of(experiments, facts, effort)
    if len(left_out) == len(experiments):
        reasons = "; ".join(dict.fromkeys(left_out.values()))
        raise WrongUse(
            f"{facts.address} cannot take {', '.join(left_out)}{' read-only' * effort.read_only}: {reasons}",
            accepted=", ".join(each.name for each in catalogue.all_experiments() if each.steps(facts, effort)),
            advice="see `flashscope list experiments`, or take another drive",
        )
    taking = [experiment for experiment in experiments if experiment.name not in left_out]
    if budget is None:
        return Chosen(taking, left_out)
    speed = assumed_speed(facts)
    limits = with_asked(usual_budget(facts, effort.extent, speed), budget, facts)
    if not facts.in_virtual_time:
        measuring = Calibration().steps(facts, effort)
        limits = limits.less(sum(step.bytes_to_write for step in measuring), time_s(measuring, speed))
    chosen, too_much = choose_within(taking, facts, effort, limits, speed)
    if not chosen:
        raise WrongUse(
            f"no experiment on {facts.address} fits in the budget ({limits}): {next(iter(too_much.values()))}",
            accepted="a budget with room for at least one experiment",
            advice="give a larger --budget, run it without --quick, or name experiments with --only",
        )
    return Chosen(chosen, left_out | too_much)


def say_left_out(left_out: Mapping[str, str]) -> None:
    """Name the experiments that are left out, each with the reason, on standard error."""
    for name, why in left_out.items():
        click.echo(f"left out: {name}, because {why}", err=True)


def _say_no_more(
    experiments: Sequence[Experiment], records: Sequence[Record], why_no_more: Callable[[Record], str] | None
) -> None:
    """Say why experiments were not begun after the first one, on standard error."""
    why = why_no_more(records[0]) if why_no_more is not None and records else ""
    if why:
        click.echo(
            f"not begun: the other {len(experiments) - 1} experiments, because {why}; --full runs them", err=True
        )


def _say_not_begun(experiments: int, gone: DriveFailed) -> None:
    """What an examination has measured until the drive went away is shown all the same."""
    others = f"{experiments} more experiments" if experiments > 1 else "the last experiment"
    click.echo(f"not begun: {others}, because {gone.what}\n  to do:    {gone.advice}; then --resume", err=True)


def left_out_of(experiments: Sequence[Experiment], facts: DriveFacts, effort: Effort) -> dict[str, str]:
    """Names of the experiments that the drive cannot take, each with the reason; what stays unknown, when read-only."""
    reasons = {experiment.name: why_left_out(experiment, facts, effort) for experiment in experiments}
    return {name: why for name, why in reasons.items() if why}


def overall_status(records: Sequence[Record]) -> Status:
    """DONE when all records are done; else the status of the first that is not."""
    return next((record.status for record in records if record.status is not Status.DONE), Status.DONE)


def _say_stopping() -> None:
    click.echo("stopping; the record is kept (Ctrl-C again stops at once)", err=True)
