"""The memory of a job itself, asked before it starts: its requests under way, and its map of places.

    requests   outstanding, at most the queue of the drive   x   pages of the largest   x   bytes
    map        a bit for each cell of the span, when a random job of several sizes visits every place once

Mostly it is nothing, and what is free is not asked. But thousands of requests of a gigabyte each are hundreds of
millions of pages, each of which waits in the queue of a bank; and 256 jobs over terabytes of sectors have maps of half
a gigabyte each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flashscope.drives.system.free_memory import RESULTS_BYTES
from flashscope.drives.virtual.kept_memory import free_for
from flashscope.errors import WrongUse
from flashscope.units import format_bytes_binary
from flashscope.workloads.job import Job

_BYTES_PER_PAGE = 160
_BYTES_PER_REQUEST = 512
_NOTHING_BYTES = RESULTS_BYTES // 16
"""Less than this is not worth asking the system, a hundred times in a plan: 8 MiB of the room for results [bytes]."""


def load_bytes(jobs: Sequence[Job], configuration: Mapping[str, Any], user_bytes: int) -> int:
    """An upper bound of the memory of these jobs [bytes]. configuration: the drive's, in base units."""
    members = configuration.get("members") or [configuration]
    page_bytes = min(_page_bytes(member) for member in members)
    kept = sum(job.queue_depth for job in jobs)
    held = min(kept, sum(int(member.get("link", {}).get("queue_depth", kept)) for member in members))
    largest = max((_largest_bytes(job) for job in jobs), default=0)
    maps = sum(_map_bytes(job, user_bytes) for job in jobs)
    return maps + kept * _BYTES_PER_REQUEST + held * (largest // page_bytes) * _BYTES_PER_PAGE


def check_load(jobs: Sequence[Job], configuration: Mapping[str, Any], user_bytes: int, name: str) -> None:
    """Refuse jobs that need more memory than is free. Raises WrongUse with both figures."""
    needed = load_bytes(jobs, configuration, user_bytes)
    if needed < _NOTHING_BYTES:
        return
    free = free_for(needed)
    if needed > free.free_bytes:
        raise WrongUse(
            f"{name}: the requests of these jobs and their maps of places take up to {format_bytes_binary(needed)} of "
            f"memory, and {free.limit} {format_bytes_binary(free.free_bytes)}",
            accepted="fewer or smaller requests at a time, fewer jobs, a smaller span",
            advice="lower iodepth, numjobs, bs or size, or give norandommap",
        )


def _page_bytes(configuration: Mapping[str, Any]) -> int:
    return int(configuration.get("mapping", {}).get("unit_bytes", 1 << 20))


def _map_bytes(job: Job, user_bytes: int) -> int:
    """The map of a job that has one: crates/workload, offsets/free_map.rs."""
    if not job.direction.startswith("rand") or not job.random_map or job.distribution.kind != "uniform":
        return 0
    several = any(each.range_bytes or len(each.weighted) > 1 for each in (job.read_sizes, job.write_sizes))
    sizes = (job.read_sizes, job.write_sizes, job.trim_sizes)
    if not several and len({each.weighted for each in sizes}) == 1:
        return 0
    span_bytes = job.size_bytes or user_bytes
    return span_bytes // min(each.align_bytes for each in sizes) // 8 * 65 // 64


def _largest_bytes(job: Job) -> int:
    sizes = (job.read_sizes, job.write_sizes, job.trim_sizes)
    return max(max([*(size for size, _ in each.weighted), *(each.range_bytes or ())], default=0) for each in sizes)
