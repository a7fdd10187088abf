"""A state that was never made: "after secure erase" without one, TRIM on a drive without it, rest without a pause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, every, withdrawn
from flashscope.records import Record, Status, StepKind

_ERASED = re.compile(r"^After secure erase|; a secure erase restores")
_TRIMMED = re.compile(r"^trim_")
_RESTED = re.compile(r"^(idle_collection_delay_ns|idle_recovery_.*|recovery_idle_ns|idle_gap_for_full_burst_ns)$")


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        if found.finding.value is not None:
            yield from (withdrawn(found, reason) for reason in _never_made(found))


def _never_made(found: Told) -> Iterator[str]:
    record, finding = found.record, found.finding
    if _ERASED.search(finding.statement) and not _was_done(record, StepKind.SECURE_ERASE):
        yield "no secure erase was done, so nothing was measured after one"
    elif _TRIMMED.match(finding.key) and not _was_done(record, StepKind.TRIM) and not record.drive_facts.can_trim:
        yield "the drive takes no TRIM, so nothing was measured after one"
    elif _RESTED.match(finding.key) and finding.value != 0 and not _was_done(record, StepKind.IDLE):
        yield "no pause was made, so nothing was measured after one"


def _was_done(record: Record, kind: StepKind) -> bool:
    return any(step.kind == kind and step.status is Status.DONE for step in record.steps)


RULE = Rule(
    "states-that-were-made",
    "What is measured after a secure erase, a TRIM or a pause needs one that was done.",
    _objections,
)
