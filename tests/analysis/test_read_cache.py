"""How much of a region is cached, from how many reads are fast."""

import math

import pytest

from flashscope.analysis.read_cache import Share, best_limit, cache_bytes, cached_share, fill_delay_ns, least_gap
from flashscope.records import Histogram
from flashscope.records.latency import bucket_of

MS = 1_000_000


def reads(fast: int, slow: int) -> Histogram:
    return Histogram({bucket_of(MS): fast, bucket_of(8 * MS): slow}, fast * MS + slow * 8 * MS, MS, 8 * MS)


CACHED, UNCACHED = reads(990, 10), reads(50, 950)


def test_the_limit_tells_both_apart_and_the_share_follows() -> None:
    limit = best_limit(CACHED, UNCACHED)
    assert MS < limit.latency_ns < 8 * MS
    assert limit.gap == pytest.approx(0.94)
    share = cached_share(10**9, reads(520, 480), UNCACHED, limit)
    assert share.low < 0.5 < share.high
    assert share.value == pytest.approx(0.5, abs=0.01)


def test_two_samples_of_the_same_reads_stay_below_the_least_gap() -> None:
    assert best_limit(reads(60, 940), UNCACHED).gap < least_gap(CACHED, UNCACHED)
    assert best_limit(Histogram(), Histogram()).gap == 0.0


def test_the_cache_is_what_of_an_overflowing_region_is_fast() -> None:
    shares = [Share(2 * 10**9, 1.0, 0.99, 1.0), Share(8 * 10**9, 0.5, 0.48, 0.52), Share(16 * 10**9, 0.25, 0.23, 0.27)]
    value, low, high = cache_bytes(shares)
    assert value == pytest.approx(4e9, rel=0.01)
    assert low < 4e9 < high
    assert cache_bytes(shares[:1]) == (None, 2e9, math.inf)


def test_the_delay_is_followed_back_from_the_first_regions_that_hold_something() -> None:
    idles = [500 * MS, 1000 * MS, 1500 * MS, 2000 * MS, 3000 * MS]
    shares = [Share(1, max(0.0, min((idle - 1200 * MS) / (1000 * MS), 1.0)), 0.0, 1.0) for idle in idles]
    shares = [Share(1, one.value, max(one.value - 0.02, 0.0), one.value) for one in shares]
    value, low, high = fill_delay_ns(idles, shares)
    assert value == pytest.approx(1.2e9, rel=0.01)
    assert (low, high) == (1e9, 1.5e9)
    assert fill_delay_ns(idles, [Share(1, 0.0, 0.0, 0.01)] * 5) == (None, 3e9, math.inf)
