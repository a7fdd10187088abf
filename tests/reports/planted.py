"""Records with planted findings, as the runner would leave them, and small ways to spoil them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np

from flashscope.records import (
    Doubt,
    Finding,
    Histogram,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepRecord,
    Table,
    WorkloadResult,
)
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.latency import bucket_of
from tests.facts import facts_of

GB = 10**9
USER_BYTES = 120 * GB


def histogram(*latencies_ns: int) -> Histogram:
    counts: dict[int, int] = {}
    for latency_ns in latencies_ns:
        counts[bucket_of(latency_ns)] = counts.get(bucket_of(latency_ns), 0) + 1
    return Histogram(counts, sum(latencies_ns), min(latencies_ns), max(latencies_ns))


class Parts(TypedDict, total=False):
    """What a test may say of a record beside its experiment."""

    id: str
    drive: str
    status: Status
    created_utc: str
    command: str
    versions: dict[str, str]
    host: dict[str, Any]
    configuration: dict[str, Any]
    drive_facts: DriveFacts
    truth: dict[str, Any]
    inside: Table | None
    steps: list[StepRecord]
    findings: list[Finding]
    doubts: list[Doubt]
    note: str


class Changes(Parts, total=False):
    """What a test may say of a planted record: its parts, and what its drive is."""

    kind: str
    model: str


def record(experiment: str, *, kind: str = "virtual", model: str = "PLANTED 120", **parts: Unpack[Parts]) -> Record:
    made = Record(
        id=f"20260102-030405-planted-{experiment}",
        experiment=experiment,
        drive="sim:planted" if kind == "virtual" else "/dev/sdx",
        status=Status.DONE,
        created_utc="2026-01-02T03:04:05Z",
        seed=7,
        command="flashscope examine sim:planted",
        versions={"flashscope": "0.1.0", "python": "3.11"},
        host={"system": "Linux", "memory_bytes": 8 * GB},
        configuration={},
        configuration_hash="ab" * 32,
        drive_facts=facts_of(kind, USER_BYTES, model=model, firmware="1.0", serial="S1", raw_bytes=128 * 2**30),
    )
    return replace(made, **parts)


def falling(rows: int = 1000, **changes: Unpack[Changes]) -> Record:
    """400 MB/s for 130 GB, then 200 MB/s; one interval in the middle is a stall."""
    written = np.full(rows, 264 * GB // rows)
    rate = np.where(np.cumsum(written) <= 130 * GB, 400e6, 200e6)
    rate[rows // 4] = 20e6
    elapsed = np.cumsum(written / rate * 1e9).astype(np.int64)
    series = Table.of(elapsed_ns=("ns", elapsed), written_bytes=("bytes", written))
    workload = WorkloadResult(
        int(elapsed[-1]),
        series,
        {"write": histogram(*[2_000_000] * 998, 70_000_000, 180_123_456)},
        {"written_bytes": int(written.sum()), "write_requests": 1000},
    )
    doubt = Doubt("NotFresh", "the drive was not erased first", "secure-erase it and run this again")
    details = {
        "detection_limit_ratio": 0.03,
        "plateaus": [
            {"from_bytes": 0, "to_bytes": 130 * GB, "rate_bytes_per_second": 400e6, "low": 395e6, "high": 405e6},
            {"from_bytes": 130 * GB, "to_bytes": 264 * GB, "rate_bytes_per_second": 2e8, "low": 195e6, "high": 205e6},
        ],
        "change_points": [{"bytes": 130 * GB, "low": 128 * GB, "high": 132 * GB}],
    }
    finding = Finding(
        "rate_fall",
        "Falls from 400 MB/s to 200 MB/s after 130 GB: plan longer writes with the lower rate.",
        130 * GB,
        "bytes",
        128 * GB,
        132 * GB,
        evidence=("sequential write",),
        doubts=(doubt,),
        details=details,
    )
    steps = [
        StepRecord(0, "secure erase", "secure erase", Status.SKIPPED, note="this drive cannot be erased"),
        StepRecord(1, "sequential write", "workload", Status.DONE, workload=workload),
    ]
    inside = Table.of(
        valid_slots=("count", np.array([0, 200, 256, 256, 0])),
        erase_count=("cycles", np.array([3, 4, 4, 5, 0])),
        state=("count", np.array([0, 3, 3, 3, 4])),
    )
    fields: Changes = {"steps": steps, "findings": [finding], "truth": {"rate_fall": 131 * GB}, "inside": inside}
    return record("sustained-sequential-write", **(fields | changes))


def small_writes(fast: float = 8000.0, **changes: Unpack[Changes]) -> Record:
    """Aligned writes of 4 KiB and more are fast; all below or beside are slow."""
    cells = [
        {
            "name": f"{'aligned' if aligned else 'unaligned'} {size}",
            "request_bytes": size,
            "grid_bytes": max(size, 4096) if aligned else 512,
            "aligned": aligned,
            "request_count": 1000,
            "requests_per_second": (rate := fast if aligned and size >= 4096 else 1000.0),
            "low": 0.98 * rate,
            "high": 1.02 * rate,
        }
        for size in (512, 1024, 2048, 4096, 8192)
        for aligned in (True, False)
    ]
    finding = Finding(
        "mapping_unit_bytes",
        "The drive keeps its data in units of 4 KiB.",
        4096,
        "bytes",
        4096,
        4096,
        evidence=tuple(str(cell["name"]) for cell in cells),
        details={"cells": cells},
    )
    fields: Changes = {"findings": [finding], "truth": {"mapping_unit_bytes": 8192}}
    return record("small-write-matrix", **(fields | changes))


def wearing(**changes: Unpack[Changes]) -> Record:
    """Attribute 173 rises once per 130 GB in order, and eight times as often at random."""
    series = [{"phase": "sequential", "host_bytes": n * 10 * GB, "count": 5 + n // 13} for n in range(49)]
    series += [{"phase": "idle", "host_bytes": 480 * GB, "count": 8}] * 2
    series += [{"phase": "random", "host_bytes": (480 + n) * GB, "count": 8 + n * 8 // 130} for n in range(121)]
    evidence = tuple(f"SMART after {n}" for n in range(len(series)))
    findings = [
        Finding(
            "erase_count_attribute",
            "Attribute 173 (0xAD) counts erases: watch it for wear.",
            173,
            "attribute id",
            evidence=evidence,
            details={"layout": "raw 48-bit", "series": series},
        ),
        Finding(
            "erase_step_host_bytes", "It rises by one per 130 GB.", 130.2e9, "bytes", 128e9, 132e9, evidence=evidence
        ),
        Finding(
            "write_amplification_random",
            "Random writes cost 8 times their bytes.",
            8.03,
            "ratio",
            7.8,
            8.3,
            evidence=evidence,
        ),
    ]
    smart = SmartSnapshot(0, "virtual drive", "PLANTED", "1", USER_BYTES, (SmartAttribute(173, 0, 99, 99, b"\5" * 6),))
    steps = [StepRecord(0, "SMART after 0", "smart", Status.DONE, smart=smart)]
    fields: Changes = {"steps": steps, "findings": findings, "truth": {"erase_count_attribute": 173}}
    return record("smart-inference", **(fields | changes))


def everything(**changes: Unpack[Changes]) -> list[Record]:
    return [falling(**changes), small_writes(**changes), wearing(**changes)]
