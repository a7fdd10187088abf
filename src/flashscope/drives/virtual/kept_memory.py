"""The memory that is free for a virtual drive, where the core keeps that of earlier drives for the next one.

The core uses the memory of a dropped drive again (crates/kernel/src/large_table.rs). It counts as taken until it is
given back, which is done only when there is not enough without it.
"""

from __future__ import annotations

from flashscope import _core
from flashscope.drives.system.free_memory import FreeMemory, free_memory


def free_for(needed_bytes: int) -> FreeMemory:
    """The free memory; when that is less than needed_bytes, after the core gave back what it keeps."""
    free = free_memory()
    if free.free_bytes >= needed_bytes:
        return free
    _core.give_back_memory()
    return free_memory()
