"""The unit of a drive from the cost of random writes at shifted starts: which starts cost more, and how much.

    time |  x x x   x x x   x x x       x  a start off the unit
         |o       o       o       o     o  a multiple of the unit: the period is the unit
         +0-------8------16------24--   start of the span [sectors]

Requests start on a grid of their own size S, so starts that differ by S are alike. A size thus shows a period of at
most S; a unit U larger than every size is found from its cost, U / (U + S) of the aligned rate (`laws/alignment.py`).
Not modelled here: drives with two units at once (a page and a larger stripe); the one that costs more is reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.laws.alignment import unit_from_rate_ratio

_FLOOR_RATIO = 0.01  # smaller differences between runs are ignored
_LEAST_COST_RATIO = 1.03  # a lower cost would be no reason to move a partition
_DEVIATIONS = 4.5
_Z = 1.96
_WHOLE_UNIT_RATE_RATIO = 0.55  # a size equal to the unit falls below 1/2 (reads first), a smaller size to 2/3


@dataclass(frozen=True)
class Shifted:
    """One run. start_bytes: of its span. time_ns: mean time per request, low_ns to high_ns its interval."""

    request_bytes: int
    start_bytes: int
    time_ns: float
    low_ns: float
    high_ns: float


@dataclass(frozen=True)
class Cost:
    """What shifted starts cost at one size. period_bytes: None when no start costs more than another.

    ratio: time off the period over time on it [>= 1 when shifts cost], low to high at 95 %.
    """

    request_bytes: int
    period_bytes: int | None
    ratio: float
    low: float
    high: float


def cost_of_shifts(runs: Sequence[Shifted], sector_bytes: int = 512) -> Cost | None:
    """The period and the cost at one request size; None when fewer than four runs, or all at one kind of start.

    The period is the power of two that explains the times best by two levels, and better than one level does, by the
    Bayesian information criterion. Without one the cost is that of starts off the request's own grid.
    """
    if len(runs) < 4:
        return None
    size = runs[0].request_bytes
    starts = np.array([run.start_bytes for run in runs])
    logs = np.log([run.time_ns for run in runs])
    count = len(runs)
    candidates = []
    period = sector_bytes * 2
    while period <= size:
        aligned = starts % period == 0
        if aligned.any() and not aligned.all():
            misfit = _scatter(logs[aligned]) + _scatter(logs[~aligned])
            candidates.append((_criterion(misfit, count, parameters=3), -period))  # of equals, the larger
        period *= 2
    if not candidates:
        return None
    score, best = min(candidates)
    best = -best
    ratio, low, high = _ratio(runs, best)
    found = score < _criterion(_scatter(logs), count, parameters=1) and ratio > _LEAST_COST_RATIO
    # Several periods at several sizes are tried, so the margin must be much larger than for a single trial.
    found = found and math.log(ratio) > _DEVIATIONS * math.log(high / low) / (2 * _Z)
    if not found:
        ratio, low, high = _ratio(runs, -candidates[-1][1])
    return Cost(size, best if found else None, ratio, low, high)


def unit_of(costs: Sequence[Cost]) -> tuple[int | None, tuple[int, int]]:
    """The unit [bytes] and the range it lies in, from the costs at all sizes; None when no size shows one.

    A size with a period below itself gives the unit directly. When even the largest size has itself as period, the
    unit is that size or a larger one; the cost at that size decides.
    """
    seen = [cost for cost in costs if cost.period_bytes is not None]
    if not seen:
        return None, (0, 0)
    inside = [cost for cost in seen if cost.period_bytes is not None and cost.period_bytes < cost.request_bytes]
    if inside:
        votes = [cost.period_bytes or 0 for cost in inside]
        unit = max(set(votes), key=lambda one: (votes.count(one), one))
        return unit, (min(votes), max(votes))
    largest = max(seen, key=lambda cost: cost.request_bytes)
    size = largest.request_bytes
    if 1 / largest.ratio < _WHOLE_UNIT_RATE_RATIO:
        return size, (size, size)
    units = [_nearest_unit(size, 1 / ratio) for ratio in (largest.ratio, largest.high, largest.low)]
    return units[0], (min(units), max(units))


def _nearest_unit(size: int, rate_ratio: float) -> int:
    """The power of two next to what the law gives for that ratio of rates [bytes]."""
    unit = unit_from_rate_ratio(size, min(max(rate_ratio, 0.51), 0.99))
    return int(2 ** max(round(math.log2(unit)), round(math.log2(size)) + 1))


def _ratio(runs: Sequence[Shifted], period: int) -> tuple[float, float, float]:
    """Mean time off the period over that on it, with its interval from the scatter of the runs and their own."""
    groups = [[run for run in runs if (run.start_bytes % period != 0) is off] for off in (True, False)]
    logs = [np.log([run.time_ns for run in group]) for group in groups]
    own = [math.log(run.high_ns / run.low_ns) / (2 * _Z) for run in runs]
    # One scatter for both groups: often only two or three starts are on the period, too few for a scatter of their own.
    pooled = math.sqrt(sum(_scatter(values) for values in logs) / max(len(runs) - 2, 1))
    spread = max(pooled, _FLOOR_RATIO, math.sqrt(sum(one**2 for one in own) / len(own)))
    middle = float(logs[0].mean() - logs[1].mean())
    error = _Z * spread * math.sqrt(1 / len(groups[0]) + 1 / len(groups[1]))
    return math.exp(middle), math.exp(middle - error), math.exp(middle + error)


def _scatter(logs: np.ndarray) -> float:
    return float(((logs - logs.mean()) ** 2).sum())


def _criterion(misfit: float, count: int, parameters: int) -> float:
    return count * math.log(misfit / count + _FLOOR_RATIO**2) + parameters * math.log(count)
