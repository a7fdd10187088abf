"""What each job of a run of fio did over time, and all of them together, from fio's logs.

    rate_bw.N.log, rate_iops.N.log    mean rates per interval of thread N     -> bytes and requests of a row
    latency_clat_hist.N.log           latencies per interval, in fio's bins   -> p50, p90, p99, p99.9 of a row

fio's bins are the buckets of this project (`records/latency.py`), in the same order. fio logs no histogram of the last,
unfinished interval: it is what the complete histogram of the run has beyond the logged ones.
Not known here: the longest request of an interval; it is the end of the highest bucket, at most the longest of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flashscope.records import BYTES_OF, Histogram, Table, WorkloadResult
from flashscope.records.job_result import SHARES, JobResult, interval_columns
from flashscope.records.latency import bucket_bounds_ns
from flashscope.runner.engines.fio.output import histogram_of, series_of, totals_of
from flashscope.vocabulary import REQUEST_KIND_NAMES

_NS_PER_MS = 1_000_000


def read_jobs(
    document: dict[str, Any], logs: Path, result: WorkloadResult, names: Sequence[str]
) -> tuple[JobResult, ...]:
    """All jobs together, then, if there are several, each one.

    document: fio's JSON. logs: the folder with the logs. result: of all jobs, whose rows are taken over. names: of the
    jobs, in fio's order; those of one name are one job here.
    """
    ends_ns = result.series["elapsed_ns"].astype(np.int64)
    everything = list(range(len(document["jobs"])))
    jobs = [_job("", everything, document, logs, ends_ns)]
    by_name: dict[str, list[int]] = {}
    for index, name in zip(everything, names, strict=False):
        by_name.setdefault(name, []).append(index)
    if len(by_name) > 1:
        jobs += [_job(name, indexes, document, logs, ends_ns) for name, indexes in by_name.items()]
    return tuple(jobs)


def _job(name: str, indexes: Sequence[int], document: dict[str, Any], logs: Path, ends_ns: np.ndarray) -> JobResult:
    chosen = [document["jobs"][index] for index in indexes]
    latency: dict[str, Histogram] = {}
    for job in chosen:
        for kind in REQUEST_KIND_NAMES:
            if job[kind]["total_ios"]:
                latency[kind] = latency.get(kind, Histogram()).merged(histogram_of(job[kind]["clat_ns"]))
    threads = [index + 1 for index in indexes]
    amounts = series_of(logs, totals_of(chosen), ends_ns, threads)
    columns: dict[str, tuple[str, np.ndarray]] = {"elapsed_ns": ("ns", ends_ns)}
    for number, kind in enumerate(REQUEST_KIND_NAMES):
        if kind in latency:
            counts = _counts_of_rows(logs, threads, number, latency[kind], ends_ns)
            columns |= interval_columns(
                kind,
                {
                    "bytes": amounts[BYTES_OF[kind]],
                    "requests": amounts[f"{kind}_requests"],
                    "max": _longest_ns(counts, latency[kind].max_ns),
                    **{share: _bucket_at(counts, ratio) for share, ratio in SHARES.items()},
                },
            )
    return JobResult(name, Table.of(**columns), latency)


def _counts_of_rows(logs: Path, threads: Sequence[int], kind: int, whole: Histogram, ends_ns: np.ndarray) -> np.ndarray:
    """Requests per row and bucket, shape (rows, buckets), which sum up to the whole histogram."""
    bucket_count = max(whole.counts, default=0) + 1
    counts = np.zeros((len(ends_ns), bucket_count), dtype=np.int64)
    for thread in threads:
        for path in logs.glob(f"*_clat_hist.{thread}.log"):
            for line in path.read_text().splitlines():
                at_ms, which, _, *bins = line.replace(" ", "").rstrip(",").split(",")
                if int(which) != kind:
                    continue
                # The entry is of the interval that ends at its time.
                row = min(int(np.searchsorted(ends_ns, int(at_ms) * _NS_PER_MS - ends_ns[0] // 2)), len(ends_ns) - 1)
                found = np.array(bins[:bucket_count], dtype=np.int64)
                counts[row, : len(found)] += found
    rest = np.array([whole.counts.get(bucket, 0) for bucket in range(bucket_count)]) - counts.sum(axis=0)
    counts[-1] += np.maximum(rest, 0)
    return counts


def _bucket_at(counts: np.ndarray, share_ratio: float) -> np.ndarray:
    """The bucket in each row that a share of its requests does not exceed; -1 in rows without requests."""
    reached = counts.cumsum(axis=1)
    wanted = share_ratio * reached[:, -1:] - 1e-9
    return np.where(reached[:, -1] > 0, (reached >= wanted).argmax(axis=1), -1)


def _longest_ns(counts: np.ndarray, max_ns: int) -> np.ndarray:
    last = counts.shape[1] - 1 - (counts[:, ::-1] > 0).argmax(axis=1)
    ends = np.array([min(bucket_bounds_ns(int(bucket))[1] - 1, max_ns) for bucket in last])
    return np.where(counts.any(axis=1), ends, 0)
