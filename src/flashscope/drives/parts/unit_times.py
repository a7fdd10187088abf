"""The mapping unit of a part, how long reading one takes beside programming it, and what a merge of blocks takes.

What a write waits for when it covers a unit in part: reading the unit and taking it over the bus, once more beside
taking it back and programming it. Not modelled here: that a large page is shared by units, slow pages of a cell, and
that the pages of a merge are copied on several banks at a time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from flashscope.drives.parts.part import Part
from flashscope.laws.alignment import MergedBlocks


@dataclass(frozen=True)
class UnitTimes:
    """unit_bytes: of a disk, the sector on its surfaces; None where there is none.

    read_share: time of reading a unit over that of writing it [ratio]; None for what is no flash.
    merges: of a drive that is mapped by blocks, when every write needs a merge; its times are those of writing a unit.
    """

    unit_bytes: int | None = None
    read_share: float | None = None
    merges: MergedBlocks | None = None


def unit_times(part: Part) -> UnitTimes:
    """The unit and the times of a part."""
    configuration = json.loads(part.to_core_json())
    mapping, timing = configuration.get("mapping"), configuration.get("timing")
    if not mapping or not timing:
        return UnitTimes(configuration.get("geometry", {}).get("sector_bytes"))
    program_ns = sum(timing["program_latencies_ns"]) / len(timing["program_latencies_ns"])
    side_by_side = configuration["geometry"]["lockstep_packages"]  # their buses carry a unit together
    crossing_ns = mapping["unit_bytes"] / side_by_side * 1e9 / timing["bus_bytes_per_second"]
    write_ns = program_ns + crossing_ns
    share = (timing["read_latency_ns"] + crossing_ns) / write_ns
    merges = None
    if configuration.get("log_blocks"):
        pages = configuration["geometry"]["pages_per_block"]
        merges = MergedBlocks(1.0, 1.0 + share, 1.0 + share, timing["erase_latency_ns"] / write_ns, pages, 1.0)
    return UnitTimes(mapping["unit_bytes"], share, merges)
