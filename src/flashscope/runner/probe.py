"""How fast a virtual drive takes a load, in virtual time and in processor time: the first moments are measured.

    jobs        begun on a scratch copy and measured for a hundredth of a second of processor time
    programs    sequential writing and reading, as programs do, and the host's work for each file, in Python

There is a copy for each state in which loads will run (`planned_state.py`): first an empty one; the loads that will
find another state are noted, and tried there when `try_noted` is called. A drive that cannot be laid out (mapped by
blocks, with compression) is written to for a moment instead. Several probes may work side by side, each on a copy of
its own: what one of them has found (`Seen`), the others do not try again.
Memory is slow where it is touched for the first time, so one copy is used for many probes, until an eighth of it was
written. A drive that maps by blocks gets a fresh copy for each probe that writes: the writes before would leave their
merges to the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from flashscope.runner.cost import METADATA_REQUESTS_PER_FILE, mean_request_bytes, moved_bytes
from flashscope.runner.engines.virtual_time import VirtualRun
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.runner.planned_state import Medium
from flashscope.workloads.file_work import Extract, file_count
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import CheckPlaces, FileWork, LaidOut, Workload

_LOOK_NS = 10_000_000  # of processor time
_LONGEST_LOOK_S = 0.3  # of wall time, when other programs have the processor
_FILL_NS = 2_000_000_000  # of processor time, to write what cannot be laid out; twice where it is overwritten, too
_MERGE_NS = 600_000_000  # the same for a drive that maps by blocks, which is as slow soon as it ever gets
_LARGEST_USED_BYTES = 300 * 10**9  # a larger one takes too long to be filled for a plan
_SLOWER = {Medium.EMPTY: (1.0, 1.0), Medium.ORDERED: (1.5, 1.0), Medium.SCATTERED: (8.0, 2.5)}
"""What a load takes in a state where it was not tried, against an empty drive: simulated and processor time."""
_LOOK_REQUESTS = 500
_FRESH_RATIO = 1 / 8
_LITTLE_RATIO = 0.01
_WAYS: tuple[Literal["write"], Literal["read"]] = ("write", "read")
_LARGE = 64 * 1024  # bytes of a request in order
_RANDOM_WAYS: tuple[Literal["randwrite"], Literal["randread"]] = ("randwrite", "randread")
_REST_NS = 10**9
_SPAN_BYTES = 64 << 20
_SHORT_BYTES = 64 << 20  # a load that moves no more may end in the write buffer
_LOWERING_NS_PER_FILE = 30_000.0  # a file system's work in Python, on a slow machine of today
_HOST_NS_PER_FILE = 400_000.0  # a program's own work to open, make and close a file, in virtual time


@dataclass(frozen=True)
class Taken:
    """The time of a step without limits: simulated_ns on the drive's clock, wall_ns on an idle processor."""

    simulated_ns: float
    wall_ns: float

    def times(self, factor: float) -> Taken:
        """So many times as much."""
        return Taken(self.simulated_ns * factor, self.wall_ns * factor)

    def plus(self, other: Taken) -> Taken:
        """Both."""
        return Taken(self.simulated_ns + other.simulated_ns, self.wall_ns + other.wall_ns)


_Shape = tuple[bool, tuple[Job, ...]]
"""Whether it is long, and what else decides how fast a load runs."""


@dataclass
class Seen:
    """What the probes of one drive have found, whichever of them it was.

    laid_out: the processor time of a state for each byte [ns/byte]; None where the drive has to be written to.
    rates: simulated and processor time of a load in a state [ns/byte]. noted: loads to be tried in another state.
    build_wall_ns: how long the last building of a copy took [ns].
    """

    laid_out: dict[tuple[bool, bool], float | None] = field(default_factory=dict)
    rates: dict[tuple[_Shape, Medium], tuple[float, float]] = field(default_factory=dict)
    noted: dict[tuple[_Shape, Medium], Workload] = field(default_factory=dict)
    has_log_blocks: bool | None = None
    build_wall_ns: int = 0


