"""The parts and hosts that are shipped: what each one is, where its values come from, and what of it was fitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from flashscope.cli.texts.terminal_width import fitted_to, terminal_columns

if TYPE_CHECKING:
    from flashscope.drives.parts.part_file import PartValue


def part_rows(name: str | None) -> list[dict[str, Any]]:
    """One row for each shipped part, or for the one of that name (or file): all a reader or a program may ask.

    Raises WrongUse when there is no such part.
    """
    from flashscope.drives.parts.part import list_parts, load_part

    return [_row(load_part(each)) for each in ([name] if name else list_parts())]


def host_rows() -> list[dict[str, Any]]:
    """One row for each shipped host, with its values and where they come from."""
    from flashscope.drives.hosts.host import list_hosts, load_host

    return [
        {
            "name": host.name,
            "title": host.title,
            "notes": host.notes,
            "values": _value_rows(host.values),
        }
        for host in map(load_host, list_hosts())
    ]


def print_hosts(rows: list[dict[str, Any]]) -> None:
    """All hosts, a line each, with what a request costs on each."""
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        costs = ", ".join(f"{name.replace('_', ' ')} {value['value']}" for name, value in row["values"].items())
        click.echo(f"{row['name']:<{width}}  {row['title']}\n{'':<{width}}  {costs}")
    click.echo('\nto use one: flashscope examine "sim:PART?host=NAME"', err=True)


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
        "values": _value_rows(part.values),
    }


def _value_rows(values: Mapping[str, PartValue]) -> dict[str, dict[str, Any]]:
    """Key -> value as written, with where it comes from."""
    return {
        name: {"value": value.text, "origin": value.origin, "source": value.source, "fitted_to": value.fitted_to}
        for name, value in values.items()
    }


def print_parts(rows: list[dict[str, Any]]) -> None:
    """All parts, a line each: cut to the width of a terminal, complete in a pipe or a file."""
    from flashscope.units import format_bytes

    sizes = [format_bytes(row["user_bytes"]) for row in rows]
    name_width, size_width = max(len(row["name"]) for row in rows), max(map(len, sizes))
    for row, size in zip(rows, sizes, strict=True):
        line = f"{row['name']:<{name_width}}  {size:>{size_width}}  {row['title'] or row['model']}"
        click.echo(fitted_to(line, terminal_columns()))
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
