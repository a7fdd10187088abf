"""Apple's partition map, on disks of PowerPC Macs and on many optical images. It is read only, never changed.

    block 0  "ER", size of a block        block 1..n  "PM", one entry each: how many there are, start, count, name, type

Numbers are big-endian. Source: Inside Macintosh: Devices, chapter 3, "Data Structures".
"""

from __future__ import annotations

from flashscope.partitions.fields import fields_at
from flashscope.partitions.layout import Partition, Problem, Table, TableCopy
from flashscope.partitions.source import Source

_MOST_ENTRIES = 256
_BLOCK_SIZES = (512, 1024, 2048, 4096)


def read_map(source: Source) -> tuple[Table | None, tuple[Partition, ...], tuple[Problem, ...]]:
    """The map, its partitions and what is wrong with it; (None, (), ()) where there is none."""
    driver = fields_at(source, 0, 512, big_endian=True)
    block_bytes = driver.u16(2)
    if driver.bytes_at(0, 2) != b"ER" or block_bytes not in _BLOCK_SIZES:
        return None, (), ()
    first = fields_at(source, block_bytes, 512, big_endian=True)
    if first.bytes_at(0, 2) != b"PM":
        return None, (), ()
    count = first.u32(4)
    partitions, problems = [], []
    if count > _MOST_ENTRIES:
        problems.append(Problem(f"Apple's map says that it has {count} entries", block_bytes, "256 are read", "danger"))
    for number in range(1, min(count, _MOST_ENTRIES) + 1):
        place = number * block_bytes
        entry = fields_at(source, place, 512, big_endian=True)
        if entry.bytes_at(0, 2) != b"PM":
            what = f"entry {number} of Apple's map is not there"
            problems.append(Problem(what, place, "partitions may be missing here", "danger"))
            break
        kind = entry.text(48, 32, "latin-1")
        partitions.append(
            Partition(
                number=number,
                role="apple",
                start_bytes=entry.u32(8) * block_bytes,
                size_bytes=entry.u32(12) * block_bytes,
                type_code=kind,
                type_name=kind,
                entry_bytes=place,
                name=entry.text(16, 32, "latin-1"),
                attributes=entry.u32(88),
            )
        )
    used = tuple(each for each in partitions if each.type_code != "Apple_Free")
    copy = TableCopy("apple", block_bytes, block_bytes, min(count, _MOST_ENTRIES) * block_bytes, not problems)
    table = Table("apple", block_bytes, "", (copy,), block_bytes, source.size_bytes, block_bytes, count)
    return table, used, tuple(problems)
