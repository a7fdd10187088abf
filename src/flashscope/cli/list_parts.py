"""The parts that are shipped: what each one is, where its values come from, and what of it was fitted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import JustifyMethod


def part_rows(name: str | None) -> list[dict[str, Any]]:
    """One row for each shipped part, or for the one of that name (or file): all a reader or a program may ask.

    Raises WrongUse when there is no such part.
    """
    from flashscope.drives.parts.part import list_parts, load_part

    return [_row(load_part(each)) for each in ([name] if name else list_parts())]


def _row(part: Any) -> dict[str, Any]:
    from flashscope.drives.parts.published_figures import figures_of

    figures = figures_of(part.name)
    return {
        "name": part.name,
        "address": f"sim:{part.name}",
        "kind": part.kind,
        "title": part.title,
        "notes": part.notes,
        "model": part.values["model"].value,
        "user_bytes": part.user_bytes,
        "fitted_count": part.fitted_count,
        "figure_count": len(figures),
        "origins": dict(Counter(value.origin for value in part.values.values() if value.source != "the default")),
        "values": {
            name: {"value": value.text, "origin": value.origin, "source": value.source, "fitted_to": value.fitted_to}
            for name, value in part.values.items()
        },
    }


def print_parts(rows: list[dict[str, Any]]) -> None:
    """All parts, a line each."""
    from rich.console import Console
    from rich.table import Table

    from flashscope.units import format_bytes

    table = Table(box=None, pad_edge=False, header_style="bold")
    headings: dict[str, JustifyMethod] = {"part": "left", "size": "right", "values stated": "right", "fitted": "right"}
    for heading, justify in headings.items():
        table.add_column(heading, justify=justify, no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for row in rows:
        stated = sum(row["origins"].values())
        fitted = f"{row['fitted_count']} to {row['figure_count']} figures" if row["fitted_count"] else "none"
        table.add_row(row["name"], format_bytes(row["user_bytes"]), str(stated), fitted, row["title"] or row["model"])
    Console(highlight=False).print(table)
    click.echo("\nto see where every value of a part comes from: flashscope list parts NAME", err=True)


def print_part(row: dict[str, Any]) -> None:
    """One part: every value with its origin and source; values left at their default only by number."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"[bold]{row['name']}[/]  {row['title'] or row['model']}", soft_wrap=True)
    if row["notes"]:
        console.print(row["notes"], soft_wrap=True)
    console.print(
        ", ".join(f"{count} {origin}" for origin, count in row["origins"].items())
        + f"; {row['figure_count']} published figures\n",
        soft_wrap=True,
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("key", no_wrap=True)
    table.add_column("value", overflow="fold", max_width=28)
    table.add_column("origin", no_wrap=True)
    table.add_column("source", overflow="fold")
    for name, value in row["values"].items():
        if value["source"] != "the default":
            fitted = f" [to {', '.join(value['fitted_to'])}]" if value["fitted_to"] else ""
            table.add_row(name, value["value"], value["origin"], f"{value['source']}{fitted}".replace("[", "\\["))
    console.print(table)
    defaults = sum(value["source"] == "the default" for value in row["values"].values())
    if defaults:
        console.print(
            f"{defaults} more values are at their defaults, which docs/reference/parts.md lists", soft_wrap=True
        )
