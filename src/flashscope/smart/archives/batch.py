"""One batch of whole days, read by DuckDB and made into one row per drive.

    CSV --> narrow text --1--> tracked columns of each valid row --> per drive: days, failures, first, last and highest
     |                                                                         numbers, resets; place of its last line
     +----> last lines ---2--> of each drive the whole row of its last day

Columns are declared one by one from each file's own headings; nothing is guessed. A row that does not fit (a word where
a number belongs, too few columns, no UTF-8) is rejected by DuckDB and counted with its file and line. A row that fits
and cannot be true (no day, another day than its file's, no serial number) is left out and counted as a doubt. A number
that cannot be true (a capacity of -1, a negative count) is left out alone, and counted.

A drive is its model and serial number. Not modelled here: one drive whose model is spelled differently over time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flashscope.smart.archives import engine
from flashscope.smart.archives.counters import NEVER_FALL, TRACKED
from flashscope.smart.archives.csv_tables import CsvText, csv_tables, followed_text, whole_text
from flashscope.smart.archives.day_files import FIRST_DAY, DayFile, NotRead, attribute_of, last_possible_day
from flashscope.smart.archives.engine import Limits, name, text
from flashscope.smart.archives.local_files import LocalFile, local_files
from flashscope.smart.archives.narrow_texts import copy_lines

_EXAMPLES = 3
_LARGEST_CAPACITY_BYTES = 10**15
_AS_WRITTEN = "SET disabled_optimizers = 'join_order,build_side_probe_side'"
"""DuckDB would take the wide rows of the CSV as the side of a join that it keeps in memory."""


@dataclass(frozen=True)
class Doubt:
    """What was left out, of one kind. count: rows, numbers or drives, as the kind says. examples: where, a few."""

    kind: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Partial:
    """What one batch gave: Parquet files with a row per drive, and the facts of the reading.

    lives, last_rows: their content. files: those that were read. row_count: rows counted. took_s: wall time [s].
    """

    lives: bytes
    last_rows: bytes
    files: tuple[DayFile, ...]
    row_count: int
    took_s: float
    not_read: tuple[NotRead, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def read_batch(files: Sequence[DayFile], limits: Limits) -> Partial:
    """The partial of these files; a file that cannot be read is named in it.

    Raises NotEnoughMemory, and FlashscopeError when DuckDB fails for a reason that is in none of the files.
    """
    with tempfile.TemporaryDirectory(prefix="flashscope-batch-") as folder:
        return _read(files, Path(folder), limits)


def _read(files: Sequence[DayFile], folder: Path, limits: Limits) -> Partial:
    """folder: empty, for what is unpacked and spilled."""
    began_s = time.monotonic()
    found, not_read = local_files(files, folder, limits)
    try:
        summary = _Summary(found, folder, limits)
    except engine.error_type() as error:
        bad = {one.of.name: why for one in found if (why := _why_unreadable(one, folder, limits))}
        if not bad:
            raise engine.explained(error) from error
        not_read += [NotRead(one, f"DuckDB cannot read it: {why}") for one, why in bad.items()]
        found = [one for one in found if one.of.name not in bad]
        try:
            summary = _Summary(found, folder, limits)
        except engine.error_type() as again:
            raise engine.explained(again) from again
    cut = [one.of.name for one in found if one.cut_bytes]
    doubts = [Doubt("last lines without a line break, left out as cut off", len(cut), tuple(cut[:_EXAMPLES]))]
    doubts += summary.doubts
    return Partial(
        summary.lives, summary.last_rows, tuple(one.of for one in found), summary.row_count,
        time.monotonic() - began_s, tuple(not_read), tuple(one for one in doubts if one.count),
    )  # fmt: skip


def _why_unreadable(file: LocalFile, folder: Path, limits: Limits) -> str:
    """Why DuckDB cannot read a file by itself, in one line; empty when it can."""
    try:
        _Summary([file], folder, limits)
    except engine.error_type() as error:
        return engine.first_line(error)
    return ""


class _Summary:
    """The two tables of a batch. lives, last_rows: as Parquet. row_count: rows counted. doubts: what was not."""

    def __init__(self, files: Sequence[LocalFile], folder: Path, limits: Limits) -> None:
        self.doubts: list[Doubt] = []
        connection = engine.connect(engine.IN_MEMORY, limits, folder / "spill")
        try:
            connection.execute(_AS_WRITTEN)
            connection.execute("CREATE TEMP TABLE day_files (path VARCHAR, name VARCHAR, day DATE)")
            for file in files:
                told = [str(followed_text(file).path), file.of.name, file.of.day]
                connection.execute("INSERT INTO day_files VALUES (?, ?, ?)", told)
            connection.execute(f"CREATE TEMP TABLE seen AS {_seen(files)}")
            if files:  # without one, DuckDB has no table of rejected rows
                rejected = self._count_rejected(connection)
                self._count_swallowed(connection, files, rejected)
            self._count_doubts(connection)
            connection.execute(f"CREATE TEMP TABLE drives AS {_drives()}")
            connection.execute(f"CREATE TEMP TABLE lives AS {_lives()}")
            texts = _last_texts(connection, files, folder)
            connection.execute("DROP TABLE seen")
            connection.execute(f"CREATE TEMP TABLE last_rows AS {_last_rows(texts)}")
            self._count_drives(connection)
            row_count, drives, rows = connection.execute(
                "SELECT coalesce(sum(day_count), 0)::BIGINT, count(*), (SELECT count(*) FROM last_rows) FROM lives"
            ).fetchone()
            self.row_count = int(row_count)
            chosen = "SELECT DISTINCT ON (model, serial) * FROM last_rows" if rows > drives else "FROM last_rows"
            self.lives = _parquet(connection, "FROM lives", folder / "lives.parquet")
            self.last_rows = _parquet(connection, chosen, folder / "last_rows.parquet")
        finally:
            connection.close()

    def _count_rejected(self, connection: Any) -> dict[str, int]:
        """Rows that DuckDB rejected; how many of each file, by its name."""
        by_file = connection.execute(
            "SELECT d.name, count(DISTINCT e.line), arg_min(e.line, e.line), arg_min(e.error_type, e.line) "
            "FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id) "
            "JOIN day_files d ON d.path = s.file_path GROUP BY d.name ORDER BY d.name"
        ).fetchall()
        examples = tuple(
            f"{file}, line {line}: {str(kind).lower().replace('_', ' ')}" for file, _, line, kind in by_file[:_EXAMPLES]
        )
        self.doubts.append(
            Doubt("rows that do not fit their columns, rejected", sum(one[1] for one in by_file), examples)
        )
        return {one[0]: one[1] for one in by_file}

    def _count_swallowed(self, connection: Any, files: Sequence[LocalFile], rejected: Mapping[str, int]) -> None:
        """A quotation mark that is not closed makes one row of all lines up to the next one."""
        swallowed = {}
        for file in files:
            if file.of.quoted:
                of_file = connection.execute("SELECT count(*) FROM seen WHERE name = ?", [file.of.name]).fetchone()
                lines = file.text.line_count - 1 - of_file[0] - rejected.get(file.of.name, 0)
                swallowed[file.of.name] = max(0, lines)
        where = tuple(one for one, lines in swallowed.items() if lines)
        kind = "lines that are no rows of their own, such as behind a quotation mark that is not closed"
        self.doubts.append(Doubt(kind, sum(swallowed.values()), where[:_EXAMPLES]))

    def _count_doubts(self, connection: Any) -> None:
        conditions = {**_leaving_out(), **_NUMBERS_LEFT_OUT}
        told = ", ".join(f"count(*) FILTER ({condition})" for condition in conditions.values())
        by_file = connection.execute(f"SELECT name, {told} FROM seen GROUP BY name ORDER BY name").fetchall()
        for index, kind in enumerate(conditions, 1):
            where = [(row[0], row[index]) for row in by_file if row[index]]
            self.doubts.append(Doubt(kind, sum(one[1] for one in where), tuple(one[0] for one in where[:_EXAMPLES])))

    def _count_drives(self, connection: Any) -> None:
        for kind, query in (
            ("rows of a drive and day that were there already", "SELECT serial, duplicate_count FROM lives"),
            (
                "drives whose last row has unreadable attributes",
                "SELECT serial, 1 FROM lives ANTI JOIN last_rows USING (model, serial)",
            ),
        ):
            total, examples = connection.execute(
                f"WITH told(serial, n) AS ({query}) SELECT coalesce(sum(n), 0)::BIGINT, list(serial ORDER BY serial)"
                f"[:{_EXAMPLES}] FROM told WHERE n > 0"
            ).fetchone()
            self.doubts.append(Doubt(kind, int(total), tuple(examples or ())))


def _leaving_out() -> dict[str, str]:
    """Kind of doubt -> which rows are left out. Of today: a worker of a cluster may run for weeks."""
    return {
        "rows without a possible day": f"day IS NULL OR day NOT BETWEEN DATE '{FIRST_DAY}' AND "
        f"DATE '{last_possible_day()}'",
        "rows of another day than their file's name says": "day <> file_day",
        "rows without a serial number or a model": "serial IS NULL OR serial = '' OR model IS NULL OR model = ''",
    }


def _counted() -> str:
    """The SQL condition of a row that counts."""
    return " AND ".join(f"({condition}) IS NOT TRUE" for condition in _leaving_out().values())


_NUMBERS_LEFT_OUT = {
    "capacities that cannot be true": f"capacity_bytes <= 0 OR capacity_bytes > {_LARGEST_CAPACITY_BYTES}",
    "failure marks other than 0 and 1": "failure IS NULL OR failure NOT IN (0, 1)",
    "numbers with a fraction, or too large to be exact": "has_fraction",
    "numbers of attributes below 0": " OR ".join(f"t{one} < 0" for one in TRACKED),
}
"""Kind of doubt -> which rows have a number that is left out; the rest of the row counts."""


def _seen(files: Sequence[LocalFile]) -> str:
    """Every row that fits its columns: the facts of its drive and the tracked numbers."""
    wanted = [(f"smart_{one}_raw", f"t{one}") for one in TRACKED]
    parts = []
    numbers = [("capacity_bytes", "capacity_bytes"), ("failure", "failure"), *wanted]
    for table in csv_tables([followed_text(one) for one in files], keep_rejects=True):
        there = [(column, short) for column, short in numbers if column in table.columns]
        told = [f"{table.whole(column)} AS {short}" for column, short in there]
        told += [f"NULL::BIGINT AS {short}" for column, short in numbers if column not in table.columns]
        fraction = " OR ".join(f"({table.is_not_whole(column)})" for column, _ in there)
        parts.append(
            "SELECT trim(s.model) AS model, trim(s.serial_number) AS serial, TRY_CAST(trim(s.date) AS DATE) AS day, "
            f"d.name AS name, d.day AS file_day, {table.place} AS place, {fraction} AS has_fraction, {', '.join(told)} "
            f"FROM {table.sql} s JOIN day_files d ON s.filename = d.path"
        )
    if parts:
        return " UNION ALL BY NAME ".join(parts)
    empty = ", ".join(f"NULL::BIGINT AS {one}" for one in ("capacity_bytes", *(short for _, short in wanted)))
    return (
        f"SELECT ''::VARCHAR AS model, '' AS serial, NULL::DATE AS day, NULL::BIGINT AS failure, '' AS name, "
        f"NULL::DATE AS file_day, NULL::BIGINT AS place, false AS has_fraction, {empty} WHERE false"
    )


def _drives() -> str:
    """The drives of the batch, numbered: numbers are sorted faster than names."""
    return (
        "SELECT model, serial, row_number() OVER ()::INTEGER AS drive "
        f"FROM (SELECT DISTINCT model, serial FROM seen WHERE {_counted()})"
    )


def _lives() -> str:
    """A row for each drive of the batch."""
    capacity = _NUMBERS_LEFT_OUT["capacities that cannot be true"]
    ends = ", ".join(
        f"arg_min({kept}, day) AS first_{one}, arg_max({kept}, day) AS last_{one}, max({kept}) AS most_{one}"
        for one, kept in ((one, f"CASE WHEN t{one} >= 0 THEN t{one} END") for one in TRACKED)
    )
    resets = ", ".join(f"resets_{one}" for one in NEVER_FALL)
    failures = (
        "SELECT model, serial, max(day) AS failure_day, count(DISTINCT day) AS failure_count "
        f"FROM seen WHERE failure = 1 AND {_counted()} GROUP BY model, serial"
    )
    return (
        "WITH ends AS (SELECT model, serial, min(day) AS first_day, max(day) AS last_day, "
        f"max(CASE WHEN NOT ({capacity}) THEN capacity_bytes END) AS capacity_bytes, {ends} "
        f"FROM seen WHERE {_counted()} GROUP BY model, serial) "
        "SELECT model, serial, first_day, last_day, day_count, duplicate_count, failure_day, "
        "coalesce(failure_count, 0) AS failure_count, "
        f"ends.* EXCLUDE (model, serial, first_day, last_day), {resets} FROM ends JOIN drives USING (model, serial) "
        f"JOIN ({_day_by_day()}) USING (drive) LEFT JOIN ({failures}) USING (model, serial)"
    )


def _day_by_day() -> str:
    """Of each drive what takes its days in their order: how many there are, and how often a count fell."""
    before = ", ".join(f"lag(t{one} IGNORE NULLS) OVER days AS b{one}" for one in NEVER_FALL)
    kept = ", ".join(f"CASE WHEN t{one} >= 0 THEN t{one} END AS t{one}" for one in NEVER_FALL)
    resets = ", ".join(f"count(*) FILTER (t{one} < b{one} AND NOT again) AS resets_{one}" for one in NEVER_FALL)
    return (
        "SELECT drive, count(*) FILTER (NOT again) AS day_count, count(*) FILTER (again) AS duplicate_count, "
        f"{resets} FROM (SELECT *, coalesce(lag(day) OVER days = day, false) AS again, {before} "
        f"FROM (SELECT drive, day, {kept} FROM seen JOIN drives USING (model, serial) WHERE {_counted()}) "
        "WINDOW days AS (PARTITION BY drive ORDER BY day)) GROUP BY drive"
    )


def _last_texts(connection: Any, files: Sequence[LocalFile], folder: Path) -> list[CsvText]:
    """The texts with the whole row of each drive's last day: its line alone, or the file where lines have no place."""
    texts = [whole_text(file) for file in files if file.text.path is None]
    places = dict(
        connection.execute(
            "SELECT name, list(place ORDER BY place) FROM seen JOIN lives USING (model, serial) "
            f"WHERE day = last_day AND place IS NOT NULL AND {_counted()} GROUP BY name"
        ).fetchall()
    )
    for index, file in enumerate(files):
        if file.text.path is not None:
            lines = folder / f"{index} last.csv"
            copy_lines(file.path, places.get(file.of.name, ()), lines)
            texts.append(whole_text(file, lines))
    return texts


def _last_rows(texts: Sequence[CsvText]) -> str:
    """Of each drive the whole row of its last day: smart_ID_raw and smart_ID_normalized of every attribute."""
    parts = []
    for table in csv_tables(texts):
        smart = "".join(f", {table.whole(one)} AS {name(one)}" for one in table.columns if attribute_of(one))
        parts.append(
            f"SELECT trim(s.model) AS model, trim(s.serial_number) AS serial, lives.last_day AS day{smart} "
            f"FROM {table.sql} s JOIN lives ON trim(s.model) = lives.model AND trim(s.serial_number) = lives.serial "
            "AND TRY_CAST(trim(s.date) AS DATE) = lives.last_day"
        )
    empty = "SELECT ''::VARCHAR AS model, '' AS serial, NULL::DATE AS day WHERE false"
    return " UNION ALL BY NAME ".join(parts or [empty])


def _parquet(connection: Any, query: str, path: Path) -> bytes:
    connection.execute(f"COPY ({query}) TO {text(path)} (FORMAT parquet, COMPRESSION zstd)")
    content = path.read_bytes()
    path.unlink()
    return content
