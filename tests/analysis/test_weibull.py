"""The Weibull fit against an independent one, against closed forms, and its intervals against chance."""

import numpy as np
import pytest
from scipy import stats

from flashscope.analysis.weibull import fit_weibull
from tests.known import known


def draw(count: int, seed: int, shape: float = 4.0, scale: float = 300.0) -> np.ndarray:
    return np.asarray(scale * np.random.default_rng(seed).weibull(shape, count))


def test_without_censoring_it_is_the_fit_of_scipy() -> None:
    lives = draw(40, 1)
    fit = known(fit_weibull(lives.tolist(), [True] * 40))
    shape, _, scale = stats.weibull_min.fit(lives, floc=0)
    assert fit.shape == pytest.approx(shape, rel=1e-3)
    assert fit.scale == pytest.approx(scale, rel=1e-3)


def test_censored_lives_meet_scipys_fit_of_censored_data() -> None:
    lives, limit = draw(60, 2), 280.0
    seen, ended = np.minimum(lives, limit), lives < limit
    fit = fit_weibull(seen.tolist(), ended.tolist())
    data = stats.CensoredData.right_censored(seen, ~ended)
    shape, _, scale = stats.weibull_min.fit(data, floc=0)
    assert fit is not None
    assert fit.failures == int(ended.sum()) < fit.count
    assert fit.shape == pytest.approx(shape, rel=2e-3)
    assert fit.scale == pytest.approx(scale, rel=2e-3)
    wrong = known(fit_weibull(seen.tolist(), [True] * 60))
    assert wrong.scale < fit.scale, "taking survivors for dead makes lives look shorter"


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    held_shape = held_scale = 0
    for seed in range(200):
        lives = draw(31, 100 + seed)
        fit = known(fit_weibull(np.minimum(lives, 330.0).tolist(), (lives < 330.0).tolist()))
        held_shape += fit.shape_low <= 4.0 <= fit.shape_high
        held_scale += fit.scale_low <= 300.0 <= fit.scale_high
    # 95 % of 200 is 190, three standard deviations 9; likelihood intervals are a little narrow at 31 drives.
    assert held_shape >= 176
    assert held_scale >= 176


def test_units_do_not_matter() -> None:
    lives = draw(20, 5)
    small, large = fit_weibull(lives.tolist(), [True] * 20), fit_weibull((lives * 1e12).tolist(), [True] * 20)
    assert small is not None
    assert large is not None
    assert large.shape == pytest.approx(small.shape, rel=1e-6)
    assert large.scale_high == pytest.approx(small.scale_high * 1e12, rel=1e-4)


@pytest.mark.parametrize("ended", [[False] * 5, [True] + [False] * 4])
def test_fewer_than_two_failures_give_no_fit(ended: list[bool]) -> None:
    assert fit_weibull([1.0, 2.0, 3.0, 4.0, 5.0], ended) is None
