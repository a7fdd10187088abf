"""From an address and options to records: what takes part (`taking_part.py`), and the run on the kind of drive it is.

A virtual drive is built anew for every experiment, so that none depends on what another left behind. A real
one is opened once, held and guarded throughout (`real_run.py`).
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from flashscope import units
from flashscope.cli.options import DriveOptions
from flashscope.cli.program.command_line import command_line
from flashscope.cli.program.memory_limit import check_memory
from flashscope.cli.result_files import replacing_beside
from flashscope.cli.running.real_run import Manner, RealRun
from flashscope.cli.running.resume import Typed, new_examination, say_taken_up, take_up
from flashscope.cli.running.taking_part import Choice, TakingPart, say_left_out, say_no_more
from flashscope.cli.running.under_way import NOTHING_BEFORE, Before, ChooseAgain
from flashscope.cli.texts.plan import virtual_total_text
from flashscope.drives.addresses.address import Address, parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import memory_needed, open_virtual, probe
from flashscope.errors import WrongUse
from flashscope.experiments import catalogue
from flashscope.outputs import Replacing
from flashscope.records import Record, Status
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.engines.fio.start import start_s
from flashscope.runner.experiment import Experiment
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.runner.plan import Plan, make_plan
from flashscope.runner.progress.choose import choose_progress
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.long_calls import long_calls_told
from flashscope.runner.progress.progress import Progress
from flashscope.runner.run_many import Several, run_side_by_side
from flashscope.runner.workers import workers_for
from flashscope.store.store import Store, default_store_path

ChooseExperiments = Callable[[DriveFacts], Sequence[Experiment]]
"""The experiments for a drive of which only the facts are known."""


class Course(enum.Enum):
    """Whether experiments that run are an examination: one that begins, or one that was interrupted and goes on."""

    ALONE = "alone"
    EXAMINATION = "examination"
    RESUMED = "resumed"


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
        taking_part = Choice.of(choose(facts), facts, effort, self.budget).made()
        say_left_out(taking_part.left_out)
        return taking_part.in_plan(self._plan_of(taking_part.experiments, facts, effort))

    def _plan_of(self, experiments: Sequence[Experiment], facts: DriveFacts, effort: Effort) -> Plan:
        if self.address.is_virtual:
            drive_bytes = memory_needed(self.address)
            return make_plan(experiments, facts, effort=effort, scratch=self.open_virtual, drive_bytes=drive_bytes)
        if not self.store_path.exists():
            return make_plan(experiments, facts, effort=effort, start_s=start_s())
        with Store(self.store_path, create=False) as store:
            return make_plan(experiments, facts, effort=effort, store=store, start_s=start_s())

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
        on_record: Callable[[Record], None] = lambda record: None,
    ) -> list[Record]:
        """Run the experiments; a failed one does not keep the next from running.

        On a virtual drive they run side by side, each on a drive of its own; on a real one, one after the other.

        silent: no progress. quiet: no plan on standard error either. yes: do not ask before writing to a block device.
        glass: look inside a virtual drive meanwhile. effort: how far the experiments may go.
        course: whether they are an examination, or the rest of one. named: they were asked for by name.
        on_record: as in `Manner`.
        Returns the records of all that began, of a resumed examination also those of before. Raises WrongUse before
        anything was started.
        """
        manner = Manner(silent, quiet, yes, on_record)
        asked = Asked(self.seed, command_line(), effort, glass)
        with long_calls_told(silent=silent):
            facts = self.facts()
            if course is Course.RESUMED:
                return self._resume(choose(facts), facts, asked, manner)
            self._check_glass(facts, asked)
            choice = Choice.of(choose(facts), facts, effort, self.budget)
            taking_part = choice.made()
            if course is Course.EXAMINATION:
                examination = new_examination(
                    taking_part.experiments, facts, asked, self.budget, candidates=choice.possible, named=named
                )
                asked = replace(asked, examination=examination)
            choose_again = None if self.budget is None else choice.made
            return self._run(taking_part, facts, asked, manner, choose_again)

    def _resume(
        self, experiments: Sequence[Experiment], facts: DriveFacts, asked: Asked, manner: Manner
    ) -> list[Record]:
        every = len(experiments) == len(catalogue.all_experiments())
        names = None if every else tuple(each.name for each in experiments)
        typed = Typed(names, asked.effort, self.seed or None, asked.glass, self.budget or ())
        taken = take_up(self.store_path, facts, typed)
        if not manner.silent:
            click.echo(say_taken_up(taken), err=True)
        asked = taken.asked(asked.command, in_virtual_time=facts.in_virtual_time)
        if facts.in_virtual_time or taken.candidates is None:
            taking_part, choose_again = TakingPart([*taken.ran, *taken.left]), None
        else:
            choice = Choice.of(taken.candidates, facts, taken.effort, taken.examination.budget)
            taking_part, choose_again = TakingPart([*taken.ran, *taken.left], budget=choice.budget()), choice.made
        before = Before(taken.ran, taken.spent)
        return taken.in_order(self._run(taking_part, facts, asked, manner, choose_again, before))

    def _check_glass(self, facts: DriveFacts, asked: Asked) -> None:
        if asked.glass and not facts.can(Capability.GLASS):
            from flashscope.drives.glass.glass import no_glass

            raise no_glass(facts.address)

    def _run(
        self,
        taking_part: TakingPart,
        facts: DriveFacts,
        asked: Asked,
        manner: Manner,
        choose_again: ChooseAgain | None = None,
        before: Before = NOTHING_BEFORE,
    ) -> list[Record]:
        if self.address.is_virtual:
            progress = choose_progress(sys.stderr, silent=manner.silent)
            ahead = replace(taking_part, experiments=taking_part.experiments[len(before.done) :])
            return self._run_virtual(ahead, facts, asked, manner, progress)
        with Interruption(_say_stopping) as interruption:
            progress = choose_progress(sys.stderr, silent=manner.silent, most_s=interruption.left_s)
            run = RealRun(
                self.address, self.consent, self.store_path, asked, manner, progress, interruption, choose_again, before
            )
            return run.records(taking_part, facts)

    def _run_virtual(
        self, taking_part: TakingPart, facts: DriveFacts, asked: Asked, manner: Manner, progress: Progress
    ) -> list[Record]:
        experiments = taking_part.experiments
        say_left_out(taking_part.left_out)
        why_no_more = catalogue.why_no_more(experiments, asked.effort)
        several = Several(
            self.open_virtual,
            self.store_path,
            asked,
            memory_needed(self.address),
            why_no_more,
            on_record=manner.on_record,
        )
        if not manner.silent:
            self._say_memory(len(experiments))
            if asked.examination is not None:
                several = self._planned(several, experiments, facts)
        with Interruption(_say_stopping) as interruption:
            records = run_side_by_side(experiments, facts, several, progress=progress, interruption=interruption)
            say_no_more(experiments, records, why_no_more)
            return records

    def _planned(self, several: Several, experiments: Sequence[Experiment], facts: DriveFacts) -> Several:
        """With what each experiment is expected to take, once the total has been said."""
        plan = self._plan_of(experiments, facts, several.asked.effort)
        click.echo(f"Plan: {virtual_total_text(plan)}", err=True)
        costs_s = [each.wall_time.expected_ns / 1e9 for each in plan.experiments]
        return replace(several, costs_s=costs_s, wall_s=plan.total.wall_time.expected_ns / 1e9)

    def _say_memory(self, experiments: int) -> None:
        needed = memory_needed(self.address)
        check_memory(workers_for(experiments, needed), needed, lambda line: click.echo(line, err=True))

    def open_virtual(self) -> VirtualDrive:
        """A new drive of a virtual address."""
        return open_virtual(self.address)


def overall_status(records: Sequence[Record]) -> Status:
    """DONE when all records are done, or as far as there was time; else the status of the first that is not."""
    ended = (Status.DONE, Status.OUT_OF_TIME)
    return next((record.status for record in records if record.status not in ended), Status.DONE)


def _say_stopping() -> None:
    click.echo("stopping; the record is kept (Ctrl-C again stops at once)", err=True)
