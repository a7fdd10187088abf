"""The table of a job file: for each kind of request and each job its rates and latencies."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.records import Histogram, Record
from flashscope.records.job_result import JobResult
from flashscope.reports.jobs.tracks import Tracks, tracks_of
from flashscope.reports.numbers import Said, say
from flashscope.vocabulary import RequestKind

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "p99.99": 0.9999}
HEADINGS = ("rate", "requests/s", *SHARES, "max")


@dataclass(frozen=True)
class JobRow:
    """One job, or all of them, with one kind of request. cells: under HEADINGS."""

    name: str
    cells: tuple[Said, ...]


def job_rows(record: Record) -> list[JobRow]:
    """Step by step, kind by kind: each job, then all of them."""
    return [
        _row(tracks, job, kind) for tracks in tracks_of(record) for kind in tracks.kinds for job in _shown(tracks, kind)
    ]


def _shown(tracks: Tracks, kind: RequestKind) -> list[JobResult]:
    """The jobs that made such requests, and their sum, unless it is that of only one."""
    makers = [job for job in tracks.each if f"{kind}_requests" in job.series.columns]
    return makers if len(makers) == 1 else [*makers, tracks.whole]


def _row(tracks: Tracks, job: JobResult, kind: RequestKind) -> JobRow:
    seconds = max(tracks.duration_ns, 1) / 1e9
    requests, moved_bytes = (int(job.series[f"{kind}_{what}"].sum()) for what in ("requests", "bytes"))
    histogram = job.latency.get(kind, Histogram())
    times = [*(histogram.percentile_ns(share) for share in SHARES.values()), float(histogram.max_ns)]
    cells = (
        say(moved_bytes / seconds, "bytes/s"),
        say(requests / seconds, "count"),
        *(say(value if histogram.counts else None, "ns") for value in times),
    )
    name = job.name or (f"all of {tracks.step.name}" if tracks.each else tracks.step.name)
    return JobRow(f"{name}, {kind}", cells)
