"""How long steps take on a real drive: as an earlier run of them did, by its measured speed, or by assumed rates.

    earlier record      of the same experiment and drive, scaled by bytes
    measured speed      early in an examination (`calibration.py`)
    assumed             a plain drive; the range is from a poor flash drive to a fast PCIe drive. fio's own start,
                        most of the time of a short load on a busy machine, is measured

Rests, and loads that a time limit ends, are known in each case. A budget (`budget/`) counts with the expected time.
Not foreseen here: drives slower than the slowest assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from flashscope.records import Record, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.cost import least_rounds_ratio, longest_ns, most_rounds, moved_bytes
from flashscope.runner.drive_speed import FASTEST, PLAIN, PLAIN_DISK, SLOWEST, DriveSpeed, Way, file_work_s, round_s
from flashscope.runner.time_estimate import Estimate, TimeRange
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

_MOMENT_S = 0.05  # a step of another kind; a step and a record are kept
_SAME_RANGE = 0.8, 1.25  # of an earlier record
_MEASURED_RANGE = 0.6, 1.7  # of a measured speed, for a load that no limit ends
_FULL_FACTOR = 1.3  # flash that fills up during an examination, against its speed before
_FULL_MOST = 4.0

ASSUMED = (
    f"assuming a plain drive; the range is from {SLOWEST.write.bytes_per_second / 1e6:.0f} to "
    f"{FASTEST.write.bytes_per_second / 1e6:.0f} MB/s and {SLOWEST.write.requests_per_second:.0f} to "
    f"{FASTEST.write.requests_per_second:.0f} requests/s; `examine` measures the drive's own speed"
)
"""The basis of an estimate for a drive of which nothing was measured."""


@dataclass(frozen=True)
class _Load:
    """time_s: with fio's start. done_ratio: the share of its bytes that a time limit leaves."""

    time_s: float
    done_ratio: float


def from_record(steps: Sequence[Step], earlier: Record) -> Estimate | None:
    """The time an earlier run took for steps of the same names, scaled by bytes; None when a step is not in it."""
    total_ns, written, read = 0.0, 0.0, 0.0
    for step in steps:
        try:
            done = earlier.step(step.name)
        except KeyError:
            return None
        took_ns = float(done.ended_ns - done.started_ns)
        if isinstance(step, Workload):
            then = done.parameters.get("bytes_to_write", 0) + done.parameters.get("bytes_to_read", 0)
            if done.status is not Status.DONE or not then or done.workload is None:
                return None
            ratio = moved_bytes(step) / then
            took_ns *= ratio
            written += done.workload.totals.get("written_bytes", 0) * ratio
            read += done.workload.totals.get("read_bytes", 0) * ratio
        elif isinstance(step, FileWork):
            written, read = written + step.bytes_to_write, read + step.bytes_to_read
        total_ns += took_ns
    basis = f"as measured in {earlier.id}, a quarter more or less"
    low, high = (round(total_ns * factor) for factor in _SAME_RANGE)
    return Estimate(TimeRange(low, round(total_ns), high, basis), None, round(written), round(read))


def by_speed(steps: Sequence[Step], facts: DriveFacts, speed: DriveSpeed) -> Estimate:
    """The time of steps on a drive whose speed was measured; more for flash that fills up meanwhile."""
    low, high = _MEASURED_RANGE
    most = high * _FULL_MOST if _fills(facts) else high
    speeds = slower(speed, low), lasting_speed(speed, facts), slower(speed, most)
    return _estimate(steps, speeds, "by the drive's own speed, measured before the experiments")


def assumed(steps: Sequence[Step], facts: DriveFacts, start_s: float | None = None) -> Estimate:
    """The time of steps on an unknown real drive: that of a plain one, between the slowest and the fastest.

    start_s: how long fio takes to start here, where it was measured [s]; it counts where it is longer than assumed.
    """
    plain, slowest = (
        replace(speed, start_s=max(speed.start_s, start_s or 0.0)) for speed in (assumed_speed(facts), SLOWEST)
    )
    return _estimate(steps, (FASTEST, plain, slowest), ASSUMED)


def expected_s(steps: Sequence[Step], speed: DriveSpeed) -> float:
    """The time that steps are expected to take at a speed that lasts [s]."""
    return sum(_step(step, speed, expected=True, quickest=False).time_s for step in steps)


def assumed_speed(facts: DriveFacts) -> DriveSpeed:
    """The speed of a plain drive of this kind, at most that of its link."""
    plain, link = PLAIN_DISK if facts.is_rotational else PLAIN, facts.link_bytes_per_second
    read, write = (replace(way, bytes_per_second=min(way.bytes_per_second, link)) for way in (plain.read, plain.write))
    return replace(plain, read=read, write=write)


def lasting_speed(measured: DriveSpeed, facts: DriveFacts) -> DriveSpeed:
    """The speed that is expected throughout an examination: less than measured before it, for flash that fills up."""
    return slower(measured, _FULL_FACTOR) if _fills(facts) else measured


def _fills(facts: DriveFacts) -> bool:
    """Whether it may become slower as it fills up: a bare drive of flash, not a file seen as a device."""
    is_file = facts.place is not None or (facts.device is not None and bool(facts.device.backing_file))
    return not is_file and not facts.is_rotational


def slower(speed: DriveSpeed, factor: float) -> DriveSpeed:
    """The speed of a drive that takes so many times as long; fio takes as long as before."""

    def way(one: Way) -> Way:
        requests_per_second = one.requests_per_second / factor
        return Way(one.bytes_per_second / factor, one.request_s * factor, requests_per_second, one.next_s * factor)

    return replace(speed, read=way(speed.read), write=way(speed.write))


def _estimate(steps: Sequence[Step], speeds: tuple[DriveSpeed, DriveSpeed, DriveSpeed], basis: str) -> Estimate:
    """speeds: the fastest, the expected one, the slowest."""
    times_s, written, read = [0.0, 0.0, 0.0], 0.0, 0.0
    for step in steps:
        for index, speed in enumerate(speeds):
            load = _step(step, speed, expected=index == 1, quickest=index == 0)
            times_s[index] += load.time_s
            if index == 1:
                written += step.bytes_to_write * load.done_ratio
                read += step.bytes_to_read * load.done_ratio
    low, expected, high = (round(time_s * 1e9) for time_s in times_s)
    return Estimate(
        TimeRange(min(low, expected), expected, max(high, expected), basis), None, round(written), round(read)
    )


def _step(step: Step, speed: DriveSpeed, *, expected: bool, quickest: bool) -> _Load:
    match step:
        case Idle():
            return _Load(step.duration_ns / 1e9, 1.0)
        case Workload():
            least = least_rounds_ratio(step)
            rounds = least if quickest else (1 + least) / 2 if expected else 1.0
            most = most_rounds(step)
            time_s = round_s(step, speed)
            limit_ns = longest_ns(step)
            share = 1.0 if limit_ns is None or not time_s else min(1.0, limit_ns / most / 1e9 / time_s)
            return _Load((time_s * share + speed.start_s) * most * rounds + _MOMENT_S, share * rounds)
        case FileWork():
            return _Load(file_work_s(step, speed) + _MOMENT_S, 1.0)
        case CheckPlaces():
            region_s = step.region_bytes / speed.write.bytes_per_second
            places_s = step.place_count * (speed.write.request_s + speed.read.request_s)
            return _Load(region_s + places_s + _MOMENT_S, 1.0)
        case ReadSmart() | Trim() | SecureErase() | FormStripe() | ReadMembers():
            return _Load(_MOMENT_S, 0.0)
    assert_never(step)
