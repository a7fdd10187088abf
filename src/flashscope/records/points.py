"""Points: what a sweep or a population has computed already, found by its identity.

    identity (SHA-256 of all that decides the result)  -->  a record, or one step of a record

A point is written in the same transaction as what it names, so there is never one without the other.
Every function works inside the transaction its caller has opened (`store.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from flashscope.records.plain import from_json
from flashscope.records.record import Finding, Status
from flashscope.records.rows import read_findings

WHOLE_RECORD = -1
_AT_ONCE = 500  # SQLite takes a limited number of values in one question


@dataclass(frozen=True)
class PointPlace:
    """Where a point is kept. step_index: WHOLE_RECORD, or the step that it is."""

    record_id: str
    step_index: int


@dataclass(frozen=True)
class RecordHead:
    """What a record says in short."""

    id: str
    status: Status
    note: str
    findings: tuple[Finding, ...]


def write_point(connection: sqlite3.Connection, identity: str, record_id: str, step_index: int = WHOLE_RECORD) -> None:
    """Note where a point is; a later result takes the place of an earlier one."""
    connection.execute("INSERT OR REPLACE INTO points VALUES (?, ?, ?)", (identity, record_id, step_index))


def read_points(connection: sqlite3.Connection, identities: Collection[str]) -> dict[str, PointPlace]:
    """The places of those that are there."""
    wanted = list(identities)
    found: dict[str, PointPlace] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        query = f"SELECT identity, record_id, step_index FROM points WHERE identity IN ({', '.join('?' * len(part))})"
        for identity, record_id, step_index in connection.execute(query, part):
            found[identity] = PointPlace(record_id, step_index)
    return found


def read_step_parameters(connection: sqlite3.Connection, place: PointPlace) -> dict[str, Any]:
    """The parameters of the step that a point is. Raises KeyError when there is no such step."""
    query = "SELECT parameters_json FROM steps WHERE record_id = ? AND step_index = ?"
    row = connection.execute(query, (place.record_id, place.step_index)).fetchone()
    if row is None:
        raise KeyError(place)
    parameters: dict[str, Any] = from_json(row["parameters_json"])
    return parameters


def read_head(connection: sqlite3.Connection, record_id: str) -> RecordHead:
    """How a record ended and what it found. Raises KeyError when there is none of that id."""
    row = connection.execute("SELECT id, status, note FROM records WHERE id = ?", (record_id,)).fetchone()
    if row is None:
        raise KeyError(record_id)
    return RecordHead(row["id"], Status(row["status"]), row["note"], tuple(read_findings(connection, record_id)))
