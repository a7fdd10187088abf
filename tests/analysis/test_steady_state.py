"""When a rate has settled, by the published test vectors; where warm-up ends; and what differs between two runs."""

from __future__ import annotations

import numpy as np
import pytest

from flashscope.analysis.comparison import quantile_ratio, rate_ratio
from flashscope.analysis.steady_state import last_window
from flashscope.analysis.warm_up import warm_up_rows
from flashscope.records import Histogram
from flashscope.records.latency import bucket_of
from tests.known import known


@pytest.mark.parametrize(
    ("rounds", "steady", "why"),
    [
        ([95, 105, 100, 98, 102], True, "within both limits"),
        ([100, 110, 90, 105, 95], True, "the range limit itself is allowed"),
        ([100, 104, 108, 112, 116], False, "the slope alone is too large"),
        ([100, 100, 125, 100, 100], False, "the range alone is too large"),
        ([100, 125, 100, 95, 100], False, "both are too large"),
    ],
)
def test_the_rule_of_the_snia_specification(rounds: list[float], steady: bool, why: str) -> None:
    window = known(last_window(rounds))
    assert window.steady is steady, why


def test_only_the_last_rounds_count_and_fewer_are_no_window() -> None:
    assert last_window([1, 2, 3, 4]) is None
    window = known(last_window([500, 1, 100, 100, 100, 100, 100]))
    assert window.steady
    assert window.mean == 100


def test_a_window_of_one_round_is_refused() -> None:
    with pytest.raises(ValueError, match="two rounds"):
        last_window([1.0], rounds=1)


@pytest.mark.parametrize("warm_up", [0, 20, 60])
def test_the_warm_up_is_left_out_and_little_more(warm_up: int) -> None:
    noise = np.random.default_rng(3).normal(0, 1, 300)
    series = 100 + noise + np.where(np.arange(300) < warm_up, 25.0, 0.0)
    assert warm_up - 5 <= warm_up_rows(series) <= warm_up + 50


def test_a_short_series_has_no_warm_up() -> None:
    assert warm_up_rows(np.arange(19.0)) == 0


def series(mean: float, seed: int, rows: int = 200) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return mean * np.exp(0.05 * draw.normal(size=rows)), np.ones(rows)


def test_a_difference_is_found_with_its_size() -> None:
    ratio = known(rate_ratio(series(100, 1), series(110, 2)))
    assert ratio.differs
    assert ratio.low <= 1.1 <= ratio.high
    assert ratio.effect_size == pytest.approx(2, abs=0.5)


def test_equal_runs_differ_in_few_of_many_comparisons() -> None:
    alarms = 0
    for seed in range(0, 200, 2):
        ratio = known(rate_ratio(series(100, seed), series(100, seed + 1)))
        alarms += ratio.differs
    assert alarms <= 12  # 5 of 100 are expected of an interval of 95 %


def test_nothing_is_compared_with_nothing() -> None:
    assert rate_ratio((np.zeros(3), np.ones(3)), series(100, 1)) is None
    assert quantile_ratio(Histogram(), Histogram({bucket_of(1000): 5}, 5000, 1000, 1000), 0.5) is None


def test_a_quantile_that_doubles_is_seen_to_double() -> None:
    first = Histogram({bucket_of(100_000): 10_000}, 10**9, 100_000, 100_000)
    second = Histogram({bucket_of(200_000): 10_000}, 2 * 10**9, 200_000, 200_000)
    ratio = known(quantile_ratio(first, second, 0.99))
    assert ratio.differs
    assert ratio.value == pytest.approx(2, rel=0.02)
