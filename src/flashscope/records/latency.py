"""Latencies as a mergeable log-linear histogram, never as a log of requests.

Buckets: values below 64 ns have a bucket each; above, every power of two is cut into 64 equal
buckets, so a bucket is at most 1/64 (1.6 %) wide. The virtual drive counts into the same
buckets (crates/workload/src/latency_histogram.rs) and fio's json+ bins fall into them as well, so
histograms of any two runs can be added.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

SUB_BUCKETS = 64
_SHIFT = 6  # log2(SUB_BUCKETS)


def bucket_of(latency_ns: int) -> int:
    """The index of the bucket that holds a latency [ns]."""
    if latency_ns < SUB_BUCKETS:
        return latency_ns
    exponent = latency_ns.bit_length() - 1 - _SHIFT
    return (exponent + 1) * SUB_BUCKETS + ((latency_ns >> exponent) - SUB_BUCKETS)


def bucket_bounds_ns(bucket: int) -> tuple[int, int]:
    """The half-open range [low, high) of latencies [ns] that fall into a bucket."""
    if bucket < SUB_BUCKETS:
        return bucket, bucket + 1
    exponent, position = divmod(bucket - SUB_BUCKETS, SUB_BUCKETS)
    low = (SUB_BUCKETS + position) << exponent
    return low, low + (1 << exponent)


@dataclass(frozen=True)
class Histogram:
    """Counts of latencies per bucket.

    counts: bucket index -> requests.
    sum_ns, min_ns, max_ns: exact, kept beside the buckets (0 when empty).
    """

    counts: dict[int, int] = field(default_factory=dict)
    sum_ns: int = 0
    min_ns: int = 0
    max_ns: int = 0

    @property
    def total(self) -> int:
        """Requests counted."""
        return sum(self.counts.values())

    @property
    def mean_ns(self) -> float:
        """Exact mean latency [ns]; NaN when empty."""
        return self.sum_ns / self.total if self.counts else float("nan")

    def percentile_ns(self, share_ratio: float) -> float:
        """The latency [ns] that a share (0..1) of the requests does not exceed; the middle of its bucket.

        Off by at most half a bucket (0.8 %). NaN when empty.
        """
        if not self.counts:
            return float("nan")
        indexes = sorted(self.counts)
        reached = np.cumsum([self.counts[index] for index in indexes])
        place = int(np.searchsorted(reached, share_ratio * reached[-1] - 1e-9))
        low, high = bucket_bounds_ns(indexes[min(place, len(indexes) - 1)])
        return min(max((low + high - 1) / 2, self.min_ns), self.max_ns)

    def merged(self, other: Histogram) -> Histogram:
        """The histogram of both sets of requests together."""
        if not other.counts:
            return self
        if not self.counts:
            return other
        counts = dict(self.counts)
        for bucket, count in other.counts.items():
            counts[bucket] = counts.get(bucket, 0) + count
        return Histogram(
            counts,
            self.sum_ns + other.sum_ns,
            min(self.min_ns, other.min_ns),
            max(self.max_ns, other.max_ns),
        )
