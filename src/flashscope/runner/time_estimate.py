"""How long a run will take: from a short probe, from an earlier record, or from stated assumptions.

virtual drive    each load is begun on a scratch copy of the drive and watched for a moment (`probe.py`)
real drive       the rates of an earlier record of the same drive; else a range between assumed rates

Not foreseen here: that other programs keep the processor busy meanwhile, and drives slower than the slowest assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from flashscope.records import Record, Status
from flashscope.runner.cost import least_rounds_ratio, longest_ns, most_rounds, moved_bytes, requests_of
from flashscope.runner.probe import Probe, Taken
from flashscope.runner.slowdown import FULL_DRIVE_FACTOR, Slowdown
from flashscope.workloads.steps import (
    FileWork,
    FormStripe,
    Idle,
    LaidOut,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

_LAY_OUT_NS_PER_BYTE = 0.004, 0.03  # of processor time: least, most; a drive of 256 GB in 1 to 8 s
_AT_ONCE_RATIO = 0.25  # parallel programs, or a host's cache, may need only this share of the sequential time
_TOUCH_NS_PER_BYTE = 0.006  # of processor time at most: the memory of a drive is touched, and at every erase
_MOST_RECORD_NS = 500_000_000  # to begin a run, analyse it and finish its record
_MOST_STEP_NS = 10_000_000  # to keep a step in the store
_PROGRAM_S = 1.0  # to start fio and end it, at most

_FRESH_FACTOR, _FRESH_WALL_FACTOR = 0.7, 0.4  # the first moments may be slower than the rest
_MOST_FLUSH_NS = 500_000_000  # what a time limit does not limit: a write buffer that is emptied after it
_LATE_FACTOR = 1.05  # requests under way at the time limit are waited for

# Rates of real drives of the last twenty years, from a poor flash drive to a PCIe drive.
SLOW_BYTES_PER_SECOND, FAST_BYTES_PER_SECOND = 20e6, 3e9
SLOW_REQUESTS_PER_SECOND, FAST_REQUESTS_PER_SECOND = 50.0, 300_000.0


@dataclass(frozen=True)
class TimeRange:
    """Between low_ns and high_ns [ns], and in words, the basis of the estimate."""

    low_ns: int
    high_ns: int
    basis: str

    def plus(self, other: TimeRange) -> TimeRange:
        """Both, one after the other."""
        basis = self.basis if self.basis == other.basis else "; ".join(filter(None, (self.basis, other.basis)))
        return TimeRange(self.low_ns + other.low_ns, self.high_ns + other.high_ns, basis)


def probe_virtual(steps: Sequence[Step], probe: Probe) -> tuple[TimeRange, TimeRange]:
    """Simulated and wall time of steps on a virtual drive, from the first moments of each on a scratch copy.

    Low: as fast as on a fresh drive, and steady after the fewest rounds. High: as slow as on a full one, all rounds.
    """
    low_simulated_ns = high_simulated_ns = float(sum(step.duration_ns for step in steps if isinstance(step, Idle)))
    low_wall_ns = high_wall_ns = 0.0
    slowdown, touch_ns = Slowdown(probe.user_bytes), probe.user_bytes * _TOUCH_NS_PER_BYTE
    for step in steps:
        least_ratio, share = 1.0, 1.0
        if isinstance(step, LaidOut) and probe.is_laid_out(step):  # takes no virtual time
            low_wall_ns += step.jobs[0].size_bytes * _LAY_OUT_NS_PER_BYTE[0]
            high_wall_ns += step.jobs[0].size_bytes * _LAY_OUT_NS_PER_BYTE[1]
            slowdown.of(step)
            continue
        if isinstance(step, FormStripe):
            taken = Taken(0.0, probe.build_wall_ns)
        elif isinstance(step, FileWork):
            taken = probe.of_programs(step)
            least_ratio = _AT_ONCE_RATIO
        elif isinstance(step, Workload):
            taken = probe.of_jobs(step)
            least_ratio = least_rounds_ratio(step)
            limit_ns = longest_ns(step)
            if limit_ns is not None and taken.simulated_ns:
                share = min(1.0, limit_ns / taken.simulated_ns)
        elif isinstance(step, ReadSmart | Idle | Trim | SecureErase | ReadMembers):
            slowdown.of(step)
            high_wall_ns += isinstance(step, SecureErase) * touch_ns
            continue  # idle time is counted above
        else:
            assert_never(step)
        most_simulated, most_wall = slowdown.of(step, share)
        low_simulated_ns += taken.simulated_ns * share * least_ratio * _FRESH_FACTOR
        low_wall_ns += taken.wall_ns * share * least_ratio * _FRESH_WALL_FACTOR
        most_ns = taken.simulated_ns * most_simulated
        if isinstance(step, Workload) and (limit_ns := longest_ns(step)) is not None:
            flushes = sum(job.end_fsync for job in step.jobs) * most_rounds(step)
            most_ns = min(most_ns, limit_ns * _LATE_FACTOR + flushes * _MOST_FLUSH_NS)
        high_simulated_ns += most_ns
        high_wall_ns += taken.wall_ns * share * most_wall
    high_wall_ns += touch_ns + 2 * probe.build_wall_ns + _MOST_RECORD_NS + _MOST_STEP_NS * len(steps)
    basis = f"measured on a fresh scratch copy; writes up to {FULL_DRIVE_FACTOR:.0f} times longer once it is full"
    return (
        TimeRange(round(low_simulated_ns), round(high_simulated_ns), basis),
        TimeRange(round(low_wall_ns), round(high_wall_ns), basis),
    )


def side_by_side(ranges: Sequence[TimeRange], workers: int) -> TimeRange:
    """Runs that share these processors: at least as long as the longest one, at most Graham's bound for a queue."""
    if not ranges:
        return TimeRange(0, 0, "")
    lows, highs = [each.low_ns for each in ranges], [each.high_ns for each in ranges]
    low_ns = max(max(lows), sum(lows) // workers)
    high_ns = sum(highs) // workers + max(highs) * (workers - 1) // workers
    return TimeRange(low_ns, high_ns, "; ".join(dict.fromkeys(each.basis for each in ranges)))


def from_record(steps: Sequence[Step], earlier: Record) -> TimeRange | None:
    """The time an earlier run took for steps of the same names, scaled by bytes; None when a step is not in it."""
    total_ns = 0.0
    for step in steps:
        try:
            done = earlier.step(step.name)
        except KeyError:
            return None
        took_ns = float(done.ended_ns - done.started_ns)
        if isinstance(step, Workload):
            then = done.parameters.get("bytes_to_write", 0) + done.parameters.get("bytes_to_read", 0)
            if done.status is not Status.DONE or not then:
                return None
            took_ns *= moved_bytes(step) / then
        total_ns += took_ns
    return TimeRange(
        round(total_ns * 0.8), round(total_ns * 1.25), f"as measured in {earlier.id}, a quarter more or less"
    )


def assume_real(steps: Sequence[Step]) -> TimeRange:
    """A range for an unknown real drive, between the slowest and the fastest rates above."""
    low_s = high_s = 0.0
    for step in steps:
        if isinstance(step, Idle):
            low_s += step.duration_ns / 1e9
            high_s += step.duration_ns / 1e9
        elif isinstance(step, Workload | FileWork):
            least_ratio, limit_s = 1.0, float("inf")
            if isinstance(step, Workload):
                least_ratio, limit_ns = least_rounds_ratio(step), longest_ns(step)
                limit_s = float("inf") if limit_ns is None else limit_ns / 1e9
                high_s += _PROGRAM_S
            requests = requests_of(step)
            fast_s = max(requests / FAST_REQUESTS_PER_SECOND, moved_bytes(step) / FAST_BYTES_PER_SECOND)
            slow_s = max(requests / SLOW_REQUESTS_PER_SECOND, moved_bytes(step) / SLOW_BYTES_PER_SECOND)
            low_s += min(fast_s, limit_s) * least_ratio
            high_s += min(slow_s, limit_s)
        elif not isinstance(step, ReadSmart | Trim | SecureErase | FormStripe | ReadMembers):
            assert_never(step)
    basis = (
        f"assuming {SLOW_BYTES_PER_SECOND / 1e6:.0f} to {FAST_BYTES_PER_SECOND / 1e6:.0f} MB/s "
        f"and {SLOW_REQUESTS_PER_SECOND:.0f} to {FAST_REQUESTS_PER_SECOND:.0f} requests/s"
    )
    return TimeRange(round(low_s * 1e9), round(high_s * 1e9), basis)
