"""Rates of arrays of 1 to N members: how far they scale, and which limit all members share.

    rate |            o----o----o   H: the shared limit
         |         o
         |      o                   n x one member
         |   o
         +---1--2--3--4--5--6-- members

Rate = min(n r, H). Every place of the bend is tried; r is the mean rate of one member left of it, H the mean right of
it. A limit is reported only when at least two arrays reach it and one more member would have given 5 % more without it.
Assumed: members alike, requests so large that every member has work.
Not modelled here: requests of a few chunks, where six members are no faster than four because each has two chunks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

_ALIKE = 0.03
_WORTH = 1.05
_ENOUGH = 0.95


@dataclass(frozen=True)
class SharedLimit:
    """rate, low, high: the shared limit [unit of the rates]; None when it is not reached: then see at_least.

    member_rate: rate of one member left of the bend. last_useful_count: members above which more give no higher rate.
    """

    rate: float | None
    low: float
    high: float
    at_least: float
    member_rate: float
    last_useful_count: int


def useful_members(rates: Mapping[int, float]) -> int | None:
    """The least number of members that gives 95 % of the best rate [count]; None without a rate."""
    if not rates:
        return None
    best = max(rates.values())
    return min(count for count, rate in rates.items() if rate >= _ENOUGH * best)


def most_beyond_even_share(rates: Mapping[int, float]) -> int | None:
    """The array that exceeds most what its members can add up to [count]; None when none does.

    n drives are at most n times as fast as one. More means that they were not measured alike.
    """
    if not rates or rates[min(rates)] <= 0:
        return None
    least = min(rates)
    excess = {count: rate * least / (rates[least] * count) for count, rate in rates.items()}
    worst = max(excess, key=lambda count: excess[count])
    return worst if excess[worst] > 1 + _ALIKE else None


def shared_limit(rates: Mapping[int, float]) -> SharedLimit | None:
    """The shared limit, from the rate for each number of members; None with fewer than three of them."""
    counts = np.array(sorted(rates), dtype=float)
    if len(counts) < 3:
        return None
    values = np.array([rates[int(count)] for count in counts])
    if not np.all(values > 0):
        return None
    found: tuple[float, int] | None = None
    for bend in range(1, len(counts) - 1):
        member = float(np.exp(np.log(values[:bend] / counts[:bend]).mean()))
        plateau = values[bend:]
        level = float(np.exp(np.log(plateau).mean()))
        if plateau.max() > plateau.min() * (1 + _ALIKE) or member * counts[-1] < _WORTH * level:
            continue
        expected = np.concatenate([member * counts[:bend], np.full(len(plateau), level)])
        misfit = float((np.log(values / expected) ** 2).sum())
        if found is None or misfit < found[0] - 1e-12:
            found = misfit, bend
    member = float(np.exp(np.log(values / counts).mean())) if found is None else 0.0
    if found is None:
        return SharedLimit(None, 0.0, 0.0, float(values.max()), member, int(counts[-1]))
    bend = found[1]
    member = float(np.exp(np.log(values[:bend] / counts[:bend]).mean()))
    plateau = values[bend:]
    level = float(np.exp(np.log(plateau).mean()))
    spread = max(float(plateau.max() / level), float(level / plateau.min())) - 1 + 0.01
    return SharedLimit(level, level * (1 - spread), level * (1 + spread), level, member, int(counts[bend]))
