"""How long a load takes a real drive of a known speed: a few numbers for each direction, and fio's own time.

    one request at a time       requests x (latency + bytes / rate)
    several at a time           the longest of bytes / rate, requests / most per second, requests x latency / how many
    a rate, a pause, a limit    as the job says

Not foreseen here: that a drive becomes slower while it is written; `real_estimate.py` allows for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.runner.cost import METADATA_REQUESTS_PER_FILE, mean_request_bytes
from flashscope.workloads.file_work import file_count
from flashscope.workloads.job import Job
from flashscope.workloads.steps import FileWork, Workload

_FILE_REQUEST_BYTES = 64 * 1024


@dataclass(frozen=True)
class Way:
    """One direction. bytes_per_second: large requests in order. request_s: one small request at random, alone [s].

    requests_per_second: small requests at random, when many are outstanding.
    next_s: one small request, alone, that goes on where the one before has ended [s].
    """

    bytes_per_second: float
    request_s: float
    requests_per_second: float
    next_s: float

    def time_s(self, requests: float, request_bytes: float, depth: int, *, in_order: bool = False) -> float:
        """The time of so many requests, of which `depth` are outstanding [s]."""
        transfer_s = requests * request_bytes / self.bytes_per_second
        alone_s = min(self.next_s, self.request_s) if in_order else self.request_s
        if depth <= 1:
            return requests * alone_s + transfer_s
        return max(transfer_s, requests / self.requests_per_second, requests * alone_s / depth)


@dataclass(frozen=True)
class DriveSpeed:
    """start_s: to start fio and end it, for each load [s]."""

    read: Way
    write: Way
    start_s: float


# Drives of the last twenty years, from a poor flash drive to a PCIe drive, and between them a plain one.
SLOWEST = DriveSpeed(Way(20e6, 20e-3, 50.0, 2e-3), Way(20e6, 20e-3, 50.0, 2e-3), 1.0)
PLAIN = DriveSpeed(Way(400e6, 100e-6, 50_000.0, 50e-6), Way(400e6, 60e-6, 30_000.0, 50e-6), 0.5)
PLAIN_DISK = DriveSpeed(Way(120e6, 8e-3, 150.0, 100e-6), Way(120e6, 8e-3, 150.0, 100e-6), 0.5)
FASTEST = DriveSpeed(Way(3e9, 5e-6, 300_000.0, 5e-6), Way(3e9, 5e-6, 300_000.0, 5e-6), 0.1)


def round_s(step: Workload, speed: DriveSpeed) -> float:
    """One round of a load without its time limit and without fio's own time [s]."""
    groups: dict[int, list[Job]] = defaultdict(list)
    for job in step.jobs:
        groups[job.group].append(job)
    asked = sum(_asked_bytes(job) for job in step.jobs)
    moved = step.bytes_to_write + step.bytes_to_read
    rounds = step.until.most_rounds if step.until else 1
    scale = moved / rounds / asked if asked else 0.0  # a size of 0 stands for the rest of the drive
    unknown = moved / rounds / max(len(step.jobs), 1)
    return sum(_group_s(jobs, speed, scale, unknown) for jobs in groups.values())


def _group_s(jobs: Sequence[Job], speed: DriveSpeed, scale: float, unknown_bytes: float) -> float:
    """Jobs at the same time: the drive's work adds up, and a slow or limited job may last longer than that."""
    work_s, alone_s = 0.0, 0.0
    depth = sum(job.queue_depth for job in jobs)
    for job in jobs:
        amount = _asked_bytes(job) * scale if scale else unknown_bytes
        requests = amount / mean_request_bytes(job)
        work_s += _mixed_s(job, requests, speed, depth)
        alone_s = max(alone_s, _mixed_s(job, requests, speed, job.queue_depth) + _pause_s(job, requests))
        alone_s = max(alone_s, _at_its_rate_s(job, amount, requests))
    return max(work_s, alone_s)


def _mixed_s(job: Job, requests: float, speed: DriveSpeed, depth: int) -> float:
    reads = 1.0 if job.only_reads else job.read_share_ratio if job.reads and job.writes else 0.0
    size, in_order = mean_request_bytes(job), not job.direction.startswith("rand")
    return sum(
        way.time_s(requests * share, size, depth, in_order=in_order)
        for way, share in ((speed.read, reads), (speed.write, 1 - reads))
    )


def _pause_s(job: Job, requests: float) -> float:
    return requests * job.thinktime_ns / max(job.thinktime_blocks, 1) / 1e9


def _at_its_rate_s(job: Job, amount: float, requests: float) -> float:
    by_bytes = max((amount / rate for rate in job.rate_bytes_per_second if rate), default=0.0)
    by_requests = max((requests / rate for rate in job.rate_requests_per_second if rate), default=0.0)
    return max(by_bytes, by_requests)


def _asked_bytes(job: Job) -> float:
    return job.io_bytes or job.size_bytes


def file_work_s(step: FileWork, speed: DriveSpeed) -> float:
    """Programs on files [s]."""
    files = file_count(step.programs)
    depth = max(len(step.programs), 1)
    return (
        speed.write.time_s(step.bytes_to_write / _FILE_REQUEST_BYTES, _FILE_REQUEST_BYTES, depth)
        + speed.read.time_s(step.bytes_to_read / _FILE_REQUEST_BYTES, _FILE_REQUEST_BYTES, depth)
        + speed.write.time_s(METADATA_REQUESTS_PER_FILE * files, 4096, depth)
    )
