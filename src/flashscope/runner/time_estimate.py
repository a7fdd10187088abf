"""Estimates: what steps are expected to take and to move, with the range in which it should be.

7.4 s, 5 to 11 s      of one experiment: its steps
                      of several: most errors of one are independent of the others', some are not'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TimeRange:
    """Between low_ns and high_ns, expected_ns most likely [ns]; and in words, the basis of the estimate."""

    low_ns: int
    expected_ns: int
    high_ns: int
    basis: str

    def plus(self, other: TimeRange) -> TimeRange:
        """Both, one after the other, when both may err to the same side."""
        basis = self.basis if self.basis == other.basis else "; ".join(filter(None, (self.basis, other.basis)))
        return TimeRange(
            self.low_ns + other.low_ns, self.expected_ns + other.expected_ns, self.high_ns + other.high_ns, basis
        )

    def shared(self, workers: float, longest_ns: float) -> TimeRange:
        """The same work on several processors; it takes no less than the longest part of it."""
        expected_ns, high_ns = (max(time / workers, longest_ns) for time in (self.expected_ns, self.high_ns))
        return TimeRange(round(self.low_ns / workers), round(expected_ns), round(high_ns), self.basis)


@dataclass(frozen=True)
class Estimate:
    """What an experiment is expected to take. time: on our clock. simulated: on that of a virtual drive, else None.

    written_bytes, read_bytes: expected, where the plan's own numbers are upper bounds.
    """

    time: TimeRange
    simulated: TimeRange | None
    written_bytes: int
    read_bytes: int


_COMMON_RATIO = 0.3  # of the errors: a slow machine, a drive that is not as it was


def together(ranges: Sequence[TimeRange]) -> TimeRange:
    """Several experiments one after the other: not all err to the same side, so the range is narrower than the sum."""
    expected_ns = sum(each.expected_ns for each in ranges)
    below_ns = _joined([each.expected_ns - each.low_ns for each in ranges])
    above_ns = _joined([each.high_ns - each.expected_ns for each in ranges])
    basis = "; ".join(dict.fromkeys(each.basis for each in ranges if each.basis))
    return TimeRange(round(expected_ns - below_ns), expected_ns, round(expected_ns + above_ns), basis)


def _joined(errors_ns: Sequence[int]) -> float:
    return max(math.hypot(*errors_ns), _COMMON_RATIO * sum(errors_ns))


def side_by_side(ranges: Sequence[TimeRange], workers: int) -> TimeRange:
    """Runs that share these processors: the work divided, but at least as long as the longest one."""
    if workers < 2 or not ranges:
        return together(ranges)
    return together(ranges).shared(workers, max(each.expected_ns for each in ranges))
