"""Both copies of a GPT before and after a repair.

    veil     each entry that moves gets a type that no system knows and begins a sector later; name and number stay
    order    the backup, flushed; then the primary. At any moment one copy has good checksums, and it is the old table,
             or the new one at a moment when both are true of the disk

In an entry only the two LBAs change, in a header the checksums. Sectors without a changed entry are not written.
"""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Callable, Iterator

from flashscope.partitions.layout import Layout, Partition, Table, TableCopy
from flashscope.realign.repair import Batch, Write
from flashscope.realign.tables.change import NewPlaces, ReadSectors, TableChange

HIDDEN_TYPE_CODE = "8F3C1D52-6B0E-4C8A-9F27-5D1E7A94B360"
"""The type of an entry while its partition moves."""

_HIDDEN_TYPE = uuid.UUID(HIDDEN_TYPE_CODE).bytes_le
_HIDDEN_NAME = "flashscope align: do not use".encode("utf-16-le")
_NO_AUTOMATIC_MOUNT = 1 << 63 | 1 << 62

Edit = Callable[[Partition, bytearray], None]
"""Changes the bytes of the entry of a partition."""


def change_gpt(layout: Layout, table: Table, new: NewPlaces, read: ReadSectors) -> TableChange:
    """What to write for new places. layout: of a GPT disk. table: its own, with two good copies."""
    moving = {each.number: each for each in layout.partitions if each.number in new.starts}

    def hide(partition: Partition, entry: bytearray) -> None:
        entry[0:16] = _HIDDEN_TYPE
        entry[16:24] = bytes(value ^ 0xFF for value in entry[16:24])  # nothing is to find it by its GUID
        first = partition.start_bytes // layout.sector_bytes
        last = int.from_bytes(entry[40:48], "little")
        entry[32:40] = min(first + 1, last).to_bytes(8, "little")
        entry[48:56] = _NO_AUTOMATIC_MOUNT.to_bytes(8, "little")
        entry[56:128] = _HIDDEN_NAME.ljust(72, b"\0")

    def show(partition: Partition, entry: bytearray) -> None:
        first = new.starts[partition.number] // layout.sector_bytes
        entry[32:40] = first.to_bytes(8, "little")
        entry[40:48] = (first + partition.size_bytes // layout.sector_bytes - 1).to_bytes(8, "little")

    def leave(partition: Partition, entry: bytearray) -> None:
        """It stays as it was."""

    backup_first = sorted(table.copies, key=lambda copy: copy.which != "backup")

    def batches(edit: Edit) -> tuple[Batch, ...]:
        return tuple(tuple(_copy(table, copy, moving, edit, read)) for copy in backup_first)

    return TableChange(veil=batches(hide), chain=(), table=batches(show), untable=batches(leave))


def _copy(
    table: Table, copy: TableCopy, moving: dict[int, Partition], edit: Edit, read: ReadSectors
) -> Iterator[Write]:
    """The sectors of a copy that change."""
    sector_bytes = table.sector_bytes
    length = -(-copy.entries_size_bytes // sector_bytes) * sector_bytes
    entries = bytearray(read(copy.entries_bytes, length))
    touched = set()
    for number, partition in moving.items():
        at = (number - 1) * table.entry_size_bytes
        entry = entries[at : at + table.entry_size_bytes]
        edit(partition, entry)
        entries[at : at + table.entry_size_bytes] = entry
        touched |= set(range(at // sector_bytes, -(-(at + table.entry_size_bytes) // sector_bytes)))
    for index in sorted(touched):
        at = index * sector_bytes
        yield Write(copy.entries_bytes + at, bytes(entries[at : at + sector_bytes]))
    header = bytearray(read(copy.header_bytes, sector_bytes))
    header[88:92] = zlib.crc32(entries[: copy.entries_size_bytes]).to_bytes(4, "little")
    size = int.from_bytes(header[12:16], "little")
    header[16:20] = bytes(4)
    header[16:20] = zlib.crc32(header[:size]).to_bytes(4, "little")
    yield Write(copy.header_bytes, bytes(header))
