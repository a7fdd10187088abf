"""How long drives live: Kaplan and Meier's curve for drives that come under watch at any age, and failures per year.

    S(t) = product over failure ages a <= t of (1 - d/n)     d: failures at a; n: drives watched just before a
    Greenwood: var(log S) = sum d / (n (n - d)); the interval is taken of log(-log S), so it stays within 0 and 1

A drive counts in n only while it is watched (entry < a <= exit): what died before the archive began is in no row. Where
few drives are watched, one failure would decide the curve; so it runs only over ages at which LEAST_AT_RISK are, and
says what share of the drives that reach its first age reaches another. A failure rate has its exact Poisson interval.

Sources: E. L. Kaplan and P. Meier, J. Am. Stat. Assoc. 53 (1958) 457; J. P. Klein and M. L. Moeschberger, "Survival
Analysis" (2003), ch. 4; F. Garwood, Biometrika 28 (1936) 437. Not modelled here: causes, and drives that are taken
away because they are about to fail, which count as leaving in good health.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from flashscope.laws.distributions import poisson_interval
from flashscope.smart.archives.lives import Lives, Numbers
from flashscope.units import counted

CONFIDENCE_RATIO = 0.95
LEAST_AT_RISK = 20
LEAST_FAILURES = 5
LEAST_DRIVE_DAYS = 10_000
DAYS_PER_YEAR = 365.25


@dataclass(frozen=True)
class Curve:
    """Survival at each age with failures. ages_days: ascending. survival, low, high: ratios; at_risk, failures: counts.

    from_days, to_days: the ages between which enough drives were watched; the survival is that of drives at from_days.
    """

    from_days: float
    to_days: float
    ages_days: Numbers
    survival: Numbers
    low: Numbers
    high: Numbers
    at_risk: Numbers
    failures: Numbers

    def at(self, age_days: float) -> tuple[float, float, float] | None:
        """(survival, low, high) at an age; None outside the curve, or before the first failure."""
        index = int(np.searchsorted(self.ages_days, age_days, side="right")) - 1
        if index < 0 or age_days > self.to_days:
            return None
        return float(self.survival[index]), float(self.low[index]), float(self.high[index])


@dataclass(frozen=True)
class Rate:
    """Failures per drive and year, as ratios, with the exact interval for a Poisson count."""

    failures: int
    drive_days: int
    per_year: float
    low: float
    high: float


@dataclass(frozen=True)
class Survival:
    """What can be said of a model. rate, curve: None where too little is known; missing: what is, in words."""

    lives: Lives
    rate: Rate | None
    curve: Curve | None
    missing: tuple[str, ...]


def survival_of(lives: Lives) -> Survival:
    """The failure rate and the curve of a model, as far as its drives carry them."""
    if lives.drive_days < LEAST_DRIVE_DAYS:
        return Survival(
            lives, None, None, (f"{counted(lives.drive_days, 'drive-day')} of the {LEAST_DRIVE_DAYS} needed",)
        )
    rate = failure_rate(lives.failure_count, lives.drive_days)
    seen = int(np.sum(lives.failed))
    if seen < LEAST_FAILURES:
        return Survival(lives, rate, None, (f"{counted(seen, 'failure')} of the {LEAST_FAILURES} needed for a curve",))
    curve = kaplan_meier(lives.entry_days, lives.exit_days, lives.failed)
    missing = () if curve is not None else (f"at no age were {LEAST_AT_RISK} drives watched when one failed",)
    return Survival(lives, rate, curve, missing)


def failure_rate(failures: int, drive_days: int, confidence_ratio: float = CONFIDENCE_RATIO) -> Rate:
    """Failures per drive-year with Garwood's exact interval. drive_days: above 0."""
    years = drive_days / DAYS_PER_YEAR
    low, high = poisson_interval(failures, confidence_ratio=confidence_ratio)
    return Rate(failures, drive_days, failures / years, low / years, high / years)


def kaplan_meier(
    entry: Numbers, end: Numbers, failed: np.ndarray, *, least_at_risk: int = LEAST_AT_RISK,
    confidence_ratio: float = CONFIDENCE_RATIO,
) -> Curve | None:  # fmt: skip
    """The curve of drives watched from `entry` to `end`, in one unit; None when no failure is in its range.

    failed: at its end. least_at_risk: the curve covers the longest range of ages in which as many are watched.
    """
    entry, end = np.asarray(entry, dtype=float), np.asarray(end, dtype=float)
    failed = np.asarray(failed, dtype=bool)
    span = _well_watched(entry, end, least_at_risk)
    if span is None:
        return None
    at_end = end[failed]
    ages, failures = np.unique(at_end[(at_end > span[0]) & (at_end <= span[1])], return_counts=True)
    if not len(ages):
        return None
    at_risk = np.searchsorted(np.sort(entry), ages, side="left") - np.searchsorted(np.sort(end), ages, side="left")
    survival = np.cumprod(1 - failures / at_risk)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt(np.cumsum(failures / (at_risk * (at_risk - failures))))
        factor = np.exp(NormalDist().inv_cdf((1 + confidence_ratio) / 2) * deviation / np.abs(np.log(survival)))
        low, high = survival**factor, survival ** (1 / factor)
    gone = survival <= 0  # all that were left failed: the formula has no interval there
    low, high = np.where(gone, 0.0, low), np.where(gone, np.nan, high)
    return Curve(span[0], span[1], ages, survival, low, high, at_risk.astype(float), failures.astype(float))


def _well_watched(entry: Numbers, end: Numbers, least: int) -> tuple[float, float] | None:
    """The longest range (from, to] of ages at each of which at least so many drives are watched."""
    ages = np.unique(np.concatenate([entry, end]))
    watched = np.searchsorted(np.sort(entry), ages[:-1], side="right") - np.searchsorted(
        np.sort(end), ages[:-1], side="right"
    )
    enough = np.r_[False, watched >= least, False]  # of the range from each age to the next
    starts, ends = np.flatnonzero(~enough[:-1] & enough[1:]), np.flatnonzero(enough[:-1] & ~enough[1:])
    if not len(starts):
        return None
    best = int(np.argmax(ages[ends] - ages[starts]))
    return float(ages[starts[best]]), float(ages[ends[best]])
