"""The memory that this process may still take, and what sets the limit.

    machine            MemAvailable of /proc/meminfo     } or in place of both what the person said: --memory
    control group      its limit less what is used       }
    this process       ulimit -v, ulimit -d, less what it has already

The least of them counts. `--memory` reaches worker processes through the environment (FLASHSCOPE_MEMORY).
Not counted: swap, memory that other programs are about to take, control groups of other processes' making above ours
that are not visible here.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

RESULTS_BYTES = 128 << 20
"""What a run records takes at most, with its rows and columns and the page of its report [bytes]."""

VARIABLE = "FLASHSCOPE_MEMORY"
_GROUPS = Path("/sys/fs/cgroup")
_UNLIMITED = 1 << 60
_UNKNOWN = 1 << 62


@dataclass(frozen=True, order=True)
class FreeMemory:
    """free_bytes: what may still be taken. limit: what says so, as a clause after "and"."""

    free_bytes: int
    limit: str


def free_memory() -> FreeMemory:
    """The least that any limit leaves."""
    said = os.environ.get(VARIABLE, "")
    asked = [FreeMemory(int(said), "--memory allows")] if said.isdecimal() else []
    given = asked or [*_machine(), *_control_groups()]
    return min([*given, *_process()], default=FreeMemory(_UNKNOWN, "nothing limits it to"))


def limit_memory(limit_bytes: int) -> None:
    """Let this process, and those that it starts, take so much, whatever the machine says is free."""
    os.environ[VARIABLE] = str(limit_bytes)


def _machine() -> Iterator[FreeMemory]:
    available = _fields(Path("/proc/meminfo")).get("MemAvailable")
    if available is not None:
        yield FreeMemory(available * 1024, "this machine has free")


def _control_groups() -> Iterator[FreeMemory]:
    """Ours and those above it, in either version of control groups."""
    for line in _lines(Path("/proc/self/cgroup")):
        _, controllers, place = line.split(":", 2)
        if controllers == "":
            root, most, used, idle = _GROUPS, "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            root, most, used, idle = (
                _GROUPS / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
            )  # fmt: skip
        else:
            continue
        group = root / place.lstrip("/")
        for folder in (group, *group.parents):
            if folder != root and root not in folder.parents:
                break
            limit_bytes, used_bytes = _number(folder / most), _number(folder / used)
            if limit_bytes is not None and used_bytes is not None and limit_bytes < _UNLIMITED:
                # Cached files give way.
                used_bytes -= min(used_bytes, _fields(folder / "memory.stat").get(idle, 0))
                yield FreeMemory(max(0, limit_bytes - used_bytes), "the control group of this process leaves")


def _process() -> Iterator[FreeMemory]:
    has = _fields(Path("/proc/self/status"))
    for kind, name, option in ((resource.RLIMIT_AS, "VmSize", "-v"), (resource.RLIMIT_DATA, "VmData", "-d")):
        limit_bytes, _ = resource.getrlimit(kind)
        if limit_bytes != resource.RLIM_INFINITY:
            left = max(0, limit_bytes - has.get(name, 0) * 1024)
            yield FreeMemory(left, f"the limit of this process (ulimit {option}) leaves")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _number(path: Path) -> int | None:
    text = "".join(_lines(path)).strip()
    return int(text) if text.isdecimal() else None


def _fields(path: Path) -> dict[str, int]:
    """The numbers of lines such as "MemAvailable:  123 kB" and "inactive_file 123"."""
    fields = {}
    for line in _lines(path):
        name, _, rest = line.replace(":", " ").partition(" ")
        first = rest.split()[:1]
        if first and first[0].isdecimal():
            fields[name] = int(first[0])
    return fields
