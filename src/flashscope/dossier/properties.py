"""What can be said about a drive: each property once, with the findings that tell it, the best method first.

Property("mapping_unit", "Mapping unit", Group.INSIDE, (Source("small-write-matrix", "mapping_unit_bytes"), ...))
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Group(enum.StrEnum):
    """Where a property stands on the page."""

    IDENTITY = "what it is"
    INSIDE = "what is inside"
    SPEED = "how fast it is"
    BEHAVIOUR = "how it behaves"
    WEAR = "how it wears"
    LIMITS = "what limits it"


@dataclass(frozen=True)
class Source:
    """A finding that tells a property. method: how it is inferred, in a few words."""

    experiment: str
    key: str
    method: str


@dataclass(frozen=True)
class Property:
    """key: stable name for programs. title: for people. unit: as findings write it."""

    key: str
    title: str
    group: Group
    unit: str
    sources: tuple[Source, ...]


PROPERTIES: tuple[Property, ...] = (
    Property(
        "real_capacity",
        "Real capacity",
        Group.IDENTITY,
        "bytes",
        (Source("capacity", "real_capacity_bytes", "places written and read back"),),
    ),
    Property(
        "mapping_unit",
        "Mapping unit",
        Group.INSIDE,
        "bytes",
        (
            Source("small-write-matrix", "mapping_unit_bytes", "rates of small writes by size and place"),
            Source("misalignment", "mapping_unit_bytes", "times of writes by their start"),
        ),
    ),
    Property(
        "write_buffer",
        "Write buffer",
        Group.INSIDE,
        "bytes",
        (
            Source("write-buffer", "write_buffer_bytes", "bursts after rest"),
            Source("fill-and-recovery", "write_buffer_bytes", "the first moments of a fill"),
        ),
    ),
    Property(
        "cache_size",
        "Cache",
        Group.INSIDE,
        "bytes",
        (Source("sustained-sequential-write", "rate_fall", "where a long write becomes slower"),),
    ),
    Property(
        "parallelism",
        "Units at work at once",
        Group.INSIDE,
        "count",
        (
            Source("queue-depth", "parallel_unit_count", "how the rate of reads bends with the queue depth"),
            Source("queue-depth", "effective_parallelism_reads", "rate x time by Little's law"),
        ),
    ),
    Property(
        "write_amplification",
        "Write amplification (4 KiB random)",
        Group.WEAR,
        "ratio",
        (Source("smart-inference", "write_amplification_random", "an erase counter against bytes written"),),
    ),
    Property(
        "compression",
        "Compression",
        Group.INSIDE,
        "",
        (
            Source("compressibility", "compresses", "rates of zeros, repeated and random data"),
            Source("fill-and-recovery", "compresses", "rates after fills with zeros and random data"),
        ),
    ),
    Property(
        "idle_work",
        "Idle work begins after",
        Group.BEHAVIOUR,
        "ns",
        (Source("idle-recovery", "idle_collection_delay_ns", "rates after pauses of growing length"),),
    ),
)
"""In the order of the page."""
