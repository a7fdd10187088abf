"""Quantiles of the distributions that intervals are made of.

They need only `scipy.special`, and that only when one is asked for: importing `scipy.stats` takes 0.8 s, longer than
most commands run. A test compares them with those of `scipy.stats`: they are equal to the last digit. The rank of a
binomial quantile may differ by one above ten million trials, and where the share lies on an edge (the median).
"""

from __future__ import annotations

import math


def chi_squared(share_ratio: float, degrees: float) -> float:
    """The value that a chi-squared variable with so many degrees of freedom does not exceed in this share of cases."""
    from scipy.special import gammaincinv

    return float(2 * gammaincinv(degrees / 2, share_ratio))


def student(share_ratio: float, degrees: float) -> float:
    """The value that a variable of Student's t distribution does not exceed in this share of cases."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, share_ratio))


def beta(share_ratio: float, first: float, second: float) -> float:
    """The value that a beta variable does not exceed in this share of cases [0..1]. first, second: its parameters."""
    from scipy.special import betaincinv

    return float(betaincinv(first, second, share_ratio))


def binomial(share_ratio: float, trials: int, probability_ratio: float) -> int:
    """The least count of successes that is not exceeded in this share of cases."""
    from scipy.special import bdtr, bdtrik

    count: int = math.ceil(bdtrik(share_ratio, trials, probability_ratio))
    # The continuous inverse may lie just above a whole number that is enough.
    below = max(count - 1, 0)
    return below if bdtr(below, trials, probability_ratio) >= share_ratio else count


def poisson_interval(count: float, *, confidence_ratio: float = 0.95) -> tuple[float, float]:
    """The exact interval of the mean of a Poisson count: 0 counted gives (0, 3.69) at 95 %.

    Source: Garwood, Biometrika 28, 1936.
    """
    tail = (1 - confidence_ratio) / 2
    low = chi_squared(tail, 2 * count) / 2 if count > 0 else 0.0
    return low, chi_squared(1 - tail, 2 * count + 2) / 2


def share_interval(count: int, trials: int, *, confidence_ratio: float = 0.95) -> tuple[float, float]:
    """The exact interval of a share of which so many were counted: 0 of 10 gives (0, 0.3085) at 95 %.

    trials: 1 or more. Source: Clopper and Pearson, Biometrika 26, 1934.
    """
    tail = (1 - confidence_ratio) / 2
    low = beta(tail, count, trials - count + 1) if count else 0.0
    return low, beta(1 - tail, count + 1, trials - count) if count < trials else 1.0
