"""A fleet's members as one table in a file, a row for each dump, for other programs.

    .parquet   needs pyarrow: pip install 'flashscope[fleet]'
    .sqlite    always available

Columns: path, reason, model, firmware, serial, family, is_flash, user_bytes, taken_at_s, contradiction_count, verdict,
statement, advice, then every field key that any drive has, as a 64-bit floating number (whole numbers are exact up to
9 PB).
"""

from __future__ import annotations

import importlib
import importlib.util
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flashscope.errors import WrongUse
from flashscope.outputs import OWN_FILES, PARQUET, Replacing, ResultFile, write_result, write_table
from flashscope.outputs.forms import PARQUET_KEY
from flashscope.smart.fleets.member import Member

_FACTS = (
    "path", "reason", "model", "firmware", "serial", "family", "is_flash", "user_bytes", "taken_at_s",
    "contradiction_count", "verdict", "statement", "advice",
)  # fmt: skip
TABLE = "drives"
"""Name of the table in an SQLite file."""


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


def write_parquet(members: Sequence[Member], path: Path, replacing: Replacing = OWN_FILES) -> None:
    """Write the table as Parquet. Raises WrongUse without pyarrow, or when it may not or cannot be written there."""
    check_parquet()
    pyarrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    table = pyarrow.table(columns(members)).replace_schema_metadata({PARQUET_KEY: b"smart fleet"})
    content = io.BytesIO()
    parquet.write_table(table, content)
    write_result(ResultFile(path, PARQUET, content.getvalue()), replacing)


def write_sqlite(members: Sequence[Member], path: Path, replacing: Replacing = OWN_FILES) -> None:
    """Write the table `drives` into an SQLite file. Raises WrongUse when it may not or cannot be written there."""
    write_table(path, TABLE, columns(members), replacing)


def _plain(value: Any) -> Any:
    if isinstance(value, str):  # a file name may contain bytes that are no text
        return value.encode("utf-8", "replace").decode()
    return min(value, 2**63 - 1) if isinstance(value, int) and not isinstance(value, bool) else value
