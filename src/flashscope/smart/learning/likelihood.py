"""Evidence as numbers: logarithms of how much likelier something is if a meaning holds than if it does not.

Every ratio of a counter to the host's bytes is compared with chance: an unrelated counter may have any ratio over
`CHANCE_SPAN` e-folds, all with equal probability. Ranges for true meanings come from drives where they are known
(listed in docs/reference/smart-learn.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

CHANCE_SPAN = 41.0
"""ln of the ratio between the largest and the smallest slope an unrelated counter may have (1e-6 to 1e12)."""


def log_sum(values: Sequence[float]) -> float:
    """ln of the sum of exponentials; minus infinity for none."""
    top = max(values, default=-math.inf)
    return top if math.isinf(top) else top + math.log(sum(math.exp(value - top) for value in values))


def normal(value: float, mean: float, sigma: float) -> float:
    """ln of the density of a normal distribution."""
    return -0.5 * ((value - mean) / sigma) ** 2 - math.log(sigma * math.sqrt(2 * math.pi))


def mixture(value: float, parts: Sequence[tuple[float, float, float]]) -> float:
    """ln of the density of a mixture. parts: (share, mean, sigma)."""
    return log_sum([math.log(share) + normal(value, mean, sigma) for share, mean, sigma in parts])


def above_chance(log_density: float) -> float:
    """A log density of a logarithm, compared with that of an unrelated counter."""
    return log_density + math.log(CHANCE_SPAN)


def shares(log_weights: Sequence[float]) -> list[float]:
    """Weights given by their logarithms, scaled so that they sum to one."""
    total = log_sum(log_weights)
    return [math.exp(weight - total) for weight in log_weights]
