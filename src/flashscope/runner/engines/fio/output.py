"""fio's output as a `WorkloadResult`: totals exactly as fio counted them, histograms, a series over time.

fio's latency bins (json+) are log-linear with 64 bins per power of two, like the buckets here, and are named by their
middle; so each bin is one bucket. fio's bandwidth logs, one per thread, hold means over intervals whose length varies a
little, and lack the last, unfinished interval. So each log is summed to a curve of bytes over time, which is read at
the ends of our rows. After its last entry the curve is a straight line to the total, so that the series sums up to it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flashscope.errors import DriveFailed
from flashscope.records import BYTES_OF, Histogram, Table, WorkloadResult
from flashscope.records.latency import bucket_of
from flashscope.vocabulary import REQUEST_KIND_NAMES

_NS_PER_MS = 1_000_000


def read_json(path: Path) -> dict[str, Any]:
    """fio's JSON document, without what fio or its libraries printed before it.

    Raises DriveFailed when there is none.
    """
    text = path.read_text(errors="replace") if path.exists() else ""
    decoder = json.JSONDecoder()
    for start in (index for index, character in enumerate(text) if character == "{"):
        try:
            document, _ = decoder.raw_decode(text, start)
        except json.JSONDecodeError:
            continue
        if isinstance(document, dict) and "jobs" in document:
            return document
    raise DriveFailed(
        f"fio ended without a result; its output begins with {text[:120]!r}",
        accepted="a JSON document with the key `jobs`",
        advice="run `fio --version`: either the `fio` on the PATH is another program, or fio was killed",
    )


def read_result(document: dict[str, Any], logs: Path, sample_interval_ns: int) -> WorkloadResult:
    """The results of one run of fio.

    logs: the folder with its bandwidth and request logs. Raises DriveFailed when fio moved nothing.
    """
    jobs = document["jobs"]
    for job in jobs:
        if job.get("error"):
            raise DriveFailed(
                f"fio's job {job['jobname']} ended with error {job['error']}",
                advice="check whether the drive is still there and has free space",
            )
    totals = totals_of(jobs)
    latency: dict[str, Histogram] = {}
    for job in jobs:
        for kind in REQUEST_KIND_NAMES:
            if job[kind]["total_ios"]:
                latency[kind] = latency.get(kind, Histogram()).merged(histogram_of(job[kind]["clat_ns"]))
    if not any(totals[f"{kind}_requests"] for kind in REQUEST_KIND_NAMES):
        raise DriveFailed(
            "fio ended without an error, but it made no request at all",
            advice="check whether the job's size fits the drive, and whether the drive answers",
        )
    totals["failed_requests"] = 0
    totals["host_threads"] = len(jobs)
    totals["host_cpu_ns"] = round(sum(_cpu_ns(job) for job in jobs))
    duration_ns = max(max(job[kind]["runtime"] for kind in REQUEST_KIND_NAMES) for job in jobs) * _NS_PER_MS
    ends = _row_ends(max(duration_ns, 1), sample_interval_ns)
    amounts = series_of(logs, totals, ends)
    series = Table.of(elapsed_ns=("ns", ends), **{name: (_unit_of(name), values) for name, values in amounts.items()})
    return WorkloadResult(duration_ns, series, latency, totals)


def _cpu_ns(job: dict[str, Any]) -> float:
    """Processor time of one thread of the load [ns], from fio's shares of its run time."""
    share = (float(job.get("usr_cpu", 0.0)) + float(job.get("sys_cpu", 0.0))) / 100
    return share * float(job.get("job_runtime", 0)) * _NS_PER_MS


