"""One comparison: the value of a law, the value of the virtual drive, and the tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """A law compared with one measurement.

    law: its name, as in the catalogue. condition: on what drive, under what load, with which corrections.
    expected, measured: in the unit that `condition` names, or plain ratios and counts.
    tolerance_ratio: largest gap, either way, as a share of what is expected.
    """

    law: str
    condition: str
    expected: float
    measured: float
    tolerance_ratio: float

    @property
    def gap_ratio(self) -> float:
        """The error of the measurement [share of the expected value]; positive when it is too high."""
        return self.measured / self.expected - 1

    @property
    def holds(self) -> bool:
        """True when the gap is within the tolerance; False when nothing could be measured (NaN)."""
        return abs(self.gap_ratio) <= self.tolerance_ratio

    def as_plain(self) -> dict[str, Any]:
        """The row for other programs."""
        return {
            "law": self.law,
            "condition": self.condition,
            "expected": self.expected,
            "measured": self.measured,
            "gap_ratio": self.gap_ratio,
            "tolerance_ratio": self.tolerance_ratio,
            "holds": self.holds,
        }
