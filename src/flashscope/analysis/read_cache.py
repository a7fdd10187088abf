"""A read cache, from the share of fast reads: how much of a region is cached, how large the cache is, when it fills.

    reads |   ##                        ## from the cache, or from memory
          |   ##                 ::     :: from the platters
          |   ## :    : ::::::::::::
          +------|---------------------  latency      | the limit that separates the two best

The share of reads below the limit is compared with that of a region never read before (some of its reads are also
fast, when the platter happens to be in the right place) and with that of a completely cached region (some of its reads
come fast from memory). Assumes that reads pick places at random with equal chance, so that the share of fast reads is
the share of bytes cached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.records import Histogram
from flashscope.records.latency import bucket_bounds_ns

_Z = 1.96
_FULL_RATIO = 0.9  # above this share a region counts as completely cached
_SOME_RATIO = 0.1
_SEEN_RATIO = 0.03


@dataclass(frozen=True)
class Limit:
    """The limit between cached and uncached reads. gap: difference of their shares below latency_ns [0..1]."""

    latency_ns: int
    gap: float
    cached_ratio: float
    uncached_ratio: float


@dataclass(frozen=True)
class Share:
    """Of a region of region_bytes: the share that is cached, low to high at 95 % [0..1]."""

    region_bytes: int
    value: float
    low: float
    high: float


def best_limit(cached: Histogram, uncached: Histogram) -> Limit:
    """The latency at which the shares of faster reads differ most, as in Kolmogorov's and Smirnov's test."""
    edges = sorted({bucket_bounds_ns(bucket)[1] for one in (cached, uncached) for bucket in one.counts})
    rows = [(below(cached, edge), below(uncached, edge), edge) for edge in edges] or [(0.0, 0.0, 0)]
    fast, slow, edge = max(rows, key=lambda row: row[0] - row[1])
    return Limit(edge, fast - slow, fast, slow)


def least_gap(cached: Histogram, uncached: Histogram) -> float:
    """The gap that two samples of the same reads stay below in 99.9 % of all cases [0..1]."""
    counts = [max(one.total, 1) for one in (cached, uncached)]
    return 1.95 * math.sqrt(sum(1 / count for count in counts))


def below(histogram: Histogram, latency_ns: int) -> float:
    """The share of requests answered before latency_ns, which is the edge of a bucket [0..1]."""
    fast = sum(count for bucket, count in histogram.counts.items() if bucket_bounds_ns(bucket)[1] <= latency_ns)
    return fast / max(histogram.total, 1)


def cached_share(region_bytes: int, probe: Histogram, uncached: Histogram, limit: Limit) -> Share:
    """How much of a region is cached, from reads all over it and from reads of an uncached region of the same size.

    limit: from a completely cached region. The interval is that of three binomial shares.
    """
    slow, fast = below(uncached, limit.latency_ns), below(probe, limit.latency_ns)
    gap = max(limit.cached_ratio - slow, 1e-9)
    value = (fast - slow) / gap
    variance = fast * (1 - fast) / max(probe.total, 1) + (1 - value) ** 2 * slow * (1 - slow) / max(uncached.total, 1)
    error = _Z * math.sqrt(variance + 1 / max(probe.total, 1) ** 2) / gap
    return Share(region_bytes, min(max(value, 0.0), 1.0), max(value - error, 0.0), min(value + error, 1.0))


def cache_bytes(shares: Sequence[Share]) -> tuple[float | None, float, float]:
    """The size of the cache: (value, low, high) [bytes] from regions of growing size; value None when none overflows.

    A region larger than the cache is cached in part; that share times the region is the size of the cache. A completely
    cached region only shows that the cache is no smaller. Each overflowing region is weighted by its interval.
    """
    overflowing = [share for share in shares if _SOME_RATIO < share.value < _FULL_RATIO and share.high < 1]
    whole = max((share.region_bytes for share in shares if share.value >= _FULL_RATIO), default=0)
    if not overflowing:
        return None, float(whole), math.inf
    sizes = np.array([share.value * share.region_bytes for share in overflowing])
    errors = np.array([(share.high - share.low) / (2 * _Z) * share.region_bytes for share in overflowing])
    weights = 1 / errors**2
    middle, error = float((sizes * weights).sum() / weights.sum()), _Z * float(weights.sum() ** -0.5)
    factor = math.exp(error / middle)  # on the logarithmic scale: a cache of nothing was ruled out above
    return middle, middle / factor, middle * factor


def fill_delay_ns(idle_ns: Sequence[int], shares: Sequence[Share]) -> tuple[float | None, float, float]:
    """When copying into the cache begins after the last request: (value, low, high) [ns] since then; None: unknown.

    idle_ns: how long no request went to each region, ascending, shape (n,); shares: the share cached after that.
    Copying began between the last idle time after which nothing was cached and the first after which something was.
    Within these bounds a line through the first two shares above zero is extended to zero, since copying is even at
    first.
    """
    begun = [place for place, share in enumerate(shares) if share.low > 0 and share.value > _SEEN_RATIO]
    if not begun:
        return None, float(max(idle_ns, default=0)), math.inf
    first = begun[0]
    low, high = (float(idle_ns[first - 1]) if first else 0.0), float(idle_ns[first])
    value = (low + high) / 2
    rest = [place for place in begun[1:] if shares[place].value > shares[first].value]
    if rest:
        rise = (shares[rest[0]].value - shares[first].value) / (idle_ns[rest[0]] - idle_ns[first])
        value = high - shares[first].value / rise
    return min(max(value, low), high), low, high
