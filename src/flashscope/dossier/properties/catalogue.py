"""All properties, and their order for each kind of drive: first what its owner asks first.

solid-state drive   cache and what comes after it, random writes, wear
disk, hybrid        the slow end of the platters, access time; a hybrid's cache
memory              rates and times
array               members, host, freezes
file                rates only: what lies below the file system is not seen
"""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.dossier.drive_kind import DriveKind
from flashscope.dossier.properties.behaviour import BEHAVIOUR
from flashscope.dossier.properties.identity import IDENTITY
from flashscope.dossier.properties.inside import INSIDE
from flashscope.dossier.properties.limits import LIMITS
from flashscope.dossier.properties.property import Property
from flashscope.dossier.properties.speed import SPEED
from flashscope.dossier.properties.wear import WEAR

PROPERTIES: tuple[Property, ...] = (*IDENTITY, *INSIDE, *SPEED, *BEHAVIOUR, *WEAR, *LIMITS)
"""Every property once, in the order of the reference page."""

_IN_ORDER = ("sequential_read", "sequential_write")
_RATES = (*_IN_ORDER, "cache_size", "after_cache", "worst_sustained_write")
_RANDOM = ("random_read", "random_write")
_FIRST: Mapping[DriveKind, tuple[str, ...]] = {
    DriveKind.FLASH: (
        "real_capacity", *_RATES, *_RANDOM, "random_write_long", "mapping_unit", "write_amplification", "idle_work",
        "write_buffer", "tail_latency", "longest_freeze", "parallelism", "spare_area", "compression", "trim",
        "mixed_load", "misalignment_cost", "erase_counter", "freezes", "gathering",
    ),
    DriveKind.DISK: (
        "real_capacity", *_IN_ORDER, "worst_sustained_write", "read_minimum", "access_time", *_RANDOM, "tail_latency",
        "longest_freeze", "mapping_unit", "misalignment_cost", "write_buffer", "useful_read_depth", "mixed_load",
    ),
    DriveKind.HYBRID: (
        "real_capacity", *_IN_ORDER, "worst_sustained_write", "read_minimum", "hybrid_gain", "hybrid_size",
        "hybrid_delay", "access_time", *_RANDOM, "tail_latency", "longest_freeze", "mapping_unit", "write_buffer",
    ),
    DriveKind.MEMORY: (
        "real_capacity", *_RATES, "random_read", "random_write", "read_latency", "tail_latency", "longest_freeze",
        "parallelism", "gathering", "interference", "mixed_load", "useful_read_depth", "useful_write_depth",
    ),
    DriveKind.ARRAY: (
        "useful_members", "host_limit", *_RATES, *_RANDOM, "random_write_long_64k", "longest_freeze", "tail_latency",
        "freezes", "idle_work",
        "interference", "mixed_load", "member_wear", "write_buffer", "useful_read_depth",
    ),
    DriveKind.FILE: (
        "real_capacity", *_RATES, "random_read", "random_write", "read_latency", "tail_latency", "longest_freeze",
        "freezes", "mixed_load", "interference", "useful_read_depth", "useful_write_depth", "gathering",
    ),
}  # fmt: skip

_BY_KEY = {each.key: each for each in PROPERTIES}


def property_of(key: str) -> Property:
    """The property of that key; KeyError when there is none."""
    return _BY_KEY[key]


def properties_of(kind: DriveKind) -> tuple[Property, ...]:
    """Those that such a drive can have: first what its owner asks first, then the others in the order of the page."""
    first = [_BY_KEY[key] for key in _FIRST[kind]]
    return tuple(each for each in (*first, *(p for p in PROPERTIES if p not in first)) if kind in each.kinds)
