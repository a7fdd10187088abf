"""Records with planted findings, and what the judge says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flashscope.dossier.judge.judge import judge
from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.records import Finding, Record, Status, StepKind, StepRecord
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from tests.facts import virtual_facts

WHOLE_BYTES = 32 * 10**9
FLASH = virtual_facts(WHOLE_BYTES, Capability.TRIM, Capability.SECURE_ERASE)


def finding(key: str, value: Any = None, **more: Any) -> Finding:
    """A finding of that key. more: its other fields."""
    fields: dict[str, Any] = {"statement": f"{key} is told.", "unit": ""} | more
    return Finding(key=key, value=value, **fields)


def record(experiment: str, *findings: Finding, facts: DriveFacts = FLASH, **more: Any) -> Record:
    """A finished record. more: its other fields."""
    made = Record(
        id=f"id-{experiment}", experiment=experiment, drive=facts.address, status=Status.DONE, created_utc="", seed=0,
        command="", versions={}, host={}, configuration={}, configuration_hash="", drive_facts=facts,
        findings=list(findings),
    )  # fmt: skip
    return replace(made, **more)


def done(kind: StepKind, **more: Any) -> StepRecord:
    """A step of that kind that came to its end. more: its other fields."""
    return replace(StepRecord(0, kind.value, kind, Status.DONE), **more)


def asked(depth: int) -> StepRecord:
    """A step that asked for so many requests at once."""
    return done(StepKind.WORKLOAD, parameters={"jobs": [{"queue_depth": depth}]})


def objections(rule: Rule, *records: Record) -> list[Objection]:
    """What one rule says of the records."""
    return judge(records, [rule]).objections


def ruled(rule: Rule, *records: Record) -> list[tuple[str, str]]:
    """(key, ruling) of each objection of one rule."""
    return [(each.key, each.ruling.value) for each in objections(rule, *records)]


def keys(said: Sequence[Objection]) -> set[str]:
    """Of the findings that are objected to."""
    return {each.key for each in said}
