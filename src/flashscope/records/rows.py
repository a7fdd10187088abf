"""Records as rows: writes the parts of a record into the store's tables and reads them back.

Every function works inside the transaction its caller has opened (`records/store.py`).
"""

from __future__ import annotations

import sqlite3
from typing import Any

from flashscope.records.blobs import pack_column, pack_histogram, unpack_column, unpack_histogram
from flashscope.records.columns import Table
from flashscope.records.plain import from_json, to_json
from flashscope.records.record import (
    Doubt,
    Finding,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepRecord,
    WorkloadResult,
)

INSIDE = -1
"""The step_index under which the columns of `Record.inside` are kept."""

_OF_THE_RECORD = -1  # the finding_position of doubts about the record as a whole


def _insert(connection: sqlite3.Connection, table: str, **values: Any) -> None:
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def write_record(connection: sqlite3.Connection, record: Record, process_json: str) -> None:
    """Insert the head of a record (no steps, no findings). Raises sqlite3.IntegrityError when its id is taken."""
    _insert(
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
        drive_facts_json=to_json(record.drive_facts),
        truth_json=to_json(record.truth),
        note=record.note,
        process_json=process_json,
    )


def write_table(connection: sqlite3.Connection, record_id: str, step_index: int, table: Table) -> None:
    """Replace the columns of one step, or of the inside."""
    connection.execute("DELETE FROM series_columns WHERE record_id = ? AND step_index = ?", (record_id, step_index))
    for position, (name, column) in enumerate(table.columns.items()):
        dtype, data = pack_column(column)
        _insert(
            connection,
            "series_columns",
            record_id=record_id,
            step_index=step_index,
            position=position,
            name=name,
            unit=column.unit,
            dtype=dtype,
            row_count=len(column.values),
            data=data,
        )


def read_table(connection: sqlite3.Connection, record_id: str, step_index: int) -> Table:
    """The columns of one step, or of the inside; an empty table when there are none."""
    rows = connection.execute(
        "SELECT name, unit, dtype, data FROM series_columns WHERE record_id = ? AND step_index = ? ORDER BY position",
        (record_id, step_index),
    )
    return Table({row["name"]: unpack_column(row["unit"], row["dtype"], row["data"]) for row in rows})


def write_step(connection: sqlite3.Connection, record_id: str, step: StepRecord) -> None:
    """Insert a step with all it measured, in place of an earlier state of the same step."""
    for table in ("steps", "series_columns", "latency_histograms", "smart_snapshots", "smart_attributes"):
        connection.execute(f"DELETE FROM {table} WHERE record_id = ? AND step_index = ?", (record_id, step.index))
    workload = step.workload
    _insert(
        connection,
        "steps",
        record_id=record_id,
        step_index=step.index,
        name=step.name,
        kind=step.kind,
        status=step.status.value,
        started_ns=step.started_ns,
        ended_ns=step.ended_ns,
        note=step.note,
        parameters_json=to_json(step.parameters),
        workload_duration_ns=workload.duration_ns if workload else None,
        workload_totals_json=to_json(workload.totals) if workload else None,
    )
    if workload:
        write_table(connection, record_id, step.index, workload.series)
        for direction, histogram in workload.latency.items():
            _insert(
                connection,
                "latency_histograms",
                record_id=record_id,
                step_index=step.index,
                direction=direction,
                request_count=histogram.total,
                sum_ns=str(histogram.sum_ns),
                min_ns=histogram.min_ns,
                max_ns=histogram.max_ns,
                data=pack_histogram(histogram),
            )
    if step.smart:
        _write_smart(connection, record_id, step.index, step.smart)


def _write_smart(connection: sqlite3.Connection, record_id: str, step_index: int, smart: SmartSnapshot) -> None:
    _insert(
        connection,
        "smart_snapshots",
        record_id=record_id,
        step_index=step_index,
        elapsed_ns=smart.elapsed_ns,
        source=smart.source,
        model=smart.model,
        firmware=smart.firmware,
        user_bytes=smart.user_bytes,
    )
    for position, attribute in enumerate(smart.attributes):
        _insert(
            connection,
            "smart_attributes",
            record_id=record_id,
            step_index=step_index,
            position=position,
            id=attribute.id,
            flags=attribute.flags,
            value=attribute.value,
            worst=attribute.worst,
            raw=attribute.raw,
            name=attribute.name,
        )


def read_steps(connection: sqlite3.Connection, record_id: str) -> list[StepRecord]:
    """All steps of a record, in order."""
    rows = connection.execute("SELECT * FROM steps WHERE record_id = ? ORDER BY step_index", (record_id,)).fetchall()
    return [
        StepRecord(
            index=row["step_index"],
            name=row["name"],
            kind=row["kind"],
            status=Status(row["status"]),
            started_ns=row["started_ns"],
            ended_ns=row["ended_ns"],
            note=row["note"],
            parameters=from_json(row["parameters_json"]),
            workload=_read_workload(connection, record_id, row) if row["workload_totals_json"] else None,
            smart=_read_smart(connection, record_id, row["step_index"]),
        )
        for row in rows
    ]


def _read_workload(connection: sqlite3.Connection, record_id: str, row: sqlite3.Row) -> WorkloadResult:
    histograms = connection.execute(
        "SELECT * FROM latency_histograms WHERE record_id = ? AND step_index = ? ORDER BY direction",
        (record_id, row["step_index"]),
    )
    return WorkloadResult(
        duration_ns=row["workload_duration_ns"],
        series=read_table(connection, record_id, row["step_index"]),
        latency={
            each["direction"]: unpack_histogram(
                each["data"], sum_ns=int(each["sum_ns"]), min_ns=each["min_ns"], max_ns=each["max_ns"]
            )
            for each in histograms
        },
        totals=from_json(row["workload_totals_json"]),
    )


def _read_smart(connection: sqlite3.Connection, record_id: str, step_index: int) -> SmartSnapshot | None:
    key = (record_id, step_index)
    head = connection.execute("SELECT * FROM smart_snapshots WHERE record_id = ? AND step_index = ?", key).fetchone()
    if head is None:
        return None
    rows = connection.execute(
        "SELECT * FROM smart_attributes WHERE record_id = ? AND step_index = ? ORDER BY position", key
    )
    attributes = tuple(
        SmartAttribute(row["id"], row["flags"], row["value"], row["worst"], row["raw"], row["name"]) for row in rows
    )
    return SmartSnapshot(
        head["elapsed_ns"], head["source"], head["model"], head["firmware"], head["user_bytes"], attributes
    )


def write_conclusions(connection: sqlite3.Connection, record: Record) -> None:
    """Replace the findings and doubts of a record."""
    for table in ("findings", "doubts"):
        connection.execute(f"DELETE FROM {table} WHERE record_id = ?", (record.id,))
    for position, finding in enumerate(record.findings):
        _insert(
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
        _insert(
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
    """A whole record. Raises KeyError when there is none of that id."""
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
        drive_facts=from_json(row["drive_facts_json"]),
        truth=from_json(row["truth_json"]),
        inside=inside if inside.columns else None,
        steps=read_steps(connection, record_id),
        findings=read_findings(connection, record_id),
        doubts=read_doubts(connection, record_id),
        note=row["note"],
    )
