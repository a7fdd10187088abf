"""What workloads measured, as a table in the manner of fio's summary: rate, requests, latencies, per kind and job.

mixed: done, 30 s of virtual time
  read         rate  requests/s      p50      p90      p99    p99.9      max
  reader   240 MB/s      58 600    61 us    80 us   110 us   2.1 ms    70 ms
  all      240 MB/s      58 600    61 us    80 us   110 us   2.1 ms    70 ms
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flashscope import units
from flashscope.cli.texts.terminal_width import fitted_to, terminal_columns
from flashscope.records import BYTES_OF, Histogram, Record, StepRecord, WorkloadResult
from flashscope.records.job_result import JobResult

_SHARES = {"p50": 0.50, "p90": 0.90, "p99": 0.99, "p99.9": 0.999, "p99.99": 0.9999}
_SHOWN = ("p50", "p90", "p99", "p99.9", "max")
_WIDTHS = (10, 12, 8, 9, 8, 8, 8)
_NAME_LEAST, _NAME_MOST = 6, 15  # 80 columns in all


def workload_numbers(result: WorkloadResult) -> dict[str, dict[str, Any]]:
    """Per kind of request that was made: bytes, requests, their rates per second, latency_ns with mean, p50 ... max."""
    return _numbers(result.totals, result.latency, result.duration_ns)


def job_numbers(job: JobResult, duration_ns: int) -> dict[str, dict[str, Any]]:
    """The same of one job. duration_ns: of the step, to which all rates refer."""
    totals: dict[str, int] = {}
    for kind, bytes_name in BYTES_OF.items():
        if f"{kind}_requests" in job.series.columns:
            totals[bytes_name] = int(job.series[f"{kind}_bytes"].sum())
            totals[f"{kind}_requests"] = int(job.series[f"{kind}_requests"].sum())
    return _numbers(totals, job.latency, duration_ns)


def _numbers(
    totals: Mapping[str, int], latency: Mapping[str, Histogram], duration_ns: int
) -> dict[str, dict[str, Any]]:
    seconds = duration_ns / 1e9
    numbers: dict[str, dict[str, Any]] = {}
    for kind, bytes_name in BYTES_OF.items():
        requests = totals.get(f"{kind}_requests", 0)
        if not requests:
            continue
        moved_bytes = totals.get(bytes_name, 0)
        numbers[kind] = {
            "bytes": moved_bytes,
            "requests": requests,
            "bytes_per_second": moved_bytes / seconds if seconds else None,
            "requests_per_second": requests / seconds if seconds else None,
            "latency_ns": _latency_numbers(latency.get(kind, Histogram())),
        }
    return numbers


def _latency_numbers(histogram: Histogram) -> dict[str, float]:
    if not histogram.counts:
        return {}
    shares = {name: histogram.percentile_ns(share) for name, share in _SHARES.items()}
    return {"mean": histogram.mean_ns, **shares, "max": float(histogram.max_ns)}


def workloads_json(record: Record) -> list[dict[str, Any]]:
    """The numbers of every workload step of a record, as plain data."""
    return [
        {
            "step": step.name,
            "status": step.status.value,
            "duration_ns": step.workload.duration_ns,
            "failed_requests": step.workload.totals.get("failed_requests", 0),
            "directions": workload_numbers(step.workload),
            "jobs": [
                {"name": job.name, "directions": job_numbers(job, step.workload.duration_ns)}
                for job in step.workload.jobs
                if job.name
            ],
        }
        for step in record.steps
        if step.workload is not None
    ]


def workloads_text(record: Record) -> str:
    """The numbers of every workload step of a record, in lines."""
    lines: list[str] = []
    clock = " of virtual time" if record.drive_facts.in_virtual_time else ""
    for step in record.steps:
        if step.workload is not None:
            lines += _step_lines(step, step.workload, clock)
        elif step.note:
            lines.append(f"{step.name}: {step.status.value} ({step.note})")
    return "\n".join(lines)


def _step_lines(step: StepRecord, result: WorkloadResult, clock: str) -> list[str]:
    lines = [f"{step.name}: {step.status.value}, {units.format_time(result.duration_ns)}{clock}"]
    each = {job.name: job_numbers(job, result.duration_ns) for job in result.jobs if job.name}
    width = min(_NAME_MOST, max(_NAME_LEAST, *(len(name) for name in each))) if each else _NAME_LEAST
    if terminal_columns() is None:  # a pipe has room for names of any length
        width = max([width, *(len(name) for name in each)])
    for kind, numbers in workload_numbers(result).items():
        headings = ("rate", "requests/s", *_SHOWN)
        lines.append(
            f"  {kind:<{width}}" + "".join(f"{word:>{room}}" for word, room in zip(headings, _WIDTHS, strict=True))
        )
        makers = {name: of_job[kind] for name, of_job in each.items() if kind in of_job}
        lines += [_row(name, width, of_job) for name, of_job in makers.items()]
        if len(makers) != 1:  # the numbers of the only one are those of all
            lines.append(_row("all" if makers else "", width, numbers))
        amount = f"{units.format_bytes(numbers['bytes'])} in {units.format_count(numbers['requests'])} requests"
        lines.append(f"  {'':<{width}}  {amount}")
    failed = result.totals.get("failed_requests", 0)
    if failed:
        lines.append(f"  {units.format_count(failed)} requests failed")
    return lines


def _row(name: str, width: int, numbers: Mapping[str, Any]) -> str:
    cells = ["", ""]
    if numbers["bytes_per_second"] is not None:
        cells = [
            units.format_rate(numbers["bytes_per_second"]),
            units.format_number(numbers["requests_per_second"]),
        ]
    cells += [units.format_time(numbers["latency_ns"][one]) if numbers["latency_ns"] else "" for one in _SHOWN]
    rest = "".join(f"{cell:>{room}}" for cell, room in zip(cells, _WIDTHS, strict=True))
    return f"  {fitted_to(name, width):<{width}}{rest}"
