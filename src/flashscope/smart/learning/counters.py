"""One number of a drive over its readings, and how it moves: the features that every meaning is judged by.

constant | grows, never falls | goes up and down | falls once (a reset) | wraps at 32 or 48 bits (undone here)
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_WRAPS = (1 << 32, 1 << 48)


@dataclass(frozen=True)
class Counter:
    """A number: its attribute, the layout it was read with (see decoding/layouts.py), its values in order."""

    id: int
    layout: str
    values: tuple[int, ...]
    wrapped: bool = False

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """By how much it changed from each reading to the next [counts]."""
        return tuple(after - before for before, after in itertools.pairwise(self.values))

    @property
    def growth(self) -> int:
        """Last minus first [counts]."""
        return self.values[-1] - self.values[0]

    @property
    def is_constant(self) -> bool:
        """Whether it never moved."""
        return not any(self.steps)

    @property
    def grows(self) -> bool:
        """Whether it moved, and never downwards."""
        return self.growth > 0 and min(self.steps) >= 0

    @property
    def falls_count(self) -> int:
        """Intervals in which it went down."""
        return sum(step < 0 for step in self.steps)

    @property
    def moved_count(self) -> int:
        """Intervals in which it moved."""
        return sum(step != 0 for step in self.steps)

    @property
    def has_reset(self) -> bool:
        """Whether it grew except for one fall to a tenth of its value or less."""
        falls = [(before, after) for before, after in itertools.pairwise(self.values) if after < before]
        return len(falls) == 1 and len(self.values) > 2 and falls[0][1] * 10 <= falls[0][0]


def counter(id: int, layout: str, values: Sequence[int]) -> Counter:
    """A counter with its wraps at 32 or 48 bits undone.

    A fall is taken for a wrap when it starts in the upper half of the width, ends in the lower half, and everything
    read before it fits the width.
    """
    whole = [int(values[0])] if values else []
    carried = 0
    for before, after in itertools.pairwise(values):
        if after < before:
            width = next((w for w in _WRAPS if max(values) < w and before >= w // 2 > after), None)
            carried += width or 0
        whole.append(int(after) + carried)
    return Counter(id, layout, tuple(whole), carried > 0)


def misfit_ratio(steps: Sequence[int], drive: Sequence[float]) -> float:
    """How far a counter's steps are from being in proportion to their supposed cause [ratio, 0 to 2].

    0: every step is its share of the growth, to within one count of rounding. 2: it moves only where the cause does
    not. steps, drive: of counter and cause, one per interval, growth of each positive.
    """
    growth, whole = sum(steps), sum(drive)
    if growth <= 0 or whole <= 0:
        return 2.0
    rate = growth / whole
    return sum(max(0.0, abs(step - rate * part) - 1) for step, part in zip(steps, drive, strict=True)) / growth
