"""Typed warnings that the figures of a run may mislead, each with what to do.

    CpuBound                the host had no time left; the drive may be faster
    QueueNeverFull          fewer requests were under way than the job asked for
    TooFewSamples           so few requests that a mean or a tail says little
    NotSteady               rounds were used up before the rate had settled
    NotAligned              writes that do not begin on 4 KiB, in a job file that does not say so on purpose
    CacheInTheWay           answers faster than any drive of the kind gives them
    CompressedByFileSystem  the file system shrinks or copies what is written
    Throttled               the drive was hot, so it may have slowed itself down

Each is given once for a run, with the steps that it concerns. An experiment lists in `expects` what it does on purpose
(unaligned writes, a queue that cannot fill). Only the record is used, so an old record can be checked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from flashscope.records import Doubt, Record, StepRecord, WorkloadResult
from flashscope.vocabulary import REQUEST_KIND_NAMES
from flashscope.workloads.job import ONLY_READS

_BUSY_RATIO = 0.9
_FULL_RATIO = 0.7
_REQUESTS_LEAST = 30
_HOT_CELSIUS = 70
_TEMPERATURE_IDS = (194, 190)
_SOONEST_NS = 2_000.0
_PAGE_BYTES = 4096
_SHRINKING = {"btrfs", "zfs", "bcachefs"}

_Rule = Callable[[Record, StepRecord, WorkloadResult], bool]
_Advice = Callable[[Record], str]


def run_warnings(record: Record, expects: frozenset[str] = frozenset()) -> list[Doubt]:
    """All warnings about a run, one for each kind; expects: kinds that its experiment brings about on purpose."""
    return [
        *(doubt for doubt in _of_workloads(record) if doubt.kind not in expects),
        *(doubt for doubt in _of_drive(record) if doubt.kind not in expects),
    ]


def _of_workloads(record: Record) -> Iterator[Doubt]:
    for kind, (holds, message, advice) in _RULES.items():
        names = [step.name for step in record.steps if step.workload is not None and holds(record, step, step.workload)]
        if names:
            count = sum(step.workload is not None for step in record.steps)
            yield Doubt(
                kind, f"{message} in {_named(names, count)}", advice if isinstance(advice, str) else advice(record)
            )


def _of_drive(record: Record) -> Iterator[Doubt]:
    facts = record.drive_facts
    system = (facts.place.file_system if facts.place else "") or record.host.get("file_system")
    if not facts.in_virtual_time and system in _SHRINKING:
        yield Doubt(
            "CompressedByFileSystem",
            f"{system} below the file may shrink data and writes every change elsewhere",
            "test the block device, or a file without copy on write (chattr +C before it is written)",
        )
    hottest = max((celsius for step in record.steps for celsius in _temperatures(step)), default=0)
    if hottest >= _HOT_CELSIUS and not facts.in_virtual_time:
        yield Doubt(
            "Throttled",
            f"the drive reached {hottest} °C; many drives slow down from {_HOT_CELSIUS} °C on",
            "cool it and run this again",
        )


def _named(names: list[str], count: int) -> str:
    """Some steps by name, many by number."""
    if len(names) <= 3:
        return ", ".join(f'"{name}"' for name in names)
    return f'{len(names)} of {count} workloads, the first of them "{names[0]}"'


def _cpu_bound(record: Record, step: StepRecord, workload: WorkloadResult) -> bool:
    """One thread of the load had less than a tenth of its time left."""
    busy_ns, threads = workload.totals.get("host_cpu_ns", 0), workload.totals.get("host_threads", 1)
    return bool(workload.duration_ns) and busy_ns > _BUSY_RATIO * workload.duration_ns * max(threads, 1)


def _queue_never_full(record: Record, step: StepRecord, workload: WorkloadResult) -> bool:
    """Little's law: the sum of all latencies over the time is the mean number of requests under way."""
    jobs = _jobs(step)
    wanted = _asked_at_once(jobs)
    if wanted <= 1 or not workload.duration_ns or any(_paced(job) or job.get("end_fsync") for job in jobs):
        return False
    under_way = sum(histogram.sum_ns for histogram in workload.latency.values()) / workload.duration_ns
    requests = sum(histogram.total for histogram in workload.latency.values())
    return bool(requests >= 10 * wanted and under_way < _FULL_RATIO * wanted)


