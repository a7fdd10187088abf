"""fio's output as a `WorkloadResult`: totals exactly as fio counted them, histograms, a series over time.

fio's latency bins (json+) are log-linear with 64 bins per power of two, like the buckets here, and are named by their
middle; so each bin is one bucket. fio's bandwidth logs, one per thread, hold means over intervals whose length varies a
little, and lack the last, unfinished interval. So each log is summed to a curve of bytes over time, which is read at
the ends of our rows. After its last entry the curve is a straight line to the total, so that the series sums up to it.
"""

from __future__ import annotations

import json
from collections import defaultdict
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
    totals = {name: 0 for kind in REQUEST_KIND_NAMES for name in (BYTES_OF[kind], f"{kind}_requests")}
    latency: dict[str, Histogram] = {}
    for job in jobs:
        for kind in REQUEST_KIND_NAMES:
            totals[BYTES_OF[kind]] += job[kind]["io_bytes"]
            totals[f"{kind}_requests"] += job[kind]["total_ios"]
            if job[kind]["total_ios"]:
                latency[kind] = latency.get(kind, Histogram()).merged(_histogram(job[kind]["clat_ns"]))
    if not any(totals[f"{kind}_requests"] for kind in REQUEST_KIND_NAMES):
        raise DriveFailed(
            "fio ended without an error, but it made no request at all",
            advice="check whether the job's size fits the drive, and whether the drive answers",
        )
    totals["failed_requests"] = 0
    totals["host_threads"] = len(jobs)
    totals["host_cpu_ns"] = round(sum(_cpu_ns(job) for job in jobs))
    duration_ns = max(max(job[kind]["runtime"] for kind in REQUEST_KIND_NAMES) for job in jobs) * _NS_PER_MS
    series = _series(logs, totals, max(duration_ns, 1), sample_interval_ns)
    return WorkloadResult(duration_ns, series, latency, totals)


def _cpu_ns(job: dict[str, Any]) -> float:
    """Processor time of one thread of the load [ns], from fio's shares of its run time."""
    share = (float(job.get("usr_cpu", 0.0)) + float(job.get("sys_cpu", 0.0))) / 100
    return share * float(job.get("job_runtime", 0)) * _NS_PER_MS


def _histogram(completion: dict[str, Any]) -> Histogram:
    counts: dict[int, int] = defaultdict(int)
    for middle_ns, count in completion.get("bins", {}).items():
        counts[bucket_of(int(middle_ns))] += count
    requests = sum(counts.values())
    return Histogram(dict(counts), round(completion["mean"] * requests), completion["min"], completion["max"])


def _series(logs: Path, totals: dict[str, int], duration_ns: int, interval_ns: int) -> Table:
    row_count = max(1, -(-duration_ns // interval_ns))
    ends = np.minimum(np.arange(1, row_count + 1, dtype=np.int64) * interval_ns, duration_ns)
    columns: dict[str, tuple[str, Any]] = {"elapsed_ns": ("ns", ends)}
    amounts = {
        "bytes": ("bw", 1024.0, BYTES_OF),
        "requests": ("iops", 1.0, {kind: f"{kind}_requests" for kind in REQUEST_KIND_NAMES}),
    }
    for unit, (log, factor, names) in amounts.items():
        threads = _read_logs(logs, log)
        for index, kind in enumerate(REQUEST_KIND_NAMES):
            total = totals[names[kind]]
            columns[names[kind]] = (unit, _rows_of(threads[index], factor, total, ends / 1e9))
    order = ["elapsed_ns", *BYTES_OF.values(), *(f"{kind}_requests" for kind in REQUEST_KIND_NAMES)]
    return Table.of(**{name: columns[name] for name in order})


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


def _read_logs(logs: Path, name: str) -> list[list[np.ndarray]]:
    """The logs of all threads by kind of request, each as (time [s], rate in the log's unit)."""
    threads: list[list[np.ndarray]] = [[] for _ in REQUEST_KIND_NAMES]
    for path in sorted(logs.glob(f"*_{name}.*log")):
        entries = [line.split(",")[:3] for line in path.read_text().splitlines()]
        for kind, found in enumerate(threads):
            mine = [(int(at) / 1e3, float(rate)) for at, rate, which in entries if int(which) == kind]
            if mine:
                found.append(np.array(mine))
    return threads
