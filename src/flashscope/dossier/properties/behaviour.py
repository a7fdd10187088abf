"""How a drive behaves: full, after rest, after a deletion, under a second load, over months; and its freezes."""

from __future__ import annotations

from flashscope.dossier.derived.longest_freeze import longest_freeze
from flashscope.dossier.drive_kind import FLASH_ONLY, DriveKind
from flashscope.dossier.properties import value_text as said
from flashscope.dossier.properties.absences import none_while_idle, not_within_pauses, one_rate
from flashscope.dossier.properties.property import Group, Property, Source

_FLASH_OR_ARRAY = frozenset({DriveKind.FLASH, DriveKind.ARRAY})
_NOT_ARRAYS = frozenset(DriveKind) - {DriveKind.ARRAY}

BEHAVIOUR = (
    Property(
        "freezes", "Freezes over 0.1 s", Group.BEHAVIOUR, "per hour", said.per_hour,
        (
            Source("stutter", "hitches_writes_per_hour", "random 4 KiB writes, one at a time"),
            Source("stutter", "hitches_mixed_per_hour", "reads and writes", same=False),
            Source("stutter", "hitches_reads_per_hour", "reads", same=False),
        ),
        changes=True, tolerance_ratio=0.5,
    ),
    Property(
        "longest_freeze", "Longest freeze seen", Group.BEHAVIOUR, "ns", said.time,
        (
            Source("", "longest_freeze_ns", "the longest under any work, one request at a time", derive=longest_freeze,
                   rests_on=("stutter",)),
            Source("stutter", "longest_freeze_writes_ns", "random 4 KiB writes", same=False),
            Source("stutter", "longest_freeze_mixed_ns", "reads and writes", same=False),
            Source("stutter", "longest_freeze_reads_ns", "reads", same=False),
            Source("stripe-scaling", "stripe_longest_freeze_ns", "random writes to all members", same=False),
        ),
        changes=True, tolerance_ratio=0.5,
    ),
    Property(
        "idle_work", "Rest until it recovers", Group.BEHAVIOUR, "ns", said.time,
        (Source("idle-recovery", "idle_collection_delay_ns", "rates after pauses of growing length",
                absence=none_while_idle),),
        _FLASH_OR_ARRAY,
    ),
    Property(
        "idle_rate", "Freed in a second idle", Group.BEHAVIOUR, "bytes/s", said.rate,
        (Source("idle-recovery", "idle_recovery_rate_bytes_per_second", "bursts after pauses"),),
        _FLASH_OR_ARRAY, changes=True, only_with="idle_work",
    ),
    Property(
        "idle_gain", "Gain from a rest", Group.BEHAVIOUR, "", said.times,
        (Source("idle-recovery", "idle_recovery_gain", "a rested over a tired drive"),),
        _FLASH_OR_ARRAY, changes=True, only_with="idle_work",
    ),
    Property(
        "full_recovery", "Recovery of a full drive", Group.BEHAVIOUR, "ns", said.recovery,
        (Source("fill-and-recovery", "recovery_idle_ns", "pauses on a full drive", absence=not_within_pauses),),
        _FLASH_OR_ARRAY, changes=True,
    ),
    Property(
        "trim", "Delay until TRIM helps", Group.BEHAVIOUR, "ns", said.after,
        (Source("fill-and-recovery", "trim_helps_after_ns", "random writes after a deletion",
                absence=not_within_pauses),),
        _FLASH_OR_ARRAY, changes=True,
    ),
    Property(
        "slow_from", "Fill level that slows it", Group.BEHAVIOUR, "ratio", said.percent,
        (Source("fill-and-recovery", "slow_fill_level_ratio", "rate of a fill by how full it is", absence=one_rate),),
        changes=True,
    ),
    Property(
        "full_random_writes", "Random writes when full", Group.BEHAVIOUR, "ratio", said.percent,
        (
            Source("fill-and-recovery", "collapse_ratio_rand_write_4k", "a full over a fresh drive, 4 KiB"),
            Source("fill-and-recovery", "collapse_ratio_rand_write_512k", "512 KiB", same=False),
        ),
        _FLASH_OR_ARRAY, changes=True,
    ),
    Property(
        "full_writes", "Writes in order, full", Group.BEHAVIOUR, "ratio", said.percent,
        (
            Source("fill-and-recovery", "collapse_ratio_seq_write", "a full over a fresh drive"),
            Source("three-states", "write_ratio_after_random_fill", "after random data", same=False),
            Source("three-states", "write_ratio_after_zero_fill", "after zeros", same=False),
        ),
        _FLASH_OR_ARRAY, changes=True,
    ),
    Property(
        "scattered_writes", "Writes in order, used", Group.BEHAVIOUR, "ratio", said.percent,
        (Source("three-states", "write_ratio_after_random_writes", "after long random writing over a fresh drive"),),
        _FLASH_OR_ARRAY, changes=True,
    ),
    Property(
        "small_file_span", "Fast small writes within", Group.BEHAVIOUR, "bytes", said.size,
        (Source("fill-and-recovery", "largest_full_rate_file_bytes", "random writes in files of growing size"),),
        _FLASH_OR_ARRAY, changes=True,
    ),
    Property(
        "ageing", "After a year of use", Group.BEHAVIOUR, "ratio", said.percent,
        (
            Source("ageing-diary", "aged_ratio_rand_write_4k", "4 KiB random writes, 95 % full"),
            Source("ageing-diary", "aged_ratio_rand_write_512k", "512 KiB random writes", same=False),
            Source("ageing-diary", "aged_ratio_seq_write", "writes in order", same=False),
            Source("ageing-diary", "aged_ratio_seq_read", "reads in order", same=False),
            Source("ageing-diary", "aged_ratio_rand_read_4k", "4 KiB random reads", same=False),
        ),
        FLASH_ONLY, changes=True,
    ),
    Property(
        "mixed_load", "Slow reads beside writes", Group.BEHAVIOUR, "times", said.times,
        (
            Source("mixed-load-latency", "read_wait_p99_ratio", "1 read in 100, beside writing at half rate"),
            Source("mixed-load-latency", "read_wait_p50_ratio", "the median read", same=False),
            Source("mixed-load-latency", "read_wait_p999_ratio", "1 read in 1000", same=False),
        ),
        changes=True, tolerance_ratio=0.3,
    ),
    Property(
        "reads_beside_files", "Reads beside file copies", Group.BEHAVIOUR, "ratio", said.percent,
        (Source("fill-and-recovery", "beside_ratio_rand_read_512k", "random reads beside test A"),),
        changes=True,
    ),
    Property(
        "interference", "Read and write at once", Group.BEHAVIOUR, "ratio", said.times,
        (
            Source("read-write-interference", "interference_ratio", "both at once over one after another"),
            Source("read-write-interference", "interference_ratio_in_turn", "one request in turn", same=False),
            Source("stripe-scaling", "stripe_interference_ratio", "with all members", same=False),
        ),
        changes=True,
    ),
    Property(
        "copy_cost", "Cost of a copy within it", Group.BEHAVIOUR, "ratio", said.times,
        (Source("copy-within-drive", "delay_ratio", "a copy over reading and writing apart"),),
        _NOT_ARRAYS, changes=True,
    ),
    Property(
        "parallel_programs", "Gain of programs at once", Group.BEHAVIOUR, "ratio", said.percent,
        (Source("archives", "parallel_gain_ratio", "archives unpacked at once and in turn"),),
        changes=True,
    ),
)  # fmt: skip
"""In the order of the page."""
