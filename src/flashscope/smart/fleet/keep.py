"""A fleet's members as one table in a file, a row for each dump, for other programs.

    .parquet   by pyarrow, which is an extra: pip install 'flashscope[fleet]'
    .sqlite    always there

Columns: path, reason, model, firmware, serial, family, is_flash, user_bytes, taken_at_s, contradiction_count, then
every field key that any drive has, as a 64-bit floating number (whole numbers are exact up to 9 PB).
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from flashscope.errors import DriveFailed, WrongUse
from flashscope.smart.fleet.member import Member

_FACTS = (
    "path", "reason", "model", "firmware", "serial", "family", "is_flash", "user_bytes", "taken_at_s",
    "contradiction_count",
)  # fmt: skip


def check_parquet() -> None:
    """Raises WrongUse, with what to install and what works without, when Parquet cannot be written here."""
    if importlib.util.find_spec("pyarrow") is None:
        raise WrongUse(
            "--parquet needs pyarrow, which is not installed",
            accepted="pip install 'flashscope[fleet]'",
            advice="or take --sqlite OUT: the same table, and nothing to install (DuckDB reads it, too)",
        )


def columns(members: Sequence[Member]) -> dict[str, list[Any]]:
    """The table, column by column."""
    keys = sorted({key for member in members for key in member.values} - set(_FACTS))
    table: dict[str, list[Any]] = {name: [_plain(getattr(member, name)) for member in members] for name in _FACTS}
    for key in keys:
        table[key] = [float(member.values[key]) if key in member.values else None for member in members]
    return table


def write_parquet(members: Sequence[Member], path: Path) -> None:
    """Write the table as Parquet, whole or not at all. Raises WrongUse without pyarrow, DriveFailed when it fails."""
    check_parquet()
    pyarrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    with _in_place_of(path) as temporary:
        parquet.write_table(pyarrow.table(columns(members)), temporary)


def write_sqlite(members: Sequence[Member], path: Path) -> None:
    """Write the table `drives` into a new SQLite file, in place of an old one. Raises DriveFailed when it fails."""
    table = columns(members)
    names = ", ".join(f'"{name}"' for name in table)
    marks = ", ".join("?" * len(table))
    with _in_place_of(path) as temporary:
        connection = sqlite3.connect(temporary)
        try:
            connection.execute(f"CREATE TABLE drives ({names})")
            connection.executemany(f"INSERT INTO drives VALUES ({marks})", zip(*table.values(), strict=True))
            connection.commit()
        finally:
            connection.close()


def _plain(value: Any) -> Any:
    if isinstance(value, str):  # a file name may hold bytes that are no text
        return value.encode("utf-8", "replace").decode()
    return min(value, 2**63 - 1) if isinstance(value, int) and not isinstance(value, bool) else value


@contextlib.contextmanager
def _in_place_of(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to; moved into its place at the end."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(descriptor)
        try:
            yield Path(name)
            os.chmod(name, 0o644)
            os.replace(name, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
    except (OSError, sqlite3.Error) as error:
        raise DriveFailed(f"{path} cannot be written: {error}", advice="name another file") from None
