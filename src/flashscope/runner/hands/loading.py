"""A workload step on any drive: its jobs by an engine, in rounds when the step says so, SMART read in between.

step -> rounds (`rounds.py`) -> engine (`runner/engines/engine.py`) -> one result, one series of SMART, one outcome
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flashscope.records import SmartSnapshot, Status, WorkloadResult
from flashscope.runner.engines.engine import Engine, Load, Loaded
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.rounds import jobs_of_round, run_rounds
from flashscope.runner.hands.smart_series import SmartSeries
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Workload

Place = Callable[[Sequence[Job]], Sequence[Job]]
"""Moves the jobs of a round to their place on the drive, with the seeds of this run."""

ReadSmart = Callable[[int], SmartSnapshot | None]
"""SMART now, given the time since the step began [ns]; None when the drive does not answer."""

_MOVED = ("read_bytes", "written_bytes", "trimmed_bytes")


def load(step: Workload, engine: Engine, read_smart: ReadSmart, on_progress: OnProgress, place: Place) -> Outcome:
    """Run the jobs of a step and say how it ended and what it measured."""
    smart = SmartSeries(step.smart_every_bytes, read_smart) if step.smart_every_bytes else None
    rounds: list[Loaded] = []
    before_bytes = before_ns = 0

    def watch(bytes_done: int, elapsed_ns: int) -> None:
        if smart is not None:
            smart.moved(before_bytes + bytes_done, before_ns + elapsed_ns)
        on_progress(before_bytes + bytes_done, before_ns + elapsed_ns)

    def run_round(number: int) -> tuple[WorkloadResult, bool]:
        nonlocal before_bytes, before_ns
        jobs = place(jobs_of_round(step.jobs, number))
        loaded = engine.run(Load(jobs, step.sample_interval_ns, step.smart_every_bytes, step.by_job), watch)
        rounds.append(loaded)
        before_bytes += sum(loaded.result.totals.get(name, 0) for name in _MOVED)
        before_ns += loaded.result.duration_ns
        return loaded.result, loaded.status is Status.DONE

    doubts = engine.doubts_about(place(step.jobs))
    result = run_rounds(step.until, run_round) if step.until else run_round(0)[0]
    last = rounds[-1]
    series = None if smart is None else smart.table()
    return Outcome(last.status, last.why, workload=result, doubts=doubts, smart_series=series)


def as_they_are(jobs: Sequence[Job]) -> Sequence[Job]:
    """For a drive whose jobs need no place and no seed of the run."""
    return jobs
