"""How many dies work when q requests are always outstanding on n dies.

    q = 4, n = 4    die 0 [r][r]   two requests are at one die, another die is idle:
                    die 1 [r]      fewer than q dies work, however deep the queue
                    die 2
                    die 3 [r]

Throughput is this number over the service time. Assumed: requests go to any die with equal chance, each uses one die,
a new one arrives as soon as one is answered; no bus, link or controller limits the rate.
Not modelled here: striping that spreads neighbouring requests evenly, schedulers that avoid busy dies.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

_Queues = tuple[int, ...]  # requests at each die, longest first


def busy_dies(dies: int, outstanding: int) -> float:
    """Mean dies at work when every request takes the same time [dies].

    P = n + q - 1/2 - sqrt((n + q - 1/2)^2 - 2 n q). Within 2 % of the exact value for n = 4..32, q = 1..64 (exact for
    q = 1; rises to n). dies: n [count, >= 1]. outstanding: q [count, >= 1].
    Raises ValueError outside those ranges. Source: Baskett & Smith, CACM 19(6), 1976, for memory interference.
    """
    _check(dies, outstanding)
    middle = dies + outstanding - 0.5
    return middle - math.sqrt(middle * middle - 2 * dies * outstanding)


def busy_dies_in_step(dies: int, outstanding: int) -> float:
    """Mean dies at work when every request takes the same time, exactly [dies].

    With equal service times all dies work in step: all busy dies end together, and each request that ends is followed
    by a new one to any die. That is a Markov chain of the lengths of the queues, solved here. 2 - 1/q for two dies.
    Small numbers only: the chain has as many states as q has partitions into n parts (136 for n = 6, q = 16).
    Parameters and errors as for `busy_dies`, which is within 4 % of it.
    """
    _check(dies, outstanding)
    start: _Queues = (outstanding, *[0] * (dies - 1))
    places, moves = {start: 0}, []
    pending = [start]
    for queues in pending:
        after = _one_service_later(queues)
        for following in after:
            if following not in places:
                places[following] = len(places)
                pending.append(following)
        moves.append({places[following]: chance for following, chance in after.items()})
    balance = -np.eye(len(places))
    for place, targets in enumerate(moves):
        for target, chance in targets.items():
            balance[target, place] += chance
    balance[-1] = 1.0
    share = np.linalg.solve(balance, np.eye(len(places))[-1])
    return float(sum(share[place] * _at_work(queues) for queues, place in places.items()))


def _at_work(queues: _Queues) -> int:
    return sum(length > 0 for length in queues)


def _one_service_later(queues: _Queues) -> dict[_Queues, float]:
    """Queues once every busy die has ended one request and as many new ones have gone to any die."""
    chances: dict[_Queues, float] = {tuple(max(length - 1, 0) for length in queues): 1.0}
    for _ in range(_at_work(queues)):
        more: dict[_Queues, float] = defaultdict(float)
        for lengths, chance in chances.items():
            for die in range(len(lengths)):
                longer = (*lengths[:die], lengths[die] + 1, *lengths[die + 1 :])
                more[tuple(sorted(longer, reverse=True))] += chance / len(lengths)
        chances = more
    return chances


def busy_dies_exponential(dies: int, outstanding: int) -> float:
    """Mean dies at work when service times are exponential, n q / (n + q - 1) [dies]. Exact.

    dies: n [count, >= 1]. outstanding: q [count, >= 1]. Raises ValueError outside those ranges.
    """
    _check(dies, outstanding)
    return dies * outstanding / (dies + outstanding - 1)


def dies_hit_at_once(dies: int, requests: int) -> float:
    """Mean distinct dies that `requests` requests hit when they arrive together, n (1 - (1 - 1/n)^q) [dies].

    A snapshot, not the steady state: when requests are kept outstanding, they queue at busy dies, and `busy_dies` is up
    to 13 % lower. dies: n [count, >= 1]. requests: q [count, >= 1]. Raises ValueError outside those ranges.
    """
    _check(dies, requests)
    return dies * -math.expm1(requests * math.log1p(-1 / dies)) if dies > 1 else 1.0


def _check(dies: int, outstanding: int) -> None:
    if dies < 1 or outstanding < 1:
        raise ValueError(f"dies and outstanding must be at least 1, found {dies}, {outstanding}")
