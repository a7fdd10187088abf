"""Records with the findings that each experiment had on one drive, for tests that look at every chart.

`findings_of_onyx_32.json`: the findings of `flashscope examine sim:onyx-32`, without their evidence. Experiments whose
charts draw the steps themselves are planted (`planted.py`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from flashscope.records import BYTES_OF, Finding, Histogram, Record, Status, StepRecord, Table, WorkloadResult
from flashscope.records.job_result import SHARES, JobResult, interval_columns
from flashscope.records.latency import bucket_of
from flashscope.reports.charts import charts_of
from flashscope.reports.glass.inside import build_inside
from flashscope.reports.plotting.chart import Chart
from flashscope.vocabulary import REQUEST_KIND_NAMES
from tests.reports import planted

MIB = 2**20
SAMPLE = Path(__file__).with_name("findings_of_onyx_32.json")


def sampled() -> list[Record]:
    return [
        planted.record(row["experiment"], findings=[Finding(**finding) for finding in row["findings"]])
        for row in json.loads(SAMPLE.read_text(encoding="utf-8"))
    ]


def buffered(buffer_bytes: int = 20 * MIB, link: float = 250e6, flash: float = 140e6) -> Record:
    """One burst of 1 MiB writes: fast until the buffer is full, while the flash already works."""
    knee_bytes = buffer_bytes / (1 - flash / link)
    times_s = np.arange(1, 601) / 1000
    taken = np.where(times_s * link < knee_bytes, times_s * link, buffer_bytes + flash * times_s)
    series = Table.of(
        elapsed_ns=("ns", (times_s * 1e9).astype(np.int64)),
        written_bytes=("bytes", np.diff(taken, prepend=0.0).astype(np.int64)),
    )
    result = WorkloadResult(600_000_000, series, {}, {"written_bytes": int(taken[-1])})
    jobs = {"jobs": [{"write_sizes": {"weighted": [[MIB, 100.0]]}}]}
    step = StepRecord(0, "burst long 1 MiB", "workload", Status.DONE, workload=result, parameters=jobs)
    fit = {
        "request_bytes": MIB,
        "fast_bytes_per_second": link,
        "slow_bytes_per_second": flash,
        "held_bytes": buffer_bytes,
        "knee_bytes": knee_bytes,
    }
    size = Finding(
        "write_buffer_bytes", "It has one.", buffer_bytes, "bytes", evidence=(step.name,), details={"bursts": [fit]}
    )
    return planted.record("write-buffer", steps=[step], findings=[size])


def job_result(name: str, kinds: dict[str, float], seconds: int = 20) -> JobResult:
    """A job with 4 KiB requests of each kind at a steady rate [requests/s]: 100 us each, one in 200 takes 20 ms."""
    rows = seconds * 10
    columns: dict[str, Any] = {"elapsed_ns": ("ns", np.arange(1, rows + 1) * 100_000_000)}
    latency = {}
    for kind, rate in kinds.items():
        requests = np.full(rows, round(rate / 10))
        buckets = {share: np.full(rows, bucket_of(100_000 if share != "p999" else 20_000_000)) for share in SHARES}
        amounts = {"bytes": 4096 * requests, "requests": requests, "max": np.full(rows, 21_000_000), **buckets}
        columns |= interval_columns(kind, amounts)
        many = int(requests.sum())
        counts = {bucket_of(100_000): many - many // 200, bucket_of(20_000_000): many // 200}
        latency[kind] = Histogram(counts, 100_000 * many, 99_000, 21_000_000)
    return JobResult(name, Table.of(**columns), latency)


def of_jobs(*jobs: JobResult) -> Record:
    """A job file whose jobs did this at the same time."""
    kinds: dict[str, float] = {}
    for job in jobs:
        for kind in job.latency:
            kinds[kind] = kinds.get(kind, 0.0) + float(job.series[f"{kind}_requests"][0]) * 10
    whole = job_result("", kinds)
    totals = {f"{kind}_requests": int(whole.series[f"{kind}_requests"].sum()) for kind in kinds}
    totals |= {BYTES_OF[kind]: int(whole.series[f"{kind}_bytes"].sum()) for kind in REQUEST_KIND_NAMES if kind in kinds}
    result = WorkloadResult(
        20 * 10**9, Table(whole.series.columns), whole.latency, totals, (whole, *(jobs if len(jobs) > 1 else ()))
    )
    text = "[global]\nbs=4k\n\n" + "\n".join(f"[{job.name}]\nrw=randrw" for job in jobs)
    parameters = {"by_job": True, "text": text}
    step = StepRecord(1, "all at once", "workload", Status.DONE, workload=result, parameters=parameters)
    return planted.record("mixed", steps=[step])


def striped() -> Record:
    """Rates of arrays of one to four drives, reads and writes of two sizes."""
    arrays = [
        {"members": members, "interference_ratio": 1.1, "interference_low": 1.0, "interference_high": 1.2}
        | {
            f"{kind}_{size}_mib_bytes_per_second": 1e8 * members * factor
            for kind, size, factor in (("read", 64, 2.0), ("read", 1, 1.5), ("write", 64, 1.2), ("write", 1, 1.1))
        }
        for members in (1, 2, 3, 4)
    ]
    findings = [
        Finding("useful_member_count_read_64_mib", "All help.", 4, "count", details={"arrays": arrays}),
        Finding("stripe_interference_ratio", "They hinder each other a little.", 1.1, "ratio"),
    ]
    return planted.record("stripe-scaling", findings=findings)


def worn() -> Record:
    """A drive worn out on the bench: its four rates at three checkpoints."""
    steps = [
        StepRecord(
            number,
            f"checkpoint {number}",
            "workload",
            parameters={
                "checkpoint": {
                    "host_written_bytes": number * 10**12,
                    "bytes_per_second": 2e8,
                    "performance": {
                        key: {"bytes_per_second": rate * (10 - number)}
                        for key, rate in (
                            ("sequential_write", 2e7),
                            ("sequential_read", 4e7),
                            ("random_write", 1e6),
                            ("random_read", 2e6),
                        )
                    },
                }
            },
        )
        for number in (1, 2, 3)
    ]
    return planted.record("endurance-real", steps=steps)


def every_chart() -> dict[str, Chart]:
    """All charts, by the experiment and the name."""
    two = of_jobs(job_result("database", {"read": 900.0, "write": 300.0}), job_result("backup", {"write": 2000.0}))
    alone = of_jobs(job_result("alone", {"read": 5000.0}))
    records = [*planted.everything(), *sampled(), buffered(), striped(), worn(), two]
    found = {f"{record.experiment}: {chart.name}": chart for record in records for chart in charts_of(record)}
    found |= {f"one job: {chart.name}": chart for chart in charts_of(alone)}
    return found | {f"inside: {chart.name}": chart for chart in build_inside(records[0])}
