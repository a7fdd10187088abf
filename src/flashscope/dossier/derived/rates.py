"""Rates that no single experiment states: the worst of all long writes, the one after a fall, the highest seen.

    worst_sustained      the lowest plateau of the long write, and the writes after fills and after random writes
    after_first_fall     the plateau after the first fall of the long write
    fastest_seen         the highest rate of any load: the link carries at least that

Assumed: the long write begins on a fresh drive or says so by its doubts, which are kept. A rate that the judge withdrew
has no value here and is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.dossier.derived.found import finding_of, numbers_of
from flashscope.records import Doubt, Finding, Record
from flashscope.units import format_bytes, format_rate

_LONG = "sustained-sequential-write"
_STATES = tuple(
    ("three-states", f"write_rate_{state}_bytes_per_second")
    for state in ("after_zero_fill", "after_random_fill", "after_random_writes")
)
_FASTEST = (
    ("crystaldiskmark-8", "seq_read_1m_qd8"),
    ("crystaldiskmark-8", "seq_write_1m_qd8"),
    ("crystaldiskmark-8", "seq_read_128k_qd32"),
    ("crystaldiskmark-5", "seq_read_128k_qd32"),
    ("crystaldiskmark-5", "seq_write_128k_qd32"),
    ("three-states", "read_rate_fresh_bytes_per_second"),
    ("three-states", "write_rate_fresh_bytes_per_second"),
    ("atto", "read_rate_max"),
    ("atto", "write_rate_max"),
)
_IN_WORDS = {
    "write_rate_after_zero_fill_bytes_per_second": "after a fill with zeros",
    "write_rate_after_random_fill_bytes_per_second": "on a full drive",
    "write_rate_after_random_writes_bytes_per_second": "after long random writing",
}


def worst_sustained(records: Sequence[Record]) -> Finding | None:
    """worst_sustained_rate [bytes/s]."""
    rates = _plateaus(records)
    for found in numbers_of(records, (_LONG, "settled_rate_bytes_per_second"), *_STATES):
        where = _IN_WORDS.get(found.key, "at the end of a long write")
        rates.append(_Rate(float(found.value or 0), found.low, found.high, where, found.doubts))
    if not rates:
        return None
    worst = min(rates, key=lambda each: each.rate)
    statement = f"The lowest rate of long writes is {format_rate(worst.rate)}, {worst.where}."
    return Finding(
        "worst_sustained_rate", statement, worst.rate, "bytes/s", worst.low, worst.high,
        doubts=worst.doubts, details={"condition": worst.where, "of": len(rates)},
    )  # fmt: skip


@dataclass(frozen=True)
class _Rate:
    """A rate that lasted. where: when, in words. from_bytes: written before it, in the long write."""

    rate: float
    low: float | None
    high: float | None
    where: str
    doubts: tuple[Doubt, ...]
    from_bytes: float = 0.0


def _plateaus(records: Sequence[Record]) -> list[_Rate]:
    """The stretches of the newest long write, each with one rate; none where the finding was withdrawn."""
    found = finding_of(records, _LONG, "rate_fall")
    if found is None:
        return []
    return [
        _Rate(
            float(kept["rate_bytes_per_second"]),
            kept.get("low"),
            kept.get("high"),
            f"after {format_bytes(kept['from_bytes'])} of a long write",
            found.doubts,
            float(kept["from_bytes"]),
        )
        for kept in found.details.get("plateaus", ())
    ]


def after_first_fall(records: Sequence[Record]) -> Finding | None:
    """rate_after_first_fall [bytes/s]; None when no fall was seen."""
    fall = finding_of(records, _LONG, "rate_fall")
    if fall is None or not isinstance(fall.value, int | float):
        return None
    after = next((each for each in _plateaus(records) if each.from_bytes >= 0.99 * fall.value), None)
    if after is None:
        return None
    statement = f"After {format_bytes(fall.value)} of a long write it goes on at {format_rate(after.rate)}."
    return Finding("rate_after_first_fall", statement, after.rate, "bytes/s", after.low, after.high, doubts=fall.doubts)


def fastest_seen(records: Sequence[Record]) -> Finding | None:
    """fastest_rate_seen [bytes/s]: a lower bound of what the link carries."""
    found = numbers_of(records, *_FASTEST)
    if not found:
        return None
    best = max(found, key=lambda each: float(each.value or 0))
    statement = f"The link carries at least {format_rate(float(best.value or 0))}: no load was faster."
    return replace(best, key="fastest_rate_seen", statement=statement, evidence=(), details={"of": best.key})
