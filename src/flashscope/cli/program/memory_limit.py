"""Whether the memory that this process may have is enough to begin with.

    ulimit -v LIMIT      |--in use--|-----room-----|     the room must hold the libraries of numbers

Without that room they do not fail: OpenBLAS asks for memory again and again and never returns, and a library that the
system cannot map ends in an error that names no memory. So the room is asked for once, and given back, before they are
loaded. OpenBLAS takes 32 MiB more for each thread; it gets one, as the matrices here are small and results must not
depend on how many processors there are.

`check_memory` says beforehand what drives that run at the same time take together, where that is much.
Not asked here: what a run's results need.
"""

from __future__ import annotations

import mmap
import os
import resource
from collections.abc import Callable

from flashscope.errors import NotEnoughMemory, WrongUse

_LIBRARIES_BYTES = 200 << 20
"""Address space of NumPy, SciPy and what they load, with one thread [bytes]; seen with `ulimit -v`."""

_WORTH_SAYING_BYTES = 512 << 20
"""Memory of virtual drives that is told before it is taken [bytes]."""


def use_one_thread() -> None:
    """Let the libraries of numbers work with one thread, unless the environment says otherwise."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def ask_for_room() -> None:
    """Raise NotEnoughMemory when a limit of this process leaves too little room for the libraries of numbers."""
    limit_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit_bytes == resource.RLIM_INFINITY:
        return
    try:
        mmap.mmap(-1, _LIBRARIES_BYTES, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        raise NotEnoughMemory(
            f"this process may have {limit_bytes >> 20} MiB of address space in all, which is too little to begin",
            accepted=f"{_LIBRARIES_BYTES >> 20} MiB beside what it has already, and more for the drive",
            advice="raise the limit: ulimit -v",
        ) from None


def check_memory(at_once: int, drive_bytes: int, say: Callable[[str], None]) -> None:
    """Say what so many drives at once may take, where that is much. Raises WrongUse when it is more than is free.

    drive_bytes: the memory of each of the drives.
    """
    from flashscope.drives.system.free_memory import RESULTS_BYTES, free_memory
    from flashscope.units import format_bytes_binary

    together, free = at_once * (drive_bytes + RESULTS_BYTES), free_memory()
    of_several = f", {at_once} drives at once" if at_once > 1 else ""
    if together > free.free_bytes:
        raise WrongUse(
            f"the virtual drives take up to {format_bytes_binary(together)} of memory{of_several}, and "
            f"{free.limit} {format_bytes_binary(free.free_bytes)}",
            accepted="drives that fit",
            advice="take smaller ones, fewer at once (--workers), or say what they may take: --memory SIZE",
        )
    if together >= _WORTH_SAYING_BYTES:
        say(f"memory: up to {format_bytes_binary(together)}{of_several}; {free.limit} "
            f"{format_bytes_binary(free.free_bytes)}")  # fmt: skip
