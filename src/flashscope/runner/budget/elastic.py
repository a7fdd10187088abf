"""Loads that are limited by time are also limited in bytes, so that steps write at most what they may.

    a load that ends after some seconds    elastic: it also ends after so many bytes, at least a few hundred requests
    a fill, a state, files, reads          as they are: cut short, they would be something else
    several jobs, some of which read       as they are: the others would go on alone

What an elastic load may write is bounded by the link, often ten times more than the drive does in that time. So a
smaller bound seldom changes a run: it ends sooner only on a drive that is faster than the bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flashscope.runner.cost import mean_request_bytes
from flashscope.workloads.job import Job
from flashscope.workloads.steps import LaidOut, Step, Workload

_LONGEST_NS = 30 * 10**9  # a load with a later limit is ended by its bytes on most drives, and its bytes are its point
_LEAST_REQUESTS = 256
_LEAST_BYTES = 4 << 20


def within(steps: Sequence[Step], most_bytes: int) -> list[Step]:
    """The steps with their elastic loads cut to shares of what is left of most_bytes; empty when that is too little."""
    excess = sum(step.bytes_to_write for step in steps) - most_bytes
    if excess <= 0:
        return list(steps)
    loads = {index: step for index, step in enumerate(steps) if isinstance(step, Workload) and _is_elastic(step)}
    give_up = {index: load.bytes_to_write - _least_bytes(load) for index, load in loads.items()}
    if excess > sum(give_up.values()):
        return []
    ratio = excess / sum(give_up.values())
    return [
        _cut(step, step.bytes_to_write - -int(-give_up[index] * ratio // 1))
        if isinstance(step, Workload) and index in loads
        else step
        for index, step in enumerate(steps)
    ]


def _is_elastic(step: Workload) -> bool:
    return (
        not isinstance(step, LaidOut)
        and step.until is None
        and step.pace is None
        and not step.smart_every_bytes
        and bool(step.jobs)
        and (len(step.jobs) == 1 or not step.bytes_to_read)
        and all(job.writes and 0 < job.runtime_ns <= _LONGEST_NS for job in step.jobs)
    )


def _least_bytes(step: Workload) -> int:
    """What a load still writes when it is cut as far as it can be [bytes]."""
    least = max(_LEAST_BYTES, *(round(_LEAST_REQUESTS * mean_request_bytes(job)) for job in step.jobs))
    return min(step.bytes_to_write, least * len(step.jobs))


def _cut(step: Workload, most_bytes: int) -> Workload:
    """The load, ended after most_bytes written or by its time, whichever comes first."""
    if most_bytes >= step.bytes_to_write:
        return step
    moved_per_written = (step.bytes_to_write + step.bytes_to_read) / step.bytes_to_write
    each = round(most_bytes * moved_per_written / len(step.jobs))
    jobs = tuple(replace(job, io_bytes=_whole(job, each), time_based=False) for job in step.jobs)
    moved = sum(job.io_bytes for job in jobs)
    written = round(moved / moved_per_written)
    return replace(step, jobs=jobs, bytes_to_write=written, bytes_to_read=moved - written)


def _whole(job: Job, amount: int) -> int:
    """The amount in whole requests of its largest size, at least one; what the job moves anyway when that is less."""
    sizes = (job.read_sizes, job.write_sizes) if job.reads else (job.write_sizes,)
    request = max(max(size.range_bytes or (size for size, _ in size.weighted)) for size in sizes)
    asked = amount // request * request or request
    return asked if job.time_based else min(asked, job.io_bytes or job.size_bytes or asked)
