"""How fast a drive is: rates in order and at random, the worst that lasts, times, and what spoils them."""

from __future__ import annotations

from flashscope.dossier.derived.long_random import long_large_writes, long_small_writes
from flashscope.dossier.derived.rates import lowest_after_fall, read_time_of_data, worst_sustained
from flashscope.dossier.drive_kind import FLASH_ONLY, WITH_PLATTERS, WITHOUT_PLATTERS
from flashscope.dossier.properties import value_text as said
from flashscope.dossier.properties.property import Group, Property, Source

_MARKS = (("crystaldiskmark-8", "CrystalDiskMark 8"), ("crystaldiskmark-5", "CrystalDiskMark 5"),
          ("crystaldiskmark-3", "CrystalDiskMark 3"))  # fmt: skip
_SINGLE_READS = tuple(name for name, _ in _MARKS)


def _marks(key: str, *, same: int = len(_MARKS)) -> tuple[Source, ...]:
    """The load of that name in each version of the program. same: so many of them, the newest, have to agree."""
    return tuple(Source(name, key, program, index < same) for index, (name, program) in enumerate(_MARKS))


SPEED = (
    Property(
        "sequential_read", "Reads in order", Group.SPEED, "bytes/s", said.rate,
        (
            Source("crystaldiskmark-8", "seq_read_1m_qd8", "CrystalDiskMark 8, 1 MiB at depth 8"),
            Source("three-states", "read_rate_fresh_bytes_per_second", "a quarter of a fresh drive"),
            Source("crystaldiskmark-5", "seq_read_128k_qd32", "CrystalDiskMark 5, 128 KiB at depth 32", same=False),
            Source("crystaldiskmark-8", "seq_read_128k_qd32", "CrystalDiskMark 8, 128 KiB at depth 32", same=False),
            Source("atto", "read_rate_max", "ATTO, the best size", same=False),
            Source("as-ssd", "seq_read", "AS SSD, depth 1", same=False),
            Source("hd-tune", "seq_read", "HD Tune, mean over the drive", same=False),
            *(Source(name, "seq_read", f"{program}, depth 1", same=False) for name, program in _MARKS),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "read_minimum", "Slowest part, reads", Group.SPEED, "bytes/s", said.rate,
        (Source("hd-tune", "seq_read_min", "HD Tune, the slowest point of the drive"),),
        WITH_PLATTERS, changes=True,
    ),
    Property(
        "sequential_write", "Writes in order", Group.SPEED, "bytes/s", said.rate,
        (
            Source("sustained-sequential-write", "first_rate_bytes_per_second", "beginning of a long write"),
            Source("three-states", "write_rate_fresh_bytes_per_second", "a part of a fresh drive", same=False),
            Source("crystaldiskmark-8", "seq_write_1m_qd8", "CrystalDiskMark 8, a short test", same=False),
            Source("crystaldiskmark-5", "seq_write_128k_qd32", "CrystalDiskMark 5, a short test", same=False),
            Source("crystaldiskmark-8", "seq_write_128k_qd32", "CrystalDiskMark 8, 128 KiB", same=False),
            Source("atto", "write_rate_max", "ATTO, the best size, zeros", same=False),
            Source("as-ssd", "seq_write", "AS SSD, depth 1", same=False),
            Source("hd-tune", "seq_write", "HD Tune, mean over the drive", same=False),
            *(Source(name, "seq_write", f"{program}, depth 1", same=False) for name, program in _MARKS),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "after_cache", "Writes after fast ones", Group.SPEED, "bytes/s", said.rate,
        (Source("", "lowest_rate_after_fall", "the lowest of the long write after its first fall",
                   derive=lowest_after_fall, rests_on=("sustained-sequential-write",)),),
        WITHOUT_PLATTERS, changes=True, only_with="cache_size",
    ),
    Property(
        "worst_sustained_write", "Worst writes in order", Group.SPEED, "bytes/s", said.rate,
        (
            Source("", "worst_sustained_rate", "the lowest of all long writes in order", derive=worst_sustained,
                   rests_on=("sustained-sequential-write",)),
            Source("sustained-sequential-write", "settled_rate_bytes_per_second", "end of a long write", same=False),
            Source("three-states", "write_rate_after_random_writes_bytes_per_second", "after random writes",
                   same=False),
            Source("three-states", "write_rate_after_random_fill_bytes_per_second", "on a full drive", same=False),
            Source("three-states", "write_rate_after_zero_fill_bytes_per_second", "after zeros", same=False),
            Source("hd-tune", "seq_write_min", "HD Tune, its slowest point", same=False),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "random_read", "Random reads 4 KiB", Group.SPEED, "bytes/s", said.rate,
        (
            *_marks("rand_read_4k_qd32"),
            Source("crystaldiskmark-8", "rand_read_4k_qd32_t16", "CrystalDiskMark 8, 16 threads", same=False),
            Source("as-ssd", "rand_read_4k_64_threads", "AS SSD, 64 at once", same=False),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "random_write", "Random writes 4 KiB", Group.SPEED, "bytes/s", said.rate,
        (
            *_marks("rand_write_4k_qd32", same=2),
            Source("crystaldiskmark-8", "rand_write_4k_qd32_t16", "CrystalDiskMark 8, 16 threads", same=False),
            Source("as-ssd", "rand_write_4k_64_threads", "AS SSD, 64 at once", same=False),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "random_write_long", "Random writes, for long", Group.SPEED, "bytes/s", said.rate,
        (Source("", "long_random_write_rate", "4 KiB writes all over it until tired", derive=long_small_writes,
                   rests_on=("smart-inference",)),),
        FLASH_ONLY, changes=True,
    ),
    Property(
        "random_write_long_64k", "64 KiB random, for long", Group.SPEED, "bytes/s", said.rate,
        (Source("", "long_random_write_rate_64k", "64 KiB writes all over it until tired", derive=long_large_writes,
                   rests_on=("idle-recovery",)),),
        WITHOUT_PLATTERS, changes=True,
    ),
    Property(
        "random_read_single", "Random reads, single", Group.SPEED, "bytes/s", said.rate,
        (*_marks("rand_read_4k"), Source("as-ssd", "rand_read_4k", "AS SSD", same=False)),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "random_write_single", "Random writes, single", Group.SPEED, "bytes/s", said.rate,
        (*_marks("rand_write_4k", same=2), Source("as-ssd", "rand_write_4k", "AS SSD", same=False)),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "read_latency", "Latency of 4 KiB reads", Group.SPEED, "ns", said.time,
        (
            Source("small-write-latency", "access_time_read_4k_ns", "single reads all over the drive"),
            Source("as-ssd", "access_time_read_4k_ns", "AS SSD", same=False),
            Source("", "read_time_of_data_ns", "single reads of a file, by their rate", same=False,
                   derive=read_time_of_data, rests_on=_SINGLE_READS),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "write_latency", "Latency of 4 KiB writes", Group.SPEED, "ns", said.time,
        (Source("small-write-latency", "access_time_write_4k_ns", "single writes in a written gigabyte"),),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "access_time", "Latency of 512 B reads", Group.SPEED, "ns", said.time,
        (
            Source("hd-tune", "access_time_read_ns", "HD Tune"),
            Source("small-write-latency", "access_time_read_ns", "single reads", same=False),
            Source("as-ssd", "access_time_read_ns", "AS SSD", same=False),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "tail_latency", "Slowest 1 in 1000 writes", Group.SPEED, "ns", said.time,
        (
            Source("stutter", "latency_p999_writes_ns", "random 4 KiB writes, one at a time"),
            Source("stutter", "latency_p999_mixed_ns", "reads and writes, one at a time", same=False),
            Source("stutter", "latency_p999_reads_ns", "reads, one at a time", same=False),
        ),
        changes=True, tolerance_ratio=0.2,
    ),
    Property(
        "far_tail_latency", "Slowest 1 in 10000", Group.SPEED, "ns", said.time,
        (
            Source("stutter", "latency_p9999_writes_ns", "random 4 KiB writes, one at a time"),
            Source("stutter", "latency_p9999_mixed_ns", "reads and writes, one at a time", same=False),
            Source("stutter", "latency_p9999_reads_ns", "reads, one at a time", same=False),
        ),
        changes=True, tolerance_ratio=0.3,
    ),
    Property(
        "misalignment_cost", "Misaligned write cost", Group.SPEED, "ratio", said.times,
        (Source("misalignment", "misaligned_cost_ratio", "4 KiB writes from sector 63 on"),),
        changes=True,
    ),
    Property(
        "misaligned_reads", "Misaligned read cost", Group.SPEED, "ratio", said.times,
        (Source("misalignment", "misaligned_read_cost_ratio", "4 KiB reads from sector 63 on"),),
        changes=True,
    ),
    Property(
        "small_write_cost", "Cost of 512 B writes", Group.SPEED, "ratio", said.times,
        (Source("small-write-latency", "small_write_cost_ratio", "times of single writes"),),
        changes=True,
    ),
    Property(
        "sector_emulation", "Gain of 4 KiB sectors", Group.SPEED, "ratio", said.percent,
        (Source("sector-emulation-copy", "sector_emulation_gain_ratio", "copies of a tree of small files"),),
        FLASH_ONLY, changes=True,
    ),
)  # fmt: skip
"""In the order of the page."""
