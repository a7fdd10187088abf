"""Whole-drive findings of a drive that holds less than it says: beyond its real end nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import doubted, every, numbers_told
from flashscope.records import Record
from flashscope.units import format_bytes

_HOLDS = 0.99
_OVER_ALL_OF_IT = {
    "sustained-sequential-write",
    "three-states",
    "idle-recovery",
    "fill-and-recovery",
    "smart-inference",
    "ageing-diary",
    "hd-tune",
    "hybrid-cache",
}


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for real in numbers_told(records, "real_capacity_bytes"):
        says = real.record.drive_facts.user_bytes
        if not real.value < _HOLDS * says:
            continue
        reason = (
            f"of its {format_bytes(says)} only {format_bytes(real.value)} are there, and this was measured over all"
        )
        for found in every(records):
            if found.record.experiment in _OVER_ALL_OF_IT and found.finding.value is not None:
                yield doubted(found, reason, real)


RULE = Rule("real-capacity", "What is measured over a whole drive needs a drive that is wholly there.", _objections)
