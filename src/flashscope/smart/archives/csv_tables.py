"""Day files as tables for DuckDB: each column declared from the file's own headings, nothing guessed.

Numbers are read as whole ones. DuckDB would round a fraction without a word; so in files with a point anywhere they are
read as floating numbers, and those that are not whole, or too large to be exact, are left out and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flashscope.smart.archives.day_files import attribute_of
from flashscope.smart.archives.engine import name, text, texts
from flashscope.smart.archives.local_files import LINE_BYTES_MOST, LocalFile

_EXACT_MOST = 1 << 53


@dataclass(frozen=True)
class CsvTable:
    """Files with the same columns. sql: the table, to be named s. has_points: its numbers are floating ones."""

    columns: tuple[str, ...]
    has_points: bool
    sql: str

    def whole(self, column: str) -> str:
        """The SQL of a column's number, missing where it is not whole."""
        if not self.has_points:
            return f"s.{name(column)}"
        return f"CASE WHEN NOT ({self.is_not_whole(column)}) THEN s.{name(column)}::BIGINT END"

    def is_not_whole(self, column: str) -> str:
        """The SQL condition of a number that is there and cannot be taken."""
        column = f"s.{name(column)}"
        return f"{column} <> floor({column}) OR abs({column}) > {_EXACT_MOST}" if self.has_points else "false"


def csv_tables(files: Sequence[LocalFile], *, keep_rejects: bool = False) -> list[CsvTable]:
    """The files, those with the same columns together. keep_rejects: in DuckDB's tables of rejected rows."""
    alike: dict[tuple[tuple[str, ...], bool, bool], list[Path]] = {}
    for file in files:
        alike.setdefault((file.of.columns, file.of.quoted, file.has_points), []).append(file.path)
    return [
        CsvTable(columns, has_points, _sql(columns, paths, quoted, "DOUBLE" if has_points else "BIGINT", keep_rejects))
        for (columns, quoted, has_points), paths in alike.items()
    ]


def _sql(columns: Sequence[str], paths: Sequence[Path], quoted: bool, number: str, keep_rejects: bool) -> str:
    declared = ", ".join(
        f"{text(one or f'column {index}')}: {text(number if _is_number(one) else 'VARCHAR')}"
        for index, one in enumerate(columns)
    )
    quote = text('"' if quoted else "")
    return (
        f"read_csv({texts(paths)}, columns={{{declared}}}, header=true, auto_detect=false, delim=',', "
        f"quote={quote}, escape={quote}, nullstr='', filename=true, ignore_errors=true, "
        f"store_rejects={str(keep_rejects).lower()}, max_line_size={LINE_BYTES_MOST})"
    )


def _is_number(column: str) -> bool:
    return column in ("capacity_bytes", "failure") or attribute_of(column) is not None
