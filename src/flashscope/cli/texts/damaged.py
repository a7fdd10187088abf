"""Damaged records, on standard error: each named in a line, then what to do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from flashscope.store.store import Store


def tell_damaged(store: Store) -> None:
    """Name the records of a store that were found damaged and left out; nothing when there are none."""
    from flashscope.store.damage import printable

    for damaged in store.damaged.values():
        click.echo(f"flashscope: warning: {damaged.in_a_line()}", err=True)
    if store.damaged:
        named = shlex.quote(printable(store.path))
        click.echo(
            f"  to do:    flashscope store check {named} names all that is damaged; "
            f"flashscope store repair {named} NEW saves the rest into a new store",
            err=True,
        )
