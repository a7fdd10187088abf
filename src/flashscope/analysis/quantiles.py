"""Quantiles of latency and rates of rare events, with intervals that hold for few samples.

A quantile of n independent requests lies between two of them whose ranks follow the binomial law, so its interval
needs no assumption about the shape of the tail. Requests delayed by the same pause are not independent; the interval
is then too narrow, and the number of pauses is the better measure.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.laws.distributions import binomial, poisson_interval
from flashscope.records import Histogram
from flashscope.records.latency import bucket_bounds_ns, bucket_of

HOUR_NS = 3600 * 10**9


@dataclass(frozen=True)
class Quantile:
    """A latency that a share of the requests does not exceed, with its interval [ns]. beyond_count: requests above."""

    share_ratio: float
    value_ns: float
    low_ns: float
    high_ns: float
    beyond_count: int


def quantile(histogram: Histogram, share_ratio: float, *, confidence_ratio: float = 0.95) -> Quantile | None:
    """The quantile of a histogram and its binomial interval; None when it is empty.

    The interval includes the width of the buckets at its ends, 1.6 %. Where it reaches beyond the slowest request, its
    upper end is that request; the true upper end may be higher.
    """
    total = histogram.total
    if total == 0:
        return None
    tail = (1 - confidence_ratio) / 2
    below, above = (binomial(share, total, share_ratio) for share in (tail, 1 - tail))
    value_ns = histogram.percentile_ns(share_ratio)
    return Quantile(
        share_ratio,
        value_ns,
        _edges(histogram, max(below, 1) / total)[0],
        _edges(histogram, min(above + 1, total) / total)[1],
        round(total * (1 - share_ratio)),
    )


def _edges(histogram: Histogram, share_ratio: float) -> tuple[float, float]:
    """The bounds of the bucket in which a quantile lies, as far as requests were seen in it [ns]."""
    low_ns, high_ns = bucket_bounds_ns(bucket_of(int(histogram.percentile_ns(share_ratio))))
    return float(max(low_ns, histogram.min_ns)), float(min(high_ns, histogram.max_ns))


def events_per_hour(count: int, duration_ns: int, *, confidence_ratio: float = 0.95) -> tuple[float, float, float]:
    """Rate of events that come independently (Poisson), with its exact interval: (rate, low, high) [1/hour].

    Without any event the upper end still limits the rate: 3.7 events in the time watched, at 95 %.
    Raises ValueError for a negative count or no time.
    """
    if count < 0 or duration_ns <= 0:
        raise ValueError(f"a rate needs count >= 0 and a time above 0, found {count}, {duration_ns}")
    hours = duration_ns / HOUR_NS
    low, high = poisson_interval(count, confidence_ratio=confidence_ratio)
    return count / hours, low / hours, high / hours
