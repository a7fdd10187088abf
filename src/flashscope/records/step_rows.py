"""Steps as rows: what was done, its series and latencies, its SMART bytes.

Every function works inside the transaction its caller has opened (`records/store.py`).
"""

from __future__ import annotations

import sqlite3

from flashscope.records.blobs import pack_histogram, unpack_histogram
from flashscope.records.columns import Table
from flashscope.records.glass_rows import read_glass, write_glass
from flashscope.records.labels import Labels
from flashscope.records.plain import from_json, to_json
from flashscope.records.record import SmartAttribute, SmartSnapshot, Status, StepKind, StepRecord, WorkloadResult
from flashscope.records.table_rows import SMART_SERIES, insert, read_table, write_table


def write_step(connection: sqlite3.Connection, record_id: str, step: StepRecord) -> None:
    """Insert a step with everything it measured; it replaces an earlier state of the same step."""
    tables = (
        "steps",
        "series_columns",
        "latency_histograms",
        "smart_snapshots",
        "smart_attributes",
        "glass_columns",
        "smart_series_columns",
    )
    for table in tables:
        connection.execute(f"DELETE FROM {table} WHERE record_id = ? AND step_index = ?", (record_id, step.index))
    workload = step.workload
    insert(
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
        labels_json=to_json(step.labels),
        workload_duration_ns=workload.duration_ns if workload else None,
        workload_totals_json=to_json(workload.totals) if workload else None,
    )
    if workload:
        write_table(connection, record_id, step.index, workload.series)
        for direction, histogram in workload.latency.items():
            insert(
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
    if step.members is not None:  # a step that reads members has no series; its columns are those of the members
        write_table(connection, record_id, step.index, step.members)
    if step.smart:
        _write_smart(connection, record_id, step.index, step.smart)
    if step.smart_series is not None:
        write_table(connection, record_id, step.index, step.smart_series, into=SMART_SERIES)
    if step.glass:
        write_glass(connection, record_id, step.index, step.glass)


def _write_smart(connection: sqlite3.Connection, record_id: str, step_index: int, smart: SmartSnapshot) -> None:
    insert(
        connection,
        "smart_snapshots",
        record_id=record_id,
        step_index=step_index,
        elapsed_ns=smart.elapsed_ns,
        source=smart.source,
        model=smart.model,
        firmware=smart.firmware,
        user_bytes=smart.user_bytes,
        rotation_rpm=smart.rotation_rpm,
        nvme_health_json=to_json(smart.nvme_health),
    )
    for position, attribute in enumerate(smart.attributes):
        insert(
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
            glass=read_glass(connection, record_id, row["step_index"]),
            smart_series=_read_smart_series(connection, record_id, row["step_index"]),
            members=_read_members(connection, record_id, row),
            labels=Labels.from_record(from_json(row["labels_json"])),
        )
        for row in rows
    ]


def _read_members(connection: sqlite3.Connection, record_id: str, row: sqlite3.Row) -> Table | None:
    """The result of a step that read members; None when it was another kind of step, or was skipped."""
    members = read_table(connection, record_id, row["step_index"]) if row["kind"] == StepKind.MEMBERS else Table()
    return members if members.columns else None


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


def _read_smart_series(connection: sqlite3.Connection, record_id: str, step_index: int) -> Table | None:
    series = read_table(connection, record_id, step_index, of=SMART_SERIES)
    return series if series.columns else None


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
        head["elapsed_ns"],
        head["source"],
        head["model"],
        head["firmware"],
        head["user_bytes"],
        attributes,
        head["rotation_rpm"],
        from_json(head["nvme_health_json"]),
    )
