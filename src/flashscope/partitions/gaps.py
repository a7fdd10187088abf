"""The places of a disk that no partition takes, and whether a boot loader lives in the one before the first.

    [table][ gap ][ partition 1 ][ gap ][ partition 2 ][ gap ]        between: free
           boot loader?

On an MBR disk, loaders keep their second stage in the sectors after the MBR (GRUB's core.img from sector 1), where no
table shows it.
"""

from __future__ import annotations

from flashscope.partitions.layout import Gap, Partition, Table
from flashscope.partitions.source import Source

_LOOKED_INTO_BYTES = 1 << 20
_LOADERS = ((b"GRUB", "GRUB"), (b"LILO", "LILO"))
_BLOCK = 512


def find_gaps(source: Source, table: Table, partitions: tuple[Partition, ...]) -> tuple[Gap, ...]:
    """All gaps in the order of the disk, those within an extended partition after it. Empty ones are left out."""
    top = [each for each in partitions if each.role != "logical"]
    end = min(table.end_usable_bytes, source.size_bytes)
    gaps = _between(top, table.first_usable_bytes, end)
    if gaps and gaps[0].start_bytes == table.first_usable_bytes and table.kind == "mbr":
        gaps[0] = _looked_into(source, gaps[0])
    for extended in (each for each in top if each.role == "extended"):
        logical = [each for each in partitions if each.role == "logical" and _within(each, extended)]
        inside = [at for at in table.chain_bytes if extended.start_bytes <= at < extended.end_bytes]
        records = [(at, at + table.sector_bytes) for at in inside]
        gaps += _between(logical, extended.start_bytes, min(extended.end_bytes, end), records, within_extended=True)
    return tuple(gaps)


def _within(logical: Partition, extended: Partition) -> bool:
    return extended.start_bytes <= logical.start_bytes < extended.end_bytes


def _between(
    taken: list[Partition],
    start: int,
    end: int,
    also: list[tuple[int, int]] | None = None,
    within_extended: bool = False,
) -> list[Gap]:
    spans = sorted([(each.start_bytes, each.end_bytes) for each in taken] + (also or []))
    gaps, here = [], start
    for first, last in spans:
        if min(first, end) > here:
            gaps.append(Gap(here, min(first, end) - here, within_extended=within_extended))
        here = max(here, last)
    if end > here:
        gaps.append(Gap(here, end - here, within_extended=within_extended))
    return gaps


def _looked_into(source: Source, gap: Gap) -> Gap:
    """The gap after the MBR with what was found in its first MiB."""
    content = source.read(gap.start_bytes, min(gap.size_bytes, _LOOKED_INTO_BYTES)).rstrip(b"\0")
    if not content:
        return Gap(gap.start_bytes, gap.size_bytes, "")
    used_end = gap.start_bytes + -(-len(content) // _BLOCK) * _BLOCK
    boot_code = source.read(0, 440)
    loader = next((name for mark, name in _LOADERS if mark in boot_code), "")
    return Gap(gap.start_bytes, gap.size_bytes, "boot loader" if any(boot_code) else "data", loader, used_end)
