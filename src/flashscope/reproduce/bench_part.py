"""A reduced shipped part: fewer dies and fewer blocks in each, with the same share of spare.

    16 dies x 1062 blocks            1 die x 709 blocks
    [die][die] ... [die]     -->     [die]                   pages, blocks, planes, policies as the part has them

A block is not changed, and neither are shares: bad, reserved and spare blocks, the write buffer. The number of dies is
reduced first: each collects on its own, so a drive with fewer dies has the write amplification of the complete one.
The number of free and open blocks of a die is not reduced, since a die of any size needs them. The capacity is then
set so that it is the same share of the blocks for data.

Not modelled here: rates, which fall with the number of dies; the part's times are measured on the complete part.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flashscope import _core
from flashscope.drives.parts.part import load_part

_OPEN_BLOCKS_LOST = 0.75  # of two open blocks, (1 + 1/A) / 2: laws/finite_drives.py


@dataclass(frozen=True)
class PartInSmall:
    """A part's configuration, reduced. scale_ratio: bytes of the part for one byte of this drive."""

    document: dict[str, Any]
    scale_ratio: float

    @property
    def unit_bytes(self) -> int:
        """Bytes that are mapped together."""
        return int(self.document["mapping"]["unit_bytes"])

    @property
    def user_units(self) -> int:
        """Units the host can address."""
        return int(self.document["capacity"]["user_bytes"]) // self.unit_bytes

    def build(self, seed: int) -> _core.Drive:
        """A new drive. Raises _core.ConfigRefused when the core refuses the reduced part."""
        return _core.Drive(json.dumps(self.document), seed)


def in_small(part: str, *, divisor: int, dies: int = 1) -> PartInSmall:
    """The shipped solid-state part of that name with about 1 / divisor of its flash, in that many dies [count].

    Raises WrongUse when there is no such part.
    """
    document = json.loads(load_part(part).to_core_json())
    geometry, capacity = document["geometry"], document["capacity"]
    pools_per_die = 1 if geometry["multiplane"] else geometry["planes_per_die"]
    whole_pools = _dies(geometry) * pools_per_die
    pools = dies * pools_per_die
    kept = document["gc"]["low_water_blocks"] + _OPEN_BLOCKS_LOST
    lost = capacity["initial_bad_block_count"] + capacity["reserved_block_count"]
    whole_data = whole_pools * (geometry["blocks_per_plane"] - kept) - lost
    blocks = round((geometry["blocks_per_plane"] - kept) * whole_pools / (divisor * pools) + kept)
    for name in ("initial_bad_block_count", "reserved_block_count", "spare_block_count"):
        if capacity.get(name):
            capacity[name] = round(capacity[name] / divisor)
    lost = capacity["initial_bad_block_count"] + capacity["reserved_block_count"]
    scale_ratio = whole_data / (pools * (blocks - kept) - lost)
    unit_bytes = document["mapping"]["unit_bytes"]
    geometry |= {"channels": 1, "packages_per_channel": 1, "dies_per_package": dies, "blocks_per_plane": blocks}
    capacity["user_bytes"] = round(capacity["user_bytes"] / scale_ratio / unit_bytes) * unit_bytes
    document["buffer"]["bytes"] = document["buffer"]["bytes"] // divisor // unit_bytes * unit_bytes
    return PartInSmall(document, scale_ratio)


def _dies(geometry: dict[str, Any]) -> int:
    return int(geometry["channels"] * geometry["packages_per_channel"] * geometry["dies_per_package"])
