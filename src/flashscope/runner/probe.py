"""How fast a virtual drive takes a load, in virtual time and in processor time: the first moments are measured.

    jobs        begun on a scratch copy and measured for some hundredths of a second
    programs    sequential writing and reading, as programs do, and the host's work for each file, in Python

One scratch copy is used for many probes, since building a copy of a large drive takes longer than a probe. It is
replaced by a fresh one when an eighth of it was written, so every probe has a drive that is still nearly fresh.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from flashscope.runner.cost import METADATA_REQUESTS_PER_FILE, mean_request_bytes, moved_bytes
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.workloads.file_work import Extract, file_count
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import FileWork, Workload

_LOOK_S = 0.03
_LOOK_REQUESTS = 500
_FRESH_RATIO = 1 / 8
_WAYS: tuple[Literal["write"], Literal["read"]] = ("write", "read")
_FILE_REQUEST_BYTES = 64 * 1024
_REST_NS = 10**9
_SPAN_BYTES = 64 << 20
_LOWERING_NS_PER_FILE = 30_000.0  # a file system's work in Python, on a slow machine of today


@dataclass(frozen=True)
class Taken:
    """The time of a step without limits: simulated_ns on the drive's clock, wall_ns on an idle processor."""

    simulated_ns: float
    wall_ns: float


class Probe:
    """Probes loads on scratch copies of one virtual drive.

    scratch: makes a fresh copy. Loads that differ only in place, amount and seed are probed once.
    build_wall_ns: how long the last building of a copy took [ns].
    """

    def __init__(self, scratch: Callable[[], VirtualDrive]) -> None:
        self._scratch = scratch
        self._drive: VirtualDrive | None = None
        self._written_bytes = 0.0
        self._rates: dict[tuple[Job, ...], tuple[float, float]] = {}
        self.build_wall_ns = 0

    def of_jobs(self, step: Workload) -> Taken:
        """What the jobs of a step take, by the rate of their first moments."""
        simulated, wall = self._rate(step)
        return Taken(moved_bytes(step) * simulated, moved_bytes(step) * wall)

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
        return Taken(taken[0] + compute_ns, taken[1] + _LOWERING_NS_PER_FILE * file_count(step.programs))

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
            self._rates[shape] = self._look(step, self._fresh_enough())
        return self._rates[shape]

    def _look(self, step: Workload, drive: VirtualDrive) -> tuple[float, float]:
        run = drive.start(step.jobs, step.sample_interval_ns)
        began_s, began_ns = time.perf_counter(), time.thread_time_ns()
        done = False
        while not done and time.perf_counter() - began_s < _LOOK_S:
            done = run.advance(_LOOK_REQUESTS)
        took_ns = time.thread_time_ns() - began_ns
        progress = run.progress()
        run.stop()
        drive.idle(_REST_NS)  # so that the next probe does not begin with a full write buffer
        # A request that fails moves nothing, yet the step has it behind it.
        failed_bytes = run.result().totals.get("failed_requests", 0) * _mean_request_bytes(step)
        answered_bytes = max(progress["bytes_done"] + failed_bytes, 1)
        self._written_bytes += answered_bytes if step.destructive else 0
        return progress["elapsed_ns"] / answered_bytes, took_ns / answered_bytes

    def _fresh_enough(self) -> VirtualDrive:
        if self._drive is None or self._written_bytes > _FRESH_RATIO * self._drive.facts.user_bytes:
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
