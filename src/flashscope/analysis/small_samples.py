"""What can be concluded from n drives, of which k failed.

    Poisson, as JESD218 counts     UCL(k) = chi2(60 %; 2 (k + 1)) / 2 failures, over n drives
                                   k = 0: -ln 0.4 = 0.916, so 31 drives without a failure show 3 %, and one shows 92 %
    exact (Clopper and Pearson)    the greatest share under which k or fewer failures still have 40 % probability
                                   n = 1, k = 0: 60 %; n = 1, k = 1: anything

Both are upper bounds at 60 % confidence. The first is an approximation for rare failures, which does not hold for one
drive, so both are stated. Source of the rule: JESD218, acceptance criteria.
Not modelled here: drives that are not independent, as those of one lot are not.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.laws.distributions import beta, chi_squared
from flashscope.units import counted

JESD218_CONFIDENCE_RATIO = 0.60
JESD218_FAILURE_LIMIT_RATIO = 0.03
JESD218_LEAST_LOTS = 3


@dataclass(frozen=True)
class SampleBound:
    """Upper bounds on the share of drives that fail. poisson_ratio may exceed 1: then it is no bound."""

    drives: int
    failures: int
    confidence_ratio: float
    poisson_ratio: float
    exact_ratio: float


def upper_limit_count(failures: int, confidence_ratio: float = JESD218_CONFIDENCE_RATIO) -> float:
    """The upper bound on the expected failures when k were seen, UCL(k) [count]."""
    return chi_squared(confidence_ratio, 2 * (failures + 1)) / 2


def bound(drives: int, failures: int, confidence_ratio: float = JESD218_CONFIDENCE_RATIO) -> SampleBound:
    """The bounds from so many drives. Raises ValueError unless 0 <= failures <= drives and drives >= 1."""
    if not 0 <= failures <= drives or drives < 1:
        raise ValueError(f"no such sample: {failures} failures of {drives} drives")
    exact = 1.0 if failures == drives else beta(confidence_ratio, failures + 1, drives - failures)
    poisson = upper_limit_count(failures, confidence_ratio) / drives
    return SampleBound(drives, failures, confidence_ratio, poisson, exact)


def drives_needed(failures: int, limit_ratio: float = JESD218_FAILURE_LIMIT_RATIO) -> int:
    """The least number of drives of which so many may fail and JESD218 still accepts the sample [count]."""
    drives = 1
    while upper_limit_count(failures) / drives > limit_ratio:
        drives += 1
    return drives


def failures_accepted(drives: int, limit_ratio: float = JESD218_FAILURE_LIMIT_RATIO) -> int:
    """Most failures of so many drives that JESD218 accepts [count]; -1 when it does not even accept 0."""
    accepted = -1
    while drives_needed(accepted + 1, limit_ratio) <= drives:
        accepted += 1
    return accepted


def data_errors_accepted(drives: int, tbw: float, uber: float) -> int:
    """Most unreadable sectors over all drives that JESD218 accepts [count]; -1 when it does not even accept 0.

    tbw: terabytes written or read per drive, whichever is less. uber: the class's limit [1/bit].
    """
    allowed = tbw * 8e12 * uber * drives
    accepted = -1
    while upper_limit_count(accepted + 1) <= allowed and accepted < 10_000:
        accepted += 1
    return accepted


def what_the_sample_tells(drives: int, failures: int) -> str:
    """The sentence that every report of so few drives must contain."""
    found = bound(drives, failures)
    many = counted(drives, "drive")
    bad = "none failed" if failures == 0 else f"{failures} failed"
    exact = f"at most {100 * found.exact_ratio:.0f} %" if failures < drives else "any share, up to 100 %,"
    poisson = f"{100 * found.poisson_ratio:.0f} %" if found.poisson_ratio <= 1 else "no bound below 100 %"
    needed = drives_needed(failures)
    return (
        f"{many}, {bad}: with 60 % confidence {exact} of such drives fail by then (exact binomial); by "
        f"the Poisson rule of JESD218 {poisson}. To show 3 % with {failures} failed takes {needed} drives, of "
        f"{JESD218_LEAST_LOTS} lots at least."
    )
