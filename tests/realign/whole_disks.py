"""Whole disks in memory, with tables, records and contents, and repairs of them that are interrupted and go on."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from flashscope.partitions.layout import Layout
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import MemorySource
from flashscope.realign.conduct import check_can_go_on, new_journal, old_journal, work
from flashscope.realign.journal_place import check_gaps, place_on_disk
from flashscope.realign.plan import Plan, make_plan
from flashscope.realign.prepare import prepare
from flashscope.realign.progress import Phase
from flashscope.realign.tables.gpt import HIDDEN_TYPE_CODE
from flashscope.realign.unfinished import find_on_disk

from ..partitions.by_hand import SECTOR, gpt, record
from .forgetful import ForgetfulDisk

BOUNDARY = 64 << 10
HIDDEN = ("0xda", HIDDEN_TYPE_CODE)


class Quiet:
    """A `Watcher` that says nothing."""

    def phase(self, phase: Phase, move: int) -> None: ...

    def moved(self, moved_bytes: int, chunk_bytes: int) -> None: ...

    def check(self) -> None: ...


@dataclass(frozen=True)
class WholeDisk:
    """content: all of it. contents: of each partition that holds data, by number."""

    content: bytes
    contents: Mapping[int, bytes]

    @property
    def layout(self) -> Layout:
        return read_layout(MemorySource(self.content, SECTOR))

    def plan(self) -> Plan:
        return make_plan(self.layout, boundary_bytes=BOUNDARY, device_sector_bytes=SECTOR)


def filled(content: bytearray, chance: random.Random) -> WholeDisk:
    """A disk whose partitions hold bytes drawn by chance."""
    contents = {}
    for each in read_layout(MemorySource(bytes(content), SECTOR)).holding_data():
        contents[each.number] = chance.randbytes(each.size_bytes)
        content[each.start_bytes : each.end_bytes] = contents[each.number]
    return WholeDisk(bytes(content), contents)


def mbr_disk(chance: random.Random) -> WholeDisk:
    """Two primary partitions and an extended one with three logical ones, all packed as DOS did; room at the end."""
    content = bytearray(2400 * SECTOR)
    content[:SECTOR] = record([(63, 200, 0x07), (263, 131, 0x83), (394, 700, 0x05)], status=0)
    content[440 - 8 : 440] = b"bootcode"
    for here, first, count, following in ((394, 63, 100, 163), (557, 63, 150, 376), (770, 63, 261, None)):
        entries = [(first, count, 0x83)]
        if following is not None:
            entries.append((following, 300, 0x05))
        content[here * SECTOR : (here + 1) * SECTOR] = record(entries, signature=0)
    return filled(content, chance)


def gpt_disk(chance: random.Random) -> WholeDisk:
    """Three partitions behind each other from sector 34, and a fourth that is aligned and has to make room."""
    return filled(gpt(2400, [(34, 233), (234, 400), (401, 639), (640, 1000)]), chance)


def begin(whole: WholeDisk, disk: ForgetfulDisk) -> Phase:
    """A repair from its beginning to its end, its journal in a gap of the disk."""
    plan = whole.plan()
    repair = prepare(plan, disk, name="test", serial="", said={})
    place = place_on_disk(plan, repair)
    check_gaps(plan, disk, place, overwrite=False)
    with new_journal(disk, repair, place) as opened:
        return work(opened, disk, Quiet())


def go_on(disk: ForgetfulDisk, *, undo: bool) -> Phase | None:
    """A repair that was cut short, from its journal in a gap; None when there is none."""
    layout = read_layout(MemorySource(disk.content(), SECTOR))
    if find_on_disk(disk, layout) is None:
        return None
    with old_journal(disk, layout, None) as opened:
        check_can_go_on(opened, disk, serial="", table_may_differ=False)
        return work(opened, disk, Quiet(), undo=undo)
