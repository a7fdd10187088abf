"""From the options of `endure` to a record of a virtual drive, or of many."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from flashscope.cli.command_line import command_line
from flashscope.drives.simulated import SimulatedDrive
from flashscope.endurance.goal import parse_goal
from flashscope.endurance.life import Conditions
from flashscope.endurance.load import PATTERNS, WearLoad
from flashscope.endurance.population import EXPERIMENT, findings_of_population, wear_population
from flashscope.endurance.variation import Spread
from flashscope.endurance.virtual_run import configuration_of, new_record, run_endurance
from flashscope.errors import Interrupted, WrongUse
from flashscope.records import Record, Status
from flashscope.records.store import Store
from flashscope.runner.interrupt import Interruption
from flashscope.runner.progress import StepAhead, choose_progress
from flashscope.runner.workers import workers_for

_CHECKPOINTS_TO_RATING = 10
_READ_BYTES_OF_MANY = 64 << 20


@dataclass(frozen=True)
class EndureOptions:
    """What the command was asked, resolved."""

    conditions: Conditions
    drives: int
    lots: int
    workers: int

    @classmethod
    def of(
        cls,
        drive: SimulatedDrive,
        until: str,
        workload: str,
        static_ratio: float,
        drives: int,
        lots: int,
        workers: int | None,
    ) -> EndureOptions:
        """Read the options. Raises WrongUse when they make no sense for this drive."""
        rated = drive.facts.rated_pe_cycles
        if not rated:
            raise WrongUse(f"{drive.facts.address} states no rating", accepted="a part with rated cycles")
        goal = parse_goal(until, rated)
        pattern = next((one for one in PATTERNS if one == workload), None)
        if pattern is None:
            raise WrongUse(f"a virtual drive is not worn with --workload {workload}", accepted=", ".join(PATTERNS))
        shortest = min(rated, goal.erase_count or rated)
        conditions = Conditions(
            load=WearLoad(pattern=pattern, static_ratio=static_ratio),
            goal=goal,
            checkpoint_cycles=max(1, shortest // _CHECKPOINTS_TO_RATING),
        )
        if drives > 1:
            conditions = Conditions(
                conditions.load, goal, conditions.checkpoint_cycles * 2, read_bytes=_READ_BYTES_OF_MANY
            )
        return cls(conditions, drives, lots, workers or workers_for(drives, drive.facts))


def endure_one(drive: SimulatedDrive, options: EndureOptions, store_path: Path, *, silent: bool) -> Record:
    """One drive, with all its checkpoints."""
    progress = choose_progress(sys.stderr, silent=silent)
    with Store(store_path) as store, Interruption(_say_stopping) as interruption:
        return run_endurance(
            drive, options.conditions,
            store=store, command=command_line(), progress=progress, interruption=interruption,
        )  # fmt: skip


def endure_population(drive: SimulatedDrive, options: EndureOptions, store_path: Path, *, silent: bool) -> Record:
    """Many drives of the part."""
    progress = choose_progress(sys.stderr, silent=silent)
    configuration = configuration_of(drive)
    spread, rated = Spread(), int(drive.facts.rated_pe_cycles or 0)
    resolved = {
        "experiment": EXPERIMENT,
        "seed": drive.seed,
        "drive": drive.facts.to_json(),
        "part": drive.resolved_part(),
        "load": asdict(options.conditions.load),
        "goal": asdict(options.conditions.goal),
        "drives": options.drives,
        "lots": options.lots,
        "spread": asdict(spread),
    }
    with Store(store_path) as store, Interruption(_say_stopping_all) as interruption:
        record = new_record(EXPERIMENT, drive.facts.address, drive.seed, command_line(), resolved)
        store.begin(record)
        progress.run_begins(f"{options.drives} drives of {drive.facts.address}", [StepAhead("wearing", 1.0)])
        progress.step_begins(0)
        try:
            rows = wear_population(
                options.drives, options.lots, configuration, options.conditions,
                seed=drive.seed, spread=spread, workers=options.workers, check=interruption.check,
                on_share=lambda share: progress.advanced(share, 0, 0),
            )  # fmt: skip
            record.findings = findings_of_population(rows, options.lots, rated, spread)
            record.status = Status.DONE
        except Interrupted as stop:
            record.status, record.note = Status.INTERRUPTED, stop.what
        except BaseException as error:
            record.status, record.note = Status.FAILED, f"{type(error).__name__}: {error}"
            raise
        finally:
            store.finish(record)
            progress.run_ends(record.status.value)
    return record


def _say_stopping() -> None:
    click.echo("flashscope: stopping; what was measured is kept", err=True)


def _say_stopping_all() -> None:
    click.echo("flashscope: stopping; a population is kept only when it is whole", err=True)
