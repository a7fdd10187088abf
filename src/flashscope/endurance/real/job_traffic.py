"""A user's fio job file as load: the worn space is its complete drive; fio writes, and nothing is verified.

The contents of these blocks are then unknown; the static share and earlier writes elsewhere are still verified.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flashscope.endurance.real.layout import HEAD_BYTES, Layout
from flashscope.endurance.real.settings import WearSettings
from flashscope.errors import WrongUse
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.job_file import parse_job_file

_FASTEST_BYTES_PER_SECOND = 8_000_000_000  # PCIe 4.0 with four lanes; a faster drive ends such a job before its time


def jobs_of(settings: WearSettings, layout: Layout) -> list[Job]:
    """The jobs, placed on the drive. Raises WrongUse for what cannot be read, reaches beyond, or writes nothing."""
    jobs = parse_job_file(settings.jobs_text, source=settings.jobs_name, drive_bytes=layout.worn_bytes)
    placed = []
    for job in jobs:
        size = job.size_bytes or layout.worn_bytes - job.offset_bytes
        if job.offset_bytes + size > layout.worn_bytes:
            raise WrongUse(
                f"job [{job.name}] of {settings.jobs_name} reaches beyond the space that is worn",
                accepted=f"offset + size up to {layout.worn_bytes} bytes",
            )
        placed.append(_bounded(replace(job, offset_bytes=job.offset_bytes + HEAD_BYTES, size_bytes=size)))
    if most_written_bytes(placed) == 0:
        raise WrongUse(f"no job of {settings.jobs_name} writes", accepted="a job file that wears the drive")
    return placed


def most_written_bytes(jobs: list[Job]) -> int:
    """The most that one run of the jobs writes [bytes]; the last request of a job may go beyond its end."""
    return sum((job.io_bytes or job.size_bytes) + _largest_bytes(job.write_sizes) for job in jobs if job.writes)


def _bounded(job: Job) -> Job:
    """A job with a time limit gets a limit in bytes too, so that no fast drive exceeds its share of the budget."""
    if not job.runtime_ns:
        return job
    in_time = _FASTEST_BYTES_PER_SECOND * job.runtime_ns // 10**9
    most = in_time if job.time_based else min(job.io_bytes or job.size_bytes, in_time)
    return replace(job, time_based=False, io_bytes=max(most, 1))


def _largest_bytes(sizes: BlockSizes) -> int:
    return sizes.range_bytes[1] if sizes.range_bytes else max(size for size, _ in sizes.weighted)


def touched(jobs: list[Job], layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """The stretches of blocks that jobs may write or trim: firsts, counts."""
    firsts, counts = [], []
    for job in jobs:
        if not job.only_reads:
            first = (job.offset_bytes - HEAD_BYTES) // layout.block_bytes
            end = -(-(job.offset_bytes - HEAD_BYTES + job.size_bytes) // layout.block_bytes)
            firsts.append(first)
            counts.append(min(end, layout.worn_blocks) - first)
    return np.array(firsts, dtype=np.int64), np.array(counts, dtype=np.int64)
