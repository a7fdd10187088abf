"""`flashscope list`: what there is: records in the store, parts that are shipped, experiments in the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from flashscope.cli.list_parts import part_rows, print_part, print_parts
from flashscope.cli.options import json_option, store_option
from flashscope.errors import WrongUse


@click.command("list")
@click.argument("what", type=click.Choice(["records", "parts", "experiments"]), default="records")
@click.argument("name", required=False)
@store_option
@json_option
def command(what: str, name: str | None, store_path: Path | None, as_json: bool) -> None:
    """List the records in the store, the parts of virtual drives, or the experiments.

    With parts and a NAME: list every value of that part, where it comes from, and what was fitted.
    """
    if name is not None and what != "parts":
        raise WrongUse(
            f'"flashscope list {what}" takes no name; found {name!r}', accepted="flashscope list parts [NAME]"
        )
    listing = {"records": lambda: _records(store_path), "parts": lambda: part_rows(name), "experiments": _experiments}
    rows = listing[what]()
    if as_json:
        from flashscope.cli.output import print_json

        print_json({what: rows})
    elif name is not None:
        print_part(rows[0])
    elif what == "parts":
        print_parts(rows)
    elif rows:
        _print_columns([_with_note(row) for row in rows] if what == "records" else rows)
    else:
        click.echo("no records yet; try: flashscope examine sim:onyx-32", err=True)


def _records(store_path: Path | None) -> list[dict[str, Any]]:
    from flashscope.records.plain import plain
    from flashscope.records.store import Store, default_store_path

    path = store_path or default_store_path()
    if not path.exists() and store_path is None:
        return []
    with Store(path, create=False) as store:
        rows: list[dict[str, Any]] = plain(store.list())
    return rows


def _with_note(row: dict[str, Any]) -> dict[str, Any]:
    """The row, with how the run ended in place of a finding where the record has none."""
    return row | {"statement": row["statement"] or row["note"]}


def _experiments() -> list[dict[str, Any]]:
    from flashscope.experiments import catalogue

    return [{"name": each.name, "title": each.title, "question": each.question} for each in catalogue.all_experiments()]


_SHOWN = ("id", "status", "drive", "name", "question", "statement")
"""The columns that are shown, where the rows have them; --json has all."""


def _print_columns(rows: list[dict[str, Any]]) -> None:
    """Left-aligned columns as wide as their widest value; the last one runs on."""
    names = [name for name in _SHOWN if name in rows[0]]
    widths = [max(len(str(row[name])) for row in rows) for name in names[:-1]]
    for row in rows:
        cells = [str(row[name]).ljust(width) for name, width in zip(names, widths, strict=False)]
        click.echo("  ".join([*cells, str(row[names[-1]])]).rstrip())
