"""The engine of a virtual drive: the core runs the jobs in virtual time, in slices of a tenth of a second of real time.

Between two slices the progress is drawn and a Ctrl-C is heard. The slices change nothing in the result.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from flashscope.errors import Interrupted
from flashscope.records import Doubt, WorkloadResult
from flashscope.runner.cost import mean_request_bytes
from flashscope.runner.engines.engine import Load, Loaded, Watch
from flashscope.workloads.job import Job

_SLICE_S = 0.1
_FIRST_BUDGET_REQUESTS = 2_000
_LOOKS_PER_STRETCH = 4
_FIRST_JOB_ROW_NS = 1_000_000  # the core makes rows longer as it needs, so that there are always a few hundred


class VirtualRun(Protocol):
    """Jobs under way on a virtual drive (`drives/virtual/simulated.py`)."""

    def keep_jobs(self, interval_ns: int) -> None:
        """Keep what each job does over time; to be called before the first request."""

    def advance(self, budget_requests: int) -> bool:
        """Continue for at most that many requests; True when all jobs are done."""

    def progress(self) -> dict[str, int]:
        """The progress so far: requests, bytes_done, elapsed_ns."""

    def stop(self) -> None:
        """End the jobs now; what is under way is waited for."""

    def result(self) -> WorkloadResult:
        """What was measured so far."""


class RunsJobs(Protocol):
    """What this engine needs of a virtual drive."""

    def start(self, jobs: Sequence[Job], sample_interval_ns: int) -> VirtualRun:
        """Prepare jobs."""


Advance = Callable[[VirtualRun, int], bool]
"""Continues a run for a number of requests: without looks inside, or with them (glass)."""


def by_itself(run: VirtualRun, budget_requests: int) -> bool:
    """Continue without looking inside."""
    return run.advance(budget_requests)


class VirtualTimeEngine:
    """Runs jobs on a virtual drive. advance: continues a run."""

    def __init__(self, drive: RunsJobs, advance: Advance = by_itself) -> None:
        self._drive = drive
        self._advance = advance

    def run(self, load: Load, watch: Watch) -> Loaded:
        """As `Engine.run`; what was measured until a stop is kept."""
        budget = 0  # with looks at fixed places the slices must not depend on how fast this machine is
        if load.look_every_bytes:
            budget = max(1, load.look_every_bytes // _LOOKS_PER_STRETCH // _largest_bytes(load.jobs))
        run = self._drive.start(load.jobs, load.sample_interval_ns)
        if load.by_job:
            run.keep_jobs(min(load.sample_interval_ns, _FIRST_JOB_ROW_NS))
        return advanced_to_the_end(run, watch, self._advance, fixed_budget=budget)

    def doubts_about(self, jobs: Sequence[Job]) -> tuple[Doubt, ...]:
        """None: the core does exactly what the jobs say."""
        return ()

    def versions(self) -> dict[str, str]:
        """None beside flashscope's own, which every record names."""
        return {}


def advanced_to_the_end(
    run: VirtualRun, watch: Watch, advance: Advance = by_itself, *, fixed_budget: int = 0
) -> Loaded:
    """Continue slice by slice until all jobs are done or `watch` stops them.

    fixed_budget: requests of a slice, 0 for as many as keep a slice at a tenth of a second.
    """
    budget_requests = fixed_budget or _FIRST_BUDGET_REQUESTS
    stopped, done = "", False
    while not done and not stopped:
        began_s = time.perf_counter()
        try:
            done = advance(run, budget_requests)
        except Interrupted as stop:  # in the middle of a request that takes too long: the drive is of no use any more
            stopped = stop.what
            break
        took_s = time.perf_counter() - began_s
        factor = min(4.0, max(0.25, _SLICE_S / max(took_s, 1e-6)))
        budget_requests = fixed_budget or max(1, round(budget_requests * factor))
        progress = run.progress()
        try:
            watch(progress["bytes_done"], progress["elapsed_ns"])
        except Interrupted as stop:
            if not done:
                stopped = stop.what
                with contextlib.suppress(Interrupted):  # what is under way takes too long to wait for
                    run.stop()
    result = run.result()
    return Loaded(result, stopped, "" if stopped else _end_by_drive(result.totals))


def _largest_bytes(jobs: Sequence[Job]) -> int:
    """The mean request of the job that has the largest ones [bytes]."""
    return max(1, round(max(mean_request_bytes(job) for job in jobs)))


_ENDS = {
    "jobs_out_of_space": "no free block is left to write to: every one is full of valid data",
    "jobs_ended_read_only": "the drive has used up its spare blocks and is read-only from now on",
    "jobs_out_of_time": "virtual time ends after 250 years, and there was more to do then",
    "jobs_ended_dead": "the drive has used up its spare blocks and does not answer any more",
}


def _end_by_drive(totals: Mapping[str, int]) -> str:
    """Why the drive ended jobs before they were done, empty when it did not. Its death is a result, not a fault."""
    return "; ".join(why for name, why in _ENDS.items() if totals.get(name, 0))
