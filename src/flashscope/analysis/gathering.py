"""Does a drive delay a lone request in case more requests come? Found from histograms of latency.

    lone request         |                    ####          nothing is answered before the wait is over
    one of two           |            ####    .             the other one is at work, so nobody waits
                         +------------[ wait ]---- latency

The drive may delay a request that arrives while the drive is idle, but not one that arrives while others are at work.
So the *floors* of the two distributions, the latencies below which nothing is answered, differ by the wait. Means
cannot be used: with two outstanding some requests wait for each other. A wait is reported only when a good share of
the requests with others outstanding is answered faster than any lone one.

Assumed: without the wait, a request with others outstanding takes no less time than a lone one.
Not modelled here: a drive whose lone requests are slow because it sleeps (the wait then lasts milliseconds).
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.records import Histogram
from flashscope.records.latency import SUB_BUCKETS, bucket_bounds_ns, bucket_of

_FLOOR_SHARE = 0.02
_LEAST_SHARE = 0.2
_LEAST_WAIT_RATIO = 0.03
_CLOCK_NS = 1_000  # differences below a microsecond cannot be told from clocks and system calls
_ENOUGH = 200


@dataclass(frozen=True)
class Floor:
    """The latency below which (almost) nothing is answered, with its interval [ns]."""

    value_ns: float
    low_ns: float
    high_ns: float


@dataclass(frozen=True)
class Wait:
    """value_ns: None when no wait is seen; limit_ns: a longer one would have been seen [ns].

    faster_ratio: share of the requests with others outstanding that were answered sooner than a lone one can be.
    """

    value_ns: float | None
    low_ns: float
    high_ns: float
    limit_ns: float
    faster_ratio: float


def floor_of(histogram: Histogram) -> Floor | None:
    """The 2 % quantile, or the exact minimum where that lies in the same bucket or the next; None when almost empty."""
    if histogram.total < _ENOUGH:
        return None
    quantile_ns = histogram.percentile_ns(_FLOOR_SHARE)
    bucket = bucket_of(int(quantile_ns))
    low_ns, high_ns = bucket_bounds_ns(bucket)
    if bucket - bucket_of(histogram.min_ns) <= 1:
        return Floor(float(histogram.min_ns), float(histogram.min_ns), float(max(histogram.min_ns, high_ns)))
    return Floor(quantile_ns, float(low_ns), float(high_ns))


def waiting(lone: Histogram, in_company: Histogram) -> Wait | None:
    """How much longer a lone request takes than one that finds others at work; None with too few of either."""
    alone, accompanied = floor_of(lone), floor_of(in_company)
    if alone is None or accompanied is None:
        return None
    difference_ns = alone.value_ns - accompanied.value_ns
    limit_ns = max(_LEAST_WAIT_RATIO * alone.value_ns, _CLOCK_NS)
    faster_ratio = share_below(in_company, alone.value_ns - limit_ns / 2)
    error_ns = max(alone.high_ns - alone.low_ns, accompanied.high_ns - accompanied.low_ns) + alone.value_ns / (
        2 * SUB_BUCKETS
    )
    if difference_ns <= limit_ns or faster_ratio < _LEAST_SHARE:
        return Wait(None, 0.0, 0.0, limit_ns, faster_ratio)
    return Wait(difference_ns, max(difference_ns - error_ns, 0.0), difference_ns + error_ns, limit_ns, faster_ratio)


def share_below(histogram: Histogram, latency_ns: float) -> float:
    """Share of the requests answered in less than latency_ns [ratio], exact to one bucket; 0 when empty."""
    if not histogram.counts or latency_ns <= 0:
        return 0.0
    last = bucket_of(int(latency_ns))
    return sum(count for bucket, count in histogram.counts.items() if bucket < last) / histogram.total


def mode_ns(histogram: Histogram) -> float:
    """The middle of the bucket that holds most requests per nanosecond [ns]; NaN when empty."""
    if not histogram.counts:
        return float("nan")

    def density(bucket: int) -> float:
        low_ns, high_ns = bucket_bounds_ns(bucket)
        return histogram.counts[bucket] / (high_ns - low_ns)

    low_ns, high_ns = bucket_bounds_ns(max(sorted(histogram.counts), key=density))
    return (low_ns + high_ns - 1) / 2
