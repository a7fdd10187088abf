"""What workloads measured, in the order of fio's own summary: amount, rate, requests, latencies, per direction."""

from __future__ import annotations

from typing import Any

from flashscope import units
from flashscope.records import BYTES_OF, Histogram, Record, WorkloadResult

_SHARES = {"p50": 0.50, "p99": 0.99, "p99.9": 0.999}


def workload_numbers(result: WorkloadResult) -> dict[str, dict[str, Any]]:
    """Per direction that was used: bytes, requests, their rates per second, and latency_ns with mean, p50 ... max."""
    seconds = result.duration_ns / 1e9
    numbers: dict[str, dict[str, Any]] = {}
    for direction, bytes_name in BYTES_OF.items():
        requests = result.totals.get(f"{direction}_requests", 0)
        if not requests:
            continue
        moved_bytes = result.totals.get(bytes_name, 0)
        numbers[direction] = {
            "bytes": moved_bytes,
            "requests": requests,
            "bytes_per_second": moved_bytes / seconds if seconds else None,
            "requests_per_second": requests / seconds if seconds else None,
            "latency_ns": _latency_numbers(result.latency.get(direction, Histogram())),
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
        }
        for step in record.steps
        if step.workload is not None
    ]


def workloads_text(record: Record) -> str:
    """The numbers of every workload step of a record, in lines."""
    lines: list[str] = []
    clock = " of virtual time" if record.drive_facts.in_virtual_time else ""
    for step in record.steps:
        if step.workload is None:
            if step.note:
                lines.append(f"{step.name}: {step.status.value} ({step.note})")
            continue
        lines.append(f"{step.name}: {step.status.value}, {units.format_time(step.workload.duration_ns)}{clock}")
        for direction, numbers in workload_numbers(step.workload).items():
            lines += _direction_lines(direction, numbers)
        failed = step.workload.totals.get("failed_requests", 0)
        if failed:
            lines.append(f"  {units.format_count(failed)} requests failed")
    return "\n".join(lines)


def _direction_lines(direction: str, numbers: dict[str, Any]) -> list[str]:
    amount = units.format_bytes(numbers["bytes"])
    rates = ""
    if numbers["bytes_per_second"] is not None:
        rates = f", {units.format_rate(numbers['bytes_per_second'])}"
        rates += f", {units.format_count(round(numbers['requests_per_second']))} requests/s"
    lines = [f"  {direction:<6} {amount} in {units.format_count(numbers['requests'])} requests{rates}"]
    if numbers["latency_ns"]:
        said = ", ".join(f"{name} {units.format_time(value)}" for name, value in numbers["latency_ns"].items())
        lines.append(f"         latency: {said}")
    return lines
