"""The delay ratio from times: planted, and of the two passes of the source."""

import numpy as np
import pytest

from flashscope.analysis.delay_ratio import Pass, delay_ratio, positive_interval
from tests.known import known


@pytest.mark.parametrize("planted", [0.8, 1.0, 1.15, 1.64, 3.69])
def test_a_planted_ratio_is_found_within_one_per_cent(planted: float) -> None:
    noise = np.random.default_rng(5).normal(1.0, 0.003, (2, 3))
    passes = [
        Pass(*(one * factor for one, factor in zip((48.0, 35.0, planted * 80.8), row, strict=True))) for row in noise
    ]
    found = known(delay_ratio(passes, memory_read_s=0.8, memory_write_s=1.4))
    assert found.value == pytest.approx(planted, rel=0.01)
    assert found.low <= planted <= found.high


def test_the_passes_of_the_source_give_its_ratio() -> None:
    """JMF602, one drive: F274 to F280 (3.69), by the source's own correction for memory."""
    passes = [Pass(47.53, 36.79, 294.79), Pass(47.97, 31.25, 292.55)]
    found = known(delay_ratio(passes, memory_read_s=0.82, memory_write_s=1.36))
    assert found.value == pytest.approx(3.69, rel=0.01)


def test_without_a_pass_nothing_is_said() -> None:
    assert delay_ratio([], memory_read_s=0.0, memory_write_s=0.0) is None
    assert delay_ratio([Pass(1.0, 1.0, 2.0)], memory_read_s=2.0, memory_write_s=2.0) is None


def test_the_interval_covers_the_mean_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(1000):
        low, high = positive_interval(random.normal(10.0, 1.0, 3))
        hits += low <= 10.0 <= high
    assert 930 <= hits <= 970


def test_no_interval_of_a_ratio_reaches_zero_however_far_two_passes_lie_apart() -> None:
    found = known(delay_ratio([Pass(1.0, 1.0, 2.0), Pass(1.0, 1.0, 4.0)], memory_read_s=0.0, memory_write_s=0.0))
    assert 0 < found.low < found.value < found.high
