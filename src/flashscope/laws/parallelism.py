"""How many dies work when q requests are always outstanding on n dies.

    q = 4, n = 4    die 0 [r][r]   two wait for one die, another has nothing to do:
                    die 1 [r]      fewer than q dies work, however deep the queue
                    die 2
                    die 3 [r]

Throughput is this number over the service time. Assumed: requests go to any die with equal chance, each is on one
die, a new one comes as soon as one is answered; no bus, link or controller in the way.
Not modelled here: striping that spreads neighbouring requests evenly, schedulers that pick around busy dies.
"""

import math


def busy_dies(dies: int, outstanding: int) -> float:
    """Mean dies at work when every request takes the same time [dies].

    P = n + q - 1/2 - sqrt((n + q - 1/2)^2 - 2 n q). Within 2 % of the truth for n = 4..32, q = 1..64 (it is exact
    for q = 1 and rises to n). dies: n [count, >= 1]. outstanding: q [count, >= 1].
    Raises ValueError outside those ranges. Source: Baskett & Smith, CACM 19(6), 1976, for memory interference.
    """
    _check(dies, outstanding)
    middle = dies + outstanding - 0.5
    return middle - math.sqrt(middle * middle - 2 * dies * outstanding)


def busy_dies_exponential(dies: int, outstanding: int) -> float:
    """Mean dies at work when service times are exponential, n q / (n + q - 1) [dies]. Exact.

    dies: n [count, >= 1]. outstanding: q [count, >= 1]. Raises ValueError outside those ranges.
    """
    _check(dies, outstanding)
    return dies * outstanding / (dies + outstanding - 1)


def dies_hit_at_once(dies: int, requests: int) -> float:
    """Mean distinct dies that `requests` requests hit when they come together, n (1 - (1 - 1/n)^q) [dies].

    A snapshot, not the steady state: kept outstanding, requests pile up on busy dies, and `busy_dies` is up to 13 %
    lower. dies: n [count, >= 1]. requests: q [count, >= 1]. Raises ValueError outside those ranges.
    """
    _check(dies, requests)
    return dies * -math.expm1(requests * math.log1p(-1 / dies)) if dies > 1 else 1.0


def _check(dies: int, outstanding: int) -> None:
    if dies < 1 or outstanding < 1:
        raise ValueError(f"dies and outstanding must be at least 1, found {dies}, {outstanding}")
