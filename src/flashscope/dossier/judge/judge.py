"""Reads all findings on one drive together before anything is printed.

    records --rules--> objections --> the same records, with withdrawn findings emptied and doubted ones doubted

The records in the store stay as they are: the judge is applied whenever something is printed, so a better rule judges
old runs, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.dossier.judge.objection import Objection, Ruling
from flashscope.records import Doubt, Finding, Record


@dataclass(frozen=True)
class Judged:
    """records: with judged findings, in their order. objections: all that was withdrawn or doubted."""

    records: list[Record]
    objections: list[Objection]


def judge(records: Sequence[Record]) -> Judged:
    """The records with judged findings; the given ones are not changed."""
    objections: list[Objection] = []
    return Judged([_judged(record, objections) for record in records], objections)


def _judged(record: Record, objections: Sequence[Objection]) -> Record:
    return replace(record, findings=[_ruled(record, finding, objections) for finding in record.findings])


def _ruled(record: Record, finding: Finding, objections: Sequence[Objection]) -> Finding:
    mine = [each for each in objections if (each.record_id, each.key) == (record.id, finding.key)]
    doubts = tuple(Doubt(f"Judge:{each.rule}", each.reason, "") for each in mine)
    ruled = replace(finding, doubts=(*finding.doubts, *doubts))
    withdrawn = next((each for each in mine if each.ruling is Ruling.WITHDRAWN), None)
    if withdrawn is None:
        return ruled
    return replace(ruled, value=None, low=None, high=None, statement=f"Withdrawn: {withdrawn.reason}")
