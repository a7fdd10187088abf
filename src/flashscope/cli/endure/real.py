"""`endure` on a real drive: from options to a confirmed run, or to one that goes on.

options -> settings -> guard -> what it would write, in bytes and per cent of the rated life -> confirmed -> run
--resume -> guard -> the run of this drive -> run
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import click

from flashscope import units
from flashscope.cli.program.command_line import command_line
from flashscope.cli.running.leftovers import clear_leftovers
from flashscope.cli.running.session import Session
from flashscope.drives.drive import RealDrive
from flashscope.drives.open import open_drive
from flashscope.endurance.real import opening
from flashscope.endurance.real.settings import (
    JOBS,
    Verify,
    WearSettings,
    parse_budget,
    parse_distance,
    parse_until,
    parse_workloads,
)
from flashscope.endurance.real.smart_look import ReadDump, SmartLook, look
from flashscope.endurance.real.wear_run import Surroundings, WearRun
from flashscope.errors import Interrupted, WrongUse
from flashscope.records import Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.progress.choose import choose_progress
from flashscope.runner.progress.interrupt import Interruption
from flashscope.smart.readers.live import read_device
from flashscope.store.on_call import StoreOnCall


@dataclass(frozen=True)
class EndureRealOptions:
    """What the command was asked, as typed. None or 0: not given."""

    budget: str | None = None
    until: str | None = None
    workload: str | None = None
    static_percent: int | None = None
    compressible_percent: int | None = None
    checkpoint_every: str | None = None
    verify: Verify | None = None
    block: str | None = None
    hold_days: float | None = None
    temperature_above: float | None = None
    rated_written: str | None = None
    figures: bool | None = None
    confirm_total: str | None = None
    yes: bool = False
    quiet: bool = False
    silent: bool = False

    def given(self) -> list[str]:
        """Names of the options that only a new run takes, as far as they were given."""
        only_new = (
            *("budget", "until", "workload", "static_percent", "compressible_percent", "checkpoint_every", "verify"),
            *("block", "hold_days", "temperature_above", "rated_written", "figures", "confirm_total"),
        )
        return [name for name in only_new if getattr(self, name) is not None]


def endure_real(session: Session, options: EndureRealOptions, *, resume: bool, end_rest: bool) -> Record:
    """Wear a real drive, or go on with it. Returns the record, which is in the store already.

    end_rest: a drive that rests without power is read now, before its rest is over.
    Raises WrongUse, with nothing written, for everything that can be known before the first byte.
    """
    if session.address.scheme not in ("file", "device"):
        raise WrongUse(f"{session.address} cannot be worn as a whole", accepted="a block device, or a file:PATH")
    if resume and options.given():
        named = ", ".join(f"--{name.replace('_percent', '').replace('_', '-')}" for name in options.given())
        raise WrongUse(
            f"--resume does not go with {named}", advice="a run goes on with the options with which it was begun"
        )
    if end_rest and not resume:
        raise WrongUse(
            "--end-rest ends the rest of a run", accepted="--resume --end-rest", advice="a new run has no rest yet"
        )
    if resume and session.consent.create_bytes is not None:
        raise WrongUse(
            "--resume does not go with --size",
            advice="leave --size out: the run goes on with the file that it was begun on",
        )
    settings = None if resume else _settings(session, options)
    progress = choose_progress(sys.stderr, silent=options.silent or options.quiet)
    with StoreOnCall(session.store_path, create=not resume) as store, Interruption(_say_stopping) as interruption:
        opened = open_drive(session.address, destructive=True, consent=session.consent, store_path=session.store_path)
        drive = cast(RealDrive, opened)  # the scheme names a file or a block device
        read_smart: ReadDump | None = partial(read_device, drive.held.name) if drive.facts.has_smart else None
        began = False
        try:
            if settings is None:
                ledger, record = opening.resume(drive, store, session.consent, end_rest=end_rest)
            else:
                layout = opening.check_begin(drive, settings, session.store_path, read_smart)
                _confirm(drive.facts, settings, look(read_smart, 0), options)
                drive.guard_again()  # a person may have taken their time
                ledger, record = opening.begin(
                    drive, settings, layout, store, command=command_line(), consent=session.consent
                )
            began = True
            clear_leftovers(drive, destructive=True, quiet=options.quiet)
            try:
                if settings is None:
                    drive.guard_again()
                return WearRun(drive, ledger, record, Surroundings(store, progress, interruption, read_smart)).run()
            finally:
                ledger.close()
        except BaseException:
            if not began and settings is not None:
                drive.abandon()
            raise
        finally:
            drive.close()


def _settings(session: Session, options: EndureRealOptions) -> WearSettings:
    workload = options.workload or "sequential"
    workloads = parse_workloads(workload)
    until, erase_count, until_bytes = parse_until(options.until or "death")
    if options.budget is None and not until_bytes:
        raise WrongUse(
            "a real drive is not worn without --budget",
            accepted='the most that may be written, such as --budget "50 TB"',
            advice="the run ends when so much was written, or earlier when the drive fails",
        )
    amounts = [until_bytes] if until_bytes else []
    amounts += [parse_budget(options.budget)] if options.budget is not None else []
    every = options.checkpoint_every
    distance = parse_distance(every) if every else {"checkpoint_bytes": _one_fill(session)}
    jobs_text = ""
    if workloads == (JOBS,):
        try:
            jobs_text = Path(workload).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise WrongUse(
                f"the job file {workload} cannot be read", accepted="a job file in fio's language"
            ) from error
    return WearSettings(
        workloads=workloads,
        budget_bytes=min(amounts),
        until=until,
        erase_count=erase_count,
        static_ratio=(options.static_percent or 0) / 100,
        compressible_ratio=(options.compressible_percent or 0) / 100,
        block_bytes=int(units.parse(options.block, "bytes", key="--block")) if options.block else 4096,
        **distance,
        verify=options.verify or "sampled",
        hold_days=options.hold_days or 0.0,
        temperature_above_celsius=options.temperature_above or 0.0,
        rated_written_bytes=parse_budget(options.rated_written) if options.rated_written else 0,
        figures=options.figures is not False,
        seed=session.seed,
        jobs_text=jobs_text,
        jobs_name=workload if jobs_text else "",
    )


def _one_fill(session: Session) -> int:
    """How much is written between checkpoints when nothing was given: the drive's capacity [bytes]."""
    return session.facts().user_bytes


