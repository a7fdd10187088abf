"""The jobs of a step as lines over time: rates and latencies, ready to be drawn.

A record made before jobs were kept apart, and an engine that cannot tell them apart, have one track: all jobs together,
without latencies over time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flashscope.records import BYTES_OF, Record, StepRecord, Table, WorkloadResult
from flashscope.records.job_result import JobResult
from flashscope.vocabulary import REQUEST_KIND_NAMES, RequestKind

EACH_MOST = 6
"""Jobs that are drawn one by one; of more, only their sum is drawn."""


@dataclass(frozen=True)
class Tracks:
    """One step. whole: all jobs together; each: the jobs, when there are several."""

    step: StepRecord
    duration_ns: int
    whole: JobResult
    each: tuple[JobResult, ...]

    @property
    def kinds(self) -> list[RequestKind]:
        """The kinds of requests that were made."""
        return [kind for kind in REQUEST_KIND_NAMES if f"{kind}_requests" in self.whole.series.columns]


def is_of_jobs(record: Record) -> bool:
    """True when the record is of a job file and not of an experiment."""
    return any(step.parameters.get("by_job") for step in record.steps)


def tracks_of(record: Record) -> list[Tracks]:
    """The steps that measured something, in order."""
    return [
        _tracks(step, step.workload) for step in record.steps if step.workload is not None and len(step.workload.series)
    ]


def text_of(record: Record) -> str:
    """The job file as its author wrote it; empty when the record does not have it."""
    return next((str(text) for step in record.steps if (text := step.parameters.get("text"))), "")


def _tracks(step: StepRecord, result: WorkloadResult) -> Tracks:
    if result.jobs:
        return Tracks(step, result.duration_ns, result.jobs[0], result.jobs[1:])
    columns = {"elapsed_ns": result.series.columns["elapsed_ns"]}
    for kind, name in BYTES_OF.items():
        if result.totals.get(f"{kind}_requests", 0) and name in result.series.columns:
            columns |= {
                f"{kind}_bytes": result.series.columns[name],
                f"{kind}_requests": result.series.columns[f"{kind}_requests"],
            }
    return Tracks(step, result.duration_ns, JobResult("", Table(columns), result.latency), ())


def moments_s(job: JobResult) -> np.ndarray:
    """The middle of each interval since the step began [s]."""
    ends = job.series["elapsed_ns"].astype(float)
    middles: np.ndarray = (ends + np.concatenate([[0.0], ends[:-1]])) / 2e9
    return middles


def per_second(job: JobResult, column: str) -> np.ndarray:
    """A column of amounts as a rate per second; NaN in a last interval too short to have one."""
    lengths = np.diff(job.series["elapsed_ns"].astype(float), prepend=0.0) / 1e9
    usual = float(np.median(lengths))
    rates: np.ndarray = np.where(lengths > usual / 2, job.series[column] / np.maximum(lengths, 1e-12), np.nan)
    return rates
