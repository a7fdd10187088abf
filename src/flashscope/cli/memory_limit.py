"""Whether the memory that this process may have is enough to begin with.

    ulimit -v LIMIT      |--in use--|-----room-----|     the room must hold the libraries of numbers

Without that room they do not fail: OpenBLAS asks for memory again and again and never returns, and a library that the
system cannot map ends in an error that names no memory. So the room is asked for once, and given back, before they are
loaded. OpenBLAS takes 32 MiB more for each thread; it gets one, as the matrices here are small and results must not
depend on how many processors there are.
Not asked here: what a drive's tables and a run's results need (drives/virtual/, runner/workers.py).
"""

from __future__ import annotations

import mmap
import os
import resource

from flashscope.errors import NotEnoughMemory

_LIBRARIES_BYTES = 200 << 20
"""Address space of NumPy, SciPy and what they load, with one thread [bytes]; seen with `ulimit -v`."""


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
