"""How long steps take on a virtual drive: each load is begun on scratch copies in the states in which it will run.

    planned_state.py    which state the drive is in before each step
    probe.py            what a load takes per byte in that state, in virtual time and in processor time

Beside the loads: the building of the drive, states that are laid out, each step's and each record's own work.
Not foreseen here: that other programs keep the processor busy meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TypeVar, assert_never

from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.cost import least_rounds_ratio, longest_ns, mean_request_bytes, most_rounds, moved_bytes
from flashscope.runner.planned_state import Medium, Mix, PlannedState
from flashscope.runner.probe import Probe, Taken
from flashscope.runner.time_estimate import Estimate, TimeRange
from flashscope.workloads.job import Job
from flashscope.workloads.steps import (
    CheckPlaces,
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

Result = TypeVar("Result")

_STEP_NS = 2_000_000  # of processor time: to begin a step, end it and keep it
_RECORD_NS = 80_000_000  # to begin a run, analyse it, finish its record
_ERASE_NS_PER_BYTE = 0.0003  # the memory of a drive is touched at an erase
_AT_ONCE_RATIO = 0.5  # parallel programs, or a host's cache, need less than the sequential time; at least half of this
_SIMULATED_RANGE = 0.2, 3.0  # how far a step may be off, as factors
_WALL_RANGE = 0.25, 2.5  # a small experiment is off by more than a long one
_LATE_FACTOR = 1.05  # requests under way at the time limit are waited for
_FLUSH_NS = 500_000_000  # what a time limit does not limit: a write buffer that is emptied after it, at most


@dataclass
class _Sum:
    """What the steps so far take: on the drive's clock, and of the processor [ns]; what they move [bytes]."""

    simulated_ns: float = 0.0
    least_simulated_ns: float = 0.0
    most_simulated_ns: float = 0.0
    wall_ns: float = 0.0
    written_bytes: float = 0.0
    read_bytes: float = 0.0

    def idle(self, duration_ns: int) -> None:
        """Time that is known exactly."""
        self.simulated_ns += duration_ns
        self.least_simulated_ns += duration_ns
        self.most_simulated_ns += duration_ns

    def load(self, taken: Taken, limit_ns: float | None, flush_ns: float, least_ratio: float) -> None:
        """A load that takes so long, unless its time limit is sooner."""
        low, high = (factor * taken.simulated_ns for factor in _SIMULATED_RANGE)
        if limit_ns is not None:
            low, high = min(low, limit_ns), min(high, limit_ns * _LATE_FACTOR + flush_ns)
        self.simulated_ns += taken.simulated_ns
        self.least_simulated_ns += low * least_ratio
        self.most_simulated_ns += max(high, taken.simulated_ns)
        self.wall_ns += taken.wall_ns


def estimates_side_by_side(
    steps: Sequence[Sequence[Step]], facts: DriveFacts, probes: Sequence[Probe]
) -> list[Estimate]:
    """What the steps of each experiment take, in their order. probes: of this drive, one thread for each.

    First with the loads tried on an empty drive; what will find another state is tried in it then.
    """
    idle: SimpleQueue[Probe] = SimpleQueue()
    for probe in probes:
        idle.put(probe)

    def with_one(work: Callable[[Probe], Result]) -> Result:
        probe = idle.get()
        try:
            return work(probe)
        finally:
            idle.put(probe)

    with ThreadPoolExecutor(len(probes), "probe") as pool:
        for _ in pool.map(lambda of_one: with_one(lambda probe: estimate_virtual(of_one, facts, probe)), steps):
            pass
        media = (Medium.SCATTERED, Medium.ORDERED)  # the longer one first
        for _ in pool.map(lambda medium: with_one(lambda probe: probe.try_noted(medium)), media):
            pass
    return [estimate_virtual(of_one, facts, probes[0]) for of_one in steps]


