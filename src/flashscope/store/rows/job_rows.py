"""What each job of a step did, as rows: its columns over time and its latency histograms (`job_result.py`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from flashscope.records.columns import Column, Table
from flashscope.records.job_result import JobResult
from flashscope.records.latency import Histogram
from flashscope.store.kept_rows import KeptRows
from flashscope.store.rows.blobs import pack_column, pack_histogram, unpack_column, unpack_histogram
from flashscope.store.rows.table_rows import insert


def write_jobs(connection: sqlite3.Connection, record_id: str, step_index: int, jobs: Sequence[JobResult]) -> None:
    """Insert the jobs of a step, of which nothing is kept yet."""
    for job_index, job in enumerate(jobs):
        key = {"record_id": record_id, "step_index": step_index, "job_index": job_index}
        for position, (name, column) in enumerate(job.series.columns.items()):
            insert(connection, "job_columns", **key, position=position, job=job.name, name=name, **pack_column(column))
        for direction, histogram in job.latency.items():
            insert(connection, "job_histograms", **key, direction=direction, **pack_histogram(histogram))


def read_jobs(kept: KeptRows, step_index: int) -> tuple[JobResult, ...]:
    """The jobs of a step in order; empty when none were kept. Raises ValueError when damaged."""
    names: dict[int, str] = {}
    columns: dict[int, dict[str, Column]] = {}
    for row in kept.of_step("job_columns", step_index):
        names[row["job_index"]] = row["job"]
        columns.setdefault(row["job_index"], {})[row["name"]] = unpack_column(row)
    latency: dict[int, dict[str, Histogram]] = {}
    for row in kept.of_step("job_histograms", step_index):
        if row["job_index"] not in names:
            raise ValueError("the latencies of a job have no job")
        latency.setdefault(row["job_index"], {})[row["direction"]] = unpack_histogram(row)
    return tuple(JobResult(name, Table(columns[index]), latency.get(index, {})) for index, name in names.items())
