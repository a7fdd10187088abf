"""From the options of `endure` to a record of a virtual drive, or of many."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from flashscope.cli.program.command_line import command_line
from flashscope.drives.virtual.room import memory_needed
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.endurance.conditions import conditions_of, for_many
from flashscope.endurance.life import Conditions
from flashscope.endurance.population import EXPERIMENT, Row, findings_of_population, wear_population
from flashscope.endurance.variation import Spread, drives_of_lots
from flashscope.endurance.virtual_run import configuration_of, new_record, run_endurance
from flashscope.errors import FlashscopeError, Interrupted
from flashscope.records import Record, Status
from flashscope.runner.fault import note_run
from flashscope.runner.progress.choose import choose_progress
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.pace_of_many import Pace
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.runner.workers import workers_for
from flashscope.store.store import Store
from flashscope.sweeps.population import LifePoint, keep_life, lives_there, row_of, say_lives_of_other_builds


@dataclass(frozen=True)
class EndureOptions:
    """What the command was asked, resolved.

    scheduler: None for threads, LOCAL, or the address of a Dask scheduler. anew: compute also lives that are in the
    store.
    """

    conditions: Conditions
    drives: int
    lots: int
    workers: int
    scheduler: str | None = None
    anew: bool = False

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
        scheduler: str | None,
        *,
        anew: bool = False,
    ) -> EndureOptions:
        """Read the options. Raises WrongUse when they make no sense for this drive."""
        rated = int(drive.facts.rated_pe_cycles or 0)
        conditions = conditions_of(drive.facts.address, rated, until, workload, static_ratio)
        if drives > 1:
            conditions = for_many(conditions)
        return cls(
            conditions, drives, lots, workers or workers_for(drives, memory_needed([drive.part])), scheduler, anew
        )


def endure_one(drive: SimulatedDrive, options: EndureOptions, store_path: Path, *, silent: bool) -> Record:
    """One drive, with all its checkpoints."""
    progress = choose_progress(sys.stderr, silent=silent)
    with Store(store_path) as store, Interruption(_say_stopping) as interruption:
        return run_endurance(
            drive, options.conditions,
            store=store, command=command_line(), progress=progress, interruption=interruption,
        )  # fmt: skip


def endure_population(drive: SimulatedDrive, options: EndureOptions, store_path: Path, *, silent: bool) -> Record:
    """Many drives of the part. Every life is kept as it ends, and one that the store has is not computed again."""
    progress = choose_progress(sys.stderr, silent=silent)
    spread, rated = Spread(), int(drive.facts.rated_pe_cycles or 0)
    drives = drives_of_lots(options.drives, options.lots, drive.seed, spread)
    lives = [LifePoint(one, configuration_of(drive), options.conditions) for one in drives]
    with Store(store_path) as store, Interruption(_say_stopping_all) as interruption:
        record = new_record(
            EXPERIMENT, drive.facts.address, drive.seed, command_line(), _resolved(drive, options, spread)
        )
        rows = {} if options.anew else lives_there(store, lives)
        for damaged in () if silent else store.damaged.values():
            click.echo(f"{damaged.in_a_line()}; its lives are computed again", err=True)
        if rows and not silent:
            click.echo(f"{len(rows)} of {len(lives)} lives are in the store already", err=True)
        stale = "" if options.anew else say_lives_of_other_builds(store, lives, rows)
        if stale and not silent:
            click.echo(stale, err=True)
        store.begin(record)
        for life in lives:
            if life.drive.number in rows:
                record.steps.append(keep_life(store, record.id, life, rows[life.drive.number]))
        progress.run_begins(f"{options.drives} drives of {drive.facts.address}", [StepAhead("wearing", 1.0)])
        progress.step_begins(0)

        def on_row(life: LifePoint, row: Row) -> None:
            record.steps.append(keep_life(store, record.id, life, row))
            rows[row.number] = row

        try:
            missing = [life for life in lives if life.drive.number not in rows]
            _live(missing, options, interruption, on_row, progress, silent=silent)
            record.steps.sort(key=lambda step: step.index)
            in_order = [rows[number] for number in sorted(rows)]
            record.findings = findings_of_population(in_order, options.lots, rated, spread)
            record.status = Status.DONE
        except Interrupted as stop:
            record.status = Status.INTERRUPTED
            record.note = f"{stop.what}; {len(rows)} of {len(lives)} lives are kept"
        except BaseException as error:
            note_run(error, record, drive.now_ns, virtual=True)
            record.status, record.note = Status.FAILED, f"{type(error).__name__}: {error}"
            raise
        finally:
            store.finish(record)
            progress.run_ends(record.status.value)
    return record


def _resolved(drive: SimulatedDrive, options: EndureOptions, spread: Spread) -> dict[str, Any]:
    return {
        "experiment": EXPERIMENT,
        "seed": drive.seed,
        "drive": drive.facts.to_json(),
        "part": drive.resolved_part(),
        "load": asdict(options.conditions.load),
        "goal": asdict(options.conditions.goal),
        "checkpoint_cycles": options.conditions.checkpoint_cycles,
        "read_bytes": options.conditions.read_bytes,
        "drives": options.drives,
        "lots": options.lots,
        "spread": asdict(spread),
    }


def _live(
    lives: list[LifePoint],
    options: EndureOptions,
    interruption: Interruption,
    on_row: Callable[[LifePoint, Row], None],
    progress: Progress,
    *,
    silent: bool,
) -> None:
    """Compute these lives: in threads here, or on the workers of a cluster."""
    if not lives:
        return
    if options.scheduler is not None:
        from flashscope.cli.scheduler import opener
        from flashscope.sweeps.collect import collect

        failed: dict[int, str] = {}
        with opener(options.scheduler, options.workers)(len(lives)) as cluster:
            collect(
                lives, cluster, command=command_line(), check=interruption.check,
                keep=lambda life, answer: on_row(life, row_of(answer["row"])),
                fail=lambda life, why: failed.update({life.drive.number: why}),
                on_share=lambda share: progress.advanced(share, 0, 0), say=_say_unless(silent),
            )  # fmt: skip
        _all_lived(failed)
        return
    of_drive = {life.drive.number: life for life in lives}
    pace = Pace(len(lives))

    def check() -> None:
        progress.advanced(pace.share(options.workers), 0, 0)
        interruption.check()

    def ended(row: Row, took_s: float) -> None:
        on_row(of_drive[row.number], row)
        pace.ended(took_s)

    wear_population(
        [life.drive for life in lives], lives[0].configuration, options.conditions,
        workers=options.workers, check=check, on_row=ended,
    )  # fmt: skip


def _all_lived(failed: dict[int, str]) -> None:
    """Raise when drives could not be worn, once all others were. failed: number of the drive -> why."""
    if failed:
        first = min(failed)
        raise FlashscopeError(
            f"{len(failed)} drives could not be worn; drive {first + 1}: {failed[first]}",
            advice="the lives that ended are kept; the same command goes on from there",
        )


def _say_unless(silent: bool) -> Callable[[str], None]:
    return lambda line: None if silent else click.echo(line, err=True)


def _say_stopping() -> None:
    click.echo("flashscope: stopping; what was measured is kept", err=True)


def _say_stopping_all() -> None:
    click.echo("flashscope: stopping; the lives that ended are kept, and the same command goes on from there", err=True)