def estimate_virtual(steps: Sequence[Step], facts: DriveFacts, probe: Probe) -> Estimate:
    """What steps take on a fresh virtual drive. Loads that `probe` has not tried in a state yet are noted there."""
    state, total = PlannedState(facts.user_bytes, facts.raw_bytes, merges=probe.merges()), _Sum()
    for step in steps:
        total.wall_ns += _STEP_NS
        written = 0.0
        match step:
            case LaidOut() if probe.is_laid_out(step):
                total.wall_ns += probe.lay_out_ns(step)
                written = step.fill_ratio * facts.user_bytes
            case Workload():
                for group in _groups(step):
                    state.after(group, _add_workload(group, state, probe, total))
                continue
            case FileWork():
                written = step.bytes_to_write
                taken = probe.of_programs(step)
                total.load(taken, None, 0.0, _AT_ONCE_RATIO)
                total.written_bytes += written
                total.read_bytes += step.bytes_to_read
            case CheckPlaces():
                written = step.bytes_to_write
                total.load(probe.of_places(step), None, 0.0, 1.0)
                total.written_bytes += written
                total.read_bytes += step.bytes_to_read
            case Idle():
                total.idle(step.duration_ns)
            case FormStripe():
                total.wall_ns += probe.build_wall_ns
            case SecureErase():
                total.wall_ns += facts.user_bytes * _ERASE_NS_PER_BYTE
            case ReadSmart() | Trim() | ReadMembers():
                pass
            case _:
                assert_never(step)
        state.after(step, written)
    total.wall_ns += probe.build_wall_ns + _RECORD_NS
    return _estimate(total)


def _estimate(total: _Sum) -> Estimate:
    basis = "times measured on scratch copies in the states that the steps will find"
    low, high = (round(factor * total.wall_ns) for factor in _WALL_RANGE)
    least, most = round(total.least_simulated_ns), round(total.most_simulated_ns)
    return Estimate(
        TimeRange(low, round(total.wall_ns), high, basis),
        TimeRange(least, round(total.simulated_ns), most, basis),
        round(total.written_bytes),
        round(total.read_bytes),
    )


def _groups(step: Workload) -> list[Workload]:
    """A load for each group of its jobs, with its part of the bytes: they run one after another."""
    groups: dict[int, list[Job]] = defaultdict(list)
    for job in step.jobs:
        groups[job.group].append(job)
    if len(groups) == 1:
        return [step]
    asked = {group: sum(job.io_bytes or job.size_bytes for job in jobs) for group, jobs in groups.items()}
    whole = max(sum(asked.values()), 1)
    return [
        Workload(
            step.name,
            tuple(jobs),
            step.sample_interval_ns,
            round(step.bytes_to_write * asked[group] / whole),
            round(step.bytes_to_read * asked[group] / whole),
            until=step.until,
        )
        for group, jobs in groups.items()
    ]


def _add_workload(step: Workload, state: PlannedState, probe: Probe, total: _Sum) -> float:
    """Add a load of one group to the sum; returns the bytes that it writes."""
    limit_ns = longest_ns(step)
    mix = state.mix(step, step.bytes_to_write)
    taken, share = _within(_mixed(step, mix, probe), limit_ns, _late_ratio(step))
    if share < 1:  # fewer bytes find the drive in an earlier state
        mix = state.mix(step, step.bytes_to_write * share)
        taken, share = _within(_mixed(step, mix, probe), limit_ns, _late_ratio(step))
    least_ratio = least_rounds_ratio(step)
    rounds_ratio = (1 + least_ratio) / 2
    flush_ns = sum(job.end_fsync for job in step.jobs) * most_rounds(step) * _FLUSH_NS
    total.load(taken.times(rounds_ratio), limit_ns, flush_ns, least_ratio)
    total.written_bytes += step.bytes_to_write * share * rounds_ratio
    total.read_bytes += step.bytes_to_read * share * rounds_ratio
    return step.bytes_to_write * share * rounds_ratio


def _mixed(step: Workload, mix: Mix, probe: Probe) -> Taken:
    taken = Taken(0.0, 0.0)
    for medium, share in mix.items():
        if share > 0:
            taken = taken.plus(probe.of_jobs(step, medium).times(share))
    return taken


def _within(taken: Taken, limit_ns: int | None, late_ratio: float) -> tuple[Taken, float]:
    """What is taken until the time limit, and the share of the work that is done then.

    late_ratio: the share of the work that is under way at any moment, and is waited for.
    """
    if limit_ns is None or taken.simulated_ns <= limit_ns:
        return taken, 1.0
    share = min(1.0, limit_ns / taken.simulated_ns + late_ratio)
    return taken.times(share), share


def _late_ratio(step: Workload) -> float:
    under_way = sum(job.queue_depth * mean_request_bytes(job) for job in step.jobs)
    return under_way / max(moved_bytes(step), 1)
