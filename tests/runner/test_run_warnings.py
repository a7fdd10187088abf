"""Warnings about a run: each kind where it is true, none where it is not, and none that an experiment brings about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flashscope.records import (
    Histogram,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepRecord,
    Table,
    WorkloadResult,
)
from flashscope.records.latency import bucket_of
from flashscope.records.plain import plain
from flashscope.runner.run_warnings import run_warnings
from flashscope.workloads.job import BlockSizes, Job
from tests.facts import facts_of

GOOD = Job("mix", "randrw", queue_depth=8)


def record(job: Job = GOOD, *, kind: str = "block device", **changes: Any) -> Record:
    """A run of one second: 10,000 reads of 800 us each, eight under way."""
    values: dict[str, Any] = {"latency_ns": 800_000, "requests": 10_000, "totals": {}, "celsius": 40, "system": "ext4"}
    values |= changes
    latency, requests = values["latency_ns"], values["requests"]
    reads = Histogram({bucket_of(latency): requests}, latency * requests, latency, latency)
    totals = {"read_requests": requests, "host_cpu_ns": 2 * 10**8, "host_threads": 1} | values["totals"]
    work = StepRecord(
        0, "mix", "workload", Status.DONE, parameters=plain({"jobs": [job]}),
        workload=WorkloadResult(10**9, Table(), {"read": reads}, totals),
    )  # fmt: skip
    temperature = SmartAttribute(194, 0, 100, 100, bytes([values["celsius"], 0, 0, 0, 0, 0]))
    smart = StepRecord(
        1, "SMART after", "smart", Status.DONE, smart=SmartSnapshot(0, "smartctl", "M", "1", 10**9, (temperature,))
    )
    return Record(
        id="r", experiment="e", drive="/dev/x", status=Status.DONE, created_utc="", seed=0, command="", versions={},
        host={"file_system": values["system"]}, configuration={}, configuration_hash="",
        drive_facts=replace(facts_of(kind, 1 << 30), place=None), steps=[work, smart],
    )  # fmt: skip


def kinds(of: Record) -> list[str]:
    return [doubt.kind for doubt in run_warnings(of)]


def test_a_plain_run_has_no_warnings() -> None:
    assert kinds(record()) == []


@pytest.mark.parametrize(
    ("kind", "of"),
    [
        ("CpuBound", record(totals={"host_cpu_ns": 95 * 10**7})),
        ("QueueNeverFull", record(requests=2_000)),
        ("TooFewSamples", record(replace(GOOD, queue_depth=1), requests=12)),
        ("NotSteady", record(totals={"rounds": 25, "steady_rounds": 0})),
        ("NotAligned", record(replace(GOOD, offset_bytes=63 * 512))),
        ("NotAligned", record(replace(GOOD, write_sizes=BlockSizes(weighted=((4096, 100.0),), align_bytes=512)))),
        ("CacheInTheWay", record(replace(GOOD, queue_depth=1), latency_ns=900)),
        ("CompressedByFileSystem", record(kind="file", system="btrfs")),
        ("Throttled", record(celsius=78)),
    ],
)
def test_each_kind_is_found_alone_and_says_what_to_do(kind: str, of: Record) -> None:
    (doubt,) = run_warnings(of)
    assert doubt.kind == kind
    assert doubt.advice
    assert run_warnings(of, frozenset({kind})) == []


def test_a_paced_job_is_not_blamed_for_an_empty_queue() -> None:
    assert kinds(record(replace(GOOD, rate_requests_per_second=(100, 0, 0)), requests=100)) == []


def test_reads_may_begin_anywhere() -> None:
    assert kinds(record(replace(GOOD, direction="randread", offset_bytes=512))) == []


def test_a_virtual_drive_may_be_as_fast_as_it_is() -> None:
    assert kinds(record(replace(GOOD, queue_depth=1), latency_ns=900, kind="virtual", system="zfs")) == []


def test_many_steps_are_counted_not_listed() -> None:
    of = record(totals={"host_cpu_ns": 95 * 10**7})
    of.steps = [replace(of.steps[0], index=index, name=f"step {index}") for index in range(9)]
    (doubt,) = run_warnings(of)
    assert "9 of 9 workloads" in doubt.message
