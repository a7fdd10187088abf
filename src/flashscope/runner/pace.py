"""The rate limit of a job that runs at a share of a rate measured earlier in the same run.

    role "writes alone"     42 MB/s
    role "beside writing"   Pace("background", "writes alone", 0.25)  -->  the job "background" at 10.5 MB/s

The drive gets an ordinary rate limit in bytes per second, so fio and a virtual drive keep it in the same way.
"""

from __future__ import annotations

from dataclasses import replace

from flashscope.records import Record
from flashscope.workloads.steps import Step, Workload

_SECOND_NS = 10**9


def paced(step: Step, record: Record) -> Step:
    """The step with its rate filled in; unchanged when it asks for none, or when the rate was not measured."""
    if not isinstance(step, Workload) or step.pace is None:
        return step
    pace = step.pace
    earlier = record.step_with(pace.role)
    measured = None if earlier is None else earlier.workload
    if measured is None or measured.duration_ns <= 0:
        return step
    rates = [
        round(pace.share_ratio * measured.totals.get(name, 0) * _SECOND_NS / measured.duration_ns)
        for name in ("read_bytes", "written_bytes")
    ]
    jobs = tuple(
        replace(job, rate_bytes_per_second=(rates[0], rates[1], 0)) if job.name == pace.job else job
        for job in step.jobs
    )
    return replace(step, jobs=jobs)
