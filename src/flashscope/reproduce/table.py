"""Rows for a reader: one line each, grouped by law, and a sentence about the result."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from flashscope.reproduce.row import Row


def table_of(rows: Sequence[Row]) -> Table:
    """All rows, the law's name at its first one only."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("law", no_wrap=True)
    table.add_column("condition")
    for name in ("expected", "measured", "gap", "tolerance", "holds"):
        table.add_column(name, justify="right", no_wrap=True)
    before = ""
    for row in rows:
        table.add_row(
            "" if row.law == before else row.law,
            row.condition,
            f"{row.expected:.5g}",
            f"{row.measured:.5g}",
            f"{100 * row.gap_ratio:+.2f} %",
            f"{100 * row.tolerance_ratio:.2g} %",
            "yes" if row.holds else "NO",
            style=None if row.holds else "bold red",
        )
        before = row.law
    return table


def summary(rows: Sequence[Row]) -> str:
    """How many hold, and which laws do not."""
    broken = sorted({row.law for row in rows if not row.holds})
    holding = sum(row.holds for row in rows)
    return f"{holding} of {len(rows)} rows hold" + (f"; not those of {', '.join(broken)}" if broken else "")
