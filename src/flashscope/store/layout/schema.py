"""The tables of the store, as a numbered list of migrations.

    PRAGMA user_version   how many migrations a store has seen
    PRAGMA application_id  "FSCP": this SQLite file is a store of flashscope

A new version appends one migration and changes none of the old ones. Each runs in one transaction together with its
version number, so a store always has exactly one version, even after a power cut.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.sqlite_files import RECORDS_ID, Header
from flashscope.records.plain import to_json
from flashscope.store.file.durable_sqlite import roll_back
from flashscope.store.layout.labels_of_old_names import labels_of_old_name

APPLICATION_ID = RECORDS_ID

# Whole numbers that may exceed 2^63 (seeds, sums of nanoseconds) are kept as text; names ending in _json
# hold canonical JSON. `inside` of a record is kept in series_columns under step_index -1, and doubts
# about the record as a whole in doubts under finding_position -1.
_FIRST_TABLES = """
CREATE TABLE records (
    id TEXT PRIMARY KEY, experiment TEXT NOT NULL, drive TEXT NOT NULL, status TEXT NOT NULL,
    created_utc TEXT NOT NULL, seed TEXT NOT NULL, command TEXT NOT NULL, versions_json TEXT NOT NULL,
    host_json TEXT NOT NULL, configuration_json TEXT NOT NULL, configuration_hash TEXT NOT NULL,
    drive_facts_json TEXT NOT NULL, truth_json TEXT NOT NULL, note TEXT NOT NULL,
    process_json TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE steps (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    name TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, started_ns INTEGER NOT NULL,
    ended_ns INTEGER NOT NULL, note TEXT NOT NULL, parameters_json TEXT NOT NULL,
    workload_duration_ns INTEGER, workload_totals_json TEXT,
    PRIMARY KEY (record_id, step_index)
);
CREATE TABLE series_columns (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    position INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, dtype TEXT NOT NULL,
    row_count INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (record_id, step_index, position)
);
CREATE TABLE latency_histograms (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    direction TEXT NOT NULL, request_count INTEGER NOT NULL, sum_ns TEXT NOT NULL, min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (record_id, step_index, direction)
);
CREATE TABLE smart_snapshots (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    elapsed_ns INTEGER NOT NULL, source TEXT NOT NULL, model TEXT NOT NULL, firmware TEXT NOT NULL,
    user_bytes INTEGER NOT NULL,
    PRIMARY KEY (record_id, step_index)
);
CREATE TABLE smart_attributes (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    position INTEGER NOT NULL, id INTEGER NOT NULL, flags INTEGER NOT NULL, value INTEGER NOT NULL,
    worst INTEGER NOT NULL, raw BLOB NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (record_id, step_index, position)
);
CREATE TABLE findings (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, position INTEGER NOT NULL,
    key TEXT NOT NULL, statement TEXT NOT NULL, value_json TEXT NOT NULL, unit TEXT NOT NULL,
    low_json TEXT NOT NULL, high_json TEXT NOT NULL, confidence_ratio REAL NOT NULL,
    evidence_json TEXT NOT NULL, details_json TEXT NOT NULL,
    PRIMARY KEY (record_id, position)
);
CREATE TABLE doubts (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, finding_position INTEGER NOT NULL,
    position INTEGER NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL, advice TEXT NOT NULL,
    PRIMARY KEY (record_id, finding_position, position)
);
"""

# The inside of a virtual drive over time (`records/glass.py`); part: "series", "decisions" or "heat map".
_GLASS = """
CREATE TABLE glass_columns (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    position INTEGER NOT NULL, part TEXT NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, dtype TEXT NOT NULL,
    row_count INTEGER NOT NULL, column_count INTEGER NOT NULL, place TEXT NOT NULL,
    places_covered INTEGER NOT NULL, slots_per_block INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (record_id, step_index, position)
);
"""

# SMART read again and again while a step ran (`StepRecord.smart_series`).
_SMART_SERIES = """
CREATE TABLE smart_series_columns (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    position INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, dtype TEXT NOT NULL,
    row_count INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (record_id, step_index, position)
);
"""

# What a snapshot of SMART says beside the attributes (`SmartSnapshot`).
_SMART_BESIDE_ATTRIBUTES = """
ALTER TABLE smart_snapshots ADD COLUMN rotation_rpm INTEGER;
ALTER TABLE smart_snapshots ADD COLUMN nvme_health_json TEXT NOT NULL DEFAULT '{}';
"""

# The points of sweeps and lives of populations that exist, by the hash of everything that decides them (`points.py`).
# step_index -1: the whole record is the point; otherwise that step of it is.
_POINTS = """
CREATE TABLE points (
    identity TEXT PRIMARY KEY, record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    step_index INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX points_by_record ON points (record_id);
"""

# The question of a point, for any build; empty for points made before builds were noted.
_POINTS_OF_OTHER_BUILDS = """
ALTER TABLE points ADD COLUMN asked TEXT NOT NULL DEFAULT '';
CREATE INDEX points_by_asked ON points (asked);
"""

# The meaning of a step in its experiment (`labels.py`).
_LABELS = """
ALTER TABLE steps ADD COLUMN labels_json TEXT NOT NULL DEFAULT '{}';
"""

# Older steps get their labels from their names.
_LABELS_OF_OLD_STEPS = """
UPDATE steps SET labels_json = labels_of_old_name((SELECT experiment FROM records WHERE id = record_id), name)
    WHERE labels_json = '{}';
"""

# Facts of drives with capabilities. Older facts stay unchanged and are read by `older_facts.py`; the version number
# prevents an older flashscope from reading the new ones.
_FACTS_BY_CAPABILITY = ""

# Checksums of each record (`checksums.py`); those that are there already have none, which layout 0 says.
_CHECKSUMS = """
CREATE TABLE checksums (
    record_id TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE, layout INTEGER NOT NULL,
    head TEXT NOT NULL, steps TEXT NOT NULL, points TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO checksums SELECT id, 0, 'none', 'none', 'none' FROM records;
"""

# What each job of a step did over time (`job_result.py`).
_JOBS = """
CREATE TABLE job_columns (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    job_index INTEGER NOT NULL, position INTEGER NOT NULL, job TEXT NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL,
    dtype TEXT NOT NULL, row_count INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (record_id, step_index, job_index, position)
);
CREATE TABLE job_histograms (
    record_id TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE, step_index INTEGER NOT NULL,
    job_index INTEGER NOT NULL, direction TEXT NOT NULL, request_count INTEGER NOT NULL, sum_ns TEXT NOT NULL,
    min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (record_id, step_index, job_index, direction)
);
"""

# Of which examination a record is (`examination.py`); records of earlier layouts are none's.
_EXAMINATIONS = """
CREATE TABLE examinations (
    record_id TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE, asked_json TEXT NOT NULL
) WITHOUT ROWID;
"""

# What was said of a drive when this was its newest record (`dossiers.py`).
_DOSSIERS = """
CREATE TABLE dossiers (
    record_id TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE, created_utc TEXT NOT NULL,
    document_json TEXT NOT NULL
) WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (
    _FIRST_TABLES, _GLASS, _SMART_SERIES, _SMART_BESIDE_ATTRIBUTES, _POINTS, _POINTS_OF_OTHER_BUILDS, _LABELS,
    _LABELS_OF_OLD_STEPS, _FACTS_BY_CAPABILITY, _CHECKSUMS, _JOBS, _EXAMINATIONS, _DOSSIERS,
)  # fmt: skip
"""MIGRATIONS[n] brings a store of version n to version n + 1: statements that end in a semicolon."""


def migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str] = MIGRATIONS) -> int:
    """Bring an open store to the newest version and return that version.

    Raises WrongUse when the file is another program's database, or a store of a newer version; the file is then
    left as it was. sqlite3.Error of a failing migration passes through, with the store left at its old version.
    """
    newest = len(migrations)
    connection.create_function("labels_of_old_name", 2, _labels_json, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")  # two programs that open a new store wait for each other here
    try:
        version = check_version(connection, path, newest)
        for migration in migrations[version:]:
            for statement in filter(None, (part.strip() for part in migration.split(";"))):
                connection.execute(statement)
        if version < newest:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {newest}")
        connection.execute("COMMIT")
    except BaseException:
        roll_back(connection)
        raise
    return newest


def _labels_json(experiment: str, name: str) -> str:
    return to_json(labels_of_old_name(experiment, name))


def _marks(connection: sqlite3.Connection) -> Header:
    """The store's own numbers, all read at one moment: another program may be making the store."""
    own_transaction = not connection.in_transaction
    if own_transaction:
        connection.execute("BEGIN")
    try:
        application, version, tables = (
            int(connection.execute(question).fetchone()[0])
            for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        )
        return Header(application, version, tables == 0)
    finally:
        if own_transaction:
            roll_back(connection)


def check_version(connection: sqlite3.Connection, path: Path, newest: int = len(MIGRATIONS)) -> int:
    """How many migrations the store has seen; 0 for an empty file. Reads only.

    Raises WrongUse when the file is another program's database, or a store of a version above `newest`.
    """
    return judge(_marks(connection), path, newest)


def judge(found: Header, path: Path, newest: int = len(MIGRATIONS)) -> int:
    """As `check_version`, from the first page of a file."""
    version = found.user_version
    if found.application_id != APPLICATION_ID and found != Header():
        raise WrongUse(
            f"{path} is an SQLite database of another program",
            accepted="a store that flashscope made, or a path where nothing is yet",
            advice="name another file with --store",
        )
    if version > newest:
        raise WrongUse(
            f"{path} is a store of version {version}; this flashscope knows versions up to {newest}",
            accepted=f"stores of version 1 to {newest}",
            advice="use the flashscope that wrote it, or a newer one, or name another store with --store",
        )
    return version
