"""Requests at once on platters: the arm is at one place, so a deeper queue only lets the drive choose the order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import doubted, numbers_told
from flashscope.records import Record
from flashscope.records.capability import Capability

_MORE_THAN_ONE = 1.2


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in numbers_told(records, "effective_parallelism_reads", "effective_parallelism_writes"):
        facts = found.record.drive_facts
        platters = not facts.can(Capability.SOLID_STATE) and not facts.members
        if platters and found.value > _MORE_THAN_ONE:
            reason = "it has one arm: with more requests to choose from it seeks less, and still serves them one by one"
            yield doubted(found, reason)


RULE = Rule("one-arm", "A disk serves one request at a time.", _objections)
