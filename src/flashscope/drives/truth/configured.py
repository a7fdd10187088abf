"""All that a virtual drive's configuration says about the findings, whatever was done with the drive.

    every kind         rates.py times.py queues.py data.py limits.py
    flash              buffers.py alignment.py, attributes by the family of its SMART
    disk, hybrid       disks.py
    memory             memory.py
    array              the same of its members side by side, limits.py

What depends on counters and on the state of blocks, too, the drive adds itself (`virtual/simulated.py`). Which keys
have no truth, and why: `untold.py`.
"""

from __future__ import annotations

from typing import Any

from flashscope.drives.parts.geometry import Geometry
from flashscope.drives.truth.alignment import alignment_truth
from flashscope.drives.truth.buffers import inside_of_fill_and_recovery
from flashscope.drives.truth.data import data_truth
from flashscope.drives.truth.disks import inside_of_disk
from flashscope.drives.truth.limits import truth_of_drive, truth_of_stripe
from flashscope.drives.truth.memory import inside_of_memory
from flashscope.drives.truth.queues import member_bounds, queue_bounds
from flashscope.drives.truth.rates import flash_rate_bounds, rate_bounds, request_bounds
from flashscope.drives.truth.times import pause_bounds, time_bounds

# The attributes of the layouts that show them (crates/drive/src/smart/).
ERASE_COUNT_ATTRIBUTE = {"indilinx": 208, "micron": 173, "samsung-old": 177, "toshiba-hg": 173, "jmicron-602": 234}
"""The attribute that holds the average erase count, by the layout of SMART."""
HOST_WRITTEN_ATTRIBUTE = {"indilinx": 199, "sandforce": 241, "intel-x25": 225, "intel-sandforce": 241}
"""The attribute that counts what the host wrote."""
_SMALLEST_REQUEST = 512


def truth_of_configuration(configuration: dict[str, Any], geometry: Geometry | None) -> dict[str, Any]:
    """The truth of one drive; geometry: of its flash, None for other kinds."""
    truth = rate_bounds([configuration]) | request_bounds(configuration, _SMALLEST_REQUEST)
    truth |= time_bounds([configuration]) | queue_bounds([configuration])
    truth |= {"hybrid_cache_gain_ratio": None} | data_truth(configuration)
    truth |= inside_of_disk(configuration) | inside_of_memory(configuration) | truth_of_drive(configuration)
    if geometry is None:
        return truth
    layout = configuration["smart"]["layout"]
    return (
        truth
        | {
            "mapping_unit_bytes": configuration["mapping"]["unit_bytes"],
            "erase_count_attribute": ERASE_COUNT_ATTRIBUTE.get(layout),
            "host_written_attribute": HOST_WRITTEN_ATTRIBUTE.get(layout),
        }
        | flash_rate_bounds(configuration, geometry)
        | pause_bounds(configuration, geometry)
        | alignment_truth(configuration, geometry)
        | inside_of_fill_and_recovery(configuration, geometry)
    )


def truth_of_members(configuration: dict[str, Any]) -> dict[str, Any]:
    """The truth of an array; of its members only what holds for all of them together."""
    members, host = configuration["members"], configuration["host"]["bytes_per_second"]
    units = {member.get("mapping", {}).get("unit_bytes") for member in members}
    truth = rate_bounds(members, host) | time_bounds(members) | queue_bounds(members) | member_bounds(len(members))
    truth |= {"hybrid_cache_gain_ratio": None} if all(each["kind"] != "hybrid" for each in members) else {}
    truth |= {"mapping_unit_bytes": units.pop()} if len(units) == 1 and None not in units else {}
    return truth | truth_of_stripe(configuration)
