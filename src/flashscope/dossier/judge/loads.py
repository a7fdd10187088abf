"""What a step asked of the drive, from the jobs that its record keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flashscope.records import Record, Status, StepRecord
from flashscope.units import format_bytes_binary

SMALL_BYTES = 64 * 1024
"""Requests up to this size are small."""


def jobs_of(step: StepRecord) -> list[dict[str, Any]]:
    """The jobs of a workload; empty for other steps."""
    return [dict(job) for job in step.parameters.get("jobs", ())]


def one_at_a_time(records: Sequence[Record], direction: str) -> Iterator[tuple[Record, StepRecord]]:
    """Finished steps of small requests of that direction, such as "randwrite", one at a time; with their records."""
    for record in records:
        for step in record.steps:
            jobs = jobs_of(step)
            if step.workload is None or step.status is not Status.DONE or len(jobs) != 1:
                continue
            alone = jobs[0].get("direction") == direction and jobs[0].get("queue_depth", 1) == 1
            if alone and max(sizes_of(jobs[0]), default=0) <= SMALL_BYTES:
                yield record, step


def sizes_of(job: dict[str, Any]) -> list[int]:
    """The request sizes of a job."""
    sizes = [job.get(name, {}).get("weighted", ()) for name in ("read_sizes", "write_sizes")]
    return sorted({int(size) for one in sizes for size, _ in one})


def said_of(job: dict[str, Any]) -> str:
    """Its requests in words: "4 KiB", "512 B to 64 KiB"."""
    sizes = sizes_of(job)
    ends = [format_bytes_binary(size) for size in dict.fromkeys((sizes[0], sizes[-1]))] if sizes else ["any size"]
    return " to ".join(ends)
