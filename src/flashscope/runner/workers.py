"""How many virtual drives run at the same time: one for each processor, as far as they fit into memory.

Each takes what `drives/virtual/room.py` says. Together they may take three quarters of the memory that is free at the
start; one always runs, since it was compared with the free memory before.
"""

from __future__ import annotations

import os

from flashscope.drives.system.free_memory import RESULTS_BYTES, free_memory

_OF_FREE_MEMORY = 0.75


def workers_for(count: int, drive_bytes: int) -> int:
    """Drives to run at once, of `count` that take `drive_bytes` of memory each; at least 1."""
    fit = int(free_memory().free_bytes * _OF_FREE_MEMORY) // (drive_bytes + RESULTS_BYTES)
    return max(1, min(count, _processors(), fit))


def _processors() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1
