"""Cut a noisy series of levels into the fewest plateaus that explain it.

    level  ------.
                  '-------.  .----      least squares per plateau + a price per change,
                           '-'          solved exactly by dynamic programming

The price prevents cuts in mere noise. It is counted in units of the *long-run* variance of the series, which grows
with autocorrelation: a cut is made only when the two means differ by more than `SIGNIFICANCE` standard
errors. The variance comes from differences between neighbours and between rows a few apart (a variogram),
by a quantile, so that neither the changes themselves nor isolated hitches inflate it.
Not modelled here: ramps; a slow slope comes out as a staircase.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

SIGNIFICANCE = 5.0
"""Standard errors by which two neighbouring plateaus must differ. High, because the best of all places is taken."""

_NORMAL_UPPER_QUARTILE = 1.1503493803760079  # of |x|, x standard normal
_LAG_MAX = 12


@dataclass(frozen=True)
class Noise:
    """How a series scatters around its level. deviation: of one row of weight 1, in the unit of the series.

    correlated_rows: how many neighbouring rows count as one; 1 when they are independent.
    """

    deviation: float
    correlated_rows: float

    @property
    def long_run_variance(self) -> float:
        """Variance of a mean of n rows, times n, for large n [unit squared]."""
        return self.deviation**2 * self.correlated_rows


def noise_of(levels: np.ndarray, weights: np.ndarray, *, floor: float) -> Noise:
    """The scatter of a series that may hold changes and hitches.

    levels: shape (rows,). weights: how many samples each row is the mean of, shape (rows,).
    floor: the smallest deviation used, in the unit of `levels`; without it, every last digit of a noiseless simulated
    series would be significant.
    """
    if len(levels) < 3:
        return Noise(floor, 1.0)
    variogram = []
    for lag in range(1, min(_LAG_MAX, max(len(levels) // 10, 1)) + 1):
        scale = np.sqrt(1 / weights[lag:] + 1 / weights[:-lag])
        size = np.quantile(np.abs(levels[lag:] - levels[:-lag]) / scale, 0.75)
        variogram.append(float(size / _NORMAL_UPPER_QUARTILE) ** 2)
    sill = max(variogram)
    if sill <= floor**2:
        return Noise(floor, 1.0)
    return Noise(sill**0.5, 1 + 2 * float(np.clip(1 - np.array(variogram) / sill, 0, 1).sum()))


def without_hitches(levels: np.ndarray, tolerance: np.ndarray) -> np.ndarray:
    """The series with isolated outliers pulled to within `tolerance` of the running median of seven rows.

    A hitch of up to three rows is not a plateau, whatever its depth. Steps keep their edges.
    levels, tolerance: shape (rows,), in one unit.
    """
    if len(levels) < 7:
        return levels
    padded = np.pad(levels, 3, mode="reflect")
    middle = np.median(np.lib.stride_tricks.sliding_window_view(padded, 7), axis=1)
    return np.asarray(np.clip(levels, middle - tolerance, middle + tolerance))


def significance_for(row_count: int) -> float:
    """`SIGNIFICANCE`, raised for short series, whose noise is not well known [standard errors]."""
    return SIGNIFICANCE * (1 + 12 / row_count)


def cut(
    levels: np.ndarray, weights: np.ndarray, *, variance: float, shortest_rows: int, smallest_step: float
) -> list[int]:
    """First rows of all plateaus but the first, ascending; empty for a flat series.

    levels, weights: shape (rows,). variance: a `Noise.long_run_variance`. shortest_rows: fewest rows of a plateau.
    smallest_step: neighbours that differ by less are one plateau, in the unit of `levels`.
    """
    row_count = len(levels)
    if row_count < 2 * shortest_rows:
        return []
    price = significance_for(row_count) ** 2 * variance
    centred = levels - levels.mean()
    weight, first, second = (np.concatenate(([0.0], np.cumsum(weights * centred**power))) for power in (0, 1, 2))
    best = np.full(row_count + 1, np.inf)
    best[0] = -price
    previous = np.zeros(row_count + 1, dtype=int)
    for end in range(shortest_rows, row_count + 1):
        starts = np.arange(0, end - shortest_rows + 1)
        spread = second[end] - second[starts] - (first[end] - first[starts]) ** 2 / (weight[end] - weight[starts])
        total = best[starts] + spread + price
        previous[end] = starts[np.argmin(total)]
        best[end] = total[previous[end]]
    boundaries = [row_count]
    while boundaries[-1] > 0:
        boundaries.append(int(previous[boundaries[-1]]))
    boundaries = _drop_transitions(levels, boundaries[::-1], 2 * shortest_rows)
    return _drop_small_steps(levels, weights, boundaries, smallest_step)


def _drop_transitions(levels: np.ndarray, boundaries: list[int], longest_rows: int) -> list[int]:
    """Divide short plateaus whose level is between those of their neighbours among these neighbours.

    The row in which a change falls has a rate in between; with little noise it would become a plateau of its own.
    """
    kept, place = list(boundaries), 1
    while place < len(kept) - 2:
        before, middle, after = (levels[kept[k] : kept[k + 1]].mean() for k in (place - 1, place, place + 1))
        start, end = kept[place : place + 2]
        if end - start <= longest_rows and min(before, after) < middle < max(before, after):
            bounded = np.clip(levels[start:end], min(before, after), max(before, after))
            kept[place : place + 2] = [start + int(best_split(bounded, before, after))]
        else:
            place += 1
    return kept


def _drop_small_steps(
    levels: np.ndarray, weights: np.ndarray, boundaries: list[int], smallest_step: float
) -> list[int]:
    """Join the two most alike neighbours until every step is large enough; returns the remaining inner boundaries.

    The rows at both ends of a plateau are left out of its level: a change may lie in the middle of one.
    """
    while len(boundaries) > 2:
        spans = [slice(a + 1, b - 1) if b - a > 2 else slice(a, b) for a, b in itertools.pairwise(boundaries)]
        steps = np.abs(np.diff([np.average(levels[span], weights=weights[span]) for span in spans]))
        smallest = int(np.argmin(steps))
        if steps[smallest] >= smallest_step:
            break
        del boundaries[smallest + 1]
    return boundaries[1:-1]


def best_split(levels: np.ndarray, before: float, after: float) -> np.ndarray:
    """Where a series goes from one known level to another: first row of the new level, shape (...,).

    levels: shape (..., rows), many series at once. before, after: the two levels, in the unit of `levels`.
    """
    toward_before = (levels - (before + after) / 2) * np.sign(before - after)
    gain = np.concatenate([np.zeros((*levels.shape[:-1], 1)), np.cumsum(toward_before, axis=-1)], axis=-1)
    return np.asarray(np.argmax(gain, axis=-1))
