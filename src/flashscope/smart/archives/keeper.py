"""The database of an archive: one row per drive, its newest row of attributes, and the files that made them.

    merge(partial)   one transaction: both tables, the files, the doubts; an interruption costs one batch

A file of DuckDB, or memory alone. It is recognised by its table `flashscope_archive`; any other file is refused, and
never changed. Days come in order: a batch begins after the last day that is there, so that no day counts twice.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Self

from flashscope.errors import WrongUse
from flashscope.outputs import ARCHIVE, OWN_FILES, check_file
from flashscope.smart.archives import engine
from flashscope.smart.archives.batch import Doubt, Partial
from flashscope.smart.archives.counters import NEVER_FALL, TRACKED
from flashscope.smart.archives.day_files import attribute_of
from flashscope.smart.archives.engine import IN_MEMORY, Limits, text

VERSION = 1
"""Of the tables; another version is refused."""

_MARK = "flashscope_archive"
_TABLES = (
    f"CREATE TABLE {_MARK} (version INTEGER)",
    f"INSERT INTO {_MARK} VALUES ({VERSION})",
    "CREATE TABLE files (name VARCHAR, fingerprint VARCHAR, begins DATE, size_bytes BIGINT)",
    "CREATE TABLE doubts (kind VARCHAR, n BIGINT, examples VARCHAR[])",
)


@dataclass(frozen=True)
class Totals:
    """What was read so far. first_day, last_day: None before the first row. row_count: rows, one per drive and day."""

    drive_count: int
    row_count: int
    file_count: int
    size_bytes: int
    first_day: date | None
    last_day: date | None


class Keeper:
    """The database. A context manager.

    path: a file, made when it is missing; None: memory alone. Raises WrongUse when the file is not one of these, of
    another version, in use by another process, or cannot be written.
    """

    def __init__(self, path: Path | None, limits: Limits) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="flashscope-archive-")
        self._named = path
        try:
            if path is not None:
                check_file(path, ARCHIVE, OWN_FILES)
            self._connection = self._opened(path, limits)
        except BaseException:
            self._folder.cleanup()
            raise

    def _opened(self, path: Path | None, limits: Limits) -> Any:
        is_new = path is None or not path.exists() or not path.stat().st_size
        spill = Path(self._folder.name)
        try:
            if not is_new:  # looked at before it is opened for writing, which changes it
                with engine.connect(str(path), limits, spill, read_only=True) as looked_at:
                    _check_version(looked_at, path)
            connection = engine.connect(IN_MEMORY if path is None else str(path), limits, spill)
        except engine.error_type() as error:
            raise WrongUse(
                f"{path} cannot be opened: {engine.first_line(error)}",
                accepted="a file that no other process has open",
            ) from error
        if is_new:
            connection.begin()
            for statement in _TABLES:
                connection.execute(statement)
            connection.commit()
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._folder.cleanup()

    def known_files(self) -> dict[str, str]:
        """Fingerprint -> name of all files that were read."""
        return dict(self._all("SELECT fingerprint, name FROM files"))

    def totals(self) -> Totals:
        """What was read so far."""
        files, size_bytes = self._all("SELECT count(*), coalesce(sum(size_bytes), 0)::BIGINT FROM files")[0]
        if not self._has("lives"):
            return Totals(0, 0, files, size_bytes, None, None)
        drives, rows, first, last = self._all(
            "SELECT count(*), coalesce(sum(day_count), 0)::BIGINT, min(first_day), max(last_day) FROM lives"
        )[0]
        return Totals(drives, rows, files, size_bytes, first, last)

    def doubts(self) -> tuple[Doubt, ...]:
        """All doubts about what was read so far, by kind."""
        told = self._all(
            "SELECT kind, sum(n)::BIGINT, flatten(list(examples))[:3] FROM doubts GROUP BY kind ORDER BY kind"
        )
        return tuple(Doubt(kind, count, tuple(examples)) for kind, count, examples in told)

    def merge(self, partial: Partial) -> None:
        """Add a batch: all of it, or on an error nothing. Raises FlashscopeError when it cannot be written."""
        folder = Path(self._folder.name)
        lives, last_rows = folder / "lives.parquet", folder / "last_rows.parquet"
        lives.write_bytes(partial.lives)
        last_rows.write_bytes(partial.last_rows)
        try:
            self._connection.begin()
            try:
                self._merge_tables(lives, last_rows)
                for file in partial.files:
                    told = [file.name, file.fingerprint, file.begins, file.size_bytes]
                    self._connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", told)
                for doubt in partial.doubts:
                    self._add_doubt(doubt)
                self._connection.commit()
            except BaseException:
                self._connection.rollback()
                raise
            if self._named is not None:
                self._connection.execute("CHECKPOINT")
        except engine.error_type() as error:
            raise engine.explained(error) from error
        finally:
            lives.unlink()
            last_rows.unlink()

    def _add_doubt(self, doubt: Doubt) -> None:
        self._connection.execute("INSERT INTO doubts VALUES (?, ?, ?)", [doubt.kind, doubt.count, list(doubt.examples)])

    def _merge_tables(self, lives: Path, last_rows: Path) -> None:
        execute = self._connection.execute
        new, rows = f"read_parquet({text(lives)})", f"read_parquet({text(last_rows)})"
        if not self._has("lives"):
            execute(f"CREATE TABLE lives AS FROM {new}")
            execute(f"CREATE TABLE last_rows AS FROM {rows}")
            return
        overlapping = (
            "SELECT n.model, n.serial FROM added n JOIN lives o USING (model, serial) WHERE n.first_day <= o.last_day"
        )
        execute(f"CREATE TEMP TABLE added AS FROM {new}")
        again = self._all(f"SELECT count(*), coalesce(sum(day_count), 0)::BIGINT, list(serial)[:3] FROM added "
                          f"SEMI JOIN ({overlapping}) USING (model, serial)")[0]  # fmt: skip
        if again[0]:
            self._add_doubt(
                Doubt("rows of days before the last one of their drive, left out", again[1], tuple(again[2]))
            )
            execute(f"DELETE FROM added WHERE (model, serial) IN ({overlapping})")
        execute(f"CREATE OR REPLACE TABLE lives AS {_joined()}")
        execute(
            f"CREATE OR REPLACE TABLE last_rows AS SELECT * FROM last_rows ANTI JOIN added USING (model, serial) "
            f"UNION ALL BY NAME SELECT * FROM {rows} SEMI JOIN added USING (model, serial)"
        )
        execute("DROP TABLE added")

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query on `lives` and `last_rows`; none before anything was read."""
        return self._all(sql) if self._has("lives") else []

    def columns(self, sql: str) -> dict[str, Any]:
        """The columns of a query as numpy arrays, masked where a number is missing; none before anything was read."""
        if not self._has("lives"):
            return {}
        found: dict[str, Any] = self._connection.execute(sql).fetchnumpy()
        return found

    def attribute_ids(self) -> list[int]:
        """The attributes of which any drive has a raw number in its newest row, ascending."""
        if not self._has("last_rows"):
            return []
        names = [one[0] for one in self._all("SELECT column_name FROM (DESCRIBE last_rows)")]
        return sorted(found[0] for one in names if (found := attribute_of(one)) is not None and found[1] == "raw")

    def in_chunks(self, sql: str, size: int) -> tuple[tuple[str, ...], Iterator[list[tuple[Any, ...]]]]:
        """The names of a query's columns, and its rows, so many at a time. Until its end no other query may be made."""
        self._connection.execute(sql)
        names = tuple(one[0] for one in self._connection.description)
        return names, iter(lambda: self._connection.fetchmany(size), [])

    def _has(self, table: str) -> bool:
        return bool(self._all(f"SELECT 1 FROM duckdb_tables() WHERE table_name = {text(table)} AND NOT temporary"))

    def _all(self, sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.execute(sql).fetchall()
        return found


def _joined() -> str:
    """Each drive of `lives` and of `added`, the numbers of both taken together. All of `added` is newer."""
    took = [
        "coalesce(o.first_day, n.first_day) AS first_day",
        "coalesce(n.last_day, o.last_day) AS last_day",
        *(f"coalesce(o.{one}, 0) + coalesce(n.{one}, 0) AS {one}" for one in ("day_count", "duplicate_count")),
        "coalesce(n.failure_day, o.failure_day) AS failure_day",
        "coalesce(o.failure_count, 0) + coalesce(n.failure_count, 0) AS failure_count",
        "coalesce(n.capacity_bytes, o.capacity_bytes) AS capacity_bytes",
    ]
    for one in TRACKED:
        took += [
            f"coalesce(o.first_{one}, n.first_{one}) AS first_{one}",
            f"coalesce(n.last_{one}, o.last_{one}) AS last_{one}",
            f"greatest(o.most_{one}, n.most_{one}) AS most_{one}",
        ]
    took += [
        f"coalesce(o.resets_{one}, 0) + coalesce(n.resets_{one}, 0) + "
        f"CASE WHEN n.first_{one} < o.last_{one} THEN 1 ELSE 0 END AS resets_{one}"
        for one in NEVER_FALL
    ]
    return f"SELECT model, serial, {', '.join(took)} FROM lives o FULL JOIN added n USING (model, serial)"


def _check_version(connection: Any, path: Path | None) -> None:
    try:
        found = connection.execute(f"SELECT version FROM {_MARK}").fetchone()
    except engine.error_type():
        found = None
    if found is None:
        raise WrongUse(
            f"{path} is a database of another program",
            accepted="a new file, or a database that `flashscope smart archive` made",
        )
    if found[0] != VERSION:
        raise WrongUse(
            f"{path} has tables of version {found[0]}", accepted=f"version {VERSION}",
            advice="read the archive again into a new file",
        )  # fmt: skip
