"""`flashscope smart diff A B`: what changed between two readings of one drive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from flashscope.cli.options import json_option

if TYPE_CHECKING:
    from flashscope.smart.watching.difference import Change, Difference


@click.command("diff")
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@json_option
def diff(before: str, after: str, as_json: bool) -> None:
    """Show what changed from one reading of a drive to a later one.

    BEFORE and AFTER are anything that `flashscope smart` takes. Counters are shown by how much they grew, with units.
    Write amplification and bit error ratio are those of the time between the readings, not of the drive's whole life.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.smart.source import read_all
    from flashscope.smart.watching.difference import difference

    first, second = read_all((before,))[-1], read_all((after,))[-1]
    found = difference(first, second)
    if as_json:
        print_json(_document(found))
    else:
        _print(found)


def _document(found: Difference) -> dict[str, Any]:
    from flashscope.smart.decoding.as_json import field_json

    return {
        "power_on_hours": found.power_on_hours,
        "calendar_hours": found.calendar_hours,
        "changes": {
            one.after.key: {
                "before": one.before.value,
                "after": one.after.value,
                "difference": one.difference,
                "low": one.low,
                "high": one.high,
                "unit": one.after.unit,
            }
            for one in found.changes
        },
        "interval": {field.key: field_json(field) for field in found.interval},
        "unchanged_count": found.same_count,
        "appeared": list(found.appeared),
        "vanished": list(found.vanished),
        "remarks": list(found.remarks),
        "losses": list(found.losses),
    }


def _print(found: Difference) -> None:
    from rich.table import Table
    from rich.text import Text

    from flashscope.cli.smart.text import console_for_tables
    from flashscope.reports.smart.names import in_order, name_of
    from flashscope.reports.smart.numbers import said, say_field, say_hours, say_interval
    from flashscope.smart.watching.difference import LOSSES

    console = console_for_tables()
    for loss in found.losses:
        console.print(f"[bold red]! {loss[:1].upper()}{loss[1:]}.[/]")
    for remark in found.remarks:
        console.print(f"! {remark}", markup=False)
    for hours, what in ((found.calendar_hours, "by the calendar"), (found.power_on_hours, "of power-on time")):
        if hours is not None:
            console.print(f"Between the readings: {say_hours(hours)} {what}.", markup=False)
    for field in found.interval:
        interval = say_interval(field)
        between = f" ({interval})" if interval else ""
        console.print(
            f"In this time: {name_of(field.key).full.lower()} {say_field(field).text}{between}.", markup=False
        )
    if not found.changes:
        console.print("No number that is in both readings has changed.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("what")
    for heading in ("before", "after", "change"):
        table.add_column(heading, justify="right", no_wrap=True)
    by_key = {one.after.key: one for one in found.changes}
    losses = [key for key, _, _ in LOSSES if key in by_key]
    for key in [*losses, *in_order([key for key in by_key if key not in losses])]:
        one = by_key[key]
        before, after = (said(field.value, field.unit, key) for field in (one.before, one.after))
        table.add_row(*(Text(cell) for cell in (name_of(key).full, before, after, _growth(one))))
    console.print(table)
    same = f"{found.same_count} other numbers stayed as they were." if found.same_count else ""
    for keys, what in ((found.appeared, "only in the later reading"), (found.vanished, "only in the earlier reading")):
        if keys:
            same += f" {what[0].upper()}{what[1:]}: {', '.join(name_of(key).full.lower() for key in keys)}."
    console.print(same.strip(), style="dim", markup=False)


def _growth(one: Change) -> str:
    from flashscope.reports.smart.numbers import said

    key, unit = one.after.key, one.after.unit
    sign = "+" if one.difference > 0 else "-"
    if unit == "ratio" and key not in ("rber", "write_amplification"):
        return f"{sign}{abs(100 * one.difference):.3g} points"
    return sign + said(abs(one.difference), unit, key)
