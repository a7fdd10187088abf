"""Waiting helps or does not.

One experiment that sees rates come back after a pause refutes "waiting does not help". And where random writing leaves
a drive as fast as it was, there is nothing to wait for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Number, Told, doubted, every, numbers_told, withdrawn
from flashscope.records import Record
from flashscope.units import format_time

_KEPT = 0.95


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    unanswered = [each for each in every(records) if each.finding.value is None]
    for found in numbers_told(records, "recovery_idle_ns"):
        if found.value > 0:
            for no in _saying(unanswered, "idle_collection_delay_ns", "waiting does not help"):
                yield withdrawn(no, f"fill-and-recovery sees a full drive come back in {_pause(found)}", found)
    for kept in numbers_told(records, "write_ratio_after_random_writes"):
        if kept.low > _KEPT:
            for no in _saying(unanswered, "idle_collection_delay_ns", "waiting does not help"):
                yield withdrawn(no, "random writing does not make it slower, so there is nothing to wait for", kept)
    for found in numbers_told(records, "idle_collection_delay_ns"):
        for no in _saying(unanswered, "recovery_idle_ns", "do not bring a full drive back"):
            reason = f"idle-recovery sees the drive begin to recover after {_pause(found)}; this drive was fuller"
            yield doubted(no, reason, found)


def _saying(findings: Sequence[Told], key: str, words: str) -> list[Told]:
    return [each for each in findings if each.finding.key == key and words in each.finding.statement]


def _pause(found: Number) -> str:
    return format_time(round(found.value))


RULE = Rule("waiting-helps", "Waiting does not help only where no experiment saw a rate come back.", _objections)