class Probe:
    """Probes loads on scratch copies of one virtual drive; one thread uses it at a time.

    scratch: makes a fresh copy. user_bytes: of the drive. Loads that differ only in place, amount and seed are probed
    once, the short ones and the long ones. seen: shared by the probes of a drive that work side by side.
    """

    def __init__(self, scratch: Callable[[], VirtualDrive], user_bytes: int, seen: Seen | None = None) -> None:
        self.user_bytes = user_bytes
        self._scratch = scratch
        self._drive: VirtualDrive | None = None
        self._written_bytes = 0.0
        self._seen = seen or Seen()

    @property
    def build_wall_ns(self) -> int:
        """How long the last building of a copy took [ns]."""
        return self._seen.build_wall_ns

    def try_noted(self, medium: Medium) -> None:
        """Try the loads that were asked for in this state, which is not the empty one."""
        self._drive = None
        loads = {key: step for key, step in self._seen.noted.items() if key[1] is medium}
        drive = self._copy_in(medium) if loads else None
        for key, step in loads.items():
            shape, _ = key
            if drive is not None:
                self._seen.rates[key] = self._look(step, drive)
            else:
                simulated, wall = self._seen.rates[shape, Medium.EMPTY]
                slower, costlier = _SLOWER[medium]
                self._seen.rates[key] = simulated * slower, wall * costlier

    def of_jobs(self, step: Workload, medium: Medium = Medium.EMPTY) -> Taken:
        """What the jobs of one group take in a state, by the rate of their first moments."""
        simulated, wall = self._rate(step, medium)
        return Taken(simulated, wall).times(moved_bytes(step))

    def of_places(self, step: CheckPlaces) -> Taken:
        """What a check of places takes: its region in order, and a write and a read at random for each place."""
        order = self._rate(self._in_order("write"), Medium.EMPTY)
        write, read = (self._rate(self._at_random(way, step.place_bytes), Medium.EMPTY) for way in _RANDOM_WAYS)
        places_bytes = step.place_count * step.place_bytes
        simulated_ns, wall_ns = (
            step.region_bytes * order[clock] + places_bytes * (write[clock] + read[clock]) for clock in (0, 1)
        )
        return Taken(simulated_ns, wall_ns)

    def is_laid_out(self, step: LaidOut) -> bool:
        """Whether the drive gets the state of the step at once, or has to be written to: tried with a little of it."""
        return self._laying_out(step.overwritten, step.zeros) is not None

    def lay_out_ns(self, step: LaidOut) -> float:
        """The processor time of a state that is laid out [ns]."""
        return (self._laying_out(step.overwritten, step.zeros) or 0.0) * step.fill_ratio * self.user_bytes

    def _laying_out(self, overwritten: bool, zeros: bool) -> float | None:
        """The processor time of a state for each byte [ns/byte]; None when the drive has to be written to."""
        state = overwritten, zeros
        if state not in self._seen.laid_out:
            self._drive = None  # never two copies in memory
            drive = self._scratch()
            began_ns = time.thread_time_ns()
            done = drive.lay_out(_LITTLE_RATIO, overwritten=overwritten, zeros=zeros)
            took_ns = time.thread_time_ns() - began_ns
            self._seen.laid_out[state] = took_ns / (_LITTLE_RATIO * self.user_bytes) if done else None
        return self._seen.laid_out[state]

    def _copy_in(self, medium: Medium) -> VirtualDrive | None:
        """A copy in that state; None for a drive that cannot be brought into it soon enough."""
        if self.user_bytes > _LARGEST_USED_BYTES:
            return None
        drive, is_scattered = self._scratch(), medium is Medium.SCATTERED
        began_ns = time.thread_time_ns()
        if drive.lay_out(1.0, overwritten=is_scattered, zeros=False):
            self._seen.laid_out[is_scattered, False] = (time.thread_time_ns() - began_ns) / self.user_bytes
            return drive
        self._write(drive, replace(self._in_order("write").jobs[0], size_bytes=self.user_bytes // _LARGE * _LARGE))
        if is_scattered:
            small = BlockSizes(weighted=((max(4096, drive.facts.sector_bytes), 100.0),))
            self._write(drive, Job("scatter", "randwrite", write_sizes=small, queue_depth=32, random_map=False))
        return drive

    def _write(self, drive: VirtualDrive, job: Job) -> None:
        """Run a job as far as it goes in a moment."""
        run = drive.start([job], _REST_NS)
        longest_ns = _MERGE_NS if self.merges() else _FILL_NS
        began_ns = time.thread_time_ns()
        while not run.advance(_LOOK_REQUESTS) and time.thread_time_ns() - began_ns < longest_ns:
            pass
        run.stop()

    def merges(self) -> bool:
        """Whether it maps by blocks: its state depends on the order of all writes, and random ones leave merges."""
        if self._seen.has_log_blocks is None:
            self._seen.has_log_blocks = "log_blocks" in self._fresh_enough().resolved_part()
        return self._seen.has_log_blocks

    def of_programs(self, step: FileWork) -> Taken:
        """What programs on files take at least, by the rate of requests in order, and the requests for each file."""
        if file_count(step.programs) == 0:
            return Taken(0.0, 0.0)
        write, read = (self._rate(self._in_order(way), Medium.EMPTY) for way in _WAYS)
        extra_bytes = METADATA_REQUESTS_PER_FILE * file_count(step.programs) * 4096
        taken = [
            step.bytes_to_write * write[clock] + step.bytes_to_read * read[clock] + extra_bytes * write[clock]
            for clock in (0, 1)
        ]
        compute_ns = max(
            sum(
                operation.compute_ns_per_byte * sum(file.size_bytes for file in operation.files)
                for operation in program.operations
                if isinstance(operation, Extract)
            )
            for program in step.programs
        )
        host_ns = _HOST_NS_PER_FILE * file_count(step.programs)
        return Taken(taken[0] + compute_ns + host_ns, taken[1] + _LOWERING_NS_PER_FILE * file_count(step.programs))

    def _in_order(self, direction: Literal["read", "write"]) -> Workload:
        request = _LARGE
        span = max(min(_SPAN_BYTES, self.user_bytes) // request * request, request)
        sizes = BlockSizes(weighted=((request, 100.0),))
        job = Job("probe", direction, read_sizes=sizes, write_sizes=sizes, size_bytes=span)
        return Workload("probe", (job,), 10**9, span, 0)

    def _at_random(self, direction: Literal["randread", "randwrite"], request: int) -> Workload:
        span = self.user_bytes // request * request
        sizes = BlockSizes(weighted=((request, 100.0),))
        amount = min(_SPAN_BYTES, span)
        job = Job("probe", direction, sizes, sizes, size_bytes=span, io_bytes=amount, random_map=False)
        return Workload("probe", (job,), 10**9, amount, 0)

    def _rate(self, step: Workload, medium: Medium) -> tuple[float, float]:
        """Simulated and wall time per byte [ns/byte] of the first moments of a workload."""
        shape = moved_bytes(step) > _SHORT_BYTES, tuple(_shape(job) for job in step.jobs)
        rates, noted = self._seen.rates, self._seen.noted
        if (shape, medium) in rates:
            return rates[shape, medium]
        if (shape, Medium.EMPTY) not in rates:
            drive = self._fresh_enough(to_write=step.destructive)
            rates[shape, Medium.EMPTY] = self._look(step, drive)
        if medium is not Medium.EMPTY:
            noted[shape, medium] = max(noted.get((shape, medium), step), step, key=moved_bytes)
        return rates[shape, Medium.EMPTY]

    def _look(self, step: Workload, drive: VirtualDrive) -> tuple[float, float]:
        run = drive.start(step.jobs, step.sample_interval_ns)
        # The first requests pay for memory that is touched for the first time, which the others do not.
        began_ns, before_bytes = time.thread_time_ns(), 0.0
        done = run.advance(_LOOK_REQUESTS)
        if not done:
            began_ns, before_bytes = time.thread_time_ns(), self._answered_bytes(step, run)
            began_s = time.perf_counter()
            while not done:
                done = run.advance(_LOOK_REQUESTS)
                if time.thread_time_ns() - began_ns > _LOOK_NS or time.perf_counter() - began_s > _LONGEST_LOOK_S:
                    break
        took_ns, answered_bytes = time.thread_time_ns() - began_ns, self._answered_bytes(step, run)
        elapsed_ns = run.progress()["elapsed_ns"]
        run.stop()
        drive.idle(_REST_NS)  # so that the next probe does not begin with a full write buffer
        self._written_bytes += answered_bytes if step.destructive else 0
        return elapsed_ns / max(answered_bytes, 1), took_ns / max(answered_bytes - before_bytes, 1)

    def _answered_bytes(self, step: Workload, run: VirtualRun) -> float:
        """What is behind the run: a request that fails moves nothing, yet it was answered."""
        failed = run.result().totals.get("failed_requests", 0)
        return run.progress()["bytes_done"] + failed * _mean_request_bytes(step)

    def _fresh_enough(self, *, to_write: bool = False) -> VirtualDrive:
        most_bytes = 0 if to_write and self.merges() else _FRESH_RATIO * self.user_bytes
        if self._drive is None or self._written_bytes > most_bytes:
            self._drive = None  # release one before building the next
            began_ns = time.thread_time_ns()
            self._drive = self._scratch()
            self._seen.build_wall_ns = time.thread_time_ns() - began_ns
            self._written_bytes = 0.0
        return self._drive


def _mean_request_bytes(step: Workload) -> float:
    return sum(mean_request_bytes(job) for job in step.jobs) / max(len(step.jobs), 1)


def _shape(job: Job) -> Job:
    """What decides how fast a job runs, without its place and amount."""
    return replace(job, name="", offset_bytes=0, size_bytes=0, io_bytes=0, runtime_ns=0, seed=0, group=0)
