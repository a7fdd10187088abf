"""The bytes the host wrote, for each reading: the axis against which every other counter is judged.

It is known (Device Statistics, the NVMe log, a known write), or a counter of the drive is supposed to count it in some
unit; each supposition is judged by how well the other counters of the drive agree with it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.smart.learning.counters import Counter
from flashscope.smart.learning.observation import Series
from flashscope.smart.learning.units import UNITS, Unit


@dataclass(frozen=True)
class Axis:
    """written_bytes: by the host, one per reading. lifetime: counted from the drive's first day.

    origin: in words. source, unit: of a supposed axis; None when it is known. surplus_ratio: how much more may have
    been written in fact.
    """

    written_bytes: tuple[float, ...]
    lifetime: bool
    origin: str
    source: Counter | None = None
    unit: Unit | None = None
    surplus_ratio: float = 0.0

    @property
    def steps(self) -> tuple[float, ...]:
        """Written in each interval [bytes]."""
        return tuple(after - before for before, after in itertools.pairwise(self.written_bytes))

    @property
    def growth(self) -> float:
        """Written over all readings [bytes]."""
        return self.written_bytes[-1] - self.written_bytes[0]


def known_axis(series: Series, counters: Sequence[Counter]) -> Axis | None:
    """The axis that the series contains; None when it contains none.

    A statistic that wraps to zero (some drives keep 32 bits of it) fixes the bytes only up to a number of wraps. Then
    the counter that agrees with it at every reading, except for wraps, gives the bytes.
    """
    yardstick, column = series.yardstick, series.axis("written_bytes")
    if yardstick is None or column is None:
        return None
    falls = any(after < before for before, after in itertools.pairwise(column))
    turned = _turning_counter(column, yardstick.modulus_bytes, counters) if yardstick.modulus_bytes else None
    if turned is not None and (falls or turned[0].values[-1] * turned[1].size_bytes > column[-1] * 1.01):
        counter, unit = turned
        whole = tuple(float(value * unit.size_bytes) for value in counter.values)
        words = f"{yardstick.origin}, which starts again at zero after {yardstick.modulus_bytes / 2**40:g} TiB"
        return Axis(whole, True, words)
    if falls:
        return None
    return Axis(tuple(map(float, column)), yardstick.lifetime, yardstick.origin, surplus_ratio=yardstick.surplus_ratio)


def _turning_counter(column: Sequence[float], modulus: int, counters: Sequence[Counter]) -> tuple[Counter, Unit] | None:
    """The counter and unit that equal a statistic at every reading except for wraps, where this is not by chance."""
    found: list[tuple[float, Counter, Unit]] = []
    for counter in counters:
        if counter.values[-1] <= 0 or counter.layout == "value":
            continue
        for unit in UNITS:
            size = unit.size_bytes
            # A counter that never passes the modulus is compared directly, in the usual way.
            if size < 512 or counter.values[-1] * size < modulus // 4:
                continue
            apart = [
                min(rest, modulus - rest)
                for rest in (
                    (value * size - int(known)) % modulus for value, known in zip(counter.values, column, strict=True)
                )
            ]
            allowed = 1.2 * size + _LAG_BYTES
            if max(apart) <= allowed:
                # A reading without change adds no evidence.
                told = len(set(counter.values))
                found.append((told * math.log(modulus / (2 * allowed)), counter, unit))
    best = max(found, key=lambda one: (one[0], one[1].growth), default=None)
    return None if best is None or best[0] < 9 else (best[1], best[2])


def supposed_axes(counters: Sequence[Counter], hours: Sequence[float] | None) -> list[Axis]:
    """Every growing counter in every usual unit that a drive could take in the time it was powered."""
    axes = []
    for counter in counters:
        for unit in UNITS:
            whole = tuple(float(value * unit.size_bytes) for value in counter.values)
            if hours is not None and whole[-1] - whole[0] > _FASTEST_BYTES_PER_HOUR * (hours[-1] - hours[0] + 1):
                continue
            axes.append(Axis(whole, True, "", counter, unit))
    return axes


_FASTEST_BYTES_PER_HOUR = 7e9 * 3600
_LAG_BYTES = 64 << 20
"""Two counters of one drive are read moments apart, and brought up to date at different times."""