def totals_of(jobs: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Bytes and requests of each kind, of some jobs of fio's document."""
    totals = {}
    for kind in REQUEST_KIND_NAMES:
        totals[BYTES_OF[kind]] = sum(int(job[kind]["io_bytes"]) for job in jobs)
        totals[f"{kind}_requests"] = sum(int(job[kind]["total_ios"]) for job in jobs)
    return totals


def histogram_of(completion: dict[str, Any]) -> Histogram:
    """Latencies of fio's document (`clat_ns`)."""
    counts: dict[int, int] = defaultdict(int)
    for middle_ns, count in completion.get("bins", {}).items():
        counts[bucket_of(int(middle_ns))] += count
    requests = sum(counts.values())
    return Histogram(dict(counts), round(completion["mean"] * requests), completion["min"], completion["max"])


def _row_ends(duration_ns: int, interval_ns: int) -> np.ndarray:
    row_count = max(1, -(-duration_ns // interval_ns))
    return np.minimum(np.arange(1, row_count + 1, dtype=np.int64) * interval_ns, duration_ns)


def series_of(
    logs: Path, totals: Mapping[str, int], ends_ns: np.ndarray, threads: Sequence[int] | None = None
) -> dict[str, np.ndarray]:
    """Bytes and requests of each kind in rows that end at ends_ns, and sum up to the totals.

    threads: the numbers of the threads whose logs count, from 1; None for all.
    """
    amounts = {
        "bw": (1024.0, BYTES_OF),
        "iops": (1.0, {kind: f"{kind}_requests" for kind in REQUEST_KIND_NAMES}),
    }
    rows: dict[str, np.ndarray] = {}
    for log, (factor, names) in amounts.items():
        of_kinds = _read_logs(logs, log, threads)
        for index, kind in enumerate(REQUEST_KIND_NAMES):
            rows[names[kind]] = _rows_of(of_kinds[index], factor, totals[names[kind]], ends_ns / 1e9)
    return rows


def _unit_of(name: str) -> str:
    """The unit of a column, which its name ends with."""
    return name.rsplit("_", 1)[1]


def _rows_of(threads: list[np.ndarray], factor: float, total: int, ends_s: np.ndarray) -> np.ndarray:
    """Amounts per row that sum up to the total.

    threads: for each thread its log as (time [s], rate), shape (entries, 2). ends_s: ends of the rows [s].
    """
    last_s = max((thread[-1, 0] for thread in threads), default=0.0)
    logged = sum((_curve(thread, np.minimum(ends_s, last_s)) for thread in threads), np.zeros(len(ends_s))) * factor
    at_last = sum(float(_curve(thread, np.array([last_s]))[0]) for thread in threads) * factor
    rest_s = max(ends_s[-1] - last_s, 1e-9)
    reached = logged + np.clip((ends_s - last_s) / rest_s, 0, 1) * (total - at_last)
    whole = np.clip(np.floor(reached), 0, total).astype(np.int64)
    whole[-1] = total
    rows: np.ndarray = np.diff(np.maximum.accumulate(whole), prepend=0)
    return rows


def _curve(thread: np.ndarray, at_s: np.ndarray) -> np.ndarray:
    """The amount that one thread had moved at given moments, from its log of mean rates."""
    moments = np.concatenate([[0.0], thread[:, 0]])
    moved: np.ndarray = np.interp(at_s, moments, np.concatenate([[0.0], np.cumsum(np.diff(moments) * thread[:, 1])]))
    return moved


def _read_logs(logs: Path, name: str, numbers: Sequence[int] | None) -> list[list[np.ndarray]]:
    """The logs of these threads (None: all) by kind of request, each as (time [s], rate in the log's unit)."""
    threads: list[list[np.ndarray]] = [[] for _ in REQUEST_KIND_NAMES]
    for path in sorted(logs.glob(f"*_{name}.*log")):
        if numbers is not None and int(path.name.split(".")[-2]) not in numbers:
            continue
        entries = [line.split(",")[:3] for line in path.read_text().splitlines()]
        for kind, found in enumerate(threads):
            mine = [(int(at) / 1e3, float(rate)) for at, rate, which in entries if int(which) == kind]
            if mine:
                found.append(np.array(mine))
    return threads
