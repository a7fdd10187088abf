"""How much data a worn drive without power loses.

    months at C  --Arrhenius-->  days at 25 C  --error law, block by block-->  RBER  --code-->  share of sectors lost

The result is the expected share of codewords with more wrong bits than the code corrects; with the usual code a
codeword is a sector. Every assumption is an argument: the law and its constants, the activation energy, the code and
how unequal its codewords are.

Not modelled here: a controller that refreshes data when it is switched on again, read retries, whole blocks or dies
that fail on the shelf, self-healing, the fast first hours of charge-trap cells.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from flashscope.laws.bit_errors import BitErrorLaw
from flashscope.laws.temperature import JESD218_ACTIVATION_EV, acceleration
from flashscope.laws.uncorrectable_errors import code_bits, overdispersed_probability, uncorrectable_probability

REFERENCE_CELSIUS = 25.0
"""Temperature for which the constants of the law count days."""

MONTH_DAYS = 30.4375

_TABLE_POINTS = 241
_LEAST_RATE, _HIGHEST_RATE = 1e-8, 0.4


@dataclass(frozen=True)
class Code:
    """An error-correcting code. codeword_bytes of data, correctable_bits t; spread_cv: how unequal codewords are."""

    codeword_bytes: int
    correctable_bits: int
    spread_cv: float = 0.0

    def failure_ratios(self, raw_error_ratios: np.ndarray) -> np.ndarray:
        """Share of codewords that cannot be corrected at each RBER [ratio].

        Interpolated in logarithms between exact values, 241 of them over eight decades.
        """
        rates, exact = _table(self)
        logs = np.interp(np.log(np.clip(raw_error_ratios, _LEAST_RATE, _HIGHEST_RATE)), rates, exact)
        failures: np.ndarray = np.minimum(np.exp(logs), 1.0)
        return failures

    def exact(self, rate: float, bits: int) -> float:
        """Share of codewords of `bits` that cannot be corrected at one RBER [ratio]."""
        possible = self.spread_cv > 0 and (1 - rate) / (rate * self.spread_cv**2) > 1
        if possible:
            return overdispersed_probability(rate, bits, self.correctable_bits, self.spread_cv)
        return uncorrectable_probability(rate, bits, self.correctable_bits)


@lru_cache(maxsize=64)
def _table(code: Code) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of rates and of the share of codewords lost at each."""
    rates = np.geomspace(_LEAST_RATE, _HIGHEST_RATE, _TABLE_POINTS)
    bits = code_bits(code.codeword_bytes, code.correctable_bits)
    exact = [max(code.exact(float(rate), bits), 1e-300) for rate in rates]
    # Near 1 the sums are exact to the seventh digit only; the share lost must never fall as errors rise.
    return np.log(rates), np.log(np.maximum.accumulate(exact))


def equivalent_days(days: float, celsius: float, activation_ev: float = JESD218_ACTIVATION_EV) -> float:
    """Days at 25 C that are equivalent to so many days at `celsius` [days]."""
    return days * acceleration(REFERENCE_CELSIUS, celsius, activation_ev=activation_ev)


def raw_error_ratios(
    law: BitErrorLaw, erase_counts: np.ndarray, days: np.ndarray | float, factors: np.ndarray | float = 1.0
) -> np.ndarray:
    """RBER of each block after so many days at 25 C [wrong bits per bit read]. factors: of each block, mean 1."""
    cycles = np.asarray(erase_counts, dtype=float)
    rate = law.fresh + law.wear_factor * cycles**law.wear_power
    rate = rate + law.retention_factor * cycles**law.retention_wear_power * np.power(days, law.retention_time_power)
    return np.minimum(rate * factors, 0.5)


def lost_ratio(
    law: BitErrorLaw,
    code: Code,
    erase_counts: np.ndarray,
    *,
    weights: np.ndarray,
    days: np.ndarray | float,
    factors: np.ndarray | float = 1.0,
) -> float:
    """Expected share of the codewords that cannot be read [ratio].

    weights: data in each block, in any unit; not all 0. days: at 25 C, since each block was written, or for all alike.
    """
    failures = code.failure_ratios(raw_error_ratios(law, erase_counts, days, factors))
    return float(np.average(failures, weights=weights))


def days_until_lost(
    law: BitErrorLaw,
    code: Code,
    erase_counts: np.ndarray,
    *,
    weights: np.ndarray,
    limit_ratio: float,
    factors: np.ndarray | float = 1.0,
) -> float:
    """Days at 25 C until more than `limit_ratio` of the codewords are lost [days]; infinite beyond 1000 years."""
    low, high = 1e-3, 365_250.0

    def lost(days: float) -> float:
        return lost_ratio(law, code, erase_counts, weights=weights, days=days, factors=factors)

    if lost(high) <= limit_ratio:
        return math.inf
    if lost(low) > limit_ratio:
        return 0.0
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if lost(middle) <= limit_ratio else (low, middle)
    return math.sqrt(low * high)
