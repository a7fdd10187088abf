"""Iometer: an access specification that runs for a time; the ramp-up is not counted.

    | ramp-up |          run time           |
      dropped   requests/s, MB/s, mean and longest response time

One step; its first rows are left out, so the load never pauses between ramp-up and measurement. The mean response
time is outstanding requests / requests per second (Little's law), when there is no delay between requests.
Differs here: the longest response time is that of the whole step, ramp-up included.
Not modelled here: several workers, cycling of queue depths and targets, the CPU column.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from flashscope.experiments.profiles.access_specification import AccessSpecification
from flashscope.experiments.profiles.passes import mean_latency_ns
from flashscope.experiments.profiles.test_file import TestFile
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Labels, Status, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.workloads.steps import Workload

RUN = "run of an access specification"
"""The role of a run."""
_ROWS = 200


@dataclass(frozen=True)
class IometerResult:
    """What the results window shows, without the ramp-up.

    requests_per_second, bytes_per_second; read_ratio: share of reads among the requests; response_mean_ns,
    response_max_ns; request_count: counted; window_ns: counted time.
    """

    requests_per_second: float
    bytes_per_second: float
    read_ratio: float
    response_mean_ns: float
    response_max_ns: float
    request_count: int
    window_ns: int


def iometer(
    name: str,
    specification: AccessSpecification,
    test_file: TestFile,
    facts: DriveFacts,
    *,
    outstanding: int = 1,
    run_ns: int,
    ramp_up_ns: int,
) -> Workload:
    """One run as a step of that name. outstanding: I/Os per target (the program's default is 1), and a label."""
    job = specification.job(
        sector_bytes=facts.sector_bytes,
        offset_bytes=test_file.offset_bytes,
        size_bytes=test_file.size_bytes,
        outstanding=outstanding,
        runtime_ns=ramp_up_ns + run_ns,
        seed=zlib.crc32(name.encode()),
    )
    most = facts.link_bytes_per_second * job.runtime_ns // SECOND_NS
    writes, reads = specification.writes, job.read_share_ratio > 0
    labels = Labels.of(RUN, outstanding=outstanding)
    return Workload(name, (job,), max(job.runtime_ns // _ROWS, 10_000_000), most * writes, most * reads, labels=labels)


def result(kept: StepRecord | None, *, ramp_up_ns: int) -> IometerResult | None:
    """What a run measured after the ramp-up; None when it ended before."""
    if kept is None or kept.workload is None or kept.status not in (Status.DONE, Status.INTERRUPTED):
        return None
    workload, job = kept.workload, kept.parameters["jobs"][0]
    ends = np.asarray(workload.series["elapsed_ns"], dtype=float)
    lengths = np.diff(ends, prepend=0.0)
    counted = ends - lengths >= ramp_up_ns
    requests = {kind: np.asarray(workload.series[f"{kind}_requests"], dtype=float) for kind in ("read", "write")}
    moved = sum(
        float(np.asarray(workload.series[column], dtype=float)[counted].sum())
        for column in ("read_bytes", "written_bytes")
    )
    total = float(sum(column[counted].sum() for column in requests.values()))
    window_ns = float(lengths[counted].sum())
    if not total or not window_ns:
        return None
    rate = total * SECOND_NS / window_ns
    mean_ns = mean_latency_ns(workload) if job["thinktime_ns"] else job["queue_depth"] * SECOND_NS / rate
    longest_ns = max(histogram.max_ns for histogram in workload.latency.values())
    share = float(requests["read"][counted].sum() / total)
    return IometerResult(
        rate, moved * SECOND_NS / window_ns, share, mean_ns, longest_ns, round(total), round(window_ns)
    )
