"""JSON on standard output: one document, for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from flashscope.dossier.judge.objection import Objection
    from flashscope.records import Record


def print_json(document: dict[str, Any]) -> None:
    """Print plain data as one JSON document; NaN becomes null, since JSON has none."""
    from flashscope.records.plain import without_nan

    click.echo(json.dumps(without_nan(document), indent=2, allow_nan=False, ensure_ascii=False))


def records_json(records: Sequence[Record]) -> list[dict[str, Any]]:
    """What records concluded, judged together, and what it takes to find them again; without their series."""
    from flashscope.dossier.judge.judge import judge

    judged = judge(records)
    return [
        _record_json(record, [each for each in judged.objections if each.record_id == record.id])
        for record in judged.records
    ]


def _record_json(record: Record, objections: Sequence[Objection]) -> dict[str, Any]:
    from flashscope.records.plain import plain

    return {
        "id": record.id,
        "experiment": record.experiment,
        "drive": record.drive,
        "status": record.status.value,
        "note": record.note,
        "created_utc": record.created_utc,
        "seed": record.seed,
        "configuration_hash": record.configuration_hash,
        "versions": record.versions,
        "findings": plain(record.findings),
        "doubts": plain(record.doubts),
        "objections": plain(objections),
        "truth": record.truth,
        "steps": [
            {"name": step.name, "kind": step.kind, "status": step.status.value, "note": step.note}
            for step in record.steps
        ],
    }
