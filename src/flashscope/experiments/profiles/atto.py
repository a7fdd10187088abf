"""ATTO Disk Benchmark: one rate per request size, 512 B to 64 MB, four requests outstanding.

    write, then read, 256 MB in order, for each power of two

Sizes are powers of two in KiB. Data are zeros, as the program's default. A drive that compresses is faster with zeros,
and its makers quoted ATTO for that; `manner=PLAIN` writes other data.
Differs here: each size ends after a time limit too, since half a million 512 B requests take half a minute; and the
read waits 2 s for the write buffer, which otherwise would still be draining during the complete short read.
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.experiments.profiles.passes import Load, Manner, Score, best_of, one_pass, only_pass, shown
from flashscope.experiments.profiles.test_file import MIB, TestFile
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Record
from flashscope.units import format_bytes_binary
from flashscope.workloads.steps import Idle, Step

FILE_BYTES = 256 * MIB
QUEUE_DEPTH = 4
PAUSE_NS = 2 * SECOND_NS
SIZES_BYTES = tuple(512 << power for power in range(18))


def sizes_for(test_file: TestFile, sector_bytes: int, sizes_bytes: Sequence[int] = SIZES_BYTES) -> list[int]:
    """The sizes that the drive accepts and of which the file holds at least one per outstanding request [bytes]."""
    return [size for size in sizes_bytes if sector_bytes <= size <= test_file.size_bytes // QUEUE_DEPTH]


ZEROS = Manner(data="zeros")


def atto(
    condition: str,
    test_file: TestFile,
    *,
    sizes_bytes: Sequence[int],
    at_most_ns: int,
    pause_ns: int = PAUSE_NS,
    manner: Manner = ZEROS,
    reads_only: bool = False,
) -> list[Step]:
    """The steps of one sweep under a condition.

    at_most_ns: of each size and direction. pause_ns: between the write and the read of a size.
    """
    steps: list[Step] = []
    if not reads_only:  # the complete file exists before the time limit can end the first size
        load = Load("test_file", "write", MIB, QUEUE_DEPTH)
        steps.append(one_pass(shown(condition, "test file"), load, test_file, manner=manner))
    for size in sizes_bytes:
        write, read = loads(size)
        for load in (read,) if reads_only else (write, read):
            if load.reads and not reads_only:
                steps.append(Idle(shown(condition, f"pause before {load.name}"), pause_ns))
            steps.append(only_pass(condition, load, test_file, at_most_ns=at_most_ns, manner=manner))
    return steps


def loads(size_bytes: int) -> tuple[Load, Load]:
    """The write and the read of one size."""
    words = format_bytes_binary(size_bytes)
    return (
        Load(f"write {words}", "write", size_bytes, QUEUE_DEPTH),
        Load(f"read {words}", "read", size_bytes, QUEUE_DEPTH),
    )


def scores(record: Record, condition: str = "") -> dict[str, dict[int, Score]]:
    """ "read" and "write" -> request size [bytes] -> score; only what was completed."""
    found: dict[str, dict[int, Score]] = {"read": {}, "write": {}}
    for size in SIZES_BYTES:
        for direction, load in zip(("write", "read"), loads(size), strict=True):
            score = best_of(record, condition, load)
            if score is not None:
                found[direction][size] = score
    return found
