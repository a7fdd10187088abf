"""The rows of one record as the store keeps them, read at once and checked before anything is made of them.

    types and columns   as the layout of the table says (`layouts.py`); text is UTF-8
    references          each row of a step leads to a step, each doubt to a finding
    checksums           fit what was read (`checksums.py`)

Raises ValueError that says what is damaged; `damage.py` gives it the name of the record.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from flashscope.records.plain import from_json
from flashscope.store.checksums import TABLES, Part, Row, read_seal, stored_rows, verify
from flashscope.store.layout.layouts import TableLayout, layout

Shape = TypeVar("Shape")

OF_THE_WHOLE = -1
"""In place of a step or of a finding: what belongs to the record as a whole."""


def as_text(stored: bytes) -> str:
    """Text of a cell; bytes that are not UTF-8 stay recognisable, so that the cell can be named and summed."""
    return stored.decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class KeptRows:
    """The rows of some parts of one record. has_checksum: False for a record of an older store."""

    tables: Mapping[str, Sequence[Row]]
    has_checksum: bool
    _by_step: Mapping[tuple[str, int], list[Row]] = field(repr=False)

    @property
    def head(self) -> Row:
        """The row of the record itself."""
        return self.tables["records"][0]

    def of_step(self, table: str, step_index: int) -> list[Row]:
        """The rows of a step in a table, in order."""
        return self._by_step.get((table, step_index), [])


def read_kept(connection: sqlite3.Connection, record_id: str, *parts: Part) -> KeptRows:
    """The rows of these parts of a record, checked. Raises ValueError when one is damaged or missing."""
    if not isinstance(record_id, str):
        raise ValueError("its id is no text")
    if Part.HEAD in parts:
        if not stored_rows(connection, "records", record_id):
            raise ValueError("its head is missing")
        if set("/\0") & set(record_id):  # reports are named after it
            raise ValueError("its id cannot be the name of a file")
    seal = read_seal(connection, record_id)
    tables: dict[str, list[Row]] = {}
    for part in parts:
        read = [(table, stored_rows(connection, table, record_id)) for table in TABLES[part]]
        tables.update(read)
        for table, rows in read:
            for row in rows:
                _check_types(layout()[table], row)
        verify(seal, part, read)
    by_step: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for table in TABLES[Part.STEPS]:
        for row in tables.get(table, ()):
            by_step[table, row["step_index"]].append(row)
    _check_references(tables)
    return KeptRows(tables, seal.is_there, dict(by_step))


def from_cell(row: Row, name: str, shape: type[Shape]) -> Shape:
    """The plain data in a cell of JSON. Raises ValueError when it is no JSON, or has another shape."""
    try:
        value: Any = from_json(row[name])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its {name} is no JSON: {error}") from None
    if not isinstance(value, shape):
        raise ValueError(f"its {name} holds {type(value).__name__} instead of {shape.__name__}")
    return value


def number_from_cell(row: Row, name: str) -> float | None:
    """The number in a cell of JSON, or None. Raises ValueError for anything else."""
    value = from_cell(row, name, object)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError(f"its {name} holds {type(value).__name__} instead of a number")
    return value


def _check_types(form: TableLayout, row: Row) -> None:
    for column in form.columns:
        value = row[column.name]
        if value is None:
            if not column.may_be_empty:
                raise ValueError(f"{form.name}.{column.name} is empty")
        elif not isinstance(value, column.types):
            wanted = "/".join(one.__name__ for one in column.types)
            raise ValueError(f"{form.name}.{column.name} holds {type(value).__name__} instead of {wanted}")
        elif isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise ValueError(f"{form.name}.{column.name} is not UTF-8") from None


def _check_references(tables: Mapping[str, Sequence[Row]]) -> None:
    if "steps" in tables:
        steps = {row["step_index"] for row in tables["steps"]} | {OF_THE_WHOLE}
        for table in TABLES[Part.STEPS]:
            _lead_somewhere(table, "step_index", tables[table], steps)
    if "doubts" in tables:
        findings = {row["position"] for row in tables["findings"]} | {OF_THE_WHOLE}
        _lead_somewhere("doubts", "finding_position", tables["doubts"], findings)


def _lead_somewhere(table: str, column: str, rows: Sequence[Row], targets: set[int]) -> None:
    lost = [row[column] for row in rows if row[column] not in targets]
    if lost:
        raise ValueError(f"{table}.{column} leads to {lost[0]}, which is not there")
