"""How long steps take at a drive's own speed: before it is known, at an assumed one.

    load       bytes at the sequential rate, or requests at their latency, whichever is longer; at most its time limit
    idle       its time
    fio        half a second for each load: it is started and ended

Assumed: what a plain drive of its kind does. A faster drive writes more in a load that is limited by time, which is
bounded by bytes elsewhere. Not foreseen here: a drive that is slower than that, or becomes slow while it is written;
it takes longer than the budget says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.cost import longest_ns, moved_bytes, requests_of
from flashscope.workloads.steps import (
    CheckPlaces,
    FileWork,
    FormStripe,
    Idle,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

_PROGRAM_S = 0.5
_ERASE_S = 5.0
_MOMENT_S = 0.05
_MOST_AT_ONCE = 8  # requests that a plain drive works on at once


@dataclass(frozen=True)
class OwnSpeed:
    """bytes_per_second: of large requests in order. request_s: until a small one is answered, alone [s]."""

    bytes_per_second: float
    request_s: float


FLASH, DISK = OwnSpeed(400e6, 100e-6), OwnSpeed(120e6, 8e-3)


def assumed_speed(facts: DriveFacts) -> OwnSpeed:
    """The speed of a plain drive of this kind, at most that of its link."""
    plain = DISK if facts.is_rotational else FLASH
    return OwnSpeed(min(plain.bytes_per_second, facts.link_bytes_per_second), plain.request_s)


def time_s(steps: Sequence[Step], speed: OwnSpeed) -> float:
    """The time of steps at that speed [s]."""
    return sum(_step_s(step, speed) for step in steps)


def _step_s(step: Step, speed: OwnSpeed) -> float:
    match step:
        case Idle():
            return step.duration_ns / 1e9
        case Workload() | FileWork():
            transfer_s = moved_bytes(step) / speed.bytes_per_second
            requests_s = requests_of(step) * (speed.request_s / _at_once(step) + _pause_s(step))
            limit_ns = longest_ns(step) if isinstance(step, Workload) else None
            limit_s = float("inf") if limit_ns is None else limit_ns / 1e9
            return min(max(transfer_s, requests_s), limit_s) + _PROGRAM_S
        case CheckPlaces():
            return moved_bytes(step) / speed.bytes_per_second + requests_of(step) * speed.request_s
        case SecureErase():
            return _ERASE_S
        case ReadSmart() | Trim() | FormStripe() | ReadMembers():
            return _MOMENT_S
    assert_never(step)


def _pause_s(step: Workload | FileWork) -> float:
    """The pause that the host makes for each request, on the average [s]."""
    jobs = step.jobs if isinstance(step, Workload) else ()
    return max((job.thinktime_ns / job.thinktime_blocks / 1e9 for job in jobs), default=0.0)


def _at_once(step: Workload | FileWork) -> int:
    """Requests that are outstanding at the same time, as far as a drive works on them at once."""
    if isinstance(step, FileWork):
        return min(len(step.programs), _MOST_AT_ONCE)
    depths: dict[int, int] = defaultdict(int)
    for job in step.jobs:
        depths[job.group] += job.queue_depth
    return max(1, min(max(depths.values(), default=1), _MOST_AT_ONCE))
