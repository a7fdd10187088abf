"""Joins judged findings: one answer for each property, from the best method that has a value, with all that speaks for
or against it."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.answer import Answer, Confidence, Evidence
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.judge.judge import judge
from flashscope.dossier.properties import PROPERTIES, Property
from flashscope.records import Finding, Record


def make_dossier(records: Sequence[Record]) -> Dossier:
    """The dossier of one drive's records; the order of the records does not matter."""
    judged = judge(sorted(records, key=lambda record: record.created_utc))
    first = judged.records[0]
    return Dossier(
        drive=first.drive,
        title=first.drive_facts.model or first.drive,
        kind=first.drive_facts.kind_name,
        verdict=(),
        answers=tuple(_answer(each, judged.records) for each in PROPERTIES),
        advice=(),
        objections=tuple(judged.objections),
        records=tuple(judged.records),
    )


def _answer(asked: Property, records: Sequence[Record]) -> Answer:
    found = [
        (source, record, finding)
        for source in asked.sources
        for record in records
        if record.experiment == source.experiment
        for finding in record.findings
        if finding.key == source.key
    ]
    best = next((each for each in found if each[2].value is not None), found[0] if found else None)
    if best is None:
        return _unknown(asked, "no experiment that was run tells it")
    source, _, finding = best
    return Answer(
        property_key=asked.key,
        value=finding.value,
        unit=finding.unit or asked.unit,
        low=finding.low,
        high=finding.high,
        text="" if finding.value is None else str(finding.value),
        statement=finding.statement,
        method=source.method,
        confidence=Confidence.NONE if finding.value is None else Confidence.MEDIUM,
        evidence=tuple(_evidence(record, each, finding) for _, record, each in found),
        doubts=finding.doubts,
        why_unknown=finding.statement if finding.value is None else "",
    )


def _evidence(record: Record, finding: Finding, chosen: Finding) -> Evidence:
    return Evidence(
        record.id,
        record.experiment,
        finding.key,
        finding.statement,
        finding.value,
        finding.low,
        finding.high,
        agrees=finding.value == chosen.value,
    )


def _unknown(asked: Property, why: str) -> Answer:
    return Answer(asked.key, None, asked.unit, None, None, "", "", "", Confidence.NONE, why_unknown=why)
