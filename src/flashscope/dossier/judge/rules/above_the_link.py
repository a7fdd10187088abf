"""Rates above what the link carries, and a "link" that is slower than what the same drive did over it.

The link is known of a virtual drive, whose part states it. Of any drive the fastest rate that was seen is a floor
for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import doubted, every_number, numbers_told, withdrawn
from flashscope.records import Record
from flashscope.units import format_rate

_MEASURING_MARGIN = 1.01
_CLEARLY_FASTER = 1.1
_ALL_REQUESTS_READ = (
    "read_rate_max",
    "seq_read",
    "seq_read_max",
    "seq_read_1m_qd8",
    "seq_read_128k_qd32",
    "read_rate_fresh_bytes_per_second",
)


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every_number(records):
        link = _link_bytes_per_second(found.record)
        if found.finding.unit == "bytes/s" and link and found.value > _MEASURING_MARGIN * link:
            yield withdrawn(found, f"{format_rate(found.value)} is more than the link carries, {format_rate(link)}")
    for burst in numbers_told(records, "burst_rate", experiment="hd-tune"):
        faster = [each for each in numbers_told(records, *_ALL_REQUESTS_READ) if each.value > burst.value]
        most = max(faster, key=lambda each: each.value, default=None)
        if most is not None and most.value > _CLEARLY_FASTER * burst.value:
            yield doubted(
                burst,
                f"{format_rate(burst.value)} is not the link: {most.record.experiment} reads {format_rate(most.value)} "
                "through it, with larger requests or more of them at once",
                most,
            )


def _link_bytes_per_second(record: Record) -> float:
    link = (record.configuration.get("part") or {}).get("link", {})
    return float(link.get("bytes_per_second", 0)) * (2 if link.get("full_duplex") else 1)


RULE = Rule("above-the-link", "No rate is above the link, and the link is at least as fast as any rate.", _objections)
