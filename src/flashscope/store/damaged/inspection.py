"""What is damaged in a store: SQLite's own check, then every record read completely. Nothing is changed.

    integrity   what `PRAGMA integrity_check` finds
    records     each one with its checksums, types, references and contents (`kept_rows.py`, `rows/`)
    headless    rows of records whose head is missing

A store of an older layout, and one that SQLite cannot read, are read from what can be copied of them (`salvage.py`).
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flashscope.records.record import Record
from flashscope.store.checksums import Part
from flashscope.store.damage import UNREADABLE, DamagedRecord, damage_of, is_about_data, printable
from flashscope.store.damaged.salvage import open_salvaged
from flashscope.store.dossiers import dossier_of
from flashscope.store.file import read_only
from flashscope.store.kept_rows import OF_THE_WHOLE, KeptRows, as_text, read_kept
from flashscope.store.layout.layouts import NEWEST, layout
from flashscope.store.layout.schema import check_version, judge
from flashscope.store.rows import record_rows as rows

_FAULTS_SHOWN = 20


@dataclass
class Inspection:
    """What was found. faults: SQLite's own words; damaged: the records that cannot be used, each with what is damaged.

    without_checksum: how many of the sound ones an older version kept, so that damage in them can go unnoticed.
    """

    faults: list[str] = field(default_factory=list)
    sound: list[str] = field(default_factory=list)
    damaged: list[DamagedRecord] = field(default_factory=list)
    without_checksum: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether everything can be used."""
        return not self.faults and not self.damaged


def inspect(path: Path) -> Inspection:
    """Check a store that exists. Raises WrongUse when it is no store of records, is locked, or cannot be read."""
    return read_only.asked(path, judge, lambda connection: _inspected(connection, path))


def _inspected(connection: sqlite3.Connection, path: Path) -> Inspection:
    connection.text_factory = as_text
    found = Inspection()
    is_readable = False
    with _noting_faults(found):
        version = check_version(connection, path)
        connection.execute("BEGIN")
        said = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_FAULTS_SHOWN})")]
        found.faults = [] if said == ["ok"] else [printable(line) for text in said for line in str(text).splitlines()]
        if version == NEWEST:
            _read_all(connection, path, found)
            is_readable = True
    if not is_readable:
        found.sound, found.damaged, found.without_checksum = [], [], 0
        with (
            _noting_faults(found),
            tempfile.TemporaryDirectory() as folder,
            open_salvaged(connection, Path(folder, "copy")) as (copy, _),
        ):
            _read_all(copy, path, found)
    return found


@contextlib.contextmanager
def _noting_faults(found: Inspection) -> Iterator[None]:
    """Leave the block where SQLite says that the file is damaged, and note its words."""
    try:
        yield
    except UNREADABLE as error:
        if not is_about_data(error):
            raise
        found.faults.append(printable(str(error)))


def _read_all(connection: sqlite3.Connection, path: Path, found: Inspection) -> None:
    for record_id in record_ids(connection):
        try:
            with damage_of(path, record_id):
                kept, _ = read_whole(connection, record_id)
        except DamagedRecord as damaged:
            found.damaged.append(damaged)
        else:
            found.sound.append(record_id)
            found.without_checksum += not kept.has_checksum


def read_whole(connection: sqlite3.Connection, record_id: str) -> tuple[KeptRows, Record]:
    """All of a record: its rows, and what they mean. Raises ValueError and the like when something is damaged."""
    kept = read_kept(connection, record_id, *Part)
    steps = {row["step_index"] for row in kept.tables["steps"]} | {OF_THE_WHOLE}
    for row in kept.tables["points"]:
        if row["step_index"] not in steps:
            raise ValueError(f"a point leads to its step {row['step_index']}, which is not there")
    dossier_of(kept)
    return kept, rows.read_record(kept)


def record_ids(connection: sqlite3.Connection) -> Iterator[str]:
    """The ids of all records, oldest first; then those that only have rows without a head."""
    query = "SELECT id FROM records ORDER BY created_utc, id"
    known = [row[0] for row in connection.execute(query)]
    yield from known
    lost: dict[str, None] = {}
    for table in layout().values():
        for (record_id,) in connection.execute(f"SELECT DISTINCT {table.record} FROM {table.name}"):
            lost[record_id] = None
    yield from (record_id for record_id in lost if record_id not in set(known))
