"""From looks to columns: totals become what happened between two looks, and every column gets its unit.

The time that a bank has worked is counted only when the bank becomes idle. So a bank that is never idle seems idle for
long, and then busy for more than the interval. A busy period is contiguous and ends where it is counted, so the time
that does not fit into one interval belongs to the intervals before it:

    booked     0     0     2.5   0.5         intervals
    worked     0.5   1     1     0.5         (exact except for the start of the period)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flashscope.drives.glass.sample import BANK_COLUMNS_MAX, ERASE_QUANTILES, VALID_BINS, Lens, Sample
from flashscope.records import FIRST_STATE_OUT_OF_USE, Glass, HeatMap, Table
from flashscope.records.glass import UNKNOWN_REASON_COLUMN, reason_column
from flashscope.vocabulary import BlockState, GcReason


def make_glass(samples: Sequence[Sample], lens: Lens) -> Glass:
    """The columns of one step, from at least two looks of rising time."""
    began_ns = samples[0].at_ns
    latest = lens.latest_decisions()
    return Glass(
        series=Table.of(**_now(samples), **_since_last(samples)),
        heat_maps=_heat_maps(samples, lens),
        decisions=Table.of(
            elapsed_ns=("ns", latest["at_ns"] - began_ns),
            pool=("index", latest["pool"]),
            block=("index", latest["block"]),
            valid_slots=("count", latest["valid_slots"]),
            free_blocks=("count", latest["free_blocks"]),
            reason=("code", latest["reason"]),
        ),
        slots_per_block=lens.slots_per_block,
    )


def busy_shares(at_ns: np.ndarray, busy_ns: np.ndarray, queue_length: np.ndarray) -> np.ndarray:
    """Share of the time before each look for which each bank worked [ratio], shape (looks, banks); 0 at the first.

    busy_ns: counted totals. queue_length: operations that wait behind the current one. Both have shape (looks, banks).
    A bank that has waiting work at the end, and was not idle since it was counted, is taken as busy; a bank that works
    without a queue is missed.
    """
    passed_ns = np.diff(at_ns)
    booked_ns = np.diff(busy_ns, axis=0)
    worked_ns = np.zeros_like(busy_ns)
    carried_ns = np.zeros(busy_ns.shape[1], dtype=np.int64)
    never_rested = queue_length[-1] > 0
    for row in reversed(range(len(passed_ns))):
        total_ns = booked_ns[row] + carried_ns
        never_rested = never_rested & (booked_ns[row] == 0) & (queue_length[row] > 0)
        worked_ns[row + 1] = np.where(never_rested, passed_ns[row], np.minimum(total_ns, passed_ns[row]))
        carried_ns = np.where(never_rested, 0, total_ns - np.minimum(total_ns, passed_ns[row]))
    shares: np.ndarray = worked_ns / np.maximum(np.concatenate([[1], passed_ns]), 1)[:, None]
    return shares


def _now(samples: Sequence[Sample]) -> dict[str, tuple[str, object]]:
    """The state at each look."""
    states = np.array([sample.state_count for sample in samples])
    columns: dict[str, tuple[str, object]] = {
        "elapsed_ns": ("ns", np.array([sample.at_ns for sample in samples]) - samples[0].at_ns),
        "free_blocks": ("count", states[:, BlockState.FREE]),
        "free_blocks_min": ("count", [int(sample.free_blocks.min()) for sample in samples]),
        "free_blocks_mean": ("count", [float(sample.free_blocks.mean()) for sample in samples]),
        "open_blocks": ("count", states[:, BlockState.OPEN_FOR_HOST] + states[:, BlockState.OPEN_FOR_GC]),
        "closed_blocks": ("count", states[:, BlockState.CLOSED]),
        "out_of_use_blocks": ("count", states[:, FIRST_STATE_OUT_OF_USE]),
        "valid_slots": ("count", [sample.valid_slots for sample in samples]),
        "buffered_units": ("count", [sample.buffered_units for sample in samples]),
        "erase_count_mean": ("cycles", [sample.erase_mean for sample in samples]),
    }
    names = ("min", *(f"p{share}" for share in ERASE_QUANTILES), "max")
    for place, name in enumerate(names):
        columns[f"erase_count_{name}"] = ("cycles", [sample.erase_quantiles[place] for sample in samples])
    columns["queue_length_mean"] = ("count", [float(sample.queue_length.mean()) for sample in samples])
    columns["queue_length_max"] = ("count", [int(sample.queue_length.max()) for sample in samples])
    return columns


def _since_last(samples: Sequence[Sample]) -> dict[str, tuple[str, object]]:
    """What happened between each look and the one before; nothing for the first look."""

    def rise(totals: Sequence[int]) -> np.ndarray:
        return np.diff(np.array(totals, dtype=np.int64), prepend=totals[0])

    at_ns = np.array([sample.at_ns for sample in samples])
    queues = np.array([sample.queue_length for sample in samples])
    banks = busy_shares(at_ns, np.array([sample.bank_busy_ns for sample in samples]), queues)
    channels_ns = np.diff(np.array([sample.channel_busy_ns for sample in samples]), axis=0, prepend=0)[1:].mean(axis=1)
    channels = np.concatenate([[0.0], channels_ns / np.maximum(np.diff(at_ns), 1)])
    host = rise([sample.counted["host_written_bytes"] for sample in samples])
    flash = rise([sample.counted["nand_written_bytes"] for sample in samples])
    decisions = rise([int(sample.decision_count.sum()) for sample in samples])
    victims_valid = rise([sample.decision_valid_slots for sample in samples])
    columns: dict[str, tuple[str, object]] = {
        "bank_busy_ratio_mean": ("ratio", banks.mean(axis=1)),
        "bank_busy_ratio_max": ("ratio", banks.max(axis=1)),
        "channel_busy_ratio_mean": ("ratio", channels),
        "host_written_bytes": ("bytes", host),
        "nand_written_bytes": ("bytes", flash),
        "write_amplification": ("ratio", np.where(host > 0, flash / np.maximum(host, 1), np.nan)),
        "gc_moved_units": ("count", rise([sample.counted["gc_moved_units"] for sample in samples])),
        "erased_blocks": ("count", rise([sample.counted["erased_blocks"] for sample in samples])),
        "gc_decisions": ("count", decisions),
        "gc_victim_valid_slots_mean": (
            "count",
            np.where(decisions > 0, victims_valid / np.maximum(decisions, 1), np.nan),
        ),
        "gc_decisions_cut": ("count", rise([sample.decisions_cut for sample in samples])),
    }
    names = [*map(reason_column, GcReason), UNKNOWN_REASON_COLUMN]
    for code, name in enumerate(names):
        of_reason = rise([int(sample.decision_count[code]) for sample in samples])
        if of_reason.any():
            columns[name] = ("count", of_reason)
    return columns


def _heat_maps(samples: Sequence[Sample], lens: Lens) -> dict[str, HeatMap]:
    queues = np.array([sample.queue_length for sample in samples])
    per_column = -(-lens.bank_count // BANK_COLUMNS_MAX)
    if per_column > 1:
        queues = np.add.reduceat(queues, np.arange(0, lens.bank_count, per_column), axis=1) / per_column
    bins = np.array([sample.closed_valid for sample in samples])
    blocks, share = "group of neighbouring erase blocks", f"1/{VALID_BINS} of valid slots, least first"
    return {
        "valid_ratio": HeatMap("ratio", np.array([sample.valid_ratio for sample in samples]), blocks, lens.block_count),
        "erase_count": HeatMap(
            "cycles", np.array([sample.erase_count for sample in samples]), blocks, lens.block_count
        ),
        "queue_length": HeatMap("count", queues, "bank" if per_column == 1 else "group of banks", lens.bank_count),
        "closed_blocks_by_valid_ratio": HeatMap("count", bins, share, VALID_BINS),
    }
