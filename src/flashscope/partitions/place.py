"""A place on a disk that may hold something: a partition, a logical volume, the data of a mirror, or the whole disk."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.partitions.fields import Fields, fields_at
from flashscope.partitions.source import Source


@dataclass(frozen=True)
class Place:
    """source: the whole disk. start_bytes, size_bytes: which part of it. sector_bytes: in which the disk counts."""

    source: Source
    start_bytes: int
    size_bytes: int
    sector_bytes: int

    def fields(self, at: int, length_bytes: int, big_endian: bool = False) -> Fields:
        """A block at an offset from the start of the place; what lies outside the place is not read."""
        if at < 0 or at >= self.size_bytes:
            return Fields(b"", self.start_bytes + at, big_endian)
        return fields_at(self.source, self.start_bytes + at, min(length_bytes, self.size_bytes - at), big_endian)

    def part(self, at: int, size_bytes: int) -> Place:
        """A place within this one, cut at its end."""
        return Place(
            self.source, self.start_bytes + at, max(min(size_bytes, self.size_bytes - at), 0), self.sector_bytes
        )


def is_power_of_two(value: int) -> bool:
    """Whether a number is 1, 2, 4, 8, ..."""
    return value > 0 and value & (value - 1) == 0
