"""What was seen inside a virtual drive while one step ran: the drive as if made of glass.

    Glass
      +- series: Table          one row per look: free blocks, erase counts, write amplification ...
      +- heat_maps: name -> HeatMap    the same rows; a column per group of blocks, per bank, per bin
      +- decisions: Table       the last things garbage collection did, one row each

Plain data, as everything in a record. `docs/reference/glass-drive.md` lists every column with its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flashscope.records.columns import Table

DECISION_REASONS = (
    "few free blocks were left in the pool",
    "the drive was idle",
    "erase counts were too far apart",
    "the block could not be read and was taken out of use",
    "the data had to be written anew",
    "the pSLC cache was moved out",
)
"""Why a block was collected, by the code in `reason` (crates/ftl/src/translation/); a later code has no words yet."""

REASON_NAMES = ("low_water", "idle", "wear_leveling", "read_failure", "refresh", "fold")
"""The same reasons in the names of columns: `gc_decisions_idle`."""

REASON_UNKNOWN = -1
"""In `reason` when the core did not say why."""


@dataclass(frozen=True)
class HeatMap:
    """One quantity over time and place.

    unit: of `values`. values: shape (looks, places); NaN where there is nothing to tell.
    place: what one column stands for, e.g. "group of erase blocks".
    places_covered: how many blocks (banks, bins) the columns stand for together.
    """

    unit: str
    values: np.ndarray
    place: str
    places_covered: int


@dataclass(frozen=True)
class Glass:
    """What was seen inside during one step. Rows of `series` and of each heat map are the same looks.

    series: begins with elapsed_ns (since the step began).
    decisions: the last decisions of the step, oldest first: elapsed_ns, pool, block, valid_slots, free_blocks, reason.
    slots_per_block: how many units one erase block holds.
    """

    series: Table
    heat_maps: dict[str, HeatMap] = field(default_factory=dict)
    decisions: Table = field(default_factory=Table)
    slots_per_block: int = 0


def say_reason(code: int) -> str:
    """A decision's reason in words."""
    if code == REASON_UNKNOWN:
        return "not recorded"
    return DECISION_REASONS[code] if 0 <= code < len(DECISION_REASONS) else f"reason {code}"
