"""How long a run will take: from a short probe, from an earlier record, or from stated assumptions.

virtual drive    each workload is begun on a scratch copy of the drive and watched for a moment
real drive       the rates of an earlier record of the same drive; else a range between assumed rates
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flashscope.records import Record, Status
from flashscope.runner.cost import longest_ns, mean_request_bytes, moved_bytes
from flashscope.runner.virtual import VirtualDrive
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, LaidOut, Step, Workload

_PROBE_S = 0.05
_PROBE_REQUESTS = 500
_LAY_OUT_NS_PER_BYTE = 0.02  # a drive of 256 GB in 3 to 5 s of processor time

# A fresh virtual drive shows its best. A full one moves valid pages for every page written; this is how much longer
# that may take, a guess on the safe side for spare areas of 7 % and more.
FULL_DRIVE_FACTOR = 6.0

# What real drives of the last twenty years do, from a poor flash drive to a PCIe one.
SLOW_BYTES_PER_SECOND, FAST_BYTES_PER_SECOND = 20e6, 3e9
SLOW_REQUESTS_PER_SECOND, FAST_REQUESTS_PER_SECOND = 50.0, 300_000.0


@dataclass(frozen=True)
class TimeRange:
    """Between low_ns and high_ns [ns], and in words, what that rests on."""

    low_ns: int
    high_ns: int
    basis: str

    def plus(self, other: TimeRange) -> TimeRange:
        """Both, one after the other."""
        basis = self.basis if self.basis == other.basis else "; ".join(filter(None, (self.basis, other.basis)))
        return TimeRange(self.low_ns + other.low_ns, self.high_ns + other.high_ns, basis)


def probe_virtual(steps: Sequence[Step], scratch: Callable[[], VirtualDrive]) -> tuple[TimeRange, TimeRange]:
    """Simulated and wall time of steps on a virtual drive, from the first moments of each on a scratch copy.

    Workloads that differ only in place, amount and seed are probed once.
    """
    rates: dict[tuple[Job, ...], tuple[float, float]] = {}
    simulated_ns = wall_ns = 0.0
    idle_ns = sum(step.duration_ns for step in steps if isinstance(step, Idle))
    for step in steps:
        if not isinstance(step, Workload):
            continue
        if isinstance(step, LaidOut):  # takes no virtual time
            wall_ns += step.fill_ratio * step.jobs[0].size_bytes * _LAY_OUT_NS_PER_BYTE
            continue
        shape = tuple(_shape(job) for job in step.jobs)
        if shape not in rates:
            rates[shape] = _probe(step, scratch())
        unlimited_ns = moved_bytes(step) * rates[shape][0]
        limit_ns = longest_ns(step)
        taken_ns = unlimited_ns if limit_ns is None else min(unlimited_ns, limit_ns)
        simulated_ns += taken_ns
        wall_ns += moved_bytes(step) * rates[shape][1] * (taken_ns / unlimited_ns if unlimited_ns else 0.0)
    basis = f"measured on a fresh scratch copy; up to {FULL_DRIVE_FACTOR:.0f} times longer once it is full"
    simulated = TimeRange(idle_ns + round(simulated_ns), idle_ns + round(simulated_ns * FULL_DRIVE_FACTOR), basis)
    return simulated, TimeRange(round(wall_ns), round(wall_ns * FULL_DRIVE_FACTOR), basis)


def _shape(job: Job) -> Job:
    """What decides how fast a job runs, without its place and amount."""
    return replace(job, name="", offset_bytes=0, size_bytes=0, io_bytes=0, runtime_ns=0, seed=0, group=0)


def _probe(step: Workload, drive: VirtualDrive) -> tuple[float, float]:
    """Simulated and wall time per byte [ns/byte] of the first moments of a workload."""
    run = drive.start(step.jobs, step.sample_interval_ns)
    began_s = time.perf_counter()
    done = False
    while not done and time.perf_counter() - began_s < _PROBE_S:
        done = run.advance(_PROBE_REQUESTS)
    took_ns = (time.perf_counter() - began_s) * 1e9
    progress = run.progress()
    bytes_done = max(progress["bytes_done"], 1)
    return progress["elapsed_ns"] / bytes_done, took_ns / bytes_done


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
    """A range for a real drive that nothing is known of, between the slowest and the fastest rates above."""
    low_s = high_s = 0.0
    for step in steps:
        if isinstance(step, Idle):
            low_s += step.duration_ns / 1e9
            high_s += step.duration_ns / 1e9
        elif isinstance(step, Workload) and step.jobs:
            request_bytes = sum(mean_request_bytes(job) for job in step.jobs) / len(step.jobs)
            requests = moved_bytes(step) / request_bytes
            limit_ns = longest_ns(step)
            limit_s = float("inf") if limit_ns is None else limit_ns / 1e9
            fast_s = max(requests / FAST_REQUESTS_PER_SECOND, moved_bytes(step) / FAST_BYTES_PER_SECOND)
            slow_s = max(requests / SLOW_REQUESTS_PER_SECOND, moved_bytes(step) / SLOW_BYTES_PER_SECOND)
            low_s += min(fast_s, limit_s)
            high_s += min(slow_s, limit_s)
    basis = (
        f"assuming {SLOW_BYTES_PER_SECOND / 1e6:.0f} to {FAST_BYTES_PER_SECOND / 1e6:.0f} MB/s "
        f"and {SLOW_REQUESTS_PER_SECOND:.0f} to {FAST_REQUESTS_PER_SECOND:.0f} requests/s"
    )
    return TimeRange(round(low_s * 1e9), round(high_s * 1e9), basis)
