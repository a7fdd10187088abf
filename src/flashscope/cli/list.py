"""`flashscope list`: what there is: records in the store, parts and hosts that are shipped, experiments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from flashscope.cli.list_parts import host_rows, part_rows, print_hosts, print_part, print_parts
from flashscope.cli.options import json_option, store_option
from flashscope.errors import WrongUse


@click.command("list")
@click.argument("what", type=click.Choice(["records", "dossiers", "parts", "hosts", "experiments"]), default="records")
@click.argument("name", required=False)
@store_option
@json_option
def command(what: str, name: str | None, store_path: Path | None, as_json: bool) -> None:
    """List the records or the dossiers in the store, the parts of virtual drives, their hosts, or the experiments.

    With parts and a NAME: list every value of that part, where it comes from, and what was fitted.
    """
    if name is not None and what != "parts":
        raise WrongUse(
            f'"flashscope list {what}" takes no name; found {name!r}', accepted="flashscope list parts [NAME]"
        )
    if what == "records":
        _list_records(store_path, as_json=as_json)
        return
    if what == "dossiers":
        _list_dossiers(store_path, as_json=as_json)
        return
    rows = part_rows(name) if what == "parts" else host_rows() if what == "hosts" else _experiments()
    if as_json:
        from flashscope.cli.output import print_json

        print_json({what: rows})
    elif name is not None:
        print_part(rows[0])
    elif what == "parts":
        print_parts(rows)
    elif what == "hosts":
        print_hosts(rows)
    else:
        _print_columns(rows)


def _list_records(store_path: Path | None, *, as_json: bool) -> None:
    from flashscope.cli.output import print_json
    from flashscope.cli.texts.damaged import tell_damaged
    from flashscope.records.plain import plain
    from flashscope.store.store import Store, default_store_path

    path = store_path or default_store_path()
    rows: list[dict[str, Any]] = []
    damaged: list[dict[str, str]] = []
    if path.exists() or store_path is not None:
        with Store(path, create=False) as store:
            rows = plain(store.list())
        if not as_json:
            tell_damaged(store)
        damaged = [{"id": one.record_id, "damage": one.damage} for one in store.damaged.values()]
    if as_json:
        print_json({"records": rows, "damaged": damaged})
    elif rows:
        _print_columns([_with_note(row) for row in rows])
    elif not damaged:
        click.echo(f"no records yet in {path}; try: flashscope examine sim:onyx-32", err=True)


def _list_dossiers(store_path: Path | None, *, as_json: bool) -> None:
    """What was said of drives: when, of which drive, from how many records, and the first sentence."""
    from flashscope.cli.output import print_json
    from flashscope.cli.texts.damaged import tell_damaged
    from flashscope.store.store import Store, default_store_path

    path = store_path or default_store_path()
    kept: list[dict[str, Any]] = []
    if path.exists() or store_path is not None:
        with Store(path, create=False) as store:
            found = store.dossiers()
        kept = [{"created_utc": one.created_utc, "record": one.record_id, "dossier": one.document} for one in found]
        if not as_json:
            tell_damaged(store)
    if as_json:
        print_json({"dossiers": kept})
    elif kept:
        _print_columns([_dossier_row(row) for row in kept])
    else:
        click.echo(f"no dossiers yet in {path}; try: flashscope examine sim:onyx-32", err=True)


def _dossier_row(row: dict[str, Any]) -> dict[str, Any]:
    document = row["dossier"]
    return {
        "id": row["created_utc"],
        "drive": document["drive"],
        "name": f"{len(document['records'])} records",
        "statement": next(iter(document["verdict"]), ""),
    }


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
    from flashscope.store.damage import in_one_line

    shown = [[in_one_line(str(row[name])) for name in names] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)][:-1]
    for cells in shown:
        aligned = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
        click.echo("  ".join([*aligned, cells[-1]]).rstrip())
