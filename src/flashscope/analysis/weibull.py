"""A Weibull distribution fitted to lifetimes, some of which have not ended yet.

    S(t) = exp( -(t / scale)^shape )        log L = sum over the failed of log f  +  sum over the others of log S

Maximum likelihood. For a given shape the best scale is known in closed form, (sum t^shape / failures)^(1 / shape), so
the search has one dimension. Intervals are by profile likelihood: all values whose log likelihood, with the other
constant at its best, is below the greatest by at most chi2 / 2. They are not symmetric, which matters with few drives.

Fewer than two failures do not determine a shape: then there is no fit.
Not modelled here: competing causes, lots with scales of their own, the small-sample bias of the shape (upward).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.laws.distributions import chi_squared

_LEAST_SHAPE, _HIGHEST_SHAPE = 0.02, 2000.0


@dataclass(frozen=True)
class WeibullFit:
    """scale: by which 63 % have failed [unit of the lives]. shape. Each with its interval at confidence_ratio.

    failures, count: how many of how many lives had ended.
    """

    scale: float
    scale_low: float
    scale_high: float
    shape: float
    shape_low: float
    shape_high: float
    failures: int
    count: int
    confidence_ratio: float

    def life(self, failed_ratio: float) -> float:
        """The life by which that share has failed [unit of the lives]."""
        return float(self.scale * (-math.log1p(-failed_ratio)) ** (1 / self.shape))


def fit_weibull(lives: Sequence[float], ended: Sequence[bool], *, confidence_ratio: float = 0.95) -> WeibullFit | None:
    """The fit; None with fewer than two failures, or when all failed at the same life (the shape is then unbounded).

    lives: of each drive, until it failed or until it was last seen alive [> 0]. ended: True where it failed.
    """
    from scipy import optimize

    times, failed = np.asarray(lives, dtype=float), np.asarray(ended, dtype=bool)
    failures = int(failed.sum())
    if failures < 2 or len(set(times[failed])) < 2:
        return None
    middle = float(np.exp(np.log(times).mean()))
    relative = times / middle  # powers stay within floating point

    def best_scale(shape: float) -> float:
        # The greatest life is taken out, so that no power overflows.
        largest = relative.max()
        return float(largest * (np.sum((relative / largest) ** shape) / failures) ** (1 / shape))

    def log_likelihood(shape: float, scale: float) -> float:
        logs = np.log(relative[failed] / scale)
        powers = np.exp(np.clip(shape * np.log(relative / scale), -700, 700))
        return float(failures * math.log(shape / scale) + (shape - 1) * logs.sum() - powers.sum())

    def of_shape(shape: float) -> float:
        return log_likelihood(shape, best_scale(shape))

    def of_scale(scale: float) -> float:
        found = optimize.minimize_scalar(
            lambda log_shape: -log_likelihood(math.exp(log_shape), scale),
            bounds=(math.log(_LEAST_SHAPE), math.log(_HIGHEST_SHAPE)),
            method="bounded",
            options={"xatol": 1e-10},
        )
        return -float(found.fun)

    found = optimize.minimize_scalar(
        lambda log_shape: -of_shape(math.exp(log_shape)),
        bounds=(math.log(_LEAST_SHAPE), math.log(_HIGHEST_SHAPE)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    shape = math.exp(found.x)
    scale = best_scale(shape)
    floor = -float(found.fun) - chi_squared(confidence_ratio, 1) / 2
    shape_low, shape_high = _interval(of_shape, shape, floor)
    scale_low, scale_high = _interval(of_scale, scale, floor)
    return WeibullFit(
        scale * middle, scale_low * middle, scale_high * middle, shape, shape_low, shape_high,
        failures, len(times), confidence_ratio,
    )  # fmt: skip


def _interval(profile: Callable[[float], float], best: float, floor: float) -> tuple[float, float]:
    """Where a profile crosses its floor, below and above its best."""
    from scipy.optimize import brentq

    def crossing(factor: float) -> float:
        outer = best
        for _ in range(200):
            outer *= factor
            if profile(outer) < floor:
                return float(brentq(lambda value: profile(value) - floor, *sorted((best, outer)), rtol=1e-9))
        return 0.0 if factor < 1 else math.inf

    return crossing(0.8), crossing(1.25)
