"""Losses and verdicts in a few words, the same wherever they are printed."""

from __future__ import annotations

from flashscope.alignment.judged import Verdict
from flashscope.alignment.loss import Loss
from flashscope.units import format_bytes_binary, format_percent

_SAME_RATIO = 0.005


def loss_in_words(loss: Loss) -> str:
    """ "20 %", "50 to 75 %", "at most 0.4 %" or "nothing"."""
    if loss.is_none:
        return "nothing"
    if loss.high_ratio - loss.low_ratio < _SAME_RATIO and loss.low_ratio:
        return format_percent(loss.high_ratio)
    if not loss.low_ratio:
        return f"at most {format_percent(loss.high_ratio)}"
    return f"{format_percent(loss.low_ratio)} to {format_percent(loss.high_ratio)}".replace(" % to", " to")


def verdict_in_words(verdict: Verdict) -> str:
    """ "yes", or how far past the boundary the start lies: "+3.5 KiB"."""
    return "yes" if verdict.is_on else f"+{format_bytes_binary(verdict.past_bytes)}"
