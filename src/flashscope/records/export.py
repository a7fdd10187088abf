"""Records as plain data for other programs: everything that a record holds, by the names of its fields.

Beside the fields of `Record`: a table is {column: {"unit", "values"}}; a histogram has its buckets as rows of lowest
latency, first latency beyond, and count [ns, ns, requests]; bytes are hexadecimal; what is no number is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flashscope.records.columns import Table
from flashscope.records.latency import Histogram, bucket_bounds_ns
from flashscope.records.plain import plain, without_nan
from flashscope.records.record import Record, StepRecord, WorkloadResult

FORMAT = 1
"""Version of this form; a change that programs have to know of raises it."""


def exported(record: Record) -> dict[str, Any]:
    """The record as data for JSON; "flashscope_record" says in which form."""
    fields = {name: value for name, value in vars(record).items() if name not in ("steps", "inside")}
    document: dict[str, Any] = {
        "flashscope_record": FORMAT,
        **without_nan(plain(fields)),
        "inside": _table(record.inside),
        "steps": [_step(step) for step in record.steps],
    }
    return document


def _step(step: StepRecord) -> dict[str, Any]:
    own = ("workload", "smart_series", "members", "places", "glass")
    fields = without_nan(plain({name: value for name, value in vars(step).items() if name not in own}))
    glass = step.glass
    return {
        **fields,
        "workload": _workload(step.workload),
        "smart_series": _table(step.smart_series),
        "members": _table(step.members),
        "places": _table(step.places),
        "glass": None
        if glass is None
        else {
            "series": _table(glass.series),
            "decisions": _table(glass.decisions),
            "slots_per_block": glass.slots_per_block,
            "heat_maps": without_nan(plain(glass.heat_maps)),
        },
    }


def _workload(workload: WorkloadResult | None) -> dict[str, Any] | None:
    if workload is None:
        return None
    return {
        "duration_ns": workload.duration_ns,
        "totals": without_nan(plain(workload.totals)),
        "series": _table(workload.series),
        "latency": _latency(workload.latency),
        "jobs": [
            {"name": job.name, "series": _table(job.series), "latency": _latency(job.latency)} for job in workload.jobs
        ],
    }


def _table(table: Table | None) -> dict[str, Any] | None:
    if table is None:
        return None
    return {
        name: {"unit": column.unit, "values": without_nan(plain(column.values))}
        for name, column in table.columns.items()
    }


def _latency(latency: Mapping[str, Histogram]) -> dict[str, Any]:
    return {direction: _histogram(one) for direction, one in latency.items()}


def _histogram(histogram: Histogram) -> dict[str, Any]:
    return {
        "sum_ns": histogram.sum_ns,
        "min_ns": histogram.min_ns,
        "max_ns": histogram.max_ns,
        "buckets": [[*bucket_bounds_ns(bucket), count] for bucket, count in sorted(histogram.counts.items())],
    }
