"""A pass: one run of one load on the test file, as one step; and the score of several passes.

    preparing | pass 1 | pass 2 | ... | pass N        rate of a pass = bytes moved / time from first to last request
      (not used)                                      score = one of the passes' rates (each program says which)

A pass ends after a time, or after whole rounds over the file. Its labels name its condition, its load and its number,
so a record that holds many marks can be read again. Each random pass has places of its own, drawn with replacement as
the programs do.
Not modelled here: the time a benchmark program needs itself (system call, thread switch); on a virtual drive that is
part of the drive's cost per command.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from typing import Literal

from flashscope.experiments.profiles.test_file import TestFile
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Label, Labels, Record, Status, WorkloadResult
from flashscope.vocabulary import Direction
from flashscope.workloads.job import ONLY_READS, BlockSizes, Job
from flashscope.workloads.steps import Workload

PASS = "pass"
"""The role of a pass that counts."""
Data = Literal["random", "zeros"]
SATA_BYTES_PER_SECOND = 600_000_000
_LEAST_LATENCY_NS = 8_000  # no drive of any kind answers a request sooner, system call included
_SAMPLES_PER_PASS = 40
_SHORTEST_SAMPLE_NS = 25_000_000


@dataclass(frozen=True)
class Load:
    """One load of a program.

    name: the metric, e.g. "seq_read". direction: as in fio. request_bytes: of each request, which lies on a grid of
    that size. queue_depth: requests outstanding per thread. thread_count: copies that run together.
    """

    name: str
    direction: Direction
    request_bytes: int
    queue_depth: int = 1
    thread_count: int = 1

    @property
    def reads(self) -> bool:
        """True when it only reads."""
        return self.direction in ONLY_READS


@dataclass(frozen=True)
class Manner:
    """How a program sends a load.

    each_once: random places without replacement. split: every thread has a file of its own, an equal part of the test
    file. flush: write everything to the medium at the end of a writing pass, and count that time. data: what is
    written; compressible_ratio: share of it that a compressor can remove.
    """

    each_once: bool = False
    split: bool = False
    flush: bool = False
    data: Data = "random"
    compressible_ratio: float = 0.0


PLAIN = Manner()


@dataclass(frozen=True)
class Score:
    """What a program prints for one load.

    value: rate by the program's rule [bytes/s]. pass_rates: of every pass that counts, in order [bytes/s].
    latency_ns: mean latency of a request by the program's rule. request_bytes: of the load.
    evidence: names of the steps.
    """

    value: float
    pass_rates: tuple[float, ...]
    latency_ns: float
    evidence: tuple[str, ...]
    request_bytes: int = 0

    @property
    def requests_per_second(self) -> float:
        """The same as requests [1/s]; 0 when the size of the requests is not known."""
        return self.value / self.request_bytes if self.request_bytes else 0.0


def shown(condition: str, words: str) -> str:
    """The name of a step under a condition."""
    return f"{condition}: {words}" if condition else words


def pass_labels(condition: str, load: Load, number: int = 1, **more: Label) -> Labels:
    """The labels of pass number 1, 2 ... of a load, by which `best_of` finds it."""
    family = shown(condition, f"{load.name} pass")
    return Labels.of(PASS, condition=condition, load=load.name, number=number, family=family, **more)


def only_pass(
    condition: str,
    load: Load,
    test_file: TestFile,
    *,
    runtime_ns: int = 0,
    at_most_ns: int = 0,
    manner: Manner = PLAIN,
) -> Workload:
    """The pass of a load that a program makes once, under a condition; the rest as in `one_pass`."""
    name = shown(condition, f"{load.name} pass 1")
    step = one_pass(name, load, test_file, runtime_ns=runtime_ns, at_most_ns=at_most_ns, manner=manner)
    return replace(step, labels=pass_labels(condition, load))


def one_pass(
    name: str,
    load: Load,
    test_file: TestFile,
    *,
    runtime_ns: int = 0,
    round_count: int = 1,
    at_most_ns: int = 0,
    manner: Manner = PLAIN,
    fastest_bytes_per_second: int = SATA_BYTES_PER_SECOND,
) -> Workload:
    """One pass as a step of that name, without labels.

    runtime_ns: go round until this time is over; 0: round_count whole rounds over the file instead, but at_most_ns
    (0: no limit).
    fastest_bytes_per_second: bounds what a pass limited by time can transfer.
    """
    files = _parts(test_file, load) if manner.split else [test_file] * load.thread_count
    jobs = tuple(
        _job(
            f"{name} {thread}" if load.thread_count > 1 else name,
            load,
            file,
            Job(
                name="",
                direction=load.direction,
                io_bytes=0 if runtime_ns else file.size_bytes * round_count,
                runtime_ns=runtime_ns or at_most_ns,
                time_based=runtime_ns > 0,
                random_map=manner.each_once,
                compressible_ratio=manner.compressible_ratio,
                zero_buffers=manner.data == "zeros",
                end_fsync=manner.flush and not load.reads,
            ),
        )
        for thread, file in enumerate(files)
    )
    moved = sum(job.io_bytes for job in jobs)
    if runtime_ns:
        outstanding_bytes = load.request_bytes * load.queue_depth * load.thread_count
        fastest = min(fastest_bytes_per_second, outstanding_bytes * SECOND_NS // _LEAST_LATENCY_NS)
        moved = max(fastest * runtime_ns // SECOND_NS, load.request_bytes)
    interval_ns = max((runtime_ns or at_most_ns) // _SAMPLES_PER_PASS, _SHORTEST_SAMPLE_NS)
    return Workload(name, jobs, interval_ns, 0 if load.reads else moved, moved if load.reads else 0)


def _parts(whole: TestFile, load: Load) -> list[TestFile]:
    """The test file in equal parts of whole requests, one for each thread."""
    part_bytes = max(whole.size_bytes // load.thread_count // load.request_bytes, 1) * load.request_bytes
    return [TestFile(whole.offset_bytes + thread * part_bytes, part_bytes) for thread in range(load.thread_count)]


def _job(name: str, load: Load, file: TestFile, limits: Job) -> Job:
    sizes = BlockSizes(weighted=((load.request_bytes, 100.0),), align_bytes=load.request_bytes)
    return replace(
        limits,
        name=re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-"),
        read_sizes=sizes,
        write_sizes=sizes,
        offset_bytes=file.offset_bytes,
        size_bytes=file.size_bytes,
        queue_depth=load.queue_depth,
        seed=zlib.crc32(name.encode()),
    )


def rate_of(result: WorkloadResult) -> float:
    """Bytes moved in either direction per second [bytes/s]; 0 when nothing was."""
    moved = result.totals.get("read_bytes", 0) + result.totals.get("written_bytes", 0)
    return moved * SECOND_NS / result.duration_ns if result.duration_ns else 0.0


def mean_latency_ns(result: WorkloadResult) -> float:
    """Mean time from submission to completion over reads and writes [ns]; NaN when there were none."""
    histograms = [histogram for histogram in result.latency.values() if histogram.total]
    total = sum(histogram.total for histogram in histograms)
    return sum(histogram.sum_ns for histogram in histograms) / total if total else float("nan")


def best_of(record: Record, condition: str, load: Load, **more: Label) -> Score | None:
    """The best of the passes of a load under a condition: highest rate, lowest mean latency; None when none was done.

    more: other labels that the passes must have.
    """
    steps = [
        (step.name, step.workload)
        for step in record.steps_with(PASS, condition=condition, load=load.name, **more)
        if step.workload is not None and step.status is Status.DONE
    ]
    if not steps:
        return None
    rates = tuple(rate_of(workload) for _, workload in steps)
    latency_ns = min(mean_latency_ns(workload) for _, workload in steps)
    return Score(max(rates), rates, latency_ns, tuple(name for name, _ in steps), load.request_bytes)
