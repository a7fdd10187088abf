"""Reads all findings on one drive together before anything is printed.

    records --rules--> objections --> the same records, with withdrawn findings emptied and doubted ones doubted

Rules are asked one after another; what one withdraws is no evidence for the next. Records of different drives are
judged apart. The records in the store stay as they are: the judge is applied whenever something is printed, so a
better rule judges old runs, too. What was judged can be judged again: nothing is added then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.dossier.judge.objection import Objection, Ruling
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.rules import RULES
from flashscope.dossier.judge.ruling import doubt_of, is_withdrawn, without_value
from flashscope.records import Finding, Record


@dataclass(frozen=True)
class Judged:
    """records: with judged findings, in their order. objections: all that was withdrawn or doubted."""

    records: list[Record]
    objections: list[Objection]


def judge(records: Sequence[Record], rules: Sequence[Rule] = RULES) -> Judged:
    """The records with judged findings; the given ones are not changed."""
    by_drive: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for position, record in enumerate(records):
        facts = record.drive_facts
        by_drive[record.drive, facts.serial, facts.user_bytes].append(position)
    judged, objections = list(records), []
    for positions in by_drive.values():
        of_one_drive = [records[position] for position in positions]
        for rule in rules:
            gone = {
                (record.id, found.key) for record in of_one_drive for found in record.findings if is_withdrawn(found)
            }
            said = (replace(each, rule=rule.name) for each in rule.objections(of_one_drive))
            raised = [each for each in said if (each.record_id, each.key) not in gone]
            of_one_drive = [_ruled_record(record, raised) for record in of_one_drive]
            objections += raised
        for position, record in zip(positions, of_one_drive, strict=True):
            judged[position] = record
    return Judged(judged, objections)


def judged_alone(record: Record) -> Record:
    """One record, judged without others."""
    return judge([record]).records[0]


def _ruled_record(record: Record, raised: Sequence[Objection]) -> Record:
    mine = [each for each in raised if each.record_id == record.id]
    return replace(record, findings=[_ruled(finding, mine) for finding in record.findings]) if mine else record


def _ruled(finding: Finding, raised: Sequence[Objection]) -> Finding:
    mine = [each for each in raised if each.key == finding.key]
    doubts = tuple(doubt_of(each.rule, each.reason) for each in mine)
    doubts = tuple(dict.fromkeys((*finding.doubts, *doubts)))
    withdrawn = next((each for each in mine if each.ruling is Ruling.WITHDRAWN), None)
    if withdrawn is None:
        return replace(finding, doubts=doubts) if mine else finding
    return replace(without_value(finding, withdrawn.reason), doubts=doubts)
