"""Findings of a run that ended early or whose requests failed: they rest on less than the experiment asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, every
from flashscope.records import Record, Status


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        if found.finding.value is not None:
            reason = _reason(found)
            if reason:
                yield doubted(found, reason)


def _reason(found: Told) -> str:
    record = found.record
    failed = sum(_failed_requests(step.workload.totals) for step in record.evidence_of(found.finding) if step.workload)
    if failed:
        return f"{failed} requests of the steps that it rests on failed"
    if record.status is Status.FAILED:
        return "the drive or the run failed before the experiment was over"
    if record.status is Status.INTERRUPTED:
        return "the run was stopped before the experiment was over"
    if record.status is Status.OUT_OF_TIME:
        return "the time of the examination was over before the experiment was"
    return ""


def _failed_requests(totals: dict[str, int]) -> int:
    return int(totals.get("failed_requests", 0))


RULE = Rule(
    "broken-runs", "A finding rests on a run that came to its end, and on requests that were answered.", _objections
)
