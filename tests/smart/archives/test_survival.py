"""Survival and failure rates: against published tables, and lives that are drawn from a known law."""

from __future__ import annotations

import numpy as np
import pytest

from flashscope.smart.archives.lives import Lives
from flashscope.smart.archives.survival import (
    LEAST_DRIVE_DAYS,
    Curve,
    failure_rate,
    kaplan_meier,
    survival_of,
)  # fmt: skip
from tests.known import known

# Weeks until relapse of 21 patients on 6-MP; +: still well. E. J. Freireich and others, Blood 21 (1963) 699. The
# survival and the 95 % interval on the scale log(-log S) are those that textbooks print for it.
_FREIREICH = (
    "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+",
    {6: (0.8571, 0.6197, 0.9516), 7: (0.8067, 0.5631, 0.9228), 10: (0.7529, 0.5032, 0.8894),
     13: (0.6902, 0.4316, 0.8491), 16: (0.6275, 0.3675, 0.8049), 22: (0.5378, 0.2678, 0.7468),
     23: (0.4482, 0.1881, 0.6801)},
)  # fmt: skip


def test_the_curve_of_a_published_example_is_found_again() -> None:
    weeks, published = _FREIREICH
    ages = np.array([float(one.rstrip("+")) for one in weeks.split()])
    failed = np.array([not one.endswith("+") for one in weeks.split()])
    curve = known(kaplan_meier(np.zeros_like(ages), ages, failed, least_at_risk=1))
    assert curve.ages_days.tolist() == list(published)
    for age, told in published.items():
        assert known(curve.at(age)) == pytest.approx(told, abs=6e-5)


def test_exact_poisson_intervals_are_those_of_the_tables() -> None:
    # Garwood's table: 0 -> 0 to 3.689, 1 -> 0.0253 to 5.572, 10 -> 4.795 to 18.39
    for count, low, high in ((0, 0.0, 3.689), (1, 0.0253, 5.572), (10, 4.795, 18.39)):
        rate = failure_rate(count, 36525)  # 100 drive-years
        assert (rate.low * 100, rate.high * 100) == pytest.approx((low, high), rel=1e-3)


def drawn(random: np.random.Generator, shape: float, scale: float, count: int) -> tuple[np.ndarray, ...]:
    """(entry, end, failed) of Weibull lives that come under watch late and are watched for a limited time."""
    entry = random.uniform(0, 0.8 * scale, count)
    already = (entry / scale) ** shape  # only those that are alive at their entry are ever seen
    death = scale * (already + random.exponential(size=count)) ** (1 / shape)
    end = np.minimum(death, entry + random.uniform(0.3, 1.0, count) * scale)
    return entry, end, death <= end


@pytest.mark.parametrize(("shape", "name"), [(1.0, "exponential"), (2.0, "Weibull")])
def test_intervals_hold_the_true_survival_as_often_as_they_say(shape: float, name: str) -> None:
    random = np.random.default_rng(18)
    scale, draws = 1000.0, 400
    held = asked = 0
    for _ in range(draws):
        curve = known(kaplan_meier(*drawn(random, shape, scale, 300)))
        for age in (0.3 * scale, 0.6 * scale):
            told = curve.at(age)
            if told is None:
                continue
            true = np.exp((curve.from_days / scale) ** shape - (age / scale) ** shape)
            asked += 1
            held += bool(told[1] <= true <= told[2])
    assert asked > draws
    # Two ages of a draw depend on each other; 95 % of 400 draws lies within 3.3 points, three deviations.
    assert held / asked == pytest.approx(0.95, abs=0.033), name


def test_without_regard_to_late_entry_the_same_drives_would_seem_to_live_too_long() -> None:
    entry, end, failed = drawn(np.random.default_rng(3), 1.0, 1000.0, 20_000)
    right = known(kaplan_meier(entry, end, failed))
    wrong = known(kaplan_meier(np.zeros_like(entry), end, failed))
    true = float(np.exp(-(500 - right.from_days) / 1000))
    assert known(right.at(500))[0] == pytest.approx(true, abs=0.02)
    assert known(wrong.at(500))[0] > true + 0.1


def test_where_few_are_watched_the_curve_says_nothing() -> None:
    entry = np.r_[np.zeros(2), np.full(100, 50.0)]
    end = np.r_[10.0, 60.0, np.linspace(60, 400, 100)]
    failed = np.ones(102, dtype=bool)
    curve = known(kaplan_meier(entry, end, failed))
    assert curve.from_days == 50
    assert curve.ages_days.min() >= 50  # the failure at 10, of two drives watched, would have halved the survival
    assert known(kaplan_meier(entry, end, failed, least_at_risk=1)).survival[0] == 0.5
    assert kaplan_meier(entry[:10], end[:10], failed[:10]) is None


def lives(days: int, failures: int) -> Lives:
    ages = np.full(100, days / 100)
    failed = np.arange(100) < failures
    return Lives("ACME", 100, days, np.zeros(100), ages, failed, failures, True, 0, 0, 100 - failures)


def test_too_little_is_said_to_be_too_little() -> None:
    few = survival_of(lives(LEAST_DRIVE_DAYS - 1, 50))
    assert (few.rate, few.curve) == (None, None)
    assert few.missing == ("9999 drive-days of the 10000 needed",)
    calm = survival_of(lives(LEAST_DRIVE_DAYS, 2))
    assert known(calm.rate).failures == 2
    assert calm.curve is None
    assert "2 failures of the 5" in calm.missing[0]
    assert isinstance(survival_of(lives(LEAST_DRIVE_DAYS, 6)).curve, Curve)
