"""The looks inside a virtual drive while one step ran (a glass drive).

    Glass
      +- series: Table          one row per look: free blocks, erase counts, write amplification ...
      +- heat_maps: name -> HeatMap    the same rows; a column per group of blocks, per bank, per bin
      +- decisions: Table       the last decisions of garbage collection, one row each

Plain data, as everything in a record. `docs/reference/glass-drive.md` lists every column with its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flashscope.records.columns import Table
from flashscope.vocabulary import GcReason

REASON_WORDS = {
    GcReason.LOW_WATER: "few free blocks were left in the pool",
    GcReason.IDLE: "the drive was idle",
    GcReason.WEAR_LEVELING: "erase counts were too far apart",
    GcReason.READ_FAILURE: "the block could not be read and was taken out of use",
    GcReason.REFRESH: "the data had to be written again",
    GcReason.FOLD: "the pSLC cache was moved out",
}
"""Why a block was collected, by the code in `reason`."""

REASON_UNKNOWN = -1
"""In `reason` when the core did not say why."""

UNKNOWN_REASON_COLUMN = "gc_decisions_reason_unknown"
"""The column of `Glass.series` that counts unknown reasons, and reasons that have no name here."""


@dataclass(frozen=True)
class HeatMap:
    """One quantity over time and place.

    unit: of `values`. values: shape (looks, places); NaN where there is no value.
    place: what one column stands for, e.g. "group of erase blocks".
    places_covered: how many blocks (banks, bins) the columns stand for together.
    """

    unit: str
    values: np.ndarray
    place: str
    places_covered: int


@dataclass(frozen=True)
class Glass:
    """The looks inside during one step. Rows of `series` and of each heat map are the same looks.

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
    return REASON_WORDS[GcReason(code)] if 0 <= code < len(GcReason) else f"reason {code}"


def reason_table() -> str:
    """The list of reasons for the reference page of the glass drive."""
    rows = [f"| {reason.value} | `{reason_column(reason)}` | {words} |" for reason, words in REASON_WORDS.items()]
    rows.append(f"| {REASON_UNKNOWN} | `{UNKNOWN_REASON_COLUMN}` | {say_reason(REASON_UNKNOWN)} |")
    return "\n".join(["| `reason` | counted in | because |", "|---|---|---|", *rows])


def reason_column(reason: GcReason) -> str:
    """The column of `Glass.series` that counts decisions for this reason: "gc_decisions_low_water"."""
    return f"gc_decisions_{reason.name.lower()}"