def _confirm(facts: DriveFacts, settings: WearSettings, seen: SmartLook, options: EndureRealOptions) -> None:
    """Show what will be written and have it confirmed. Raises WrongUse or Interrupted; nothing was written."""
    total = settings.budget_bytes
    shown = units.format_bytes(total)
    for line in total_text(facts, settings, seen):
        if not options.quiet:
            click.echo(line, err=True)
    if options.confirm_total is not None:
        if _amount(options.confirm_total) != total:
            raise WrongUse(
                f"--confirm-total says {options.confirm_total}, and {total} bytes would be written",
                accepted=f'--confirm-total "{total} B"',
                advice="nothing was written",
            )
        return
    if options.yes and facts.place:
        return
    if not sys.stdin.isatty():
        raise WrongUse(
            f"{shown} would be written to {facts.address}, and nobody confirmed that",
            accepted=f'--confirm-total "{total} B"' + (", or --yes for a file" if facts.place else ""),
            advice="nothing was written",
        )
    typed = click.prompt(f"Type the amount to write over {facts.address} ({facts.model})", err=True)
    if _amount(typed) != total and typed.strip() != shown:
        raise Interrupted("not started, since another amount was typed; nothing was written")


def total_text(facts: DriveFacts, settings: WearSettings, seen: SmartLook) -> Sequence[str]:
    """What would be written: in bytes, in fills of the drive, and in per cent of its rated life where that is told."""
    total = settings.budget_bytes
    fills = total / facts.user_bytes
    lines = [
        f"{facts.address} ({facts.model}, serial number {facts.serial or 'none'}) will be overwritten.",
        f"At most {units.format_bytes(total)} ({total} bytes) in all: {fills:.3g} times its capacity.",
    ]
    cycles = seen.numbers.get("rated_pe_cycles") or facts.rated_pe_cycles
    if settings.rated_written_bytes:
        share = total / settings.rated_written_bytes
        lines.append(f"That is {units.format_percent(share)} of its rated life, the rating that was given.")
    elif cycles:
        share = fills / cycles
        lines.append(
            f"That is at least {units.format_percent(share)} of its rated life of {cycles:.0f} cycles "
            "(at a write amplification of 1)."
        )
    else:
        lines.append("Its rated life is not known, so the share of it is not known either; --rated-written states it.")
    return lines


def _amount(text: str) -> int:
    try:
        return int(units.parse(text, "bytes", key="--confirm-total"))
    except WrongUse:
        return int(text) if text.strip().isdigit() else -1


def _say_stopping() -> None:
    click.echo("stopping after this batch; go on with --resume (Ctrl-C again stops at once)", err=True)
