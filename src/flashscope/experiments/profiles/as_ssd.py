"""AS SSD Benchmark 2.0: one run of each load on 1 GB, access times, and a score in points.

    Seq         1 GB written, then read, in 16 MB requests
    4K          the file anew in 512 KB requests; every 4 KiB of it written, then read, at random, one at a time
    4K-64Thrd   64 files of 16 MB; 64 threads each write, then read, their own in the same way
    Acc.time    random reads over the whole drive; random 512 B writes inside 1 GB; the mean time of a request

    read  = Seq/10 + 4K + 4K-64Thrd        write = the same from the writes      (rates in MB/s)
    total = SeqR*0.1 + SeqW*0.15 + 4KR*2 + 4KW + 4K64R*1.5 + 4K64W

Sources: the program's pages at ssd-tester.com (formulas; the last factor is cut off there) and a step-by-step account
in Chinese (sizes, order). The factors 1.5 and 1 for 64 threads are those that reproduce two published results: an
MX500 with 520, 471, 33, 76, 374, 323 MB/s and 1152 points, and again with 1077. A second version of the formula found
in a forum (4KR*1, 4KW*1.5, 4K64R*1, 4K64W*1.5) is wrong by more than 20 points for both.
Assumed: a MB is 2^20 bytes. Sources disagree on the size of a read in Acc.time (512 B or 4 KiB): both are measured.
Differs here: a load ends after a time limit as well (the program goes through its whole gigabyte, an hour on a disk).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flashscope.experiments.profiles.passes import Load, Manner, Score, best_of, one_pass, only_pass, pass_labels, shown
from flashscope.experiments.profiles.test_file import MIB, TestFile
from flashscope.records import Labels, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.workloads.steps import Idle, Step

FILE_BYTES = 1 << 30
MEGABYTE_BYTES = 1 << 20
THREAD_COUNT = 64
_KIB = 1024

SEQ_READ = Load("seq_read", "read", 16 * MIB)
SEQ_WRITE = Load("seq_write", "write", 16 * MIB)
SMALL_READ = Load("rand_read_4k", "randread", 4 * _KIB)
SMALL_WRITE = Load("rand_write_4k", "randwrite", 4 * _KIB)
THREADS_READ = Load("rand_read_4k_64_threads", "randread", 4 * _KIB, 1, THREAD_COUNT)
THREADS_WRITE = Load("rand_write_4k_64_threads", "randwrite", 4 * _KIB, 1, THREAD_COUNT)
RATE_LOADS = (SEQ_READ, SEQ_WRITE, SMALL_READ, SMALL_WRITE, THREADS_READ, THREADS_WRITE)
COMPRESSIBILITY_PERCENT = (0, 20, 40, 60, 80, 100)


def access_loads(sector_bytes: int) -> tuple[Load, Load, Load]:
    """Acc.time: the write, the read of the same size, the read of 4 KiB; never below one sector."""
    small = max(512, sector_bytes)
    return (
        Load("access_time_write", "randwrite", small),
        Load("access_time_read", "randread", small),
        Load("access_time_read_4k", "randread", max(4 * _KIB, sector_bytes)),
    )


def as_ssd(
    condition: str,
    test_file: TestFile,
    facts: DriveFacts,
    *,
    at_most_ns: int,
    access_time_ns: int,
    reads_only: bool,
    rest_ns: int = 0,
) -> list[Step]:
    """The steps of one run under a condition.

    at_most_ns: of each load on the file. access_time_ns: of each access time. reads_only: reads the data that is there.
    rest_ns: idle time between a write and the read after it, where loads are so short that the read would mostly wait
    for what the write left to do; the program makes none.
    """

    def once(load: Load, split: bool) -> Step:
        manner = Manner(each_once=True, split=split)
        return only_pass(condition, load, test_file, manner=manner, at_most_ns=at_most_ns)

    def rest(after: Load) -> list[Step]:
        return [Idle(shown(condition, f"after {after.name}"), rest_ns)] if rest_ns else []

    steps: list[Step] = []
    if not reads_only:
        steps += [only_pass(condition, SEQ_WRITE, test_file), *rest(SEQ_WRITE)]
    steps.append(only_pass(condition, SEQ_READ, test_file))
    for write, read, split in ((SMALL_WRITE, SMALL_READ, False), (THREADS_WRITE, THREADS_READ, True)):
        if not reads_only:
            layout = Load("layout", "write", 512 * _KIB)
            steps.append(one_pass(shown(condition, f"file for {write.name}"), layout, test_file))
            steps += [once(write, split), *rest(write)]
        steps.append(once(read, split))
    return steps + access_times(condition, test_file, facts, runtime_ns=access_time_ns, reads_only=reads_only)


def access_times(
    condition: str, test_file: TestFile, facts: DriveFacts, *, runtime_ns: int, reads_only: bool
) -> list[Step]:
    """The steps of Acc.time: reads over the whole drive, writes inside the test file."""
    write, *reads = access_loads(facts.sector_bytes)
    whole = TestFile(0, facts.user_bytes // MIB * MIB)
    steps: list[Step] = [only_pass(condition, load, whole, runtime_ns=runtime_ns) for load in reads]
    if not reads_only:
        steps.append(only_pass(condition, write, test_file, runtime_ns=runtime_ns))
    return steps


def compression_benchmark(
    condition: str, test_file: TestFile, *, percent: Sequence[int] = COMPRESSIBILITY_PERCENT
) -> list[Step]:
    """Sequential writes and reads of the file, with data of which a compressor can remove that share [%]."""
    steps: list[Step] = []
    for level in percent:
        for load in (SEQ_WRITE, SEQ_READ):
            name = shown(condition, f"{load.name} {level} % compressible pass 1")
            step = one_pass(name, load, test_file, manner=Manner(compressible_ratio=level / 100))
            steps.append(replace(step, labels=_compressible(condition, load, level)))
    return steps


def _compressible(condition: str, load: Load, percent: int) -> Labels:
    family = shown(condition, f"{load.name} {percent} % compressible pass")
    return replace(pass_labels(condition, load, compressible_percent=percent), family=family)


def scores(record: Record, condition: str = "") -> dict[str, Score]:
    """The six rates, metric -> score; only what was completed."""
    found = ((load, best_of(record, condition, load)) for load in RATE_LOADS)
    return {load.name: score for load, score in found if score is not None}


def compression_scores(record: Record, condition: str = "") -> dict[str, dict[int, Score]]:
    """seq_read and seq_write of the compression benchmark: per cent compressible -> score."""
    return {
        load.name: {
            level: score
            for level in COMPRESSIBILITY_PERCENT
            if (score := best_of(record, condition, load, compressible_percent=level))
        }
        for load in (SEQ_READ, SEQ_WRITE)
    }


def points(rates_bytes_per_second: Mapping[str, float]) -> dict[str, float]:
    """The program's three scores [points]: "read", "write", "total"; only those whose rates are all there.

    rates_bytes_per_second: metric -> rate, as from `scores`.
    """
    mb = {name: rate / MEGABYTE_BYTES for name, rate in rates_bytes_per_second.items()}
    weights = {
        "read": {SEQ_READ: 0.1, SMALL_READ: 1.0, THREADS_READ: 1.0},
        "write": {SEQ_WRITE: 0.1, SMALL_WRITE: 1.0, THREADS_WRITE: 1.0},
        "total": {
            SEQ_READ: 0.1,
            SEQ_WRITE: 0.15,
            SMALL_READ: 2.0,
            SMALL_WRITE: 1.0,
            THREADS_READ: 1.5,
            THREADS_WRITE: 1.0,
        },
    }
    return {
        name: sum(weight * mb[load.name] for load, weight in terms.items())
        for name, terms in weights.items()
        if all(load.name in mb for load in terms)
    }
