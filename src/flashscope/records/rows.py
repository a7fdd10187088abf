"""Records as rows: the head of a record and its findings (steps: `step_rows.py`).

Every function works inside the transaction its caller has opened (`records/store.py`).
"""

from __future__ import annotations

import sqlite3

from flashscope.records.doubt import Doubt
from flashscope.records.facts_json import facts_from_json
from flashscope.records.plain import from_json, to_json
from flashscope.records.record import Finding, Record, Status
from flashscope.records.step_rows import read_steps
from flashscope.records.table_rows import INSIDE, insert, read_table

_OF_THE_RECORD = -1  # the finding_position of doubts about the record as a whole


def write_record(connection: sqlite3.Connection, record: Record, process_json: str) -> None:
    """Insert the head of a record (no steps, no findings). Raises sqlite3.IntegrityError when its id is taken."""
    insert(
        connection,
        "records",
        id=record.id,
        experiment=record.experiment,
        drive=record.drive,
        status=record.status.value,
        created_utc=record.created_utc,
        seed=str(record.seed),
        command=record.command,
        versions_json=to_json(record.versions),
        host_json=to_json(record.host),
        configuration_json=to_json(record.configuration),
        configuration_hash=record.configuration_hash,
        drive_facts_json=to_json(record.drive_facts.to_json()),
        truth_json=to_json(record.truth),
        note=record.note,
        process_json=process_json,
    )


def write_conclusions(connection: sqlite3.Connection, record: Record) -> None:
    """Replace the findings and doubts of a record."""
    for table in ("findings", "doubts"):
        connection.execute(f"DELETE FROM {table} WHERE record_id = ?", (record.id,))
    for position, finding in enumerate(record.findings):
        insert(
            connection,
            "findings",
            record_id=record.id,
            position=position,
            key=finding.key,
            statement=finding.statement,
            value_json=to_json(finding.value),
            unit=finding.unit,
            low_json=to_json(finding.low),
            high_json=to_json(finding.high),
            confidence_ratio=finding.confidence_ratio,
            evidence_json=to_json(finding.evidence),
            details_json=to_json(finding.details),
        )
        _write_doubts(connection, record.id, position, finding.doubts)
    _write_doubts(connection, record.id, _OF_THE_RECORD, tuple(record.doubts))


def _write_doubts(
    connection: sqlite3.Connection, record_id: str, finding_position: int, doubts: tuple[Doubt, ...]
) -> None:
    for position, doubt in enumerate(doubts):
        insert(
            connection,
            "doubts",
            record_id=record_id,
            finding_position=finding_position,
            position=position,
            kind=doubt.kind,
            message=doubt.message,
            advice=doubt.advice,
        )


def read_findings(connection: sqlite3.Connection, record_id: str) -> list[Finding]:
    """All findings of a record, in order, each with its doubts."""
    rows = connection.execute("SELECT * FROM findings WHERE record_id = ? ORDER BY position", (record_id,)).fetchall()
    return [
        Finding(
            key=row["key"],
            statement=row["statement"],
            value=from_json(row["value_json"]),
            unit=row["unit"],
            low=from_json(row["low_json"]),
            high=from_json(row["high_json"]),
            confidence_ratio=row["confidence_ratio"],
            evidence=tuple(from_json(row["evidence_json"])),
            doubts=tuple(read_doubts(connection, record_id, row["position"])),
            details=from_json(row["details_json"]),
        )
        for row in rows
    ]


def read_doubts(connection: sqlite3.Connection, record_id: str, finding_position: int = _OF_THE_RECORD) -> list[Doubt]:
    """The doubts of one finding, or those about the record as a whole."""
    rows = connection.execute(
        "SELECT kind, message, advice FROM doubts WHERE record_id = ? AND finding_position = ? ORDER BY position",
        (record_id, finding_position),
    )
    return [Doubt(*row) for row in rows]


def read_record(connection: sqlite3.Connection, record_id: str) -> Record:
    """A complete record. Raises KeyError when there is none of that id."""
    row = connection.execute("SELECT * FROM records WHERE id = ?", (record_id,)).fetchone()
    if row is None:
        raise KeyError(record_id)
    inside = read_table(connection, record_id, INSIDE)
    return Record(
        id=row["id"],
        experiment=row["experiment"],
        drive=row["drive"],
        status=Status(row["status"]),
        created_utc=row["created_utc"],
        seed=int(row["seed"]),
        command=row["command"],
        versions=from_json(row["versions_json"]),
        host=from_json(row["host_json"]),
        configuration=from_json(row["configuration_json"]),
        configuration_hash=row["configuration_hash"],
        drive_facts=facts_from_json(from_json(row["drive_facts_json"])),
        truth=from_json(row["truth_json"]),
        inside=inside if inside.columns else None,
        steps=read_steps(connection, record_id),
        findings=read_findings(connection, record_id),
        doubts=read_doubts(connection, record_id),
        note=row["note"],
    )
