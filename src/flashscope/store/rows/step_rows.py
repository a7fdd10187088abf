"""Steps as rows: what was done, its series and latencies, its SMART bytes.

What writes works inside the transaction its caller has opened (`store/store.py`); what reads gets rows that were
checked (`kept_rows.py`).
"""

from __future__ import annotations

import sqlite3

from flashscope.records.columns import Table
from flashscope.records.labels import Labels
from flashscope.records.plain import to_json
from flashscope.records.record import Status, StepKind, StepRecord, WorkloadResult
from flashscope.records.smart_snapshot import SmartAttribute, SmartSnapshot
from flashscope.store.checksums import Part, Row, filled_tables
from flashscope.store.kept_rows import KeptRows, from_cell
from flashscope.store.rows import job_rows
from flashscope.store.rows.blobs import pack_histogram, unpack_histogram
from flashscope.store.rows.glass_rows import read_glass, write_glass
from flashscope.store.rows.table_rows import SMART_SERIES, insert, read_table, write_table


def write_step(connection: sqlite3.Connection, record_id: str, step: StepRecord) -> None:
    """Insert a step with everything it measured; it replaces an earlier state of the same step."""
    for table in filled_tables(connection, Part.STEPS, record_id, step_index=step.index):
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
            place = {"record_id": record_id, "step_index": step.index, "direction": direction}
            insert(connection, "latency_histograms", **place, **pack_histogram(histogram))
        job_rows.write_jobs(connection, record_id, step.index, workload.jobs)
    for own in (step.members, step.places):
        if own is not None:  # such a step has no series; its columns are those of the members or the places
            write_table(connection, record_id, step.index, own)
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


def read_steps(kept: KeptRows) -> list[StepRecord]:
    """All steps of a record, in order. Raises ValueError when one is damaged."""
    return [
        StepRecord(
            index=row["step_index"],
            name=row["name"],
            kind=row["kind"],
            status=Status(row["status"]),
            started_ns=row["started_ns"],
            ended_ns=row["ended_ns"],
            note=row["note"],
            parameters=from_cell(row, "parameters_json", dict),
            workload=_read_workload(kept, row) if row["workload_totals_json"] else None,
            smart=_read_smart(kept, row["step_index"]),
            glass=read_glass(kept, row["step_index"]),
            smart_series=_read_smart_series(kept, row["step_index"]),
            members=_read_only_of(StepKind.MEMBERS, kept, row),
            places=_read_only_of(StepKind.PLACES, kept, row),
            labels=_read_labels(row),
        )
        for row in kept.tables["steps"]
    ]


def _read_labels(row: Row) -> Labels:
    labels = from_cell(row, "labels_json", dict)
    if not all(isinstance(value, str | int | float) for value in labels.values()):
        raise ValueError("a label is neither a word nor a number")
    return Labels.from_record(labels)


def _read_only_of(kind: StepKind, kept: KeptRows, row: Row) -> Table | None:
    """The table of a step of this kind; None when it was another kind of step, or was skipped."""
    table = read_table(kept, row["step_index"]) if row["kind"] == kind else Table()
    return table if table.columns else None


def _read_workload(kept: KeptRows, row: Row) -> WorkloadResult:
    totals = from_cell(row, "workload_totals_json", dict)
    if row["workload_duration_ns"] is None or not all(isinstance(total, int | float) for total in totals.values()):
        raise ValueError("the totals of a workload are not numbers")
    return WorkloadResult(
        duration_ns=row["workload_duration_ns"],
        series=read_table(kept, row["step_index"]),
        latency={
            each["direction"]: unpack_histogram(each) for each in kept.of_step("latency_histograms", row["step_index"])
        },
        totals=totals,
        jobs=job_rows.read_jobs(kept, row["step_index"]),
    )


def _read_smart_series(kept: KeptRows, step_index: int) -> Table | None:
    series = read_table(kept, step_index, of=SMART_SERIES)
    return series if series.columns else None


def _read_smart(kept: KeptRows, step_index: int) -> SmartSnapshot | None:
    heads = kept.of_step("smart_snapshots", step_index)
    if not heads:
        return None
    head = heads[0]
    attributes = tuple(
        SmartAttribute(row["id"], row["flags"], row["value"], row["worst"], row["raw"], row["name"])
        for row in kept.of_step("smart_attributes", step_index)
    )
    return SmartSnapshot(
        head["elapsed_ns"],
        head["source"],
        head["model"],
        head["firmware"],
        head["user_bytes"],
        attributes,
        head["rotation_rpm"],
        from_cell(head, "nvme_health_json", dict),
    )
