"""How fast a virtual drive takes a load, in virtual time and in processor time: the first moments are measured.

    jobs        begun on a scratch copy and measured for some hundredths of a second
    programs    sequential writing and reading, as programs do, and the host's work for each file, in Python

Memory is slow where it is touched for the first time, so one copy is used for many probes, until an eighth of it was
written. A drive that cannot be laid out (block-mapped) gets a fresh copy for each probe that writes: the writes before
would leave their merges to the next.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from flashscope.runner.cost import METADATA_REQUESTS_PER_FILE, mean_request_bytes, moved_bytes
from flashscope.runner.engines.virtual_time import VirtualRun
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.workloads.file_work import Extract, file_count
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import FileWork, LaidOut, Workload

_LOOK_S = 0.03
_LOOK_REQUESTS = 500
_FRESH_RATIO = 1 / 8
_LITTLE_RATIO = 0.01
_WAYS: tuple[Literal["write"], Literal["read"]] = ("write", "read")
_FILE_REQUEST_BYTES = 64 * 1024
_REST_NS = 10**9
_SPAN_BYTES = 64 << 20
_LOWERING_NS_PER_FILE = 30_000.0  # a file system's work in Python, on a slow machine of today
_HOST_NS_PER_FILE = 400_000.0  # a program's own work to open, make and close a file, in virtual time


@dataclass(frozen=True)
class Taken:
    """The time of a step without limits: simulated_ns on the drive's clock, wall_ns on an idle processor."""

    simulated_ns: float
    wall_ns: float


class Probe:
    """Probes loads on scratch copies of one virtual drive.

    scratch: makes a fresh copy. user_bytes: of the drive. Loads that differ only in place, amount and seed are probed
    once.
    build_wall_ns: how long the last building of a copy took [ns].
    """

    def __init__(self, scratch: Callable[[], VirtualDrive], user_bytes: int) -> None:
        self.user_bytes = user_bytes
        self._scratch = scratch
        self._drive: VirtualDrive | None = None
        self._written_bytes = 0.0
        self._laid_out: dict[tuple[bool, bool], bool] = {}
        self._rates: dict[tuple[Job, ...], tuple[float, float]] = {}
        self.build_wall_ns = 0

    def of_jobs(self, step: Workload) -> Taken:
        """What the jobs of a step take, by the rate of their first moments; each group by its own."""
        groups: dict[int, list[Job]] = defaultdict(list)
        for job in step.jobs:
            groups[job.group].append(job)
        asked = {
            group: sum(job.io_bytes or job.size_bytes or self.user_bytes for job in jobs)
            for group, jobs in groups.items()
        }
        simulated_ns = wall_ns = 0.0
        for group, jobs in groups.items():
            share = asked[group] / sum(asked.values()) if len(groups) > 1 else 1.0
            simulated, wall = self._rate(replace(step, jobs=tuple(jobs)))
            simulated_ns += moved_bytes(step) * share * simulated
            wall_ns += moved_bytes(step) * share * wall
        return Taken(simulated_ns, wall_ns)

    def is_laid_out(self, step: LaidOut) -> bool:
        """Whether the drive gets the state of the step at once, or has to be written to: tried with a little of it."""
        return self._can_be((step.overwritten, step.zeros))

    def _can_be(self, state: tuple[bool, bool]) -> bool:
        if state not in self._laid_out:
            overwritten, zeros = state
            self._drive = None  # never two copies in memory
            self._laid_out[state] = self._scratch().lay_out(_LITTLE_RATIO, overwritten=overwritten, zeros=zeros)
        return self._laid_out[state]

    def _merges(self) -> bool:
        """Whether its state depends on the order of all writes, as that of a block-mapped drive does."""
        return not self._can_be((False, False))

    def of_programs(self, step: FileWork) -> Taken:
        """What programs on files take at least, by the rate of requests in order, and the requests for each file."""
        if file_count(step.programs) == 0:
            return Taken(0.0, 0.0)
        write, read = (self._rate(self._in_order(way)) for way in _WAYS)
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
        drive = self._fresh_enough()
        request = max(_FILE_REQUEST_BYTES, drive.facts.sector_bytes)
        span = max(min(_SPAN_BYTES, drive.facts.user_bytes) // request * request, request)
        sizes = BlockSizes(weighted=((request, 100.0),))
        job = Job("probe", direction, read_sizes=sizes, write_sizes=sizes, size_bytes=span)
        return Workload("probe", (job,), 10**9, span, 0)

    def _rate(self, step: Workload) -> tuple[float, float]:
        """Simulated and wall time per byte [ns/byte] of the first moments of a workload."""
        shape = tuple(_shape(job) for job in step.jobs)
        if shape not in self._rates:
            self._rates[shape] = self._look(step, self._fresh_enough(to_write=step.destructive))
        return self._rates[shape]

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
                if time.perf_counter() - began_s > _LOOK_S:
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
        most_bytes = 0 if to_write and self._merges() else _FRESH_RATIO * self.user_bytes
        if self._drive is None or self._written_bytes > most_bytes:
            self._drive = None  # release one before building the next
            began_ns = time.thread_time_ns()
            self._drive = self._scratch()
            self.build_wall_ns = time.thread_time_ns() - began_ns
            self._written_bytes = 0.0
        return self._drive


def _mean_request_bytes(step: Workload) -> float:
    return sum(mean_request_bytes(job) for job in step.jobs) / max(len(step.jobs), 1)


def _shape(job: Job) -> Job:
    """What decides how fast a job runs, without its place and amount."""
    return replace(job, name="", offset_bytes=0, size_bytes=0, io_bytes=0, runtime_ns=0, seed=0, group=0)
