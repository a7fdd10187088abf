"""Points: the results that a sweep or a population has already computed, found by identity.

    identity (SHA-256 of the question and of the build)  -->  a record, or one step of a record

A result of another build is never returned for the same question; but it can be reported that such results exist.
A point is written in the same transaction as its record or step, so neither exists without the other.
What writes works inside the transaction its caller has opened (`store.py`). Whether a point is where its row says is
checked there, too: the rows of points have a checksum of their own (`checksums.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from flashscope.records.build import UNKNOWN, name_of_build
from flashscope.store.checksums import Part, resealed, stored_rows
from flashscope.store.kept_rows import from_cell
from flashscope.store.rows.table_rows import insert

WHOLE_RECORD = -1
_AT_ONCE = 500  # SQLite takes a limited number of values in one query


@dataclass(frozen=True)
class PointKey:
    """The key of a point: SHA-256 of everything that decides its result.

    identity: of the question and of the build that computes it. asked: of the question alone.
    before_builds: the identity that the same point had before builds were noted.
    """

    identity: str
    asked: str
    before_builds: str


@dataclass(frozen=True)
class PointPlace:
    """Where a point is kept. step_index: WHOLE_RECORD, or the step that it is."""

    record_id: str
    step_index: int


def write_point(connection: sqlite3.Connection, key: PointKey, record_id: str, step_index: int = WHOLE_RECORD) -> None:
    """Note where a point is; a later result of the same build replaces an earlier one."""
    earlier = connection.execute("SELECT record_id FROM points WHERE identity = ?", (key.identity,)).fetchone()
    if earlier is not None:
        with resealed(connection, earlier[0], Part.POINTS, identity=key.identity):
            connection.execute("DELETE FROM points WHERE identity = ?", (key.identity,))
    with resealed(connection, record_id, Part.POINTS, identity=key.identity):
        insert(
            connection, "points",
            identity=key.identity, record_id=record_id, step_index=step_index, asked=key.asked,
        )  # fmt: skip


def read_points(connection: sqlite3.Connection, identities: Collection[str]) -> dict[str, PointPlace]:
    """The places of those points that exist."""
    query = "SELECT identity, record_id, step_index FROM points WHERE identity IN ({})"
    rows = _in_parts(connection, query, identities)
    return {identity: PointPlace(record_id, step_index) for identity, record_id, step_index in rows}


def read_other_builds(connection: sqlite3.Connection, keys: Collection[PointKey]) -> dict[str, set[str]]:
    """Which of these other builds have computed: `asked` -> the builds, as `name_of_build` names them."""
    ours = {key.identity for key in keys}
    before = {key.before_builds: key.asked for key in keys}
    query = """SELECT points.identity, points.asked, records.versions_json FROM points
        JOIN records ON records.id = points.record_id WHERE points.{} IN ({{}})"""
    found: dict[str, set[str]] = {}
    for column, wanted in (("asked", {key.asked for key in keys}), ("identity", before.keys())):
        for identity, asked, versions_json in _in_parts(connection, query.format(column), wanted):
            if identity not in ours:
                builds = found.setdefault(asked or before[identity], set())
                builds.add(_build_of(versions_json))
    return found


def _build_of(versions_json: object) -> str:
    """The name of a build; of a damaged record it is unknown."""
    try:
        return name_of_build(from_cell({"versions_json": versions_json}, "versions_json", dict))
    except (ValueError, TypeError):
        return UNKNOWN


def _in_parts(connection: sqlite3.Connection, query: str, wanted: Collection[str]) -> Iterator[sqlite3.Row]:
    """The rows of a query that ends in `IN ({})`, sent with as many values at a time as SQLite takes."""
    values = list(wanted)
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE]
        yield from connection.execute(query.format(", ".join("?" * len(part))), part)


def read_step_parameters(connection: sqlite3.Connection, place: PointPlace) -> dict[str, Any]:
    """The parameters of the step that a point is. Raises KeyError when there is no such step."""
    rows = stored_rows(connection, "steps", place.record_id, step_index=place.step_index)
    if not rows:
        raise KeyError(place)
    return from_cell(rows[0], "parameters_json", dict)
