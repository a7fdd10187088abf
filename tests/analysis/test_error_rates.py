"""Bit error ratios from counts: the interval, the scatter, the growth."""

import numpy as np
import pytest

from flashscope.analysis.error_rates import ErrorRatio, error_ratio, growth
from flashscope.laws.distributions import poisson_interval
from tests.known import known


def test_the_interval_of_a_count_is_the_exact_one() -> None:
    low, high = poisson_interval(0)
    assert low == 0
    assert high == pytest.approx(3.689, abs=0.001)
    low, high = poisson_interval(10)
    assert low == pytest.approx(4.795, abs=0.001)
    assert high == pytest.approx(18.39, abs=0.01)


def test_nineteen_of_twenty_intervals_hold_the_planted_ratio_clustered_or_not() -> None:
    draw, held = np.random.default_rng(1), {1: 0, 10: 0}
    for cluster in held:
        for _ in range(300):
            parts = cluster * draw.poisson(100 / cluster, 16)
            found = known(error_ratio(parts.tolist(), [10**9] * 16))
            held[cluster] += found.low <= 1e-7 <= found.high
    assert held[1] >= 280
    assert held[10] >= 260


def test_nothing_read_is_no_ratio_and_no_error_is_a_limit() -> None:
    assert error_ratio([0], [0]) is None
    none = known(error_ratio([0, 0], [10**9, 10**9]))
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(3.689 / 2e9, rel=0.001)


def test_the_growth_is_found_where_there_is_one_and_holds_zero_where_not() -> None:
    def ratio(value: float) -> ErrorRatio:
        return ErrorRatio(value, value * 0.95, value * 1.05, 1600, 10**10, 1.0)

    slope, low, high = known(growth([0, 1000, 2000], [ratio(1e-8), ratio(2e-8), ratio(3e-8)]))
    assert low < 1e-11 < high
    assert slope == pytest.approx(1e-11, rel=0.05)
    _, low, high = known(growth([0, 1, 2], [ratio(1e-8)] * 3))
    assert low < 0 < high
    assert growth([5, 5], [ratio(1e-8)] * 2) is None
