"""What is inside a drive: unit, buffer, cache, spare area, parallel units, compression, gathering, members."""

from __future__ import annotations

from flashscope.dossier.derived.spare_area import spare_by_amplification, spare_by_raw_bytes
from flashscope.dossier.derived.stored_once import stores_repeats_once
from flashscope.dossier.drive_kind import FLASH_ONLY, WITH_PLATTERS, WITHOUT_PLATTERS, DriveKind
from flashscope.dossier.properties import value_text as said
from flashscope.dossier.properties.absences import no_buffer, no_fall, none_with
from flashscope.dossier.properties.property import Group, Property, Source

_NOT_FILES = frozenset(DriveKind) - {DriveKind.FILE}
_SMALL_UNITS = frozenset({DriveKind.FLASH, DriveKind.DISK, DriveKind.HYBRID})

INSIDE = (
    Property(
        "mapping_unit", "Mapping unit", Group.INSIDE, "bytes", said.memory,
        (
            Source("small-write-matrix", "mapping_unit_bytes", "rates of small writes by size and place"),
            Source("misalignment", "mapping_unit_bytes", "times of writes by their start"),
        ),
        _SMALL_UNITS, tolerance_ratio=0.0,
    ),
    Property(
        "write_buffer", "Write buffer", Group.INSIDE, "bytes", said.memory,
        (Source("write-buffer", "write_buffer_bytes", "bursts after rest", absence=no_buffer),),
        _NOT_FILES,
    ),
    Property(
        "full_buffer", "When the buffer is full", Group.INSIDE, "", said.count,
        (Source("write-buffer", "full_buffer_behaviour", "the pace of a burst beyond the buffer"),),
        _NOT_FILES, only_with="write_buffer",
        words={"until-room": "waits for room", "until-drained": "pauses"},
    ),
    Property(
        "buffer_rest", "Time to empty the buffer", Group.INSIDE, "ns", said.time,
        (Source("write-buffer", "idle_gap_for_full_burst_ns", "bursts after gaps of growing length"),),
        _NOT_FILES, only_with="write_buffer",
    ),
    Property(
        "cache_size", "Length of fast writes", Group.INSIDE, "bytes", said.size,
        (Source("sustained-sequential-write", "rate_fall", "where a long write becomes slower", absence=no_fall),),
        WITHOUT_PLATTERS, changes=True,
    ),
    Property(
        "spare_area", "Spare area", Group.INSIDE, "ratio", said.percent,
        (
            Source("", "spare_ratio_by_amplification", "write amplification, by the law of greedy collection",
                   derive=spare_by_amplification,
                   rests_on=("smart-inference",)),
            Source("", "spare_ratio_by_raw_bytes", "flash in the drive over its size", same=False,
                   derive=spare_by_raw_bytes),
        ),
        FLASH_ONLY, tolerance_ratio=0.3,
    ),
    Property(
        "parallelism", "Units at work at once", Group.INSIDE, "count", said.count,
        (Source("queue-depth", "parallel_unit_count", "how the rate of reads bends with the queue depth"),),
        _NOT_FILES, tolerance_ratio=0.0,
    ),
    Property(
        "reads_at_once", "Random reads at once", Group.INSIDE, "requests", said.count,
        (Source("queue-depth", "effective_parallelism_reads", "rate by queue depth, by Little's law"),),
    ),
    Property(
        "writes_at_once", "Random writes at once", Group.INSIDE, "requests", said.count,
        (Source("queue-depth", "effective_parallelism_writes", "rate by queue depth"),),
    ),
    Property(
        "compression", "Compression", Group.INSIDE, "", said.count,
        (
            Source("compressibility", "compresses", "rates of zeros and random data"),
            Source("three-states", "fill_data_matters", "rates after fills with zeros and random data"),
        ),
        FLASH_ONLY,
    ),
    Property(
        "zeros_gain", "Zeros over random data", Group.INSIDE, "ratio", said.times,
        (
            Source("compressibility", "zero_rate_ratio", "rates of zeros and random data"),
            Source("as-ssd", "compression_write_gain_ratio", "its curve of writes", same=False),
        ),
        FLASH_ONLY, only_with="compression",
    ),
    Property(
        "zeros_in_flash", "Zeros that reach flash", Group.INSIDE, "ratio", said.percent,
        (Source("compressibility", "flash_bytes_per_host_byte_zeros", "a counter of flash writes"),),
        FLASH_ONLY, only_with="compression",
    ),
    Property(
        "deduplication", "Storing repeats once", Group.INSIDE, "", said.count,
        (Source("", "stores_repeats_once", "rates of repeated and new blocks", derive=stores_repeats_once,
                   rests_on=("compressibility",)),),
        FLASH_ONLY,
    ),
    Property(
        "hybrid_gain", "Flash cache for reads", Group.INSIDE, "ratio", said.times,
        (Source("hybrid-cache", "hybrid_cache_gain_ratio", "reads of what was read often",
                absence=none_with("detection_limit_ratio")),),
        WITH_PLATTERS,
    ),
    Property(
        "hybrid_size", "Size of the flash cache", Group.INSIDE, "bytes", said.size,
        (Source("hybrid-cache", "hybrid_cache_bytes", "the share that is fast afterwards"),),
        WITH_PLATTERS, only_with="hybrid_gain",
    ),
    Property(
        "hybrid_largest_read", "Largest cached read", Group.INSIDE, "bytes", said.memory,
        (Source("hybrid-cache", "hybrid_cache_largest_request_bytes", "gain by size"),),
        WITH_PLATTERS, only_with="hybrid_gain",
    ),
    Property(
        "hybrid_delay", "Delay before cache fills", Group.INSIDE, "ns", said.time,
        (Source("hybrid-cache", "idle_fill_delay_ns", "reads after idle times"),),
        WITH_PLATTERS, only_with="hybrid_gain",
    ),
    Property(
        "useful_members", "Useful members", Group.INSIDE, "count", said.count,
        (
            Source("stripe-scaling", "useful_member_count_read_64_mib", "large reads by number of members"),
            Source("stripe-scaling", "useful_member_count_write_64_mib", "large writes", same=False),
            Source("stripe-scaling", "useful_member_count_read_1_mib", "reads of 1 MiB", same=False),
            Source("stripe-scaling", "useful_member_count_write_1_mib", "writes of 1 MiB", same=False),
        ),
        frozenset({DriveKind.ARRAY}),
    ),
)  # fmt: skip
"""In the order of the page."""
