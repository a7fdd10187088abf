"""Long series made short: the lowest, mean and highest of each bin, so that no peak is hidden."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Envelope:
    """A series in bins. Each array has shape (bins,).

    position: right end of each bin. mean: weighted by the change of the position in each row. low, high: extremes.
    rows_per_bin: the largest number of rows in one bin; 1 when nothing was merged.
    """

    position: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    rows_per_bin: int


def envelope(position: np.ndarray, value: np.ndarray, weight: np.ndarray, bins_max: int) -> Envelope:
    """`value` against `position` (rising), in at most `bins_max` bins of equally many rows.

    weight: of each row in the mean (for a rate over intervals: their durations), positive.
    """
    row_count = len(position)
    rows_per_bin = max(1, -(-row_count // bins_max))
    starts = np.arange(0, row_count, rows_per_bin)
    if row_count == 0:
        empty = np.empty(0)
        return Envelope(empty, empty, empty, empty, 1)
    ends = np.minimum(starts + rows_per_bin, row_count) - 1
    mean = np.add.reduceat(value * weight, starts) / np.add.reduceat(weight, starts)
    low, high = np.minimum.reduceat(value, starts), np.maximum.reduceat(value, starts)
    return Envelope(position[ends], mean, low, high, rows_per_bin)
