"""Is the process that began a run still there?

A run that was killed cannot say so. It is known by its process: host name, boot, process number and
the moment the process began (numbers are used again, moments are not). From another host, or from
another process namespace (a container), nobody can tell; such a run is left as it is.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _process_start(process_id: int) -> str:
    """The start of a process in clock ticks since boot, as text; empty when there is no such process."""
    after_name = _read(f"/proc/{process_id}/stat").rpartition(")")[2].split()
    # A zombie has ended; its parent has merely not asked yet.
    return "" if not after_name or after_name[0] == "Z" else after_name[19]


def this_process() -> dict[str, str | int]:
    """What tells this process from every other: host, boot, namespace, process_id, start."""
    return {
        "host": platform.node(),
        "boot": _read("/proc/sys/kernel/random/boot_id"),
        "namespace": _namespace(),
        "process_id": os.getpid(),
        "start": _process_start(os.getpid()),
    }


def has_ended(process: dict[str, str | int]) -> bool:
    """True when that process certainly runs no more; False when it runs or nobody here can tell."""
    here = this_process()
    if process.get("host") != here["host"]:
        return False
    if process.get("boot") != here["boot"]:
        return True
    if process.get("namespace") != here["namespace"]:
        return False
    return _process_start(int(process["process_id"])) != process.get("start")
