import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.analysis.intervals import batch_standard_error, ratio_of_sums, resampled_rows
from flashscope.analysis.staircase import fit_staircase


def correlated(rows: int, correlation: float, seed: int) -> np.ndarray:
    draw, values = np.random.default_rng(seed), np.zeros(rows)
    for row in range(1, rows):
        values[row] = correlation * values[row - 1] + draw.normal()
    return values


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_the_interval_of_a_rate_holds_the_truth_although_neighbours_are_alike(correlation: float) -> None:
    held = 0
    for seed in range(100):
        amounts = 100 + 5 * correlated(500, correlation, seed)
        _, low, high = ratio_of_sums(amounts, np.ones(500))
        held += low <= 100 <= high
    assert held >= 85


def test_batches_see_the_autocorrelation_that_single_rows_miss() -> None:
    values = correlated(2000, 0.9, 1)
    naive = values.std() / math.sqrt(len(values))
    assert batch_standard_error(values)[0] > 2 * naive
    assert batch_standard_error(values[:3]) == (math.inf, 0)


def test_resampling_keeps_to_the_rows_there_are_and_repeats_itself() -> None:
    rows = resampled_rows(37, draws=20, stream=2)
    assert rows.shape == (20, 37)
    assert rows.min() >= 0
    assert rows.max() < 37
    assert (rows == resampled_rows(37, draws=20, stream=2)).all()
    assert (rows != resampled_rows(37, draws=20, stream=3)).any()


def test_a_ratio_without_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        ratio_of_sums(np.array([]), np.array([]))


@given(st.floats(1e9, 1e11), st.floats(0, 1), st.integers(20, 200))
@settings(max_examples=60)
def test_the_bounds_of_a_rounded_down_counter_hold_the_true_step(
    step_bytes: float, start: float, readings: int
) -> None:
    written = np.linspace(0, 130e9, readings)
    counts = np.floor(written / step_bytes + start)
    fit = fit_staircase(written, counts)
    assert fit.misfit_counts == pytest.approx(0, abs=1e-9)
    assert fit.low <= (1 / step_bytes) * (1 + 1e-9)
    assert fit.high >= (1 / step_bytes) * (1 - 1e-9)


def test_finer_readings_give_a_narrower_interval() -> None:
    widths = []
    for readings in (17, 65, 257):
        written = np.linspace(0, 128e9, readings)
        fit = fit_staircase(written, np.floor(written / 34.3e9 + 0.4))
        widths.append(fit.high / fit.low - 1)
    assert widths[0] > 2 * widths[1] > 4 * widths[2]


def test_a_counter_of_sectors_keeps_all_its_digits() -> None:
    written = np.arange(100) * 667_000_000
    counts = np.array([(1 << 60) + int(value) // 512 for value in written], dtype=object)
    fit = fit_staircase(written, counts)
    assert 1 / fit.rate == pytest.approx(512, rel=1e-6)


def test_a_counter_that_is_no_line_has_a_large_misfit() -> None:
    written = np.linspace(0, 1, 50)
    assert fit_staircase(written, np.floor(100 * written**3)).misfit_ratio > 0.1
    with pytest.raises(ValueError, match="two different"):
        fit_staircase(np.zeros(3), np.arange(3))


def test_a_rate_of_long_pauses_has_no_interval_that_reaches_zero() -> None:
    """Forty rows, in two of which something was done: a resample without these is no rate."""
    moved = np.zeros(40)
    moved[[3, 30]] = 1e6
    value, low, high = ratio_of_sums(moved, np.ones(40))
    assert 0 < low <= value <= high
    assert ratio_of_sums(np.zeros(40), np.ones(40)) == (0.0, 0.0, 0.0)
