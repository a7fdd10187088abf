"""From a plan to a repair: every sector that will be written is known, as it was and as it will be."""

from __future__ import annotations

from typing import Any

from flashscope.partitions.layout import Layout
from flashscope.realign.boot_records import boot_batches
from flashscope.realign.disk import Disk
from flashscope.realign.free_places import vacated_spans
from flashscope.realign.plan import Plan
from flashscope.realign.repair import DiskIdentity, Move, Repair
from flashscope.realign.tables.change import NewPlaces, ReadSectors, TableChange
from flashscope.realign.tables.gpt import change_gpt
from flashscope.realign.tables.mbr import change_mbr

_SUSPENDED = (b"S1SUSPEND", b"S2SUSPEND", b"ULSUSPEND", b"LINHIB0001")
_PAGE_SIZES = (4096, 8192, 16384, 65536)


def prepare(plan: Plan, disk: Disk, *, name: str, serial: str, said: dict[str, Any]) -> Repair:
    """The repair that a plan describes. name, serial: how the disk is known again. said: see `Repair`.

    Reads the sectors that will change. Raises OSError.
    """
    layout = plan.layout
    change = _change_table(layout, plan.places, disk.read)
    dress, undress = boot_batches(layout, plan.places, disk.read)
    return Repair(
        disk=DiskIdentity(
            name, disk.size_bytes, disk.sector_bytes, serial, layout.table.identity if layout.table else ""
        ),
        moves=plan.moves,
        veil=change.veil,
        dress=(*dress, *change.chain),
        table=change.table,
        undress=undress,
        untable=change.untable,
        clear=tuple(vacated_spans(plan)),
        said=said,
    )


def suspended(plan: Plan, disk: Disk) -> int | None:
    """The number of a partition that moves and to which a Linux system is suspended; None when there is none.

    What cannot be read counts as none: reading all of it, which follows, says so.
    """
    return next((move.number for move in plan.moves if _is_suspended_to(move, disk)), None)


def _is_suspended_to(move: Move, disk: Disk) -> bool:
    for page_bytes in _PAGE_SIZES:
        if move.length_bytes < page_bytes:
            return False
        try:
            page = disk.read(move.from_bytes, page_bytes)
        except OSError:
            return False
        if any(page[-10:].startswith(mark) for mark in _SUSPENDED):
            return True
    return False


def _change_table(layout: Layout, places: NewPlaces, read: ReadSectors) -> TableChange:
    table = layout.table
    if table is None:
        raise AssertionError("a plan with moves has a table")
    return change_gpt(layout, table, places, read) if table.kind == "gpt" else change_mbr(layout, places, read)
