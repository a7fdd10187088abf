"""What the steps of a record measured, by their labels, and the doubts that hold for every timing on a real host."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Histogram, Label, Record, Status, StepRecord, WorkloadResult
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import effort_of

LAST_TRIED = "is_last_tried"
"""Among the details of a finding: whether its value is the last that was tried, so that more might help."""

_EMPTY = Histogram()
_WARM_UP_RATIO = 0.2
# A thread that submits and reaps through the kernel takes a few microseconds for each request.
_HOST_NS_PER_REQUEST = 8_000.0


def finished(record: Record, role: str, **labels: Label) -> list[StepRecord]:
    """The steps of a role, with these labels, that came to their end and made requests; in order."""
    return [step for step in record.steps_with(role, **labels) if is_finished(step)]


def measured(record: Record, role: str, **labels: Label) -> WorkloadResult | None:
    """What the first of these steps measured; None when none was finished."""
    return next((step.workload for step in finished(record, role, **labels)), None)


def is_finished(step: StepRecord) -> bool:
    """True for a step that came to its end and made requests."""
    return step.workload is not None and step.status is Status.DONE and any(_requests(step.workload))


def _requests(result: WorkloadResult) -> Iterable[int]:
    return (result.totals.get(name, 0) for name in ("read_requests", "write_requests"))


def latency(result: WorkloadResult, kind: str) -> Histogram:
    """The latencies of "read" or "write" requests; an empty histogram when there were none."""
    return result.latency.get(kind, _EMPTY)


def settled_rows(result: WorkloadResult, column: str) -> tuple[np.ndarray, np.ndarray]:
    """Amount and time of each row of the series: (amounts, spans [ns]), without warm-up and the unfinished last row.

    A fifth of the rows is warm-up: queues fill, buffers accept writes faster than flash does them. Of a short series,
    all rows are taken.
    """
    amounts = np.asarray(result.series[column], dtype=float)
    spans = np.diff(np.asarray(result.series["elapsed_ns"], dtype=float), prepend=0.0)
    if len(amounts) >= 10:
        begin = int(len(amounts) * _WARM_UP_RATIO)
        if amounts[begin:-1].sum() > 0:
            return amounts[begin:-1], spans[begin:-1]
    return amounts, spans


def is_virtual(record: Record) -> bool:
    """True when virtual time was measured, which depends on no host."""
    return record.drive_facts.in_virtual_time


def host_doubts(record: Record, requests_per_second: float) -> list[Doubt]:
    """Doubts about what a real host adds at its highest rate of small requests; none for a virtual drive."""
    if is_virtual(record):
        return []
    doubts = []
    if requests_per_second * _HOST_NS_PER_REQUEST > SECOND_NS:
        message = f"at {requests_per_second:,.0f} requests per second one thread of this host may be the limit"
        doubts.append(Doubt("CpuBound", message, "run the same job with numjobs=2 and see whether the rate rises"))
    return doubts + below_a_file_doubts(record.drive_facts, "affect every request")


def below_a_file_doubts(facts: DriveFacts, what_they_do: str) -> list[Doubt]:
    """The doubt about what is seen through a file or a directory. what_they_do: the file system and what is below."""
    if facts.can(Capability.BARE):
        return []
    message = f"the file system and the system below the file {what_they_do}"
    return [Doubt("NotTheBareDrive", message, "examine the block device itself")]


def untouched_doubts(record: Record) -> list[Doubt]:
    """The doubt that reads may have met places that were never written; only of a run that did not write itself."""
    if not effort_of(record).read_only:
        return []
    message = "nothing was written before: reads of places that were never written need no flash, and answer sooner"
    return [Doubt("CacheInTheWay", message, "fill the drive first, or run without --read-only")]
