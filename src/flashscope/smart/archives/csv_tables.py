"""Day files as tables for DuckDB: each column declared from the file's own headings, nothing guessed.

Numbers are read as whole ones. DuckDB would round a fraction without a word (1.5, or 15e-1); so in files that may have
one they are read as floating numbers, and those that are not whole, or too large to be exact, are left out and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flashscope.smart.archives.day_files import attribute_of
from flashscope.smart.archives.engine import name, text, texts
from flashscope.smart.archives.local_files import LINE_BYTES_MOST, LocalFile
from flashscope.smart.archives.narrow_texts import PLACE

_EXACT_MOST = 1 << 53


@dataclass(frozen=True)
class CsvText:
    """A CSV file as it is to be read, its columns, and whether texts may be quoted and numbers have fractions."""

    path: Path
    columns: tuple[str, ...]
    is_quoted: bool
    has_fractions: bool


@dataclass(frozen=True)
class CsvTable:
    """Files with the same columns. sql: the table, to be named s. has_fractions: its numbers are floating ones."""

    columns: tuple[str, ...]
    has_fractions: bool
    sql: str

    @property
    def place(self) -> str:
        """The SQL of the place of a row's line in its day file; missing where that is not known."""
        return f"s.{name(PLACE)}" if self.columns[0] == PLACE else "NULL::BIGINT"

    def whole(self, column: str) -> str:
        """The SQL of a column's number, missing where it is not whole."""
        if not self.has_fractions:
            return f"s.{name(column)}"
        return f"CASE WHEN NOT ({self.is_not_whole(column)}) THEN s.{name(column)}::BIGINT END"

    def is_not_whole(self, column: str) -> str:
        """The SQL condition of a number that is there and cannot be taken."""
        column = f"s.{name(column)}"
        return f"{column} <> floor({column}) OR abs({column}) > {_EXACT_MOST}" if self.has_fractions else "false"


def followed_text(file: LocalFile) -> CsvText:
    """The text with the columns that are followed: the narrow one, or the whole file where there is none."""
    if file.text.path is None:
        return whole_text(file)
    return CsvText(file.text.path, file.text.columns, False, file.text.has_fractions)


def whole_text(file: LocalFile, path: Path | None = None) -> CsvText:
    """The text with all columns. path: where some of its lines are, else all of them."""
    return CsvText(path or file.path, file.of.columns, file.of.quoted, file.text.has_fractions)


def csv_tables(texts: Sequence[CsvText], *, keep_rejects: bool = False) -> list[CsvTable]:
    """The texts, those with the same columns together. keep_rejects: in DuckDB's tables of rejected rows."""
    alike: dict[tuple[tuple[str, ...], bool, bool], list[Path]] = {}
    for one in texts:
        alike.setdefault((one.columns, one.is_quoted, one.has_fractions), []).append(one.path)
    return [
        CsvTable(columns, has_fractions, _sql(columns, paths, quoted, has_fractions, keep_rejects))
        for (columns, quoted, has_fractions), paths in alike.items()
    ]


def _sql(columns: Sequence[str], paths: Sequence[Path], quoted: bool, has_fractions: bool, keep_rejects: bool) -> str:
    number = "DOUBLE" if has_fractions else "BIGINT"
    declared = ", ".join(
        f"{text(one or f'column {index}')}: {text(_type(one, number))}" for index, one in enumerate(columns)
    )
    quote = text('"' if quoted else "")
    return (
        f"read_csv({texts(paths)}, columns={{{declared}}}, header=true, auto_detect=false, delim=',', "
        f"quote={quote}, escape={quote}, nullstr='', filename=true, ignore_errors=true, "
        f"store_rejects={str(keep_rejects).lower()}, max_line_size={LINE_BYTES_MOST})"
    )


def _type(column: str, number: str) -> str:
    if column == PLACE:
        return "BIGINT"
    return number if column in ("capacity_bytes", "failure") or attribute_of(column) is not None else "VARCHAR"
