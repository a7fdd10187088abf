"""What the processes of a `FileWork` step measured, as one `WorkloadResult`.

The names are those of a virtual drive's file work, so that an analysis works on both:
    programs_ended_ns   from the common start until the last program ended
    synced_ns           until the file system had written all of it to the drive
    data_read_bytes, data_written_bytes   data of files on the drive
    computed_ns         time that processors worked for the programs, of all together
On a real drive reads and writes are counted at the calls of the programs; the cache is between these calls and the
drive. What the file system writes for itself is not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from flashscope.records import Doubt, Histogram, Table, WorkloadResult

_KINDS = ("read", "write")
_MOST_COMPUTING_RATIO = 0.9
_TOO_SHORT_TO_TELL_NS = 50_000_000


def to_workload_result(
    results: Sequence[dict[str, Any]], *, began_ns: int, synced_ns: int, interval_ns: int
) -> WorkloadResult:
    """One result for all programs.

    results: as `file_hands_meter.Meter.result` has them. began_ns: the common start, on the monotonic clock.
    synced_ns: since then. interval_ns: length of a row; the last one ends with the step.
    """
    ended_ns = max((result["ended_ns"] - began_ns for result in results), default=0)
    duration_ns = max(synced_ns, ended_ns, 1)
    row_count = -(-duration_ns // interval_ns)
    rows = np.zeros((row_count, 4), dtype=np.int64)
    for result in results:
        for index, counts in result["rows"].items():
            rows[min(int(index), row_count - 1)] += counts
    ends = np.minimum(np.arange(1, row_count + 1, dtype=np.int64) * interval_ns, duration_ns)
    none = np.zeros(row_count, dtype=np.int64)
    series = Table.of(
        elapsed_ns=("ns", ends),
        read_bytes=("bytes", rows[:, 0]),
        written_bytes=("bytes", rows[:, 1]),
        trimmed_bytes=("bytes", none),
        read_requests=("requests", rows[:, 2]),
        write_requests=("requests", rows[:, 3]),
        trim_requests=("requests", none),
    )
    read_bytes, written_bytes, read_requests, write_requests = (int(total) for total in rows.sum(axis=0))
    totals = {
        "read_bytes": read_bytes,
        "written_bytes": written_bytes,
        "trimmed_bytes": 0,
        "read_requests": read_requests,
        "write_requests": write_requests,
        "trim_requests": 0,
        "failed_requests": sum(result["error"] is not None for result in results),
        "programs_ended_ns": ended_ns,
        "synced_ns": synced_ns,
        "programs_ended_count": sum(result["error"] is None and not result["stopped"] for result in results),
        "data_read_bytes": read_bytes,
        "data_written_bytes": written_bytes,
        "memory_read_bytes": sum(result["memory_read_bytes"] for result in results),
        "memory_written_bytes": sum(result["memory_written_bytes"] for result in results),
        "computed_ns": sum(result["computed_ns"] for result in results),
        "fetched_bytes": max(0, sum(result["fetched_bytes"] for result in results)),
    }
    latency = {kind: merged for kind in _KINDS if (merged := _histogram(results, kind)).counts}
    return WorkloadResult(duration_ns, series, latency, totals)


def doubt_about_speed(step_name: str, results: Sequence[dict[str, Any]]) -> tuple[Doubt, ...]:
    """A doubt when a program spent its time on computing, so that the drive waited for it."""
    shares = [
        result["computed_ns"] / took_ns
        for result in results
        if (took_ns := result["ended_ns"] - result["began_ns"]) > _TOO_SHORT_TO_TELL_NS
    ]
    if max(shares, default=0.0) < _MOST_COMPUTING_RATIO:
        return ()
    message = f"step {step_name!r}: a program computed {max(shares):.0%} of its time, so the drive waited for it"
    return (
        Doubt("CpuBound", message, "this time measures the program, not the drive; use programs that compute less"),
    )


def _histogram(results: Sequence[dict[str, Any]], kind: str) -> Histogram:
    merged = Histogram()
    for result in results:
        counts: dict[int, int] = defaultdict(int)
        for bucket, count in result["buckets"][kind].items():
            counts[int(bucket)] += count
        merged = merged.merged(Histogram(dict(counts), *result["sums"][kind]))
    return merged
