"""When a sample was taken, by two clocks: the wall clock, which people set, and a clock that only runs forward.

    wall_s   the wall clock; may jump either way (time servers, a flat battery, daylight saving in a dump's local time)
    boot_s   since this boot, sleep included; comparable only within one boot (boot_id)

From both comes `steady_s`: the time axis of a series, which never goes back.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_YEARS_S = (0.0, 253402300800.0)  # 1970 to 9999; a dump of another time has a broken date
JUMP_AT_LEAST_S = 60.0
"""A difference of the two clocks below this is adjustment, not a jump [s]."""


@dataclass(frozen=True)
class Moment:
    """wall_s: seconds since 1970 (UTC). boot_id, boot_s: empty and 0 when only the wall clock is known."""

    wall_s: float
    boot_id: str = ""
    boot_s: float = 0.0


def now() -> Moment:
    """This moment, on both clocks where the system has them."""
    try:
        boot_id = _BOOT_ID.read_text().strip()
        return Moment(time.time(), boot_id, time.clock_gettime(time.CLOCK_BOOTTIME))
    except (OSError, AttributeError):
        return Moment(time.time())


def moment_of(taken_at_s: float | None, read: Moment) -> Moment:
    """The moment at which a dump was taken. taken_at_s: as the dump says; read: when it was read.

    A dump that was taken when it was read has both clocks; a saved one only its own date.
    """
    if taken_at_s is None or not _YEARS_S[0] <= taken_at_s < _YEARS_S[1]:
        return read
    if abs(taken_at_s - read.wall_s) <= JUMP_AT_LEAST_S:
        return read
    return Moment(taken_at_s)


def elapsed_s(before: Moment, after: Moment) -> tuple[float, float]:
    """(time that passed, never below 0; how far the wall clock jumped meanwhile) [s].

    Across boots only the wall clock is known: if it went back, the time that passed counts as 0.
    """
    wall_s = after.wall_s - before.wall_s
    if before.boot_id and before.boot_id == after.boot_id:
        passed_s = max(0.0, after.boot_s - before.boot_s)
        jump_s = wall_s - passed_s
    else:
        passed_s = max(0.0, wall_s)
        jump_s = min(0.0, wall_s)
    return passed_s, jump_s if abs(jump_s) >= JUMP_AT_LEAST_S else 0.0
