"""One line about each record of a store, from its head alone; of a damaged one, what is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flashscope.records.examination import Examination
from flashscope.records.record import Status
from flashscope.store.checksums import Part, Row
from flashscope.store.damage import DamagedRecord, damage_of
from flashscope.store.kept_rows import read_kept
from flashscope.store.rows.record_rows import read_examination, read_findings

Shown = Callable[[Row], tuple[Status, str]]
"""Status and note of a record as they are to be shown (`Store.shown`)."""


@dataclass(frozen=True)
class RecordSummary:
    """One line about a record. status: as `Record.status`. statement: that of its first finding, or empty.

    note: how the run ended, or why it is not known whether it has. has_checksum: False for one of an older store.
    examination: as `Record.examination`.
    """

    id: str
    experiment: str
    drive: str
    status: Status
    created_utc: str
    step_count: int
    finding_count: int
    statement: str
    note: str = ""
    has_checksum: bool = True
    examination: Examination | None = None


def read_summaries(connection: sqlite3.Connection, path: Path, shown: Shown) -> Iterator[RecordSummary | DamagedRecord]:
    """Of each record, oldest first: its line, or what is damaged."""
    ids = [row[0] for row in connection.execute("SELECT id FROM records ORDER BY created_utc, id")]
    for record_id in ids:
        try:
            with damage_of(path, record_id):
                yield _summary(connection, record_id, shown)
        except DamagedRecord as damaged:
            yield damaged
    headless = "SELECT record_id FROM checksums WHERE record_id NOT IN (SELECT id FROM records) ORDER BY record_id"
    for (record_id,) in connection.execute(headless).fetchall():
        yield DamagedRecord(path, record_id, "its head is missing")


def _summary(connection: sqlite3.Connection, record_id: str, shown: Shown) -> RecordSummary:
    kept = read_kept(connection, record_id, Part.HEAD)
    row, findings = kept.head, read_findings(kept)
    status, note = shown(row)
    (step_count,) = connection.execute("SELECT count(*) FROM steps WHERE record_id = ?", (record_id,)).fetchone()
    return RecordSummary(
        id=row["id"],
        experiment=row["experiment"],
        drive=row["drive"],
        status=status,
        created_utc=row["created_utc"],
        step_count=step_count,
        finding_count=len(findings),
        statement=findings[0].statement if findings else "",
        note=note,
        has_checksum=kept.has_checksum,
        examination=read_examination(kept),
    )
