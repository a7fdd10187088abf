"""Records as rows: the head of a record and its findings (steps: `step_rows.py`).

What writes works inside the transaction its caller has opened (`store/store.py`); what reads gets rows that were
checked (`kept_rows.py`).
"""

from __future__ import annotations

import sqlite3

from flashscope.records.doubt import Doubt
from flashscope.records.examination import Examination
from flashscope.records.plain import to_json
from flashscope.records.record import Finding, Record, Status
from flashscope.store.checksums import Row
from flashscope.store.kept_rows import OF_THE_WHOLE, KeptRows, from_cell, number_from_cell
from flashscope.store.layout.layouts import layout
from flashscope.store.rows.facts_json import facts_from_json
from flashscope.store.rows.step_rows import read_steps
from flashscope.store.rows.table_rows import INSIDE, insert, read_table


def free_id(connection: sqlite3.Connection, wanted: str) -> str:
    """The id, or with "-2", "-3" after it when it is taken, be it by rows that a damaged store has lost the head of."""
    attempt = 1
    while True:
        found = wanted if attempt == 1 else f"{wanted}-{attempt}"
        if not any(_has_rows(connection, table, found) for table in layout()):
            return found
        attempt += 1


def _has_rows(connection: sqlite3.Connection, table: str, record_id: str) -> bool:
    query = f"SELECT 1 FROM {table} WHERE {layout()[table].record} = ? LIMIT 1"
    return connection.execute(query, (record_id,)).fetchone() is not None


def write_record(connection: sqlite3.Connection, record: Record, process_json: str) -> None:
    """Insert the head of a record (no steps, no findings), whose id is free."""
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
    if record.examination is not None:
        insert(connection, "examinations", record_id=record.id, asked_json=to_json(record.examination))


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
    _write_doubts(connection, record.id, OF_THE_WHOLE, tuple(record.doubts))


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


def read_findings(kept: KeptRows) -> list[Finding]:
    """All findings of a record, in order, each with its doubts. Raises ValueError when one is damaged."""
    return [
        Finding(
            key=row["key"],
            statement=row["statement"],
            value=_value(row),
            unit=row["unit"],
            low=number_from_cell(row, "low_json"),
            high=number_from_cell(row, "high_json"),
            confidence_ratio=row["confidence_ratio"],
            evidence=tuple(str(one) for one in from_cell(row, "evidence_json", list)),
            doubts=tuple(read_doubts(kept, row["position"])),
            details=from_cell(row, "details_json", dict),
        )
        for row in kept.tables["findings"]
    ]


def _value(row: Row) -> float | int | str | None:
    value = from_cell(row, "value_json", object)
    return value if isinstance(value, str | bool) else number_from_cell(row, "value_json")


def read_doubts(kept: KeptRows, finding_position: int = OF_THE_WHOLE) -> list[Doubt]:
    """The doubts of one finding, or those about the record as a whole."""
    rows = (row for row in kept.tables["doubts"] if row["finding_position"] == finding_position)
    return [Doubt(row["kind"], row["message"], row["advice"]) for row in rows]


def read_examination(kept: KeptRows) -> Examination | None:
    """The examination that the record is a part of, if any. Raises ValueError when it is damaged."""
    rows = kept.tables["examinations"]
    return Examination.of_plain(from_cell(rows[0], "asked_json", dict)) if rows else None


def read_record(kept: KeptRows) -> Record:
    """A complete record, from its head and its steps. Raises ValueError and the like when it is damaged."""
    row = kept.head
    inside = read_table(kept, INSIDE)
    return Record(
        id=row["id"],
        experiment=row["experiment"],
        drive=row["drive"],
        status=Status(row["status"]),
        created_utc=row["created_utc"],
        seed=int(row["seed"]),
        command=row["command"],
        versions=from_cell(row, "versions_json", dict),
        host=from_cell(row, "host_json", dict),
        configuration=from_cell(row, "configuration_json", dict),
        configuration_hash=row["configuration_hash"],
        drive_facts=facts_from_json(from_cell(row, "drive_facts_json", dict)),
        truth=from_cell(row, "truth_json", dict),
        inside=inside if inside.columns else None,
        steps=read_steps(kept),
        findings=read_findings(kept),
        doubts=read_doubts(kept),
        note=row["note"],
        examination=read_examination(kept),
    )
