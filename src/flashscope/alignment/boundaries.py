"""The boundaries against which starts are judged: 512 B, 4 KiB, the drive's mapping unit, 1 MiB, the RAID chunk.

The mapping unit is the one that matters and the one that no drive states. Where it is not known, the boundaries that
drives of the day have are judged as "if": 4 KiB and 16 KiB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flashscope.units import format_bytes_binary

KIB, MIB = 1 << 10, 1 << 20
SECTOR_BYTES, PAGE_BYTES = 512, 4 * KIB
COMMON_UNITS_BYTES = (4 * KIB, 16 * KIB)
"""Mapping units to calculate with where none is known: the map grain of most drives, and the page of many."""

UnitOrigin = Literal["stated", "examined", "part", "unknown"]
BoundaryKind = Literal["sector", "page", "unit", "if-unit", "mebibyte", "chunk"]


@dataclass(frozen=True)
class MappingUnit:
    """What is known of a drive's mapping unit. size_bytes: None for an unknown one.

    origin: stated by hand; found by an examination that the store holds; of a virtual drive's part; unknown.
    source: a few words for a person, such as the address and the date of the dossier.
    """

    size_bytes: int | None = None
    origin: UnitOrigin = "unknown"
    source: str = ""

    @property
    def to_calculate_with(self) -> tuple[int, ...]:
        """The unit, or the common ones where it is not known [bytes]."""
        return COMMON_UNITS_BYTES if self.size_bytes is None else (self.size_bytes,)


@dataclass(frozen=True)
class Boundary:
    """Multiples of so many bytes. kind: which it is. why: what lies on it, for a person."""

    size_bytes: int
    kind: BoundaryKind
    why: str

    @property
    def name(self) -> str:
        """ "4 KiB", or "16 KiB?" for a unit that is only assumed."""
        return format_bytes_binary(self.size_bytes) + ("?" if self.kind == "if-unit" else "")


def boundaries(unit: MappingUnit, chunk_bytes: int | None = None) -> tuple[Boundary, ...]:
    """All that starts are judged against, smallest first.

    unit: of the drive. chunk_bytes: of the array that the disk is, where it is one.
    """
    found = [
        Boundary(SECTOR_BYTES, "sector", "the sector of old drives and tables"),
        Boundary(PAGE_BYTES, "page", "the sector of drives of today, and a block of most file systems"),
        Boundary(MIB, "mebibyte", "where partition programs of today begin; a multiple of nearly every unit"),
    ]
    if unit.size_bytes is None:
        assumed = max(COMMON_UNITS_BYTES)
        found.append(Boundary(assumed, "if-unit", "the mapping unit of many drives; this drive's is not known"))
    elif unit.size_bytes != PAGE_BYTES:
        found.append(Boundary(unit.size_bytes, "unit", "the mapping unit of this drive"))
    if chunk_bytes:
        found.append(Boundary(chunk_bytes, "chunk", "a chunk of the array: a request across it goes to two drives"))
    return tuple(sorted(found, key=lambda each: each.size_bytes))
