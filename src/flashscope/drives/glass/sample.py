"""One look inside a virtual drive, reduced to the values that are kept.

    all blocks            in groups of neighbours      a column of a heat map each
    [####][#.#.][..#.]    [#### #.#.] [..#. ....]      0.75      0.13

Counters are kept as totals since the drive was built. So rows can be left out later, and the difference of two rows
is still exact. Sums are whole numbers; each mean is one division, the same on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from flashscope.records import FIRST_STATE_OUT_OF_USE
from flashscope.records.glass import REASON_UNKNOWN
from flashscope.vocabulary import USABLE_BLOCK_STATES, BlockState, GcReason

BLOCK_COLUMNS_MAX = 256
BANK_COLUMNS_MAX = 64
VALID_BINS = 64
ERASE_QUANTILES = (5, 25, 50, 75, 95)
"""Percentiles of the erase counts of the blocks in use [%]."""
DECISIONS_KEPT = 256
REASON_COLUMNS = len(GcReason) + 1
"""One for each reason, the last for unknown reasons."""

_COUNTED = ("host_written_bytes", "nand_written_bytes", "gc_moved_units", "erased_blocks")
_DECISION_COLUMNS = ("at_ns", "pool", "block", "valid_slots", "free_blocks", "reason")


class Opened(Protocol):
    """What a look needs of a virtual drive (`_core.Drive`)."""

    @property
    def now_ns(self) -> int:
        """Virtual time [ns]."""

    def counters(self) -> dict[str, int]:
        """All counters, name -> total."""

    def inside(self) -> dict[str, Any]:
        """State of every block, pool, bank and channel, and the latest decisions."""


@dataclass(frozen=True)
class Sample:
    """The inside at one moment. Arrays: per pool, per bin, per group of blocks, per bank, per channel, per reason.

    Totals since the drive was built: counted, bank_busy_ns, channel_busy_ns, decision_count (per reason),
    decision_valid_slots, decisions_cut (looks before which the drive had dropped decisions that were never read).
    """

    at_ns: int
    free_blocks: np.ndarray
    state_count: np.ndarray
    valid_slots: int
    closed_valid: np.ndarray
    valid_ratio: np.ndarray
    erase_count: np.ndarray
    erase_mean: float
    erase_quantiles: tuple[int, ...]
    queue_length: np.ndarray
    bank_busy_ns: np.ndarray
    channel_busy_ns: np.ndarray
    buffered_units: int
    counted: dict[str, int]
    decision_count: np.ndarray
    decision_valid_slots: int
    decisions_cut: int


class Lens:
    """Looks inside one drive, and keeps track of the decisions that it has read.

    slots_per_block: units that fit into one block.
    """

    def __init__(self, drive: Opened, slots_per_block: int) -> None:
        self._drive = drive
        self.slots_per_block = slots_per_block
        inside = drive.inside()
        self.block_count = len(inside["block_states"])
        self.bank_count = len(inside["bank_queue_lengths"])
        self._block_starts = _starts(self.block_count, BLOCK_COLUMNS_MAX)
        self._last_at_ns = -1
        self._last_seen = 0  # decisions seen that were made at that very moment
        self._count = np.zeros(REASON_COLUMNS, dtype=np.int64)
        self._valid_slots = 0
        self._cut = 0
        self._latest: list[dict[str, np.ndarray]] = []
        self._note_decisions(inside)
        self.forget_decisions()

    def look(self) -> Sample:
        """The inside now."""
        inside, counters = self._drive.inside(), self._drive.counters()
        self._note_decisions(inside)
        states, valid, erases = inside["block_states"], inside["block_valid_slots"], inside["block_erase_counts"]
        in_use = states < FIRST_STATE_OUT_OF_USE
        used = np.add.reduceat(in_use, self._block_starts, dtype=np.int64)
        state_count = [int(np.count_nonzero(states == state)) for state in USABLE_BLOCK_STATES]
        bins = valid * np.uint32(VALID_BINS) // np.uint32(self.slots_per_block)
        bins = np.where(states == BlockState.CLOSED, np.minimum(bins, VALID_BINS - 1), VALID_BINS)
        spread = np.bincount(erases) - np.bincount(erases[np.flatnonzero(~in_use)], minlength=int(erases.max()) + 1)
        below = np.cumsum(spread)
        found_counts = np.flatnonzero(spread) if below[-1] else np.zeros(1, dtype=np.int64)
        places = [int(below[-1]) * share // 100 for share in ERASE_QUANTILES]
        quantiles = [int(found) for found in np.searchsorted(below, places, side="right")]
        total = int(np.dot(spread, np.arange(len(spread), dtype=np.int64)))
        return Sample(
            at_ns=self._drive.now_ns,
            free_blocks=inside["pool_free_blocks"].astype(np.int64),
            state_count=np.array([*state_count, len(states) - sum(state_count)]),
            valid_slots=int(valid.sum(dtype=np.int64)),
            closed_valid=np.bincount(bins, minlength=VALID_BINS + 1)[:VALID_BINS],
            valid_ratio=self._mean(valid, used) / np.float32(self.slots_per_block),
            erase_count=self._mean(np.where(in_use, erases, 0), used),
            erase_mean=total / max(1, int(below[-1])),
            erase_quantiles=(int(found_counts[0]), *quantiles, int(found_counts[-1])),
            queue_length=inside["bank_queue_lengths"].astype(np.int64),
            bank_busy_ns=inside["bank_busy_ns"].astype(np.int64),
            channel_busy_ns=inside["channel_busy_ns"].astype(np.int64),
            buffered_units=int(inside["buffered_units"]),
            counted={name: counters[name] for name in _COUNTED},
            decision_count=self._count.copy(),
            decision_valid_slots=self._valid_slots,
            decisions_cut=self._cut,
        )

    def latest_decisions(self) -> dict[str, np.ndarray]:
        """The decisions read since the step began, oldest first; one array per column."""
        if not self._latest:
            return {name: np.empty(0, dtype=np.int64) for name in _DECISION_COLUMNS}
        return {
            name: np.concatenate([part[name] for part in self._latest])[-DECISIONS_KEPT:] for name in _DECISION_COLUMNS
        }

    def forget_decisions(self) -> None:
        """A new step begins."""
        self._latest = []

    def _mean(self, values: np.ndarray, used: np.ndarray) -> np.ndarray:
        """Mean over the blocks in use of each group; NaN where there is none."""
        sums = np.add.reduceat(values, self._block_starts, dtype=np.int64)
        return np.where(used > 0, sums / np.maximum(used, 1), np.nan).astype(np.float32)

    def _note_decisions(self, inside: dict[str, Any]) -> None:
        """Add what the collector decided since the last look. The drive remembers some thousands of decisions."""
        at_ns = inside["decision_at_ns"].astype(np.int64)
        if len(at_ns) == 0:
            return
        first = int(np.searchsorted(at_ns, self._last_at_ns, side="left"))
        same = int(np.searchsorted(at_ns, self._last_at_ns, side="right")) - first
        first += min(self._last_seen, same)
        # When none of the decisions read before is left, the drive may have dropped some in between.
        self._cut += int(first == 0 and self._last_at_ns >= 0)
        count = len(at_ns) - first
        if count == 0:
            return
        new = {name: inside[f"decision_{name}"][first:].astype(np.int64) for name in _DECISION_COLUMNS[:-1]}
        reasons = inside.get("decision_reason")
        new["reason"] = np.full(count, REASON_UNKNOWN) if reasons is None else reasons[first:].astype(np.int64)
        known = (new["reason"] >= 0) & (new["reason"] < REASON_COLUMNS - 1)
        self._count += np.bincount(np.where(known, new["reason"], REASON_COLUMNS - 1), minlength=REASON_COLUMNS)
        self._valid_slots += int(new["valid_slots"].sum())
        # Only the last ones are shown; older parts go when the newer ones are enough.
        self._latest = [part for part in self._latest if count < DECISIONS_KEPT]
        self._latest.append({name: new[name][-DECISIONS_KEPT:] for name in new})
        self._last_at_ns = int(at_ns[-1])
        self._last_seen = int(np.count_nonzero(at_ns == self._last_at_ns))


def _starts(count: int, columns_max: int) -> np.ndarray:
    """Where each of at most columns_max equal groups of neighbours begins (the last one may be smaller)."""
    return np.arange(0, count, max(1, -(-count // columns_max)))
