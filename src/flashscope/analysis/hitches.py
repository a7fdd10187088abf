"""Hitches: requests, one at a time, that take so long that a person notices.

    completions per 10 ms   9 9 8 9 0 0 0 0 0 0 0 0 0 0 0 0 4 9 9 9
                                    [------ a hitch ------]

With one request outstanding a hitch *is* a request, so the histogram of latencies gives the number and the length of
all hitches (to 1.6 %), and the longest exactly. The series gives the time: the worst second is the one in which the
fewest requests were done.
Assumed: queue depth 1. Not modelled here: hitches that come in bursts (their rate then varies more than Poisson).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flashscope.records import Histogram
from flashscope.records.latency import bucket_bounds_ns, bucket_of

THRESHOLDS_NS = (100_000_000, 300_000_000, 1_000_000_000)
"""Lengths that a person notices, finds annoying, and takes for a crash of the computer."""


@dataclass(frozen=True)
class Hitches:
    """Requests longer than threshold_ns: how many, and how long all of them together [ns]."""

    threshold_ns: int
    count: int
    total_ns: float


def hitches_above(histogram: Histogram, threshold_ns: int) -> Hitches:
    """Requests whose latency is threshold_ns or more, to the width of a bucket (1.6 %)."""
    first = bucket_of(threshold_ns)
    slow = {bucket: count for bucket, count in histogram.counts.items() if bucket >= first}
    total = 0.0
    for bucket, count in slow.items():
        low_ns, high_ns = bucket_bounds_ns(bucket)
        total += count * min((low_ns + high_ns - 1) / 2, histogram.max_ns)
    return Hitches(threshold_ns, sum(slow.values()), total)


def worst_window(requests: np.ndarray, ends_ns: np.ndarray, window_ns: int) -> tuple[int, int] | None:
    """The rows (first, one past the last) of the window in which fewest requests were done; None without a row.

    requests: done in each row. ends_ns: end of each row, growing [ns]. The earliest of equally bad ones is taken.
    """
    if len(requests) == 0:
        return None
    starts_ns = np.concatenate([[0], ends_ns[:-1]])
    if ends_ns[-1] <= window_ns:
        return 0, len(requests)
    done = np.concatenate([[0], np.cumsum(requests)])
    firsts = np.flatnonzero(starts_ns + window_ns <= ends_ns[-1])
    lasts = np.searchsorted(ends_ns, starts_ns[firsts] + window_ns, side="left") + 1
    worst = int((done[lasts] - done[firsts]).argmin())
    return int(firsts[worst]), int(lasts[worst])
