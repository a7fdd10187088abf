"""The cost of a step, estimated before it runs, so that progress can be shown over steps of different kinds.

The unit is a second on an imagined drive that takes 50 us per request and moves 500 MB/s. Only the
ratios between steps matter: the true speed is measured during the run (`remaining.py`).

    jobs                 requests and bytes, or their time limit when that is sooner; rounds: half of the most
    programs on files    bytes in large requests, and a few requests of the file system itself for each file
    places checked       a region in large requests, a write and a read for each place
    idle                 its time; nothing on a virtual drive
    a state laid out     little on a virtual drive, where it takes no virtual time; else its jobs

Not foreseen here: a drive that cannot be put into a state at once (then it writes), and rounds that are steady early.
"""

from __future__ import annotations

from collections import defaultdict
from typing import assert_never

from flashscope.workloads.file_work import file_count
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import (
    CheckPlaces,
    FileWork,
    FormStripe,
    Idle,
    LaidOut,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

_REQUEST_S = 50e-6
_BYTES_PER_SECOND = 500e6
_SMALL_STEP_S = 0.01  # reading SMART, a trim
_LAY_OUT_BYTES_PER_SECOND = 1e9  # twice as fast as writing, by the processor time that both take
_MEMBER_S = 1.0  # to build one member of an array anew
_FILE_REQUEST_BYTES = 64 * 1024
_REGION_REQUEST_BYTES = 1024 * 1024
METADATA_REQUESTS_PER_FILE = 4
"""Record, directory entry, bitmap, journal."""


def mean_request_bytes(job: Job) -> float:
    """The mean request size of a job [bytes], over its mix of directions."""
    if job.only_reads:
        return _mean(job.read_sizes)
    if job.direction in ("trim", "randtrim"):
        return _mean(job.trim_sizes)
    if job.direction in ("rw", "randrw"):
        share = job.read_share_ratio
        return share * _mean(job.read_sizes) + (1 - share) * _mean(job.write_sizes)
    return _mean(job.write_sizes)


def _mean(sizes: BlockSizes) -> float:
    if sizes.range_bytes is not None:
        return sum(sizes.range_bytes) / 2
    weights = sum(weight for _, weight in sizes.weighted)
    return sum(size * weight for size, weight in sizes.weighted) / weights


def moved_bytes(step: Workload | FileWork | CheckPlaces) -> int:
    """An upper bound of what jobs or programs transfer in either direction, in all rounds [bytes]."""
    return step.bytes_to_write + step.bytes_to_read


def most_rounds(workload: Workload) -> int:
    """How often the jobs run at most."""
    return workload.until.most_rounds if workload.until else 1


def least_rounds_ratio(workload: Workload) -> float:
    """The fewest rounds after which jobs may be steady, as a share of the most (0..1]; 1 for jobs that run once."""
    if workload.until is None:
        return 1.0
    return min(1.0, workload.until.window_rounds / max(workload.until.most_rounds, 1))


def longest_ns(workload: Workload) -> int | None:
    """The time limit of a workload [ns]; None when it has none."""
    groups: dict[int, list[int]] = defaultdict(list)
    for job in workload.jobs:
        groups[job.group].append(job.runtime_ns)
    if any(0 in runtimes for runtimes in groups.values()):
        return None
    return sum(max(runtimes) for runtimes in groups.values()) * most_rounds(workload)


def requests_of(step: Workload | FileWork | CheckPlaces) -> float:
    """About how many requests a step makes at most."""
    if isinstance(step, CheckPlaces):
        return step.region_bytes / _REGION_REQUEST_BYTES + 2 * step.place_count
    if isinstance(step, FileWork):
        return moved_bytes(step) / _FILE_REQUEST_BYTES + METADATA_REQUESTS_PER_FILE * file_count(step.programs)
    if not step.jobs:
        return 0.0
    return moved_bytes(step) / (sum(mean_request_bytes(job) for job in step.jobs) / len(step.jobs))


def expected_cost_s(step: Step, *, virtual: bool) -> float:
    """The cost of a step in seconds of the imagined drive. On a virtual drive idle time costs nothing."""
    match step:
        case Idle():
            return _SMALL_STEP_S if virtual else step.duration_ns / 1e9
        case LaidOut() if virtual:
            return step.bytes_to_write / _LAY_OUT_BYTES_PER_SECOND
        case Workload():
            limit_ns = longest_ns(step)
            limited_s = _transfer_s(step) if limit_ns is None else min(_transfer_s(step), limit_ns / 1e9)
            return max(limited_s * (1 + least_rounds_ratio(step)) / 2, _SMALL_STEP_S)
        case FileWork() | CheckPlaces():
            return max(_transfer_s(step), _SMALL_STEP_S)
        case FormStripe():
            return step.member_count * _MEMBER_S
        case ReadSmart() | Trim() | SecureErase() | ReadMembers():
            return _SMALL_STEP_S
    assert_never(step)


def _transfer_s(step: Workload | FileWork | CheckPlaces) -> float:
    return requests_of(step) * _REQUEST_S + moved_bytes(step) / _BYTES_PER_SECOND


def share_done(step: Step, bytes_done: int, elapsed_ns: int) -> float:
    """How much of a step is over (0..1), by its bytes or by its time limit, whichever is further."""
    limit_ns: int | None = None
    by_bytes = 0.0
    match step:
        case Idle():
            limit_ns = step.duration_ns
        case Workload() | FileWork() | CheckPlaces():
            by_bytes = bytes_done / moved_bytes(step) if moved_bytes(step) else 0.0
            limit_ns = longest_ns(step) if isinstance(step, Workload) else None
        case ReadSmart() | Trim() | SecureErase() | FormStripe() | ReadMembers():
            pass  # over in a moment
        case _:
            assert_never(step)
    by_time = elapsed_ns / limit_ns if limit_ns else 0.0
    return min(1.0, max(by_bytes, by_time))
