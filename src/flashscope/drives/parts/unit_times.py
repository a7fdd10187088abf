"""The mapping unit of a part, and how long reading one takes beside programming it, from its values.

What a write waits for when it covers a unit in part: reading the unit and taking it over the bus, once more beside
taking it back and programming it. Not modelled here: that a large page is shared by units, and slow pages of a cell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from flashscope.drives.parts.part import Part


@dataclass(frozen=True)
class UnitTimes:
    """unit_bytes: of a disk, the sector on its surfaces; None where there is none.

    read_share: time of reading a unit over that of writing it [ratio]; None for what is no flash.
    """

    unit_bytes: int | None = None
    read_share: float | None = None


def unit_times(part: Part) -> UnitTimes:
    """The unit and the times of a part."""
    configuration = json.loads(part.to_core_json())
    mapping, timing = configuration.get("mapping"), configuration.get("timing")
    if not mapping or not timing:
        return UnitTimes(configuration.get("geometry", {}).get("sector_bytes"))
    program_ns = sum(timing["program_latencies_ns"]) / len(timing["program_latencies_ns"])
    side_by_side = configuration["geometry"]["lockstep_packages"]  # their buses carry a unit together
    crossing_ns = mapping["unit_bytes"] / side_by_side * 1e9 / timing["bus_bytes_per_second"]
    share = (timing["read_latency_ns"] + crossing_ns) / (program_ns + crossing_ns)
    return UnitTimes(mapping["unit_bytes"], share)
