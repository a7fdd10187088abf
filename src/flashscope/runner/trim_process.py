"""TRIM of a real drive, by the system's own programs.

    block device    blkdiscard --offset --length        the drive is told
    file            fallocate --punch-hole              the file system frees the blocks; mounted with `discard`, it
                                                        tells the drive after the change is committed, so it is synced
                                                        (ext4 tells it a moment later, in the background)

blkdiscard asks for the drive exclusively unless it is forced; this process holds it that way already.
Not done here: secure erase; trims mixed with other requests (fio does those).
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from flashscope.drives.system.tools import find_program
from flashscope.errors import DriveFailed, WrongUse

_GLANCE_S = 0.1
_AT_ONCE_BYTES = 1024**3  # a stop is heard between two of these


def trim_range(
    path: Path, offset_bytes: int, length_bytes: int, sector_bytes: int, on_progress: Callable[[int, int], None]
) -> None:
    """Tell the drive that a range of a block device or a file holds no data any more; returns when it knows.

    on_progress: called with (0, elapsed ns); what it raises ends the trim and goes on.
    Raises WrongUse when the range does not fit the sectors or the program is missing, DriveFailed when it fails.
    """
    if offset_bytes % sector_bytes or length_bytes % sector_bytes or length_bytes <= 0:
        raise WrongUse(
            f"a trim of {length_bytes} bytes from byte {offset_bytes} does not fit sectors of {sector_bytes} bytes",
            accepted=f"multiples of {sector_bytes} bytes",
        )
    where = ["--offset", str(offset_bytes), "--length", str(length_bytes), str(path)]
    if path.is_block_device():
        step = _AT_ONCE_BYTES // sector_bytes * sector_bytes
        _run("blkdiscard", ["--force", "--step", str(step), *where], on_progress)
        return
    _run("fallocate", ["--punch-hole", *where], on_progress)
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _run(name: str, arguments: list[str], on_progress: Callable[[int, int], None]) -> None:
    program = find_program(name)
    if program is None:
        raise WrongUse(f"{name} is not installed, and it is what trims", advice="install the package util-linux")
    began_ns = time.monotonic_ns()
    process = subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    try:
        while process.poll() is None:
            on_progress(0, time.monotonic_ns() - began_ns)
            try:
                process.wait(_GLANCE_S)
            except subprocess.TimeoutExpired:
                continue
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        _, said = process.communicate()
    if process.returncode != 0:
        words = " | ".join(line.strip() for line in said.splitlines() if line.strip()) or "and said nothing"
        raise DriveFailed(
            f"{name} ended with code {process.returncode}: {words}",
            advice="see whether the drive is still there, and whether it and all between it and the system take trims",
        )
