from dataclasses import replace

import numpy as np
import pytest

from flashscope.analysis.write_buffer import Burst, below, estimate_buffer, fit_burst, gap_drain_rate

MIB = 1 << 20


def burst(
    request: int,
    fast: float,
    slow: float,
    buffer: float,
    begins: float = 0.0,
    total: int = 512 * MIB,
    noise: float = 0.0,
    seed: int = 1,
) -> Burst:
    """Single requests into a buffer that drains at `slow` once `begins` bytes wait."""
    draw = np.random.default_rng(seed)
    now, ends, level, longest = 0.0, [], 0.0, 0.0
    for _ in range(total // request):
        usual = request / fast * np.exp(abs(noise * draw.normal()))
        drained = slow * usual if level > begins else 0.0
        level = max(level + request - drained, 0.0)
        wait = max(level - buffer, 0.0) / slow
        level -= wait * slow
        now += usual + wait
        longest = max(longest, usual + wait)
        ends.append(now)
    rows = 1500
    edges = np.linspace(0, now, rows + 1)[1:]
    counts = np.histogram(ends, bins=np.concatenate([[0], edges]))[0]
    return Burst(request, float(edges[0]), edges, counts * float(request), request / fast, longest)


@pytest.mark.parametrize("buffer_mib", [8, 32, 128])
@pytest.mark.parametrize("begins_ratio", [0.0, 0.5])
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_the_buffer_comes_out_of_bursts_of_several_sizes(buffer_mib: int, begins_ratio: float, noise: float) -> None:
    size = buffer_mib * MIB
    bursts = [
        burst(kib * 1024, fast, 60e6, size, begins_ratio * size, noise=noise)
        for kib, fast in ((1024, 290e6), (64, 260e6), (8, 150e6))
    ]
    found = estimate_buffer(bursts)
    assert found.buffer_bytes == pytest.approx(size, rel=0.05)
    assert found.low_bytes <= size <= found.high_bytes
    assert not found.stalls


def test_a_flat_burst_shows_no_buffer_and_says_what_it_would_have_shown() -> None:
    found = estimate_buffer([burst(64 * 1024, 50e6, 1e9, 0.0, noise=0.05, seed=seed) for seed in range(3)])
    assert found.buffer_bytes is None
    assert found.limit_bytes < 16 * MIB


def test_requests_that_wait_for_pages_of_two_speeds_are_no_buffer() -> None:
    """Answered after programming; the fastest of them hit a fast page."""
    slow = [burst(kib * 1024, 1e9 * kib / 1024, 40e6 * kib / 64, 60 * kib, noise=0.0) for kib in (8, 16, 64)]
    late = [replace(one, fastest_s=4e-4 + one.request_bytes / 300e6) for one in slow]
    assert estimate_buffer(late).buffer_bytes is None


def test_a_pause_after_each_request_counts_in_the_rate_at_which_they_arrive() -> None:
    paced = replace(burst(64 * 1024, 100e6, 60e6, 16 * MIB), fastest_s=64 * 1024 / 290e6)
    paced = replace(paced, pause_s=64 * 1024 / 100e6 - paced.fastest_s)
    assert paced.fast == pytest.approx(100e6)
    assert estimate_buffer([paced]).buffer_bytes == pytest.approx(16 * MIB, rel=0.05)


def test_bursts_before_which_a_rest_did_not_drain_all_are_left_out() -> None:
    """90 MiB before flash of 13 MB/s: three seconds drain 37 MiB, and what a burst then holds is no more than that."""
    first = burst(MIB, 150e6, 13e6, 90 * MIB)
    later = [replace(burst(kib * 1024, 140e6, 13e6, 37 * MIB), rest_s=3.0) for kib in (256, 64, 16, 8)]
    found = estimate_buffer([first, *later])
    assert found.buffer_bytes == pytest.approx(90 * MIB, rel=0.05)
    assert found.low_bytes <= 90 * MIB <= found.high_bytes


def test_a_burst_of_two_rows_is_not_fitted() -> None:
    assert fit_burst(Burst(4096, 1.0, np.array([1.0, 2.0]), np.array([1e6, 1e6]), 1e-4, 1e-3)) is None
    with pytest.raises(ValueError, match="rows"):
        estimate_buffer([])


def test_room_gained_in_gaps_gives_the_drain_rate() -> None:
    gaps = [0.02, 0.05, 0.1, 0.5, 1.0]
    assert gap_drain_rate(gaps, [min(60e6 * gap, 32e6) for gap in gaps], 32e6) == pytest.approx(60e6)
    assert gap_drain_rate([1.0], [32e6], 32e6) is None


def test_gaps_that_all_leave_the_same_room_show_no_rate() -> None:
    assert gap_drain_rate([0.02, 0.05, 0.1], [20e6, 20e6, 20.01e6], 32e6) is None


def test_the_lower_end_of_a_buffer_that_was_seen_is_never_nothing() -> None:
    assert below(32.0, 4.0) == 28.0
    ends = [below(32.0, error) for error in (0.0, 8.0, 15.99, 16.01, 24.0, 32.0, 100.0)]
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] > 0


def test_gaps_that_all_find_the_same_room_are_no_rate_however_little_it_is_of_the_buffer() -> None:
    gaps = [0.02, 0.05, 0.1, 0.2, 2.0]
    assert gap_drain_rate(gaps, [16.5e6] * 4 + [16.7e6], 19.8e6) is None
    assert gap_drain_rate(gaps, [17.4e6] * 4 + [7.7e6], 19.7e6) is None, "other work began in the longest gap"


def test_a_buffer_that_drains_from_the_first_byte_on_hides_until_it_is_larger() -> None:
    found = estimate_buffer([burst(8192, 172e6, 95e6, 32 * 1024, noise=0.05, total=16 * MIB)])
    (fit,) = found.fits
    assert found.buffer_bytes is None
    assert fit.load_ratio > 0.5
    assert found.limit_bytes > 6 * 8192 / (1 - fit.load_ratio)
