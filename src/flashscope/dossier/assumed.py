"""What the part of a virtual drive says about a property where nobody has measured it: "32 MiB, assumed".

A virtual drive has what its part file says. Where the file guesses, a number inferred from the drive is a guess, too,
and the reader of a dossier must see that beside the number. Values from data sheets and teardowns need no such remark.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from flashscope.drives.parts.part import Part, load_part
from flashscope.errors import FlashscopeError
from flashscope.records.drive_facts import DriveFacts

_GUESSED = {"assumed": "assumed", "class": "usual for its kind", "fitted": "fitted", "unstated": "not stated"}
_RESTS_ON: Mapping[str, tuple[str, ...]] = {
    "real_capacity": ("capacity.user_size",),
    "mapping_unit": ("mapping.unit", "platters.sector_size"),
    "write_buffer": ("buffer.size", "write_cache.size"),
    "full_buffer": ("buffer.stall",),
    "cache_size": ("pslc.dynamic_keep_free_blocks", "pslc.program_latency", "throttle.credit"),
    "after_cache": ("pslc.when_full", "timing.program_latency"),
    "spare_area": ("capacity.reserved_block_count", "gc.policy"),
    "parallelism": ("geometry.channels", "geometry.packages_per_channel", "geometry.dies_per_package"),
    "compression": ("compression.most_units_per_slot",),
    "hybrid_size": ("cache_flash.size",),
    "hybrid_delay": ("admission.idle_fill_delay",),
    "write_amplification": ("gc.policy", "gc.low_water_blocks"),
    "idle_work": ("idle_collection.delay", "pslc.fold_delay"),
    "trim": ("trim.delay", "trim.supported"),
    "gathering": ("link.gather",),
    "bit_errors": ("bit_errors.fresh_ratio", "bit_errors.wear_coefficient"),
    "sequential_write": ("timing.program_latency",),
    "sequential_read": ("timing.bus_rate", "link.command_cost"),
    "random_read": ("timing.read_latency", "link.command_cost"),
    "access_time": ("seek.average", "disk.spindle_speed"),
    "read_latency": ("timing.read_latency", "link.command_cost"),
}
"""Property -> the keys of a part that decide it."""


def assumed_text(property_key: str, facts: DriveFacts) -> str:
    """What the part guesses about it, for a reader; "" for a real drive, and where nothing is guessed.

    A value that the address sets is none of the part's.
    """
    part = _part(facts.virtual.part) if facts.virtual is not None and facts.virtual.part else None
    if part is None:
        return ""
    guessed = [
        f"{key.partition('.')[2].replace('_', ' ')} {value.text}: {_GUESSED[value.origin]}"
        for key in _RESTS_ON.get(property_key, ())
        if (value := part.values.get(key)) is not None
        and value.origin in _GUESSED
        and value.source != "the default"
        and f"{key}=" not in facts.address
    ]
    return "; ".join(guessed)


def is_merely_assumed(text: str) -> bool:
    """Whether a text of `assumed_text` has a guess that no source supports."""
    return any(each.endswith(f": {_GUESSED['assumed']}") for each in text.split("; "))


@lru_cache(maxsize=8)
def _part(name: str) -> Part | None:
    """The part of that name; None when it is not shipped, or not any more."""
    try:
        return load_part(name)
    except FlashscopeError:
        return None
