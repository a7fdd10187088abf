"""What else a machine did while its drive was measured: other programs on its processors, other loads on the drive.

    /proc/stat          time of all processors, less that of this process and its children: others, and the hypervisor
    /proc/diskstats     bytes that the drive moved, less those of this process and its children that ended (fio, the
                        guard's looks at the drive); of a run with a failed step, these are not known

Both become doubts of the run (BusyHost, SharedDrive); the judge doubts or withdraws findings for them. Of a virtual
drive nothing is asked, as it has its own time. Not seen: a load on the drive below a loop device, or below a file on
an array of drives, and what other machines do on a shared volume.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from flashscope.records import Doubt, Record, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.units import format_bytes, format_percent

_SECTOR_BYTES = 512  # of /proc/diskstats, whatever the drive's own are
_OTHERS_BUSY_RATIO = 0.5
_STOLEN_RATIO = 0.1
_SHARED_RATIO = 0.2
_SHARED_BYTES = 64 * 2**20
_SHORTEST_S = 1.0


@dataclass(frozen=True)
class HostLoad:
    """Counters at one moment, since the machine began.

    processors_s: of all processors together. busy_s: not idle, whoever used it. stolen_s: taken by the hypervisor.
    own_s: of this process and its children that ended. moved_bytes: by the drive, None where it is not counted.
    own_bytes: of this process and its children that ended, from and to any drive.
    """

    processors_s: float
    busy_s: float
    stolen_s: float
    own_s: float
    moved_bytes: int | None
    own_bytes: int = 0


def host_load(facts: DriveFacts) -> HostLoad:
    """The counters now; zeros where the system has none."""
    ticks = [int(word) for word in _line("/proc/stat", "cpu").split()[1:9]]
    seconds = [tick / os.sysconf("SC_CLK_TCK") for tick in ticks] if len(ticks) == 8 else [0.0] * 8
    idle_s, stolen_s = seconds[3] + seconds[4], seconds[7]
    own_s = sum(os.times()[:4])
    return HostLoad(sum(seconds), sum(seconds) - idle_s - stolen_s, stolen_s, own_s, _moved_bytes(facts), _own_bytes())


def doubts_of_load(before: HostLoad, after: HostLoad, record: Record) -> list[Doubt]:
    """What other programs and other loads did between the two moments."""
    return [*_of_processors(before, after), *_of_drive(before, after, record)]


def _of_processors(before: HostLoad, after: HostLoad) -> list[Doubt]:
    whole = after.processors_s - before.processors_s
    if whole < _SHORTEST_S:
        return []
    others = max((after.busy_s - before.busy_s) - (after.own_s - before.own_s), 0.0) / whole
    stolen = (after.stolen_s - before.stolen_s) / whole
    if others < _OTHERS_BUSY_RATIO and stolen < _STOLEN_RATIO:
        return []
    who = f"other programs used {format_percent(others)} of the processors"
    if stolen >= _STOLEN_RATIO:
        who = f"other machines on this host took {format_percent(stolen)} of the processors"
    return [Doubt("BusyHost", f"{who} during the run", "run it on a machine that does nothing else")]


def _of_drive(before: HostLoad, after: HostLoad, record: Record) -> list[Doubt]:
    by_steps = _bytes_of_steps(record)
    if before.moved_bytes is None or after.moved_bytes is None or by_steps is None:
        return []
    moved = after.moved_bytes - before.moved_bytes
    others = moved - max(by_steps, after.own_bytes - before.own_bytes)  # the second is 0 where it is not counted
    if others < max(_SHARED_RATIO * moved, _SHARED_BYTES):
        return []
    message = f"{format_bytes(others)} of the {format_bytes(moved)} that the drive moved during the run were of others"
    return [Doubt("SharedDrive", message, "measure a drive that nothing else uses")]


def _bytes_of_steps(record: Record) -> int | None:
    """None when a step failed or was stopped, as it may have moved bytes that nobody counted."""
    if any(step.status not in (Status.DONE, Status.SKIPPED) for step in record.steps):
        return None
    totals = [step.workload.totals for step in record.steps if step.workload is not None]
    return sum(each.get(name, 0) for each in totals for name in ("read_bytes", "written_bytes"))


def _own_bytes() -> int:
    names = ("read_bytes:", "write_bytes:")
    return sum(int(line.split()[1]) for line in (_line("/proc/self/io", name) for name in names) if line)


def _moved_bytes(facts: DriveFacts) -> int | None:
    """Of the one drive that answers; None for several, or where the system does not count them."""
    name = ""
    if facts.device is not None:
        name = Path(facts.device.partition_of or facts.device.path).name
    elif facts.place is not None and len(facts.place.drives) == 1:
        name = Path(facts.place.drives[0]).name
    words = _line("/proc/diskstats", name).split() if name else []
    return (int(words[5]) + int(words[9])) * _SECTOR_BYTES if len(words) > 9 else None


def _line(path: str, word: str) -> str:
    """The first line of the file that has this word; "" when there is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if word in line.split()), "")
