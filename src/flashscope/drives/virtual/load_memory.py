"""The memory of the requests that a drive has under way, asked before a job starts.

    outstanding requests, at most the queue of the drive   x   pages of the largest   x   bytes

Mostly it is nothing. But thousands of requests of a gigabyte each are hundreds of millions of pages, each of which
waits in the queue of a bank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flashscope.drives.system.free_memory import free_memory
from flashscope.errors import WrongUse
from flashscope.units import format_bytes_binary
from flashscope.workloads.job import Job

_BYTES_PER_PAGE = 160
_BYTES_PER_REQUEST = 512


def load_bytes(jobs: Sequence[Job], configuration: Mapping[str, Any]) -> int:
    """An upper bound of the memory of these jobs' requests [bytes]. configuration: the drive's, in base units."""
    members = configuration.get("members") or [configuration]
    page_bytes = min(_page_bytes(member) for member in members)
    kept = sum(job.queue_depth for job in jobs)
    held = min(kept, sum(int(member.get("link", {}).get("queue_depth", kept)) for member in members))
    largest = max((_largest_bytes(job) for job in jobs), default=0)
    return kept * _BYTES_PER_REQUEST + held * (largest // page_bytes) * _BYTES_PER_PAGE


def check_load(jobs: Sequence[Job], configuration: Mapping[str, Any], name: str) -> None:
    """Refuse jobs whose requests need more memory than is free. Raises WrongUse with both figures."""
    needed, free = load_bytes(jobs, configuration), free_memory()
    if needed > free.free_bytes:
        raise WrongUse(
            f"{name}: the requests that these jobs keep under way take up to {format_bytes_binary(needed)} of memory, "
            f"and {free.limit} {format_bytes_binary(free.free_bytes)}",
            accepted="fewer requests at a time, or smaller ones",
            advice="lower iodepth, numjobs or bs",
        )


def _page_bytes(configuration: Mapping[str, Any]) -> int:
    return int(configuration.get("mapping", {}).get("unit_bytes", 1 << 20))


def _largest_bytes(job: Job) -> int:
    sizes = (job.read_sizes, job.write_sizes, job.trim_sizes)
    return max(max([*(size for size, _ in each.weighted), *(each.range_bytes or ())], default=0) for each in sizes)