def _asked_at_once(jobs: list[dict[str, Any]]) -> int:
    """Requests that the jobs want under way at least.

    Jobs of different groups run one after another; of reads and writes side by side, one may end long before the other.
    """
    alike: dict[tuple[int, str], int] = defaultdict(int)
    for job in jobs:
        alike[job.get("group", 0), job.get("direction", "")] += job.get("queue_depth", 1)
    return min(alike.values(), default=0)


def _too_few(record: Record, step: StepRecord, workload: WorkloadResult) -> bool:
    requests = sum(workload.totals.get(f"{kind}_requests", 0) for kind in REQUEST_KIND_NAMES)
    return 0 < requests < _REQUESTS_LEAST


def _not_steady(record: Record, step: StepRecord, workload: WorkloadResult) -> bool:
    return "rounds" in workload.totals and not workload.totals.get("steady_rounds", 0)


def _not_aligned(record: Record, step: StepRecord, workload: WorkloadResult) -> bool:
    begin = record.drive_facts.offset_bytes
    for job in _jobs(step):
        first, grid = begin + int(job.get("offset_bytes", 0)), int(job["write_sizes"]["align_bytes"])
        if job.get("direction") not in ONLY_READS and (first % _PAGE_BYTES or grid % _PAGE_BYTES):
            return True
    return False


def _cached(record: Record, step: StepRecord, workload: WorkloadResult) -> bool:
    """Reads of a real drive cross a link and a controller; if half of them take under 2 us, they did not."""
    reads = workload.latency.get("read")
    real = not record.drive_facts.in_virtual_time
    return real and reads is not None and reads.total > 0 and reads.percentile_ns(0.5) < _SOONEST_NS


def queue_advice(record: Record) -> str:
    """What to do when the queue was never full: a virtual drive has no host that could be too slow."""
    if record.drive_facts.in_virtual_time:
        return "the drive takes no more at once; a job that asks for no more waits less"
    return "the host, not the drive, limits the rate; use an asynchronous engine (libaio, io_uring) or more jobs"


def _sampling_advice(record: Record) -> str:
    return f"let it run for longer, or compare several {'seeds' if record.drive_facts.in_virtual_time else 'runs'}"


def _aligning_advice(record: Record) -> str:
    """Where the drive itself begins off the grid, no option of a job can help."""
    if record.drive_facts.offset_bytes % _PAGE_BYTES:
        return "the drive begins between two multiples of 4 KiB (?offset): begin it at one, such as 1 MiB"
    return "align offset, size and blockalign"


_RULES: dict[str, tuple[_Rule, str, str | _Advice]] = {
    "CpuBound": (
        _cpu_bound,
        "the host's processor was busy all the time",
        "use larger requests or more jobs, and see what else runs on this machine",
    ),
    "QueueNeverFull": (
        _queue_never_full,
        "fewer than 70 % of the requests asked for were under way",
        queue_advice,
    ),
    "TooFewSamples": (
        _too_few,
        f"fewer than {_REQUESTS_LEAST} requests were made",
        _sampling_advice,
    ),
    "NotSteady": (_not_steady, "the rate was not steady when all rounds were done", "allow more or longer rounds"),
    "NotAligned": (_not_aligned, "writes do not begin on multiples of 4 KiB", _aligning_advice),
    "CacheInTheWay": (
        _cached,
        "half of the reads were answered within 2 us, faster than a drive can",
        "a cache above the drive holds the data: use a block device, or a file larger than memory",
    ),
}


def _jobs(step: StepRecord) -> list[dict[str, Any]]:
    return [dict(job) for job in step.parameters.get("jobs", ())]


def _paced(job: dict[str, Any]) -> bool:
    rates = [*job.get("rate_bytes_per_second", ()), *job.get("rate_requests_per_second", ())]
    return any(rates) or bool(job.get("thinktime_ns"))


def _temperatures(step: StepRecord) -> Iterator[int]:
    """Temperatures in a step's SMART [degrees Celsius]: the lowest raw byte of the usual attributes."""
    if step.smart is not None:
        yield from (each.raw[0] for each in step.smart.attributes if each.id in _TEMPERATURE_IDS and each.raw)
