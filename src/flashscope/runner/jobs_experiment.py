"""A job file as an experiment: its groups of jobs in order, with a reading of SMART before and after.

    flashscope run sim:onyx-32 mixed.fio

Jobs that fio would run at the same time are one step; each stonewall begins the next. Its findings are what the drive
did in each step: the rate of each kind of request, with its latencies. The record also has each job over time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from flashscope.records import BYTES_OF, Finding, Record, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_number, format_rate, format_time
from flashscope.vocabulary import REQUEST_KIND_NAMES, RequestKind
from flashscope.workloads.job import Job
from flashscope.workloads.steps import ReadSmart, Step, Workload

_SAMPLES_PER_GROUP = 500
_SHORTEST_SAMPLE_NS = 100_000_000


class JobsExperiment:
    """The jobs of one file. name: that of the file without its ending. text: the file itself, for the report."""

    question = "What does the drive do under this load?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()
    needs = Needs()

    def __init__(self, name: str, jobs: Sequence[Job], text: str = "") -> None:
        self.name = name
        self._text = text
        self.title = f"Job file {name}"
        self._jobs = tuple(jobs)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """SMART, one workload per group, SMART; nothing is left out for any extent, since the file decides."""
        groups = [tuple(jobs) for _, jobs in groupby(self._jobs, key=lambda job: job.group)]
        workloads: list[Step] = []
        for number, jobs in enumerate(groups, start=1):
            name = ", ".join(dict.fromkeys(job.name for job in jobs))
            label = f"group {number}: {name}" if len(groups) > 1 else name
            workload = _workload(label, tuple(replace(job, group=0) for job in jobs), facts)
            workloads.append(replace(workload, by_job=True, text=self._text))
        return [ReadSmart("SMART before"), *workloads, ReadSmart("SMART after")]

    def analyse(self, record: Record) -> list[Finding]:
        """The rate of each kind of request in each step, with its latencies."""
        steps = [step for step in record.steps if step.workload is not None]
        return [
            finding
            for number, step in enumerate(steps, start=1)
            for kind in REQUEST_KIND_NAMES
            if (finding := _finding(step, kind, f"_group_{number}" if len(steps) > 1 else "")) is not None
        ]


_VERBS = {"read": "Reads", "write": "Writes", "trim": "Trims"}


def _finding(step: StepRecord, kind: RequestKind, suffix: str) -> Finding | None:
    """The rate of one kind of request in a step; None when there were none."""
    result = step.workload
    requests = result.totals.get(f"{kind}_requests", 0) if result else 0
    if result is None or not requests or not result.duration_ns:
        return None
    rate = result.totals.get(BYTES_OF[kind], 0) * 1e9 / result.duration_ns
    per_second = requests * 1e9 / result.duration_ns
    statement = f"{_VERBS[kind]} {format_rate(rate)}, {format_number(per_second)} requests a second"
    histogram = result.latency.get(kind)
    if histogram is not None and histogram.counts:
        half, most = (format_time(histogram.percentile_ns(share)) for share in (0.5, 0.99))
        statement += f"; half of them took at most {half}, 99 of 100 at most {most}, the longest "
        statement += format_time(histogram.max_ns)
    where = f"{step.name[0].upper()}{step.name[1:]}: {statement[0].lower()}{statement[1:]}" if suffix else statement
    return Finding(f"{kind}_rate{suffix}", f"{where}.", rate, "bytes/s", evidence=(step.name,))


def _workload(name: str, jobs: tuple[Job, ...], facts: DriveFacts) -> Workload:
    runtimes_ns = [job.runtime_ns for job in jobs]
    longest_ns = max(runtimes_ns) if all(runtimes_ns) else 0
    return Workload(
        name,
        jobs,
        sample_interval_ns=max(_SHORTEST_SAMPLE_NS, longest_ns // _SAMPLES_PER_GROUP),
        bytes_to_write=sum(_bytes(job, facts) for job in jobs if job.writes),
        bytes_to_read=sum(_bytes(job, facts) for job in jobs if job.reads),
    )


def _bytes(job: Job, facts: DriveFacts) -> int:
    """What a job transfers at most [bytes]; a mixed one may do all of it in one direction."""
    once = job.io_bytes or job.size_bytes or facts.user_bytes - job.offset_bytes
    if not job.runtime_ns:
        return once
    by_time = facts.link_bytes_per_second * job.runtime_ns // 10**9
    return by_time if job.time_based else min(once, by_time)
