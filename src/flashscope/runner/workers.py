"""How many virtual drives run at the same time: one for each processor, as far as they fit into memory.

A virtual drive takes about eight bytes for every 4 KiB of its capacity: 0.5 GB for a drive of 256 GB. Together they
may take half of the memory that is free at the start; one always runs.
"""

from __future__ import annotations

import os

from flashscope.records.drive_facts import DriveFacts

_CAPACITY_PER_MEMORY = 512  # bytes of a drive for each byte kept
_FIXED_BYTES = 64 << 20
_OF_FREE_MEMORY = 2


def workers_for(count: int, facts: DriveFacts) -> int:
    """Experiments to run at once, of `count` on virtual drives with these facts; at least 1."""
    return workers_for_bytes(count, facts.user_bytes)


def workers_for_bytes(count: int, user_bytes: int) -> int:
    """The same for virtual drives of that capacity [bytes]."""
    fit = count
    free_bytes = _free_memory_bytes()
    if free_bytes is not None:
        fit = free_bytes // _OF_FREE_MEMORY // (user_bytes // _CAPACITY_PER_MEMORY + _FIXED_BYTES)
    return max(1, min(count, _processors(), fit))


def _processors() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


def _free_memory_bytes() -> int | None:
    """Memory available to programs now [bytes]; None where unknown."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None
