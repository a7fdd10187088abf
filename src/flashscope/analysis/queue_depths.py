"""Rates at several queue depths: how many requests the drive works on at once, how deep is deep enough, how many units.

    rate |          ......o.....o   another limit: straight up, then flat
         |       o        +     +   n units: bent, since requests fall on busy ones by chance
         |     +  +
         |   o
         +---1--2--4--8--16--32-- depth

**Effective parallelism** is the best rate times the latency at depth 1: the number of requests in service at once, if
each took as long as a lone one. Where a lone request takes longer than one in company (it is held back, or wakes the
drive), that product counts more requests than were there; then it is the number that were there, by Little's law.
Depth 1 is among the depths, so it is never below 1.

**Units**: the curve of `laws/parallelism.py` for n banks or channels, each busy with a request for a share 1 - z of
its lone latency, possibly cut off by a limit that all requests share. Fitted by least squares of logarithms over all n
and z; a model with more parameters must fit better (Bayesian information criterion).

Assumed: places are drawn uniformly, so all units are hit with equal chance; the law itself is good to about 2 %.
Not modelled here: schedulers that avoid busy units, drives limited by banks and channels alike (the count then lies
between theirs), reads answered from a cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

_LAW_ERROR = 0.02
_MOST_UNITS = 256
_SHARES = np.linspace(0.0, 0.9, 46)
_CLEARLY = 6.0  # difference in BIC that counts as strong evidence
_CHI_SQUARED_95, _CHI_SQUARED_95_OF_TWO = 3.84, 5.99
_DEEP_ENOUGH = 0.95
_DEPTHS_TO_TELL_A_CUT = 6  # a curve of units that is cut off has three unknowns: fewer points fit it always


@dataclass(frozen=True)
class DepthPoint:
    """One queue depth. rate, low, high [requests/s]; mean_latency_ns; outstanding: rate x mean latency [requests]."""

    depth: int
    rate: float
    low: float
    high: float
    mean_latency_ns: float
    outstanding: float
    request_count: int


@dataclass(frozen=True)
class Parallelism:
    """Most requests worked on at once [requests], with its interval, and the depth where this was reached."""

    value: float
    low: float
    high: float
    depth: int


@dataclass(frozen=True)
class Units:
    """How many units the curve shows. count: None when another limit fits as well; low is then the least count."""

    count: int | None
    low: int
    high: int
    misfit_ratio: float


def effective_parallelism(points: Sequence[DepthPoint]) -> Parallelism | None:
    """The best rate times the latency at depth 1; None without depth 1. Its interval joins those of both rates."""
    alone = next((point for point in points if point.depth == 1), None)
    if alone is None or not alone.rate > 0:
        return None
    best = max(points, key=lambda point: point.rate)
    if best is alone:
        return Parallelism(1.0, 1.0, 1.0, 1)
    value = best.rate / alone.rate
    if value > best.depth:
        value = min(max(best.outstanding, 1.0), best.depth)
    below = np.hypot(np.log(best.rate / max(best.low, 1e-9)), np.log(max(alone.high, 1e-9) / alone.rate))
    above = np.hypot(np.log(best.high / best.rate), np.log(alone.rate / max(alone.low, 1e-9)))
    low, high = float(value * np.exp(-below)), float(value * np.exp(above))
    return Parallelism(value, max(low, 1.0), min(high, float(best.depth)), best.depth)


def useful_depth(points: Sequence[DepthPoint]) -> tuple[int, int, int] | None:
    """The least depth that gives 95 % of the best rate: (depth, low, high); None without points.

    Low: just above the depth tried before the least whose rate may reach 95 %; high: the least whose rate
    certainly does.
    """
    if not points:
        return None
    ordered = sorted(points, key=lambda point: point.depth)
    wanted = _DEEP_ENOUGH * max(point.rate for point in ordered)
    depths = [
        next((point.depth for point in ordered if reached(point) >= wanted), ordered[-1].depth)
        for reached in (attrgetter("rate"), attrgetter("high"), attrgetter("low"))
    ]
    least = min(depths[1], depths[0])
    before = max((point.depth for point in ordered if point.depth < least), default=least - 1)
    return depths[0], before + 1, max(depths[2], depths[0])


def count_units(points: Sequence[DepthPoint]) -> Units | None:
    """How many units the curve of rates shows; None with fewer than four depths or without depth 1."""
    ordered = sorted(points, key=lambda point: point.depth)
    if len(ordered) < 4 or ordered[0].depth != 1 or not all(point.rate > 0 for point in ordered):
        return None
    depths = np.array([float(point.depth) for point in ordered])
    relative = np.array([point.rate for point in ordered]) / ordered[0].rate
    spread = np.array([np.log(point.high / max(point.low, 1e-9)) / 3.92 for point in ordered])
    sigma = np.hypot(_LAW_ERROR, spread)
    best = float(relative.max())
    counts = np.arange(1, _MOST_UNITS + 1)
    curves = _unit_curves(counts, _SHARES, depths)
    free = _misfit(curves, relative, sigma)
    cut = _misfit(np.minimum(curves, best), relative, sigma)
    straight = float(_misfit(np.minimum(depths, best)[None, None, :], relative, sigma)[0, 0])
    points_weight = float(np.log(len(depths)))
    units_only = free.min() + 2 * points_weight
    units_cut = cut.min() + 3 * points_weight
    if straight + points_weight <= min(units_only, units_cut) + _CLEARLY:
        return Units(None, max(int(np.ceil(best * 0.98)), 1), 0, float(np.sqrt(straight / len(depths)) * _LAW_ERROR))
    chosen = free if units_only <= units_cut + _CLEARLY else cut
    by_count = chosen.min(axis=1)
    scale = max(1.0, float(by_count.min()) / max(len(depths) - 2, 1))
    inside = counts[by_count <= by_count.min() + _CHI_SQUARED_95 * scale]
    found = int(counts[int(by_count.argmin())])
    misfit = float(np.sqrt(by_count.min() / len(depths)) * _LAW_ERROR)
    few = len(depths) < _DEPTHS_TO_TELL_A_CUT
    if (chosen is cut and (few or inside[-1] > 2 * found)) or (few and by_count.min() > _CHI_SQUARED_95_OF_TWO):
        return Units(None, int(inside[0]), 0, misfit)
    return Units(found, int(inside[0]), int(inside[-1]), misfit)


def _misfit(curves: np.ndarray, relative: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    squares: np.ndarray = (((np.log(curves) - np.log(relative)) / sigma) ** 2).sum(axis=-1)
    return squares


def _unit_curves(counts: np.ndarray, shares: np.ndarray, depths: np.ndarray) -> np.ndarray:
    """Rate over that at depth 1 for each count of units, share of time outside them, and depth.

    x = P(n, q - x z) / (1 - z): of q requests, x z are outside the units. The right side falls as x rises, so x is
    found by bisection.
    """
    n, z, q = counts[:, None, None].astype(float), shares[None, :, None], depths[None, None, :]
    low = np.zeros(np.broadcast_shapes(n.shape, z.shape, q.shape))
    high = np.broadcast_to(np.minimum(q, n / (1 - z)), low.shape).copy()
    for _ in range(40):
        middle = (low + high) / 2
        fits = _at_work(n, q - middle * z) >= middle * (1 - z)
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    rates: np.ndarray = np.maximum((low + high) / 2, 1e-9)
    return rates


def _at_work(n: np.ndarray, outstanding: np.ndarray) -> np.ndarray:
    """`laws.parallelism.busy_dies` for a mean number outstanding; with less than one request none waits."""
    q = np.maximum(outstanding, 1.0)
    middle = n + q - 0.5
    at_work: np.ndarray = np.where(outstanding <= 1, outstanding, middle - np.sqrt(middle * middle - 2 * n * q))
    return at_work
