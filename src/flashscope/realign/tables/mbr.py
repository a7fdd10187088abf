"""The master boot record, and the extended boot records of logical partitions, before and after a repair.

    veil     each entry that moves, and the extended one when any logical one does, becomes "data without a file system"
             that begins a sector later: the space is seen to be taken, and nothing in it is recognised, mounted, booted
    chain    the extended boot records that changed, written while the MBR hides the way to them
    table    sector 0, alone: this one write shows everything

In an entry only the addresses change. Boot code, disk signature, types, boot marks, and sizes stay, byte for byte.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flashscope.partitions.layout import Layout, Partition
from flashscope.realign.repair import Batch, Write
from flashscope.realign.tables.change import NewPlaces, ReadSectors, TableChange
from flashscope.realign.tables.chs import Geometry, address_of, geometry_of

_ENTRIES, _ENTRY_BYTES = 446, 16
_HIDDEN_TYPE = 0xDA
_HIDDEN_MARK = b"\xf5FS"  # in place of both CHS addresses, which nobody reads
_EXTENDED = (0x05, 0x0F, 0x85)


@dataclass
class _Entry:
    """An entry of a table. start, count: as written [sectors]. base: the sector that the start counts from."""

    raw: bytearray
    base: int

    @property
    def type_byte(self) -> int:
        return self.raw[4]

    @property
    def start(self) -> int:
        return int.from_bytes(self.raw[8:12], "little")

    @property
    def count(self) -> int:
        return int.from_bytes(self.raw[12:16], "little")

    def addresses(self) -> list[tuple[bytes, int]]:
        """Its CHS addresses, each with the sector that it should mean."""
        first = self.base + self.start
        return [(bytes(self.raw[1:4]), first), (bytes(self.raw[5:8]), first + self.count - 1)]

    def put(self, start: int, count: int, geometry: Geometry, *, base: int | None = None) -> None:
        """State another place; both from the base, in sectors."""
        self.base = self.base if base is None else base
        self.raw[8:16] = struct.pack("<II", start, count)
        self.raw[1:4] = address_of(self.base + start, geometry)
        self.raw[5:8] = address_of(self.base + start + count - 1, geometry)

    def hide(self, geometry: Geometry) -> None:
        """Become something that nobody mounts or boots."""
        self.raw[0], self.raw[4] = 0, _HIDDEN_TYPE
        if self.count > 1:
            self.put(self.start + 1, self.count - 1, geometry)
        self.raw[1:4] = self.raw[5:8] = _HIDDEN_MARK


def change_mbr(layout: Layout, new: NewPlaces, read: ReadSectors) -> TableChange:
    """What to write for new places. layout: of an MBR disk."""
    sector_bytes = layout.sector_bytes
    old = read(0, sector_bytes)
    entries = {at: _Entry(bytearray(old[at : at + _ENTRY_BYTES]), 0) for at in _places()}
    used = [each for each in entries.values() if each.type_byte and each.count]
    geometry = geometry_of([pair for each in used for pair in each.addresses()])
    veiled, shown = bytearray(old), bytearray(old)
    for partition in layout.partitions:
        start, size = _new_span(layout, partition, new)
        moves_inside = partition.role == "extended" and _moves_logical(layout, partition, new)
        if partition.role == "logical" or not (
            moves_inside or (start, size) != (partition.start_bytes, partition.size_bytes)
        ):
            continue
        at = partition.entry_bytes
        entry = _Entry(bytearray(old[at : at + _ENTRY_BYTES]), 0)
        entry.hide(geometry)
        veiled[at : at + _ENTRY_BYTES] = entry.raw
        if (start, size) != (partition.start_bytes, partition.size_bytes):
            entry = _Entry(bytearray(old[at : at + _ENTRY_BYTES]), 0)
            entry.put(start // sector_bytes, size // sector_bytes, geometry)
            shown[at : at + _ENTRY_BYTES] = entry.raw
    chain, unchain = _chain(layout, new, read, geometry)
    return TableChange(
        veil=((Write(0, bytes(veiled)),),),
        chain=chain,
        table=((Write(0, bytes(shown)),),),
        untable=(*unchain, (Write(0, old),)),
    )


def hides(sector: bytes) -> bool:
    """Whether an MBR hides a partition as a repair does while it is under way."""
    entries = _entries(sector)
    return any(each.type_byte == _HIDDEN_TYPE and each.raw[1:4] == each.raw[5:8] == _HIDDEN_MARK for each in entries)


def _places() -> range:
    return range(_ENTRIES, _ENTRIES + 4 * _ENTRY_BYTES, _ENTRY_BYTES)


def _new_span(layout: Layout, partition: Partition, new: NewPlaces) -> tuple[int, int]:
    """Where a partition begins, and its size. The extended one begins with its first record, and grows as needed."""
    if partition.role != "extended":
        return new.starts.get(partition.number, partition.start_bytes), partition.size_bytes
    logical = [each for each in layout.partitions if each.role == "logical"]
    ends = [new.starts.get(each.number, each.start_bytes) + each.size_bytes for each in logical]
    first = [new.records.get(each.number) for each in logical if each.chain_bytes == partition.start_bytes]
    start = next((at for at in first if at is not None), partition.start_bytes)
    return start, max(partition.end_bytes, *ends) - start if ends else partition.size_bytes


def _moves_logical(layout: Layout, extended: Partition, new: NewPlaces) -> bool:
    inside = {each.number for each in layout.partitions if each.role == "logical"}
    return bool(inside & (set(new.starts) | set(new.records)))


@dataclass
class _Record:
    """An extended boot record. old_bytes, new_bytes: where it stands before and after."""

    content: bytearray
    old_bytes: int
    new_bytes: int
    partition: Partition | None


def _chain(
    layout: Layout, new: NewPlaces, read: ReadSectors, geometry: Geometry
) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
    """The records of the chain, for the new places and for the way back; both empty when no logical one moves."""
    logical = {each.chain_bytes: each for each in layout.partitions if each.role == "logical"}
    extended = next((each for each in layout.partitions if each.role == "extended"), None)
    if extended is None or not _moves_logical(layout, extended, new):
        return (), ()
    records = []
    for at in _in_chain_order(layout, extended, read):
        held = logical.get(at)
        goes = at if held is None else new.records.get(held.number, at)
        records.append(_Record(bytearray(read(at, layout.sector_bytes)), at, goes, held))
    was = {record.old_bytes: bytes(record.content) for record in records}
    for index, record in enumerate(records):
        following = records[index + 1] if index + 1 < len(records) else None
        _rewrite(record, following, new, records[0].new_bytes, layout.sector_bytes, geometry)
    back = {**_covered(layout, records, was, read), **was}
    return (
        (tuple(Write(record.new_bytes, bytes(record.content)) for record in records),),
        (tuple(Write(at, content) for at, content in back.items()),),
    )


def _in_chain_order(layout: Layout, extended: Partition, read: ReadSectors) -> list[int]:
    """Where the records stand, as each leads to the next. The layout has been checked: there is no loop."""
    sector_bytes, places = layout.sector_bytes, [extended.start_bytes]
    while len(places) <= len(layout.table.chain_bytes if layout.table else ()):
        content = read(places[-1], sector_bytes)
        link = next((each for each in _entries(content) if each.type_byte in _EXTENDED and each.count), None)
        if link is None:
            break
        places.append(extended.start_bytes + link.start * sector_bytes)
    return places


def _entries(content: bytes) -> list[_Entry]:
    return [_Entry(bytearray(content[at : at + _ENTRY_BYTES]), 0) for at in _places()]


def _rewrite(
    record: _Record, following: _Record | None, new: NewPlaces, chain_bytes: int, sector_bytes: int, geometry: Geometry
) -> None:
    """State the new places in a record: of its partition from itself, of the next record from the chain's new start."""
    here, chain_start = record.new_bytes // sector_bytes, chain_bytes // sector_bytes
    for at in _places():
        entry = _Entry(record.content[at : at + _ENTRY_BYTES], here)
        if not (entry.type_byte and entry.count):
            continue
        if entry.type_byte in _EXTENDED and following is not None:
            first = following.new_bytes // sector_bytes
            entry.put(first - chain_start, _reach(following, first, new, sector_bytes), geometry, base=chain_start)
        elif record.partition is not None and at == record.partition.entry_bytes - record.old_bytes:
            start = new.starts.get(record.partition.number, record.partition.start_bytes) // sector_bytes
            entry.put(start - here, entry.count, geometry)
        record.content[at : at + _ENTRY_BYTES] = entry.raw


def _reach(following: _Record, first: int, new: NewPlaces, sector_bytes: int) -> int:
    """The sectors that a link states: from the next record to the end of its partition."""
    held = following.partition
    if held is None:
        return 1
    return (new.starts.get(held.number, held.start_bytes) + held.size_bytes) // sector_bytes - first


def _covered(
    layout: Layout, records: Sequence[_Record], was: Mapping[int, bytes], read: ReadSectors
) -> dict[int, bytes]:
    """What stands now where records will be, outside the partitions, whose contents move back themselves."""
    holding = layout.holding_data()
    free = [
        record.new_bytes
        for record in records
        if record.new_bytes not in was
        and not any(each.start_bytes <= record.new_bytes < each.end_bytes for each in holding)
    ]
    return {at: read(at, layout.sector_bytes) for at in free}
