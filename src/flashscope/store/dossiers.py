"""The dossiers in a store: what was said of a drive, and when, as it was said.

    dossier --newest record that it rests on--> a row of that record, under the checksum of its points

A dossier can always be made again from its records, by a later judge perhaps with another result; the kept one tells
what was read then. A record has the last one that was made with it as the newest; a damaged dossier costs no record.
What writes works inside the transaction that its caller has opened (`store.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flashscope.records.plain import to_json
from flashscope.store.checksums import Part, resealed
from flashscope.store.damage import DamagedRecord, damage_of
from flashscope.store.kept_rows import KeptRows, from_cell, read_kept
from flashscope.store.rows.table_rows import insert

TABLE = "dossiers"


@dataclass(frozen=True)
class KeptDossier:
    """One dossier. record_id: the newest record that it rests on. created_utc: when it was made. document: as JSON."""

    record_id: str
    created_utc: str
    document: Mapping[str, Any]


def write_dossier(connection: sqlite3.Connection, kept: KeptDossier) -> None:
    """Keep a dossier in place of the one that its record has."""
    with resealed(connection, kept.record_id, Part.POINTS):
        connection.execute(f"DELETE FROM {TABLE} WHERE record_id = ?", (kept.record_id,))
        insert(
            connection, TABLE,
            record_id=kept.record_id, created_utc=kept.created_utc, document_json=to_json(kept.document),
        )  # fmt: skip


def read_dossiers(connection: sqlite3.Connection, path: Path) -> Iterator[KeptDossier | DamagedRecord]:
    """All of a store, oldest first; of a damaged record, what is damaged."""
    for (record_id,) in connection.execute(f"SELECT record_id FROM {TABLE} ORDER BY created_utc, record_id").fetchall():
        try:
            with damage_of(path, record_id):
                found = dossier_of(read_kept(connection, record_id, Part.POINTS))
                if found is not None:
                    yield found
        except DamagedRecord as damaged:
            yield damaged


def dossier_of(kept: KeptRows) -> KeptDossier | None:
    """The dossier among the rows of a record, if any. Raises ValueError when it is damaged."""
    rows = kept.tables[TABLE]
    if not rows:
        return None
    return KeptDossier(rows[0]["record_id"], rows[0]["created_utc"], from_cell(rows[0], "document_json", dict))
