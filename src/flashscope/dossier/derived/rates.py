"""Rates that no single experiment states: the worst of all long writes, the one after a fall, the highest seen.

    worst_sustained      the lowest plateau of the long write, and the writes after fills and after random writes
    lowest_after_fall    the lowest plateau of the long write from its first fall on
    read_time_of_data    what a single 4 KiB read takes where data lies
    fastest_seen         the highest rate of any load: the link carries at least that

Assumed: the long write begins on a fresh drive or says so by its doubts, which are kept. A rate that the judge withdrew
has no value here and is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.dossier.derived.found import finding_of, numbers_of
from flashscope.dossier.plateaus import lowest, plateaus_of, since
from flashscope.records import Doubt, Finding, Record
from flashscope.units import format_bytes, format_rate, format_time

CONDITION = "condition"
"""Among the details of the worst rate: when it was seen, in words."""

RATE_BEFORE_THE_LOWEST, PLACE_OF_THE_LOWEST = "first_bytes_per_second", "from_bytes"
"""Among the details of the rate after a fall, where it falls again: the rate until then; where the lowest begins."""

_LONG = "sustained-sequential-write"
_CLEARLY_SLOWER = 0.8
_SINGLE_READS = ("crystaldiskmark-8", "crystaldiskmark-5", "crystaldiskmark-3")
_PAGE_BYTES, _SECOND_NS = 4096, 10**9
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
        doubts=worst.doubts, details={CONDITION: worst.where, "of": len(rates)},
    )  # fmt: skip


@dataclass(frozen=True)
class _Rate:
    """A rate that lasted. where: when, in words."""

    rate: float
    low: float | None
    high: float | None
    where: str
    doubts: tuple[Doubt, ...]


def _plateaus(records: Sequence[Record]) -> list[_Rate]:
    """The stretches of the newest long write, each with one rate."""
    found = finding_of(records, _LONG, "rate_fall")
    doubts = () if found is None else found.doubts
    return [
        _Rate(each.rate, each.low, each.high, f"after {format_bytes(each.from_bytes)} of a long write", doubts)
        for each in plateaus_of(found)
    ]


def lowest_after_fall(records: Sequence[Record]) -> Finding | None:
    """lowest_rate_after_fall [bytes/s]; None when no fall was seen."""
    fall = finding_of(records, _LONG, "rate_fall")
    if fall is None or not isinstance(fall.value, int | float):
        return None
    later = since(plateaus_of(fall), fall.value)
    if not later:
        return None
    first, slowest = later[0], lowest(later)
    if slowest is None or slowest.rate > _CLEARLY_SLOWER * first.rate:
        slowest = first
    statement = f"After {format_bytes(fall.value)} of a long write it goes on at {format_rate(first.rate)}"
    details = {}
    if slowest is not first:
        statement += f", from {format_bytes(slowest.from_bytes)} on at {format_rate(slowest.rate)}"
        details = {RATE_BEFORE_THE_LOWEST: first.rate, PLACE_OF_THE_LOWEST: slowest.from_bytes}
    return Finding(
        "lowest_rate_after_fall", f"{statement}.", slowest.rate, "bytes/s", slowest.low, slowest.high,
        doubts=fall.doubts, details=details,
    )  # fmt: skip


def read_time_of_data(records: Sequence[Record]) -> Finding | None:
    """read_time_of_data_ns [ns]: of a 4 KiB read at depth 1, by the rate in a file that was written before."""
    found = numbers_of(records, *((name, "rand_read_4k") for name in _SINGLE_READS))
    if not found or not found[0].value:
        return None
    rate = float(found[0].value)
    low, high = (rate if end is None else end for end in (found[0].low, found[0].high))
    value, least, most = (_PAGE_BYTES / each * _SECOND_NS for each in (rate, high, low))
    statement = f"A random read of 4 KiB in a file takes {format_time(value)}."
    return Finding("read_time_of_data_ns", statement, value, "ns", least, most, doubts=found[0].doubts)


def fastest_seen(records: Sequence[Record]) -> Finding | None:
    """fastest_rate_seen [bytes/s]: a lower bound of what the link carries."""
    found = numbers_of(records, *_FASTEST)
    if not found:
        return None
    best = max(found, key=lambda each: float(each.value or 0))
    statement = f"The link carries at least {format_rate(float(best.value or 0))}: no load was faster."
    return replace(best, key="fastest_rate_seen", statement=statement, evidence=(), details={"of": best.key})
