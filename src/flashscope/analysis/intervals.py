"""How sure a mean is when neighbouring samples are alike: block bootstrap and batch means.

Rows of a drive's rate series are not independent (garbage collection has a rhythm, a disturbance of the host lasts
several rows), so resampling single rows would give too narrow an interval. Whole blocks are drawn instead.

    rows     a a a | b b b | c c c | d d d
    resample c c c | a a a | c c c | b b b      the rhythm inside a block is kept

Random numbers come from a fixed seed: the same series always gives the same interval.
"""

from __future__ import annotations

import math

import numpy as np

_SEED = 20100704


def block_rows(row_count: int) -> int:
    """Rows per bootstrap block [rows]: n^(2/3) / 2, so that blocks grow with the series yet stay many."""
    return max(1, round(math.cbrt(row_count) ** 2 / 2))


def resampled_rows(row_count: int, *, draws: int = 400, stream: int = 0) -> np.ndarray:
    """Row numbers of `draws` circular block-bootstrap samples, shape (draws, row_count).

    row_count: rows of the series [rows, >= 1]. stream: tells apart the random numbers of two uses.
    """
    size = block_rows(row_count)
    blocks = -(-row_count // size)
    starts = np.random.default_rng([_SEED, stream]).integers(0, row_count, (draws, blocks))
    rows = (starts[:, :, None] + np.arange(size)) % row_count
    return rows.reshape(draws, -1)[:, :row_count]


def ratio_of_sums(
    numerator: np.ndarray, denominator: np.ndarray, *, confidence_ratio: float = 0.95, draws: int = 400
) -> tuple[float, float, float]:
    """sum(numerator) / sum(denominator) with its interval: (value, low, high), in numerator's unit per denominator's.

    A rate is such a ratio (bytes over time, stalls included), never the mean of the rates of the rows.
    numerator, denominator: shape (rows,). With one row the interval is the value itself.
    Raises ValueError when there is no row or the denominators sum to nothing.
    """
    if len(numerator) == 0 or denominator.sum() <= 0:
        raise ValueError("a ratio needs at least one row and a positive denominator")
    value = float(numerator.sum() / denominator.sum())
    rows = resampled_rows(len(numerator), draws=draws)
    sums = denominator[rows].sum(axis=1)
    moved = numerator[rows].sum(axis=1)
    whole = (sums > 0) & (moved > 0)  # a resample of rows in which nothing was done gives no ratio
    if not whole.any():
        return value, value, value
    samples = moved[whole] / sums[whole]
    tail = (1 - confidence_ratio) / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return value, min(float(low), value), max(float(high), value)


def batch_standard_error(values: np.ndarray) -> tuple[float, int]:
    """Standard error of the mean of an autocorrelated series, and its degrees of freedom: (error, freedom).

    The series is cut into about sqrt(n) batches of neighbours; the scatter of the batch means includes the
    autocorrelation, which the scatter of single rows would miss. values: shape (rows,), one unit throughout.
    The error is in that unit; infinite with fewer than 4 rows, from which it cannot be computed.
    """
    if len(values) < 4:
        return float("inf"), 0
    batches = int(np.clip(round(len(values) ** 0.5), 4, 20))
    means = np.array([batch.mean() for batch in np.array_split(values, batches)])
    return float(means.std(ddof=1) / batches**0.5), batches - 1
