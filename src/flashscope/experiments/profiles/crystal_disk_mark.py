"""CrystalDiskMark 3, 5 and 8: best of N passes over one test file, in decimal MB/s.

    3   file written | per row: read: preparing, 1..N   write: preparing, 1..N     rows: Seq, 512K, 4K, 4K QD32
    5   file written | all reads: preparing, 1..N each, 5 s pause between rows | all writes
    8   as 5, other rows; the latency beside each score is the lowest of the passes' means

Version 3 has an engine of its own. Its source (DiskBench.cpp of 3.0) says: a size of 1000 MB is 1000 MiB; the file is
written once in 1 MiB requests; a sequential pass is whole rounds over the file until 6 s are over (one at least), a
random one draws aligned places with replacement until 6 s are over; a preparing pass of the same length runs before
each N and does not count; the score is the highest of N, with MB = 10^6 bytes. "One pass" in a report is thus two
runs of each load. Versions 5 and 8 start DiskSpd for 5 s per pass, preparing pass included (source of 5.1.2, 8.0.6).

Differs here: a sequential pass of version 3 is one round over a file of 1000 MiB, more over a smaller one (1000 MiB in
all), whatever the drive's speed; the program would go round again on a drive above 175 MB/s. Version 3 repeats one
1 MiB buffer; ours never repeats. Version 3 sends a flush at the end of every write pass and counts its time, as here;
DiskSpd, below the others, sends none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.experiments.profiles.passes import (
    SATA_BYTES_PER_SECOND,
    Data,
    Load,
    Manner,
    Score,
    best_of,
    one_pass,
    pass_labels,
    shown,
)
from flashscope.experiments.profiles.test_file import MIB, TestFile, place_test_file
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import NO_LABELS, Labels, Record
from flashscope.workloads.steps import Idle, Step

__all__ = [
    "MARKING_3",
    "MARKING_5",
    "MARKING_8",
    "ROWS_3",
    "ROWS_5",
    "ROWS_8",
    "ROWS_8_NVME",
    "Marking",
    "Row",
    "Score",
    "TestFile",
    "crystal_disk_mark_3",
    "crystal_disk_mark_5",
    "crystal_disk_mark_8",
    "place_test_file",
    "scores",
]

KIB = 1024
PASS_TIME_3_NS = 6 * SECOND_NS
PASS_TIME_8_NS = 5 * SECOND_NS
INTERVAL_NS = 5 * SECOND_NS
SEQUENTIAL_BYTES = 1000 * MIB


@dataclass(frozen=True)
class Row:
    """One line of the program's window.

    label: as the program prints it. read, write: the metrics. request_bytes, queue_depth, thread_count: the load.
    """

    label: str
    read: str
    write: str
    request_bytes: int
    is_random: bool
    queue_depth: int = 1
    thread_count: int = 1

    @property
    def loads(self) -> tuple[Load, Load]:
        """Its read and its write."""
        shape = (self.request_bytes, self.queue_depth, self.thread_count)
        read = Load(self.read, "randread" if self.is_random else "read", *shape)
        return read, Load(self.write, "randwrite" if self.is_random else "write", *shape)


_SEQ = Row("Seq", "seq_read", "seq_write", MIB, False)
_4K = Row("4K", "rand_read_4k", "rand_write_4k", 4 * KIB, True)
_4K_QD32 = Row("4K QD32", "rand_read_4k_qd32", "rand_write_4k_qd32", 4 * KIB, True, 32)
_SEQ_Q8 = Row("SEQ1M Q8T1", "seq_read_1m_qd8", "seq_write_1m_qd8", MIB, False, 8)

ROWS_3 = (_SEQ, Row("512K", "rand_read_512k", "rand_write_512k", 512 * KIB, True), _4K, _4K_QD32)
ROWS_5 = (
    Row("Seq Q32T1", "seq_read_128k_qd32", "seq_write_128k_qd32", 128 * KIB, False, 32),
    Row("4K Q32T1", _4K_QD32.read, _4K_QD32.write, 4 * KIB, True, 32),
    _SEQ,
    _4K,
)
ROWS_8 = (
    _SEQ_Q8,
    Row("SEQ1M Q1T1", _SEQ.read, _SEQ.write, MIB, False),
    Row("RND4K Q32T1", _4K_QD32.read, _4K_QD32.write, 4 * KIB, True, 32),
    Row("RND4K Q1T1", _4K.read, _4K.write, 4 * KIB, True),
)
ROWS_8_NVME = (
    _SEQ_Q8,
    Row("SEQ128K Q32T1", "seq_read_128k_qd32", "seq_write_128k_qd32", 128 * KIB, False, 32),
    Row("RND4K Q32T16", "rand_read_4k_qd32_t16", "rand_write_4k_qd32_t16", 4 * KIB, True, 32, 16),
    Row("RND4K Q1T1", _4K.read, _4K.write, 4 * KIB, True),
)
_ALL_LOADS = {
    load.name: load for row in (*ROWS_3, *ROWS_5, *ROWS_8, *ROWS_8_NVME) for load in row.loads
}  # a metric means the same load in every version


@dataclass(frozen=True)
class Marking:
    """How one mark runs.

    passes: N. pass_time_ns: of each pass that is limited by time. preparing: with the pass before each N that does
    not count, as the program has it. settle_ns: idle time after the file was written; where no pass prepares a load,
    the first one would meet a full write buffer. reads_only: nothing is written, not even the file. data: what is
    written.
    fastest_bytes_per_second: what the link carries at most, for the bound of bytes a plan shows.
    """

    passes: int
    pass_time_ns: int
    preparing: bool = True
    settle_ns: int = 0
    reads_only: bool = False
    data: Data = "random"
    fastest_bytes_per_second: int = SATA_BYTES_PER_SECOND


MARKING_3 = Marking(5, PASS_TIME_3_NS)
MARKING_5 = Marking(5, PASS_TIME_8_NS)
MARKING_8 = Marking(3, PASS_TIME_8_NS)
"""The default of each version."""


def crystal_disk_mark_3(
    condition: str,
    test_file: TestFile,
    marking: Marking = MARKING_3,
    *,
    with_queue: bool = True,
    sequential_bytes: int = SEQUENTIAL_BYTES,
) -> list[Step]:
    """The steps of one mark under a condition (e.g. "fresh").

    with_queue: the row at queue depth 32 too. sequential_bytes: a sequential pass goes round a smaller file until
    that many bytes are moved.
    """
    rows = ROWS_3 if with_queue else ROWS_3[:-1]
    steps = [] if marking.reads_only else _file_written(condition, test_file, marking)
    rounds = max(1, -(-sequential_bytes // test_file.size_bytes))
    for load in (load for row in rows for load in row.loads if load.reads or not marking.reads_only):
        steps += [
            replace(
                one_pass(
                    name,
                    load,
                    test_file,
                    runtime_ns=marking.pass_time_ns if "rand" in load.direction else 0,
                    round_count=rounds,
                    manner=Manner(flush=True, data=marking.data),
                    fastest_bytes_per_second=marking.fastest_bytes_per_second,
                ),
                labels=labels,
            )
            for name, labels in _passes(condition, load, marking)
        ]
    return steps


def crystal_disk_mark_5(
    condition: str, test_file: TestFile, marking: Marking = MARKING_5, *, interval_ns: int = INTERVAL_NS
) -> list[Step]:
    """The steps of one mark of version 5; see `crystal_disk_mark_8` for the parameters."""
    return crystal_disk_mark_8(condition, test_file, marking, rows=ROWS_5, interval_ns=interval_ns)


def crystal_disk_mark_8(
    condition: str,
    test_file: TestFile,
    marking: Marking = MARKING_8,
    *,
    rows: Sequence[Row] = ROWS_8,
    interval_ns: int = INTERVAL_NS,
) -> list[Step]:
    """The steps of one mark under a condition.

    rows: ROWS_8, or ROWS_8_NVME for the program's NVMe profile. interval_ns: pause between two loads.
    """
    loads = [row.loads[0] for row in rows] + ([] if marking.reads_only else [row.loads[1] for row in rows])
    steps = [] if marking.reads_only else _file_written(condition, test_file, marking)
    for place, load in enumerate(loads):
        if place and interval_ns:
            steps.append(Idle(shown(condition, f"interval before {load.name}"), interval_ns))
        steps += [
            replace(
                one_pass(
                    name,
                    load,
                    test_file,
                    runtime_ns=marking.pass_time_ns,
                    manner=Manner(data=marking.data),
                    fastest_bytes_per_second=marking.fastest_bytes_per_second,
                ),
                labels=labels,
            )
            for name, labels in _passes(condition, load, marking)
        ]
    return steps


def scores(record: Record, condition: str = "") -> dict[str, Score]:
    """What the program prints for the mark of that condition, metric -> score; only what was completed.

    Metrics: those of the rows above, e.g. "seq_read", "rand_write_4k_qd32".
    """
    found = ((load, best_of(record, condition, load)) for load in _ALL_LOADS.values())
    return {load.name: score for load, score in found if score is not None}


def _file_written(condition: str, file: TestFile, marking: Marking) -> list[Step]:
    load = Load("test_file", "write", MIB)
    steps: list[Step] = [one_pass(shown(condition, "test file"), load, file, manner=Manner(data=marking.data))]
    return steps + ([Idle(shown(condition, "after the file"), marking.settle_ns)] if marking.settle_ns else [])


def _passes(condition: str, load: Load, marking: Marking) -> list[tuple[str, Labels]]:
    """The passes of a load in order: name and labels. The preparing one has none, as it does not count."""
    found = [(shown(condition, f"{load.name} preparing"), NO_LABELS)] if marking.preparing else []
    return found + [
        (shown(condition, f"{load.name} pass {number}"), pass_labels(condition, load, number))
        for number in range(1, marking.passes + 1)
    ]
