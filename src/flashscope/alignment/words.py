"""Losses and verdicts in a few words, the same wherever they are printed."""

from __future__ import annotations

from flashscope.alignment.boundaries import KIB, SECTOR_BYTES
from flashscope.alignment.judged import Verdict
from flashscope.alignment.loss import Loss
from flashscope.units import format_percent

_SAME_RATIO = 0.005


def loss_in_words(loss: Loss) -> str:
    """ "20 %", "50 to 75 %", "at least 5.9 %", "nothing" or "not known".

    "nothing, or 1.2 %" where a buffer may join writes.
    """
    if loss.is_none:
        return "nothing"
    if loss.is_unknown:
        return "nothing, or not known" if loss.writing.joined else "not known"
    low, high = format_percent(loss.low_ratio), loss.high_ratio
    if loss.writing.joined:
        return f"nothing, or at least {low}" if high is None else f"nothing, or {low}"
    if high is None:
        return f"at least {low}"
    return low if high - loss.low_ratio < _SAME_RATIO else f"{low} to {format_percent(high)}".replace(" % to", " to")


def past_in_words(past_bytes: int) -> str:
    """A distance from a boundary, exact: "512 B", "1023.5 KiB"."""
    return f"{past_bytes} B" if past_bytes < KIB or past_bytes % SECTOR_BYTES else f"{past_bytes / KIB:.12g} KiB"


def verdict_in_words(verdict: Verdict) -> str:
    """ "yes", or how far past the boundary the start lies: "+3.5 KiB"."""
    return "yes" if verdict.is_on else f"+{past_in_words(verdict.past_bytes)}"
