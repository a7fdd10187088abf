"""`align --plan`, `--apply`, `--resume`, `--undo`: partitions moved to aligned starts, their data kept.

--plan      layout -> plan                                             shown; nothing is written
--apply     guard -> layout -> plan -> shown, agreed -> read all once -> guard -> journal -> moved
--resume    guard -> journal -> is it this disk, as it was left? -> moved        --undo: moved back
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from flashscope import units
from flashscope.cli.align.address import disk_address
from flashscope.cli.align.repair_options import RepairOptions
from flashscope.cli.align.repair_text import finished_text, plan_document, plan_text, unreadable_text
from flashscope.cli.output import print_json
from flashscope.dossier.found_in_store import found_in_store
from flashscope.drives.addresses.address import Address
from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.target import path_of
from flashscope.drives.open import open_to_move, probe, refusals
from flashscope.drives.system.reader import read_system
from flashscope.errors import DriveFailed, FlashscopeError, Interrupted, WrongUse
from flashscope.partitions.layout import Layout, Partition
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import DescriptorSource, Source, open_source
from flashscope.realign.conduct import (
    OpenJournal,
    check_can_go_on,
    new_journal,
    old_journal,
    survey,
    work,
)
from flashscope.realign.free_places import Span
from flashscope.realign.held_disk import HeldDisk
from flashscope.realign.journal_place import check_gaps, check_journal_file, place_on_disk
from flashscope.realign.plan import Plan, make_plan
from flashscope.realign.prepare import prepare, suspended
from flashscope.realign.progress import Phase, Progress
from flashscope.realign.rates import Rates, read_rate
from flashscope.realign.repair import Repair
from flashscope.realign.unfinished import refuse_unfinished
from flashscope.realign.unreadable_files import files_on
from flashscope.realign.watched import Manner, Watched
from flashscope.runner.progress.choose import choose_progress
from flashscope.runner.progress.interrupt import Interruption

_SEARCH_SECTOR_BYTES = 4096
_WRITE_RATES = ("worst_sustained_write", "sequential_write")  # of a dossier; a repair writes in order, and long


def show_plan(text: str, store_path: Path, options: RepairOptions) -> None:
    """Say exactly what a repair would do. Writes nothing. Raises WrongUse."""
    address = disk_address(text)
    with open_source(path_of(address)) as source:
        layout = read_layout(source, options.sector_bytes)
        plan = make_plan(
            layout,
            boundary_bytes=options.boundary_bytes,
            only=options.only,
            device_sector_bytes=source.logical_sector_bytes,
        )
        rates = _rates(source, plan, address, store_path, options)
    refused = refusals(address, destructive=True, consent=options.consent, store_path=store_path, keeps_data=True)
    if options.as_json:
        refusing = [{"rule": each.rule, "found": each.found, "lift": each.lift} for each in refused]
        print_json({"drive": text, **plan_document(plan, rates), "refusals": refusing})
        return
    click.echo(plan_text(text, plan, rates))
    if refused and plan.moves:
        click.echo("\n  As typed, the repair would be refused:")
        for refusal in refused:
            click.echo(f"    {refusal.rule}: {refusal.found}\n      lifted by: {refusal.lift}")


def apply(text: str, store_path: Path, options: RepairOptions) -> None:
    """Move the partitions. Raises WrongUse with nothing written, DriveFailed, and Interrupted."""
    with _opened(disk_address(text), options, store_path) as drive:
        layout = _layout(drive, options)
        with _disk(drive, layout.sector_bytes) as disk:
            refuse_unfinished(disk, layout)
            plan = make_plan(
                layout,
                boundary_bytes=options.boundary_bytes,
                only=options.only,
                device_sector_bytes=_device_sector_bytes(drive),
            )
            if _nothing_to_do(text, plan, options):
                return
            said = {"boundary_bytes": plan.boundary_bytes, "only": list(options.only)}
            repair = prepare(plan, disk, name=str(drive.held.name), serial=drive.facts.serial, said=said)
            place = _journal_place(drive, disk, plan, repair, options)
        _agree(text, drive, plan, store_path, options)
        with _session(text, repair, Progress(), options, begins=True) as watched:
            with _disk(drive, layout.sector_bytes) as disk:
                _survey(drive, disk, layout, repair, watched)
            drive.guard_again()  # reading may have taken hours; it needs the only descriptor of a file
            with _disk(drive, layout.sector_bytes) as disk, new_journal(disk, repair, place) as opened:
                ended = work(opened, disk, watched, shown=_reread(disk))
        _tell_end(text, repair, ended, _layout(drive, options), options)


def go_on(text: str, store_path: Path, options: RepairOptions, *, undo: bool) -> None:
    """Go on with a repair that was cut short, or back.

    Raises WrongUse with nothing written, DriveFailed, and Interrupted.
    """
    with _opened(disk_address(text), options, store_path) as drive:
        layout = _layout(drive, options)
        with _disk(drive, _SEARCH_SECTOR_BYTES) as found, old_journal(found, layout, options.journal) as opened:
            repair, at = opened.journal.repair, opened.journal.progress
            with _disk(drive, repair.disk.sector_bytes) as disk:
                check_can_go_on(opened, disk, serial=drive.facts.serial, table_may_differ=options.overwrite_table)
            _agree_to_go_on(text, drive, opened, undo, options)
        with _session(text, repair, at, options, begins=False, undo=undo) as watched:
            drive.guard_again()
            with _disk(drive, repair.disk.sector_bytes) as disk, old_journal(disk, layout, options.journal) as opened:
                ended = work(opened, disk, watched, undo=undo, shown=_reread(disk))
        _tell_end(text, repair, ended, _layout(drive, options), options)


@contextmanager
def _disk(drive: RealDrive, sector_bytes: int) -> Iterator[HeldDisk]:
    disk = HeldDisk(drive, sector_bytes)
    try:
        yield disk
    finally:
        disk.close()


@contextmanager
def _opened(address: Address, options: RepairOptions, store_path: Path) -> Iterator[RealDrive]:
    drive = open_to_move(address, consent=options.consent, store_path=store_path)
    try:
        if drive.facts.device is not None and drive.facts.device.partition_of:
            raise WrongUse(f"{address} is a partition", accepted=f"the whole disk, {drive.facts.device.partition_of}")
        yield drive
    finally:
        drive.close()


def _layout(drive: RealDrive, options: RepairOptions) -> Layout:
    handle, size_bytes = drive.held.handle, drive.held.was.size_bytes
    return read_layout(DescriptorSource(handle, size_bytes, _device_sector_bytes(drive)), options.sector_bytes)


def _device_sector_bytes(drive: RealDrive) -> int | None:
    return drive.facts.sector_bytes if drive.facts.device is not None else None


def _nothing_to_do(text: str, plan: Plan, options: RepairOptions) -> bool:
    """Whether all is aligned already, which is said. Raises WrongUse when something is not and cannot be moved."""
    if plan.moves:
        return False
    if plan.obstacles:
        lines = [f"{text}: nothing on it can be moved"]
        lines += [f"  {each.found}\n    to do: {each.advice}" for each in plan.obstacles]
        raise WrongUse("\n".join(lines), advice="nothing was written")
    if plan.left:
        lines = [f"{text}: no partition can be moved"]
        lines += [f"  partition {each.number}: {each.why}\n    to do: {each.advice}" for each in plan.left]
        raise WrongUse("\n".join(lines), advice="nothing was written")
    if options.as_json:
        print_json({"drive": text, "status": "aligned", "moved_bytes": 0})
    else:
        click.echo(f"{text}: every partition begins at a multiple of {units.format_bytes_binary(plan.boundary_bytes)}")
    return True


def _rates(source: Source, plan: Plan, address: Address, store_path: Path, options: RepairOptions) -> Rates:
    """How fast the disk is read now, and was written in an examination that the store holds."""
    found = found_in_store(store_path, probe(address), *_WRITE_RATES) if address.scheme == "device" else None
    written, day = (found.value, found.created_utc[:10]) if found is not None else (0.0, "")
    return Rates(read_rate(source, plan), written, day, options.rate_bytes_per_second)


def _journal_place(drive: RealDrive, disk: HeldDisk, plan: Plan, repair: Repair, options: RepairOptions) -> Path | Span:
    """Where the journal will be, and whether all that will be written over is free. Raises WrongUse."""
    number = suspended(plan, disk)
    if number is not None:
        raise WrongUse(
            f"a system is suspended to partition {number}: it would wake up with the old places",
            advice="start it, and shut it down; nothing was written",
        )
    if options.journal is None:
        span = place_on_disk(plan, repair)
        check_gaps(plan, disk, span, overwrite=options.overwrite_gaps)
        return span
    check_gaps(plan, disk, None, overwrite=options.overwrite_gaps)
    view = read_system()
    handle = drive.held.handle
    block = view.named_by_number(_number(handle)) if drive.facts.device is not None else ""
    image = drive.held.name if drive.facts.device is None else None
    check_journal_file(options.journal, view, block, image, in_memory="memory" in options.allow)
    return options.journal


def _number(handle: int) -> str:
    device = os.fstat(handle).st_rdev
    return f"{os.major(device)}:{os.minor(device)}"


def _survey(drive: RealDrive, disk: HeldDisk, layout: Layout, repair: Repair, watched: Watched) -> None:
    """Read all that will move once. Raises DriveFailed with the files on what cannot be read."""
    bad = survey(disk, repair, watched.surveyed)
    if not bad:
        return
    files = {
        each: files_on(drive.held.name, each, _node(drive, each), [one for one in bad if one.number == each.number])
        for each in layout.partitions
        if any(one.number == each.number for one in bad)
    }
    raise DriveFailed(
        unreadable_text(bad, {each.number: paths for each, paths in files.items()}),
        advice="nothing was written. Save the disk first (`ddrescue` to another one), and repair the copy",
    )


def _node(drive: RealDrive, partition: Partition) -> Path | None:
    """The device of a partition, where the system shows one."""
    if drive.facts.device is None:
        return None
    whole = drive.facts.device.path
    node = Path(f"{whole}{'p' if whole[-1].isdigit() else ''}{partition.number}")
    return node if node.exists() else None


def _agree(text: str, drive: RealDrive, plan: Plan, store_path: Path, options: RepairOptions) -> None:
    """Show what will be done; a block device is changed only after a yes. Raises Interrupted and WrongUse."""
    if not options.quiet:
        source = DescriptorSource(drive.held.handle, drive.held.was.size_bytes)
        rates = _rates(source, plan, disk_address(text), store_path, options)
        click.echo(plan_text(text, plan, rates), err=True)
    _ask(f"Move the partitions of {text} ({drive.facts.model})?", text, drive, options)


def _agree_to_go_on(text: str, drive: RealDrive, opened: OpenJournal, undo: bool, options: RepairOptions) -> None:
    progress = opened.journal.progress
    back = undo or progress.phase.is_undoing
    if not options.quiet:
        way = "goes back to what it was" if back else "goes on"
        click.echo(f"{text}: the repair that was cut short {way}; journal {opened.journal.where}", err=True)
    _ask(f"{'Undo' if back else 'Go on with'} the repair of {text} ({drive.facts.model})?", text, drive, options)


def _ask(question: str, text: str, drive: RealDrive, options: RepairOptions) -> None:
    if options.yes or drive.facts.device is None:
        return
    if not sys.stdin.isatty():
        raise WrongUse(
            f"{text} would be changed, and nobody agreed to that: standard input is no terminal to ask on",
            accepted="--yes, where nobody can be asked",
            advice="nothing was written; --plan shows what would be done",
        )
    if not click.confirm(question, err=True):
        raise Interrupted("not started, since you did not agree; nothing was written")


@contextmanager
def _session(
    text: str, repair: Repair, at: Progress, options: RepairOptions, *, begins: bool, undo: bool = False
) -> Iterator[Watched]:
    """Progress and Ctrl-C of one session; what is raised in it says how to go on."""
    shown = choose_progress(sys.stderr, silent=options.quiet or options.as_json)
    with Interruption(_say_stopping) as interruption:
        watched = Watched(shown, interruption, repair, at, Manner(begins, undo, options.rate_bytes_per_second))
        try:
            yield watched
        except Interrupted as error:
            watched.ends("interrupted")
            raise Interrupted(error.what, advice=_how_to_go_on(text, options, watched)) from None
        except FlashscopeError:
            watched.ends("failed")
            raise
        watched.ends("done")


def _how_to_go_on(text: str, options: RepairOptions, watched: Watched) -> str:
    if not watched.has_begun:
        return "nothing was written"
    journal = f" --journal {options.journal}" if options.journal else ""
    return (
        "the partitions that are under way are hidden until the repair is over, and nothing is lost; go on with "
        f"`flashscope align {text} --resume{journal}`, or go back with `--undo`, and give the same consent"
    )


def _reread(disk: HeldDisk) -> Callable[[], None]:
    def reread() -> None:
        why = disk.read_table_again()
        if why:
            click.echo(f"  the system did not read the partition table again ({why}); restart it when done", err=True)

    return reread


def _tell_end(text: str, repair: Repair, ended: Phase, layout: Layout, options: RepairOptions) -> None:
    """Say what is where now, after looking. Raises DriveFailed when the table does not say so."""
    undone = ended is Phase.UNDONE
    starts = {each.number: each.start_bytes for each in layout.partitions}
    wrong = [move for move in repair.moves if starts.get(move.number) != (move.from_bytes if undone else move.to_bytes)]
    if wrong:
        raise DriveFailed(
            f"the table of {text} does not show partition {wrong[0].number} where it was put",
            advice=f"its data are at byte {wrong[0].from_bytes if undone else wrong[0].to_bytes}; write nothing, and "
            "look at it with `sfdisk --dump`",
        )
    if options.as_json:
        moves = [{"partition": each.number, "from": each.from_bytes, "to": each.to_bytes} for each in repair.moves]
        print_json({"drive": text, "status": "undone" if undone else "done", "moves": moves})
        return
    click.echo(finished_text(text, repair, layout, undone=undone))


def _say_stopping() -> None:
    click.echo("stopping after this chunk (Ctrl-C again stops at once; --resume goes on in both cases)", err=True)
