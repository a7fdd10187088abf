"""Raw bit error ratios from counters: errors over bits, an interval that allows for clusters, and their growth.

Independent errors would follow Poisson's law. Real errors are not quite independent: blocks differ, and a bad page
gives many errors at once. So the reading is cut into parts, and the scatter of their counts over Poisson's (the
dispersion) widens the interval: Poisson's law is applied to count / dispersion.
Not modelled here: errors that a drive meets by itself (collection, refresh) without counting what it read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.laws.distributions import poisson_interval

_Z = 1.96


@dataclass(frozen=True)
class ErrorRatio:
    """Wrong bits per bit read, low to high at 95 %. dispersion: scatter of the parts over Poisson's [>= 1]."""

    value: float
    low: float
    high: float
    error_bits: int
    read_bits: int
    dispersion: float


def error_ratio(error_bits: Sequence[int], read_bits: Sequence[int]) -> ErrorRatio | None:
    """The ratio over parts of a reading, shape (parts,); None when nothing was read."""
    errors, bits = np.array(error_bits, dtype=float), np.array(read_bits, dtype=float)
    errors, bits = errors[bits > 0], bits[bits > 0]
    if not bits.size:
        return None
    total, read = float(errors.sum()), float(bits.sum())
    dispersion = 1.0
    if total > 0 and len(bits) > 1:
        expected = total * bits / read
        dispersion = max(1.0, float(((errors - expected) ** 2 / expected).sum()) / (len(bits) - 1))
    low, high = (bound * dispersion / read for bound in poisson_interval(total / dispersion))
    return ErrorRatio(total / read, low, high, int(total), int(read), dispersion)


def growth(erase_counts: Sequence[float], ratios: Sequence[ErrorRatio]) -> tuple[float, float, float] | None:
    """How much the ratio grows per erase cycle: (value, low, high) [1 / cycle]; None for fewer than two erase counts.

    A straight line through the levels, each weighted by its interval: over a few cycles every law is nearly straight.
    """
    counts = np.array(erase_counts, dtype=float)
    if len(counts) < 2 or counts.max() == counts.min():
        return None
    values = np.array([one.value for one in ratios])
    errors = np.array([max((one.high - one.low) / (2 * _Z), 1 / one.read_bits) for one in ratios])
    weights = errors**-2
    middle = float((weights * counts).sum() / weights.sum())
    spread = float((weights * (counts - middle) ** 2).sum())
    slope = float((weights * (counts - middle) * values).sum()) / spread
    error = _Z / math.sqrt(spread)
    return slope, slope - error, slope + error
