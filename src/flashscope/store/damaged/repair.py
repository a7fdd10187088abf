"""A sound store made from a damaged one: every record that is as it was written. The damaged file stays as it is.

    salvage.py --rows--> a new file --every record read completely--> sound             stays
                                                                      steps damaged     its head and its findings stay
                                                                      no checksum       stays
                                                                      head damaged      is removed again, and named

A record that stays with less than all, or without a proof that it is as it was written, gets a doubt that says so.
The new file appears under its name when it is complete.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.kept import BESIDE_STORE, kept_as
from flashscope.outputs.places import Place, find_place
from flashscope.outputs.sqlite_files import Header
from flashscope.records.doubt import Doubt
from flashscope.store.checksums import TABLES, Part, read_seal, seal_anew
from flashscope.store.damage import DamagedRecord, damage_of, printable
from flashscope.store.damaged.inspection import read_whole, record_ids
from flashscope.store.damaged.salvage import Salvaged, open_salvaged
from flashscope.store.file import read_only
from flashscope.store.file.errors import explained
from flashscope.store.kept_rows import OF_THE_WHOLE, read_kept
from flashscope.store.layout.layouts import layout
from flashscope.store.rows.record_rows import read_findings, read_record
from flashscope.store.rows.table_rows import insert

DOUBT = Doubt(
    "SavedFromDamagedStore",
    "this record was saved from a damaged store, and has no checksum there: something in it may be missing or changed",
    "measure again where it matters",
)
"""What a saved record gets when nothing proves that it is as it was written."""

STEPS_LOST = Doubt(
    "StepsLost",
    "what its steps measured was damaged in the store that this record was saved from: its findings are as they were "
    "written, their evidence is lost",
    "measure again where the evidence matters",
)
"""What a record gets of which only the head could be saved."""


@dataclass
class Repaired:
    """What became of the records. saved: all that are in the new store; of these, doubtful have DOUBT.

    in_part: those that have STEPS_LOST, with what was damaged. unasked: those that sweeps no longer find again.
    lost: damaged. faults: what SQLite could not read.
    """

    new: Path
    saved: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    in_part: list[DamagedRecord] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)
    lost: list[DamagedRecord] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def repair(path: Path, new: Path) -> Repaired:
    """Save what is sound in the store at `path`, which exists, into a new store.

    Raises WrongUse when `new` exists or cannot be made, or when the old file is no SQLite file or is locked.
    """
    place = _new_place(new)
    result = Repaired(new)
    with explained(new, started=False):
        place.path.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.path.with_name(f".flashscope-{secrets.token_hex(8)}")
    try:
        read_only.asked(path, _anything, lambda source: _save(source, path, fresh, result))
        with explained(new, started=False):
            os.link(fresh, place.path)
    finally:
        for suffix in ("", *BESIDE_STORE):
            fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    return result


def _new_place(new: Path) -> Place:
    place = find_place(new)
    taken = [new, *(place.path.with_name(place.path.name + suffix) for suffix in BESIDE_STORE)]
    there = next((one for one in taken if os.path.lexists(one)), None)
    if place.is_stream or there is not None:
        raise WrongUse(
            f"{printable(there or new)} is there already",
            accepted="a new file",
            advice="name a file that is not there yet",
        )
    found = kept_as(place.path)
    if found:
        raise WrongUse(
            f"{printable(new)} cannot be a store: {found}", accepted="a new file", advice="name another place"
        )
    return place


def _anything(found: Header, path: Path) -> None:
    """Any SQLite file will do: the marks of a damaged store may be damaged, too."""


def _save(source: sqlite3.Connection, path: Path, fresh: Path, result: Repaired) -> None:
    with explained(result.new, started=False), open_salvaged(source, fresh) as (copy, told):
        result.faults = list(told.faults)
        copy.execute("BEGIN")
        for record_id in list(record_ids(copy)):
            try:
                with damage_of(path, record_id):
                    _keep(copy, record_id, told, result)
            except DamagedRecord as damaged:
                if _keep_head(copy, path, record_id):
                    result.saved.append(record_id)
                    result.in_part.append(damaged)
                else:
                    _remove(copy, record_id)
                    result.lost.append(damaged)
        copy.execute("COMMIT")
        copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _keep(copy: sqlite3.Connection, record_id: str, told: Salvaged, result: Repaired) -> None:
    if record_id in told.rows_lost:
        raise ValueError("rows of it are damaged")
    is_doubtful = not _has_seal(copy, record_id) or (bool(told.faults) and not read_seal(copy, record_id).is_there)
    if is_doubtful:
        _unseal(copy, record_id)
    read_record(read_kept(copy, record_id, Part.HEAD, Part.STEPS))
    if is_doubtful:
        result.doubtful.append(record_id)
    result.saved.append(record_id)
    try:
        read_whole(copy, record_id)
    except ValueError:
        _forget_points(copy, record_id)
        copy.execute("UPDATE checksums SET points = ? WHERE record_id = ?", (f"{0:032x}", record_id))
        result.unasked.append(record_id)


def _keep_head(copy: sqlite3.Connection, path: Path, record_id: str) -> bool:
    """Keep findings that are proved to be as they were written, without the steps; False when there are none."""
    try:
        with damage_of(path, record_id):
            kept = read_kept(copy, record_id, Part.HEAD)
            findings = read_findings(kept)
    except DamagedRecord:
        return False
    if not kept.has_checksum or not findings:
        return False
    for part in (Part.STEPS, Part.POINTS):
        for table in TABLES[part]:
            copy.execute(f"DELETE FROM {table} WHERE record_id = ?", (record_id,))
    _add_doubt(copy, record_id, STEPS_LOST)
    seal_anew(copy, record_id)
    return True


def _has_seal(copy: sqlite3.Connection, record_id: str) -> bool:
    return copy.execute("SELECT 1 FROM checksums WHERE record_id = ?", (record_id,)).fetchone() is not None


def _unseal(copy: sqlite3.Connection, record_id: str) -> None:
    copy.execute("INSERT OR REPLACE INTO checksums VALUES (?, 0, 'none', 'none', 'none')", (record_id,))
    _forget_points(copy, record_id)
    _add_doubt(copy, record_id, DOUBT)


def _forget_points(copy: sqlite3.Connection, record_id: str) -> None:
    """Points and dossiers can be made again; a record is saved without them."""
    for table in TABLES[Part.POINTS]:
        copy.execute(f"DELETE FROM {table} WHERE record_id = ?", (record_id,))


def _add_doubt(copy: sqlite3.Connection, record_id: str, doubt: Doubt) -> None:
    (position,) = copy.execute(
        "SELECT coalesce(max(position), -1) + 1 FROM doubts WHERE record_id = ? AND finding_position = ?",
        (record_id, OF_THE_WHOLE),
    ).fetchone()
    insert(
        copy, "doubts",
        record_id=record_id, finding_position=OF_THE_WHOLE, position=position,
        kind=doubt.kind, message=doubt.message, advice=doubt.advice,
    )  # fmt: skip


def _remove(copy: sqlite3.Connection, record_id: object) -> None:
    for table in layout().values():
        copy.execute(f"DELETE FROM {table.name} WHERE {table.record} = ?", (record_id,))
