"""A job file as an experiment: its groups of jobs in order, with a reading of SMART before and after.

    flashscope run sim:onyx-32 mixed.fio

Jobs that fio would run at the same time are one step; each stonewall begins the next. It has no findings: its record
holds what was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from flashscope.records import Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.workloads.job import Job
from flashscope.workloads.steps import ReadSmart, Step, Workload

_SAMPLES_PER_GROUP = 500
_SHORTEST_SAMPLE_NS = 100_000_000


class JobsExperiment:
    """The jobs of one file. name: that of the file without its ending."""

    question = "What does the drive do under this load?"
    expects: frozenset[str] = frozenset()
    needs = Needs()

    def __init__(self, name: str, jobs: Sequence[Job]) -> None:
        self.name = name
        self.title = f"Job file {name}"
        self._jobs = tuple(jobs)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """SMART, one workload per group, SMART; nothing is left out for any extent, since the file decides."""
        groups = [tuple(jobs) for _, jobs in groupby(self._jobs, key=lambda job: job.group)]
        workloads: list[Step] = []
        for number, jobs in enumerate(groups, start=1):
            name = ", ".join(dict.fromkeys(job.name for job in jobs))
            label = f"group {number}: {name}" if len(groups) > 1 else name
            workloads.append(_workload(label, tuple(replace(job, group=0) for job in jobs), facts))
        return [ReadSmart("SMART before"), *workloads, ReadSmart("SMART after")]

    def analyse(self, record: Record) -> list[Finding]:
        """Nothing: a job file asks no question of its own."""
        return []


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
