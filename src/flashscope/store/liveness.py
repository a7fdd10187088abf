"""Is the process that began a run still running?

A run that was killed cannot report it. It is found out from what its process left:

    a byte that it holds beside the store    held: it runs. Free, and this kernel still the same: it has ended
    its boot                                 another one, on this host or on a disk of one kernel: it has ended
    its number and the moment it began       for stores without such bytes: numbers are used again, moments are not

When none of these decides (another host on a network file system, an old store in another container), the answer is
"unknown". This blocks nothing: the lock of a drive's ledger shows which process works on the drive.
"""

from __future__ import annotations

import enum
import os
import platform
from pathlib import Path
from typing import Any

from flashscope.store import presence


class Standing(enum.Enum):
    """The state of a process, as far as known."""

    RUNS = "runs"
    ENDED = "ended"
    UNKNOWN = "unknown"


def this_process(place: int | None = None) -> dict[str, str | int]:
    """The identity of this process: host, boot, namespace, process_id, start.

    place: the byte that it holds (`presence.py`), None when it holds none; kept under "lock".
    """
    found: dict[str, str | int] = {
        "host": platform.node(),
        "boot": _read("/proc/sys/kernel/random/boot_id"),
        "namespace": _namespace(),
        "process_id": os.getpid(),
        "start": _process_start(os.getpid()),
    }
    return found if place is None else found | {"lock": place}


def standing_of(process: dict[str, Any], store_path: Path) -> Standing:
    """Whether that process, which began a record of that store, still runs."""
    held = presence.is_held(store_path, process["lock"]) if "lock" in process else None
    if held:
        return Standing.RUNS
    here = this_process()
    if process.get("boot") != here["boot"]:
        over = process.get("host") == here["host"] or _on_disk_of_one_kernel(store_path)
        return Standing.ENDED if over else Standing.UNKNOWN
    if held is False:
        return Standing.ENDED
    if process.get("namespace") != here["namespace"]:
        return Standing.UNKNOWN
    runs = _process_start(int(process["process_id"])) == process.get("start")
    return Standing.RUNS if runs else Standing.ENDED


def unknown_text(process: dict[str, Any]) -> str:
    """The note for a run when it is unknown whether its process still runs."""
    host = process.get("host") or "another host"
    elsewhere = "another container" if process.get("host") == platform.node() else f"host {host}"
    return f"begun on {elsewhere}; whether it is still at work cannot be told from here"


def _on_disk_of_one_kernel(store_path: Path) -> bool:
    """Whether the store is on a block device: only one kernel works on it at a time, so another boot's runs are over.

    File systems without a device of their own (networks, FUSE, memory) have the major number 0; so has btrfs.
    """
    try:
        return os.major(os.stat(store_path).st_dev) != 0
    except OSError:
        return False


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
    # A zombie has ended; its parent has not collected its status yet.
    return "" if not after_name or after_name[0] == "Z" else after_name[19]
