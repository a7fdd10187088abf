"""The tables of the series store. Samples and notices are append-only; the database enforces that.

PRAGMA application_id  "FSCS": this SQLite file is a series store of flashscope
PRAGMA user_version    the version of these tables

drives --< samples --< notices
alert_changes          every alert raised or cleared; the newest of a kind is the present state
misses                 readings that gave nothing, with the reason
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.sqlite_files import SERIES_ID, Header
from flashscope.store.file.durable_sqlite import roll_back

APPLICATION_ID = SERIES_ID
VERSION = 1

_TABLES = (
    """CREATE TABLE drives (
        drive_id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, identity_kind TEXT NOT NULL,
        model TEXT NOT NULL, serial TEXT NOT NULL, user_bytes INTEGER
    )""",
    """CREATE TABLE samples (
        sample_id INTEGER PRIMARY KEY AUTOINCREMENT, drive_id INTEGER NOT NULL REFERENCES drives (drive_id),
        place TEXT NOT NULL, wall_s REAL NOT NULL, boot_id TEXT NOT NULL, boot_s REAL NOT NULL, steady_s REAL NOT NULL,
        every_s REAL, firmware TEXT NOT NULL, family TEXT NOT NULL, is_flash INTEGER,
        contradiction_count INTEGER NOT NULL, values_json TEXT NOT NULL, dump BLOB NOT NULL,
        dump_fingerprint TEXT NOT NULL
    )""",
    "CREATE INDEX samples_of_drive ON samples (drive_id, sample_id)",
    "CREATE INDEX samples_at_place ON samples (place, sample_id)",
    """CREATE TABLE notices (
        notice_id INTEGER PRIMARY KEY AUTOINCREMENT, sample_id INTEGER NOT NULL REFERENCES samples (sample_id),
        kind TEXT NOT NULL, key TEXT NOT NULL, message TEXT NOT NULL, details_json TEXT NOT NULL
    )""",
    """CREATE TABLE misses (
        miss_id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, wall_s REAL NOT NULL, reason TEXT NOT NULL,
        after_sample_id INTEGER NOT NULL
    )""",
    "CREATE INDEX misses_at_place ON misses (place, miss_id)",
    """CREATE TABLE alert_changes (
        change_id INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, place TEXT NOT NULL,
        condition TEXT NOT NULL, state TEXT NOT NULL, severity TEXT NOT NULL, wall_s REAL NOT NULL,
        value REAL, limit_value REAL, unit TEXT NOT NULL, message TEXT NOT NULL, told INTEGER NOT NULL
    )""",
    "CREATE INDEX alert_changes_of_subject ON alert_changes (subject, condition, change_id)",
    *(
        f"CREATE TRIGGER {table}_are_not_{what}d BEFORE {what.upper()} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
        for table in ("samples", "notices", "misses")
        for what in ("update", "delete")
    ),
)


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables in a fresh file, or check that the file is a series store of this version.

    Raises WrongUse when it is another program's, another kind of store, or of a newer version; it is left as it was.
    """
    connection.execute("BEGIN IMMEDIATE")  # two programs that open a fresh store take turns here
    try:
        if _is_fresh(connection, path):
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        roll_back(connection)
        raise


def check(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is still empty. Raises WrongUse as `prepare` does; changes nothing."""
    connection.execute("BEGIN")  # one moment for all three questions: another program may be making the store
    try:
        return _is_fresh(connection, path)
    finally:
        roll_back(connection)


def _is_fresh(connection: sqlite3.Connection, path: Path) -> bool:
    application, version, tables = (
        int(connection.execute(question).fetchone()[0])
        for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    return judge(Header(application, version, tables == 0), path)


def judge(found: Header, path: Path) -> bool:
    """As `check`, from the first page of a file."""
    if found == Header():
        return True
    if found.application_id != APPLICATION_ID:
        raise WrongUse(
            f"{path} is an SQLite database, but not a series store",
            accepted="a series store that `flashscope smart watch` made, or a path where nothing is yet",
            advice="name another file with --store",
        )
    if found.user_version > VERSION:
        raise WrongUse(
            f"{path} is a series store of version {found.user_version}; this flashscope knows versions up to {VERSION}",
            accepted=f"series stores of version 1 to {VERSION}",
            advice="use the flashscope that wrote it, or a newer one, or name another store with --store",
        )
    return False
