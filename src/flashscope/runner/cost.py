"""What a step costs, guessed before it runs, so that progress can be drawn over steps of unlike kinds.

The unit is a second on an imagined drive that takes 50 us per request and moves 500 MB/s. Only the
ratios between steps matter: the true speed is measured while the run goes (`remaining.py`).
"""

from __future__ import annotations

from collections import defaultdict

from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import Idle, Step, Workload

_REQUEST_S = 50e-6
_BYTES_PER_SECOND = 500e6
_SMALL_STEP_S = 0.01  # reading SMART, a trim


def mean_request_bytes(job: Job) -> float:
    """The mean request size of a job [bytes], over its directions as it mixes them."""
    if job.direction in ("read", "randread"):
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


def moved_bytes(workload: Workload) -> int:
    """An upper bound of what a workload transfers in either direction [bytes]."""
    return workload.bytes_to_write + workload.bytes_to_read


def longest_ns(workload: Workload) -> int | None:
    """The time after which a workload is over whatever the drive does [ns]; None when nothing limits it."""
    groups: dict[int, list[int]] = defaultdict(list)
    for job in workload.jobs:
        groups[job.group].append(job.runtime_ns)
    if any(0 in runtimes for runtimes in groups.values()):
        return None
    return sum(max(runtimes) for runtimes in groups.values())


def expected_cost_s(step: Step, *, virtual: bool) -> float:
    """The cost of a step in seconds of the imagined drive. On a virtual drive idle time costs nothing."""
    if isinstance(step, Idle):
        return _SMALL_STEP_S if virtual else step.duration_ns / 1e9
    if not isinstance(step, Workload):
        return _SMALL_STEP_S
    requests = moved_bytes(step) / (sum(mean_request_bytes(job) for job in step.jobs) / len(step.jobs))
    by_size = requests * _REQUEST_S + moved_bytes(step) / _BYTES_PER_SECOND
    limit_ns = longest_ns(step)
    return by_size if limit_ns is None else min(by_size, limit_ns / 1e9)


def share_done(workload: Workload, bytes_done: int, elapsed_ns: int) -> float:
    """How much of a workload is over (0..1), by its bytes or by its time limit, whichever is further."""
    by_bytes = bytes_done / moved_bytes(workload) if moved_bytes(workload) else 0.0
    limit_ns = longest_ns(workload)
    by_time = elapsed_ns / limit_ns if limit_ns else 0.0
    return min(1.0, max(by_bytes, by_time))
