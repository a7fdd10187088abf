"""Planted plateaus under autocorrelated noise, hitches and periodic stalls; and series without any."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.analysis.change_points import find_levels

TOTAL = 300e9


def series(
    plateaus: Sequence[tuple[float, float]],
    *,
    rows: int = 1000,
    noise: float = 0.04,
    correlation: float = 0.7,
    hitch_share: float = 0.01,
    stall_rows: int = 0,
    seed: int = 0,
    last_row_share: float = 0.5,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """elapsed_ns and bytes per row of equal time, from (share of the bytes, bytes per second) plateaus."""
    draw = np.random.default_rng(seed)
    step = sum(share * TOTAL / rate for share, rate in plateaus) / rows
    ends = np.cumsum([share * TOTAL for share, _ in plateaus])
    amounts: list[float] = []
    position, index, error = 0.0, 0, 0.0
    while index < len(plateaus):
        error = correlation * error + draw.normal() * noise * np.sqrt(1 - correlation**2)
        factor = np.exp(error) * (draw.uniform(0.05, 0.5) if draw.random() < hitch_share else 1)
        factor *= 0.6 if stall_rows and len(amounts) % stall_rows == 0 else 1
        left, moved = step, 0.0
        while left > 1e-12 * step and index < len(plateaus):
            rate = plateaus[index][1] * factor
            here = min(rate * left, ends[index] - position)
            moved, position, left = moved + here, position + here, left - here / rate
            if position >= ends[index] * (1 - 1e-12):
                index += 1
        amounts.append(moved)
    # The last interval is a partial one whose time is given as if it had been full.
    amounts[-1] *= last_row_share
    return np.arange(1, len(amounts) + 1) * step * 1e9, np.array(amounts), ends[:-1]


SHAPES = {
    "one fall": [(0.45, 310e6), (0.55, 240e6)],
    "a tenth less": [(0.4, 300e6), (0.6, 270e6)],
    "pSLC, folding, recovery": [(0.1, 500e6), (0.5, 100e6), (0.4, 300e6)],
    "two steps down": [(0.3, 500e6), (0.3, 300e6), (0.4, 120e6)],
    "a deep fall": [(0.3, 3000e6), (0.7, 100e6)],
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_a_planted_change_is_found_within_two_per_cent_of_its_byte_count(shape: str, seed: int) -> None:
    elapsed, amounts, planted = series(SHAPES[shape], noise=0.02, seed=seed)
    levels = find_levels(elapsed, amounts)
    assert len(levels.changes) == len(planted)
    for change, true_bytes in zip(levels.changes, planted, strict=True):
        assert change.bytes == pytest.approx(true_bytes, rel=0.02)
        assert change.low <= change.bytes <= change.high
    for plateau, (_, rate) in zip(levels.plateaus, SHAPES[shape], strict=True):
        assert plateau.low <= plateau.rate_bytes_per_second <= plateau.high
        assert plateau.rate_bytes_per_second == pytest.approx(rate, rel=0.07)


def test_the_intervals_of_a_change_hold_the_truth_about_as_often_as_they_say() -> None:
    held = 0
    for seed in range(40):
        elapsed, amounts, planted = series(SHAPES["one fall"], seed=seed)
        change = find_levels(elapsed, amounts).changes[0]
        held += change.low <= planted[0] <= change.high
    assert held >= 34  # 38 expected at 95 %


def test_fifty_flat_series_with_realistic_noise_show_no_change() -> None:
    wrong = []
    for seed in range(50):
        rows = (60, 200, 1000, 4000)[seed % 4]
        correlation, noise, stalls = (0.0, 0.5, 0.8)[seed % 3], (0.01, 0.05, 0.15)[seed // 3 % 3], (0, 7, 23)[seed % 3]
        elapsed, amounts, _ = series(
            [(1.0, 300e6)], rows=rows, noise=noise, correlation=correlation, stall_rows=stalls, seed=seed
        )
        levels = find_levels(elapsed, amounts)
        if levels.changes:
            wrong.append((seed, rows, levels.changes))
    assert not wrong


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_a_fall_somewhat_above_the_stated_detection_limit_is_seen(noise: float) -> None:
    seen = 0
    for seed in range(12):
        elapsed, amounts, _ = series([(1.0, 300e6)], noise=noise, seed=seed)
        limit = find_levels(elapsed, amounts).detection_limit_ratio
        fallen = 300e6 * (1 - 1.4 * limit)
        elapsed, amounts, _ = series([(0.85, 300e6), (0.15, fallen)], noise=noise, seed=seed)
        seen += len(find_levels(elapsed, amounts).changes) >= 1
    assert seen >= 11


def test_more_noise_gives_a_larger_detection_limit() -> None:
    limits = [
        find_levels(*series([(1.0, 300e6)], noise=noise, seed=3)[:2]).detection_limit_ratio
        for noise in (0.01, 0.05, 0.2)
    ]
    assert limits == sorted(limits)
    assert limits[0] >= 0.03


@given(st.floats(0.05, 0.9), st.floats(0.3, 0.9), st.integers(60, 1200))
@settings(max_examples=25, deadline=None)
def test_a_series_without_any_noise_gives_its_change_exactly_and_nothing_else(
    share: float, ratio: float, rows: int
) -> None:
    elapsed, amounts, planted = series(
        [(share, 200e6), (1 - share, 200e6 * ratio)], rows=rows, noise=0.0, hitch_share=0.0
    )
    before = share / (share + (1 - share) / ratio) * rows
    if min(before, rows - before) < 0.08 * rows:
        return
    levels = find_levels(elapsed, amounts)
    assert len(levels.changes) == 1
    assert levels.changes[0].bytes == pytest.approx(planted[0], abs=2.5 * amounts.max())
    assert levels.first_fall == 0


def test_a_constant_series_is_flat_and_a_step_of_one_per_cent_is_no_change() -> None:
    elapsed = np.arange(1, 501) * 1e9
    assert find_levels(elapsed, np.full(500, 1e8)).changes == ()
    assert find_levels(elapsed, np.where(np.arange(500) < 250, 1e8, 0.99e8)).changes == ()


def test_only_a_drop_is_a_fall() -> None:
    elapsed, amounts, _ = series([(0.4, 200e6), (0.6, 400e6)])
    levels = find_levels(elapsed, amounts)
    assert len(levels.changes) == 1
    assert levels.first_fall is None
    elapsed, amounts, _ = series([(0.3, 200e6), (0.4, 400e6), (0.3, 100e6)])
    assert find_levels(elapsed, amounts).first_fall == 1


@pytest.mark.parametrize("rows", [0, 1, 2, 5, 11])
def test_a_very_short_series_gives_a_doubt_and_no_change(rows: int) -> None:
    levels = find_levels(np.arange(1, rows + 1) * 1e9, np.full(rows, 1e8))
    assert levels.changes == ()
    assert levels.detection_limit_ratio == 1
    assert [doubt.kind for doubt in levels.doubts] == ["TooFewSamples"]


def test_rows_in_which_nothing_was_written_count_as_time() -> None:
    amounts = np.tile([3e8, 0.0, 0.0], 200)
    levels = find_levels(np.arange(1, 601) * 1e9, amounts)
    assert levels.changes == ()
    assert levels.plateaus[0].rate_bytes_per_second == pytest.approx(1e8, rel=0.01)


def test_a_rate_that_keeps_sinking_is_doubted() -> None:
    draw = np.random.default_rng(1)
    amounts = 1e8 * np.exp(-np.linspace(0, 0.06, 300) + 0.002 * draw.normal(size=300))
    levels = find_levels(np.arange(1, 301) * 1e9, amounts)
    assert "NotSteady" in [doubt.kind for doubt in levels.doubts] or levels.changes


def test_the_same_ten_thousand_rows_give_the_same_answer() -> None:
    elapsed, amounts, _ = series(SHAPES["pSLC, folding, recovery"], rows=10_000)
    assert find_levels(elapsed, amounts) == find_levels(elapsed, amounts)


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        find_levels(np.arange(3), np.arange(4))


@pytest.mark.parametrize("begin", [0.3, 0.45, 0.7])
@pytest.mark.parametrize("seed", range(5))
def test_stops_that_begin_after_a_calm_stretch_are_a_fall_where_they_begin(begin: float, seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = 1000
    seconds = np.where((np.arange(rows) > begin * rows) & (draw.random(rows) < 0.15), draw.uniform(5, 60, rows), 1.0)
    seconds *= np.exp(0.02 * draw.normal(size=rows))
    levels = find_levels(np.cumsum(seconds) * 1e9, np.full(rows, 1e9))
    assert levels.first_fall == 0
    assert levels.changes[0].bytes == pytest.approx(begin * rows * 1e9, abs=30e9)
    assert levels.changes[0].low <= begin * rows * 1e9 <= levels.changes[0].high


@pytest.mark.parametrize("seed", range(20))
def test_stops_all_along_are_no_fall(seed: int) -> None:
    draw = np.random.default_rng(seed)
    seconds = np.where(draw.random(1000) < 0.1, draw.uniform(5, 60, 1000), 1.0)
    assert find_levels(np.cumsum(seconds) * 1e9, np.full(1000, 1e9)).first_fall is None


def test_a_short_calm_beginning_is_found_before_a_long_uneven_rest() -> None:
    elapsed, amounts, _ = series([(0.03, 150e6), (0.97, 40e6)], rows=4000, noise=0.01, hitch_share=0.0)
    draw = np.random.default_rng(3)
    written, late = np.cumsum(amounts), 0.5 * amounts.sum()
    uneven = np.where(written > late, draw.choice([0.2, 1.0, 1.8], len(amounts)), 1.0)
    seconds = np.diff(elapsed, prepend=0) / uneven
    levels = find_levels(np.cumsum(seconds), amounts)
    assert levels.first_fall == 0
    assert levels.changes[0].bytes == pytest.approx(0.03 * TOTAL, rel=0.02)


@pytest.mark.parametrize("share", [0.004, 0.006, 0.01])
def test_a_small_flash_cache_at_the_beginning_is_found(share: float) -> None:
    elapsed, amounts, planted = series([(share, 500e6), (1 - share, 100e6)], rows=8000, noise=0.02, hitch_share=0.002)
    levels = find_levels(elapsed, amounts)
    assert levels.first_fall == 0
    assert levels.changes[0].bytes == pytest.approx(planted[0], rel=0.02)


def test_the_row_in_which_a_rate_changes_makes_no_plateau_of_its_neighbours() -> None:
    """Levels that differ in the third digit were one plateau, had the last of them not held the change."""
    rates = np.array([48.73, 48.90] * 22 + [48.57, 49.21] * 11 + [14.9] + [4.25] * 300) * 1e6
    levels = find_levels(np.cumsum(18e6 / rates * 1e9), np.full(len(rates), 18e6))
    assert len(levels.changes) == 1
    assert levels.changes[0].bytes == pytest.approx(66.5 * 18e6, rel=0.02)


def test_a_fall_that_is_followed_by_stops_at_the_same_rate_is_mostly_one_change() -> None:
    # Stops as deep and rare as these are sometimes cut among themselves, later on.
    changes = [find_levels(np.arange(1, 2021) * 10**9, a_fall_then_stops(seed)).changes for seed in range(12)]
    assert sum(len(found) == 1 for found in changes) >= 7
    assert all(found[0].bytes == pytest.approx(344e9, rel=0.01) for found in changes)


def a_fall_then_stops(seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    before, evenly, stopping = np.full(1000, 344e6), np.full(20, 242e6), np.full(1000, 330e6)
    stops = draw.random(1000) < 0.12
    # As much less in the rows that stop as makes the mean that of the even ones.
    stopping[stops] = 330e6 - (330e6 - 242e6) / stops.mean()
    amounts: np.ndarray = np.maximum(np.concatenate([before, evenly, stopping]), 0) * (
        1 + 0.003 * draw.normal(size=2020)
    )
    return amounts
