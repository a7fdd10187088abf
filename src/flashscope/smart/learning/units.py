"""The units in which makers count bytes, how common each is, and rounding to the nearest.

The weights are no measurement of a drive: they are the frequency of each unit among drives where a second,
standardised counter confirmed it (mostly SATA drives; see docs/reference/smart-learn.md). They decide only where
the numbers fit two units, and the hypothesis then says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """A usual unit: what it is called, its size [bytes], and how common it is [share]."""

    name: str
    size_bytes: int
    weight: float


KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
UNITS: tuple[Unit, ...] = (
    Unit("1 B", 1, 0.005),
    Unit("512 B", 512, 0.32),
    Unit("4 KiB", 4 * KIB, 0.02),
    Unit("8 KiB", 8 * KIB, 0.02),
    Unit("16 KiB", 16 * KIB, 0.04),
    Unit("32 KiB", 32 * KIB, 0.015),
    Unit("64 KiB", 64 * KIB, 0.01),
    Unit("1000*512 B", 512_000, 0.01),
    Unit("1 MB", 10**6, 0.01),
    Unit("1 MiB", MIB, 0.03),
    Unit("16 MiB", 16 * MIB, 0.015),
    Unit("32 MiB", 32 * MIB, 0.22),
    Unit("64 MiB", 64 * MIB, 0.01),
    Unit("128 MiB", 128 * MIB, 0.01),
    Unit("1 GB", 10**9, 0.02),
    Unit("1 GiB", GIB, 0.24),
)
_TOTAL = sum(unit.weight for unit in UNITS)


def log_weight(unit: Unit) -> float:
    """How common a unit is, as the natural logarithm of its share among all."""
    return math.log(unit.weight / _TOTAL)


def nearest(size_bytes: float, tolerance_ratio: float) -> Unit | None:
    """The usual unit nearest to a size [bytes]; None when none lies within the tolerance."""
    if size_bytes <= 0:
        return None
    best = min(UNITS, key=lambda unit: abs(math.log(size_bytes / unit.size_bytes)))
    return best if abs(size_bytes / best.size_bytes - 1) <= tolerance_ratio else None
