"""A drive's SMART on a terminal: the verdict in plain words, then clocks, then every number."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, WATCH

if TYPE_CHECKING:
    from rich.console import Console

    from flashscope.reports.smart.rows import FieldRow
    from flashscope.reports.smart.view import ClockRow, SmartView

_COLOURS = {GOOD: "green", WATCH: "yellow", COPY_NOW: "bold red"}
_NARROWEST_PIPE = 130  # columns, where nobody says how wide the paper is
_BAR = 24


def console_for_tables(*, to_errors: bool = False) -> Console:
    """Standard output or standard error, as wide as the terminal, wide where there is none; colours only on one."""
    from rich.console import Console

    console = Console(highlight=False, stderr=to_errors)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(highlight=False, stderr=to_errors, width=_NARROWEST_PIPE)
    return console


def print_view(view: SmartView, *, to_errors: bool = False) -> None:
    """Print it to standard output. to_errors: to standard error instead."""
    console = console_for_tables(to_errors=to_errors)
    _print_head(console, view)
    if view.contradictions:
        _heading(console, "Contradictions in the readings")
        for message in view.contradictions:
            console.print(f"  ! {message}", markup=False)
    if view.clocks:
        _heading(console, "How much of its life is used")
        for row in view.clocks:
            _print_clock(console, row)
        for titles, meaning in view.clock_notes:
            console.print(f"  {titles}: {meaning}", style="dim", markup=False)
    for group, _, rows in view.groups:
        _heading(console, group)
        _print_rows(console, rows)
    _print_rest(console, view)


def _heading(console: Console, text: str) -> None:
    console.print(f"\n[bold]{text}[/bold]")


def _print_head(console: Console, view: SmartView) -> None:
    from rich.markup import escape

    console.print(f"[bold]{escape(view.name)}[/bold] ({view.kind})")
    console.print("  ".join(f"{label}: {said.text}" for label, said in view.facts), style="dim", markup=False)
    console.print(f"\n[{_COLOURS.get(view.verdict.level, 'bold')}]{escape(view.verdict.statement)}[/]")
    for reason in view.verdict.reasons:
        console.print(f"  - {reason}", markup=False)
    if view.verdict.advice:
        console.print(f"  To do: {view.verdict.advice}", markup=False)
    if view.sentences:
        console.print()
    for sentence in view.sentences:
        console.print(sentence, markup=False)


def _print_clock(console: Console, row: ClockRow) -> None:
    filled = round(row.bar_percent / 100 * _BAR)
    bar = "█" * filled + "░" * (_BAR - filled)
    console.print(f"  {bar} {row.clock.title}: {row.used} used ({row.used_interval})", markup=False)
    words = [row.clock.statement]
    if row.clock.rating_reached and not row.clock.ends_in_failure:
        words.append("the rating is reached; that alone is not a failure")
    elif row.left_time:
        more = f", {row.left_bytes} of the host" if row.left_bytes else ""
        words.append(f"left: {row.left_time}{more}")
    console.print(f"    {'; '.join(words)}", markup=False)
    for doubt in row.clock.doubts:
        console.print(f"    {doubt}", style="dim", markup=False)


def _print_rows(console: Console, rows: list[FieldRow]) -> None:
    from rich.table import Table
    from rich.text import Text

    from flashscope.reports.plotting import sparkline

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("  what", min_width=34)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("between")
    with_history = any(len(row.history) > 1 for row in rows)
    if with_history:
        table.add_column("history", no_wrap=True)
    table.add_column("how sure", no_wrap=True)
    table.add_column("raw", justify="right")
    table.add_column("from")
    for row in rows:
        cells = [f"  {row.name.full}", row.value.text, row.interval]
        cells += [sparkline.blocks(row.history)] if with_history else []
        cells += [row.provenance, row.raw, row.origin]
        table.add_row(*(Text(cell) for cell in cells))
    console.print(table)


def _print_rest(console: Console, view: SmartView) -> None:
    for heading, lines in (
        ("Attributes whose meaning is not known (flashscope smart learn finds out)", view.undecoded),
        ("Remarks of the program that read it", view.remarks),
        ("What could not be read", view.unread),
    ):
        if lines:
            _heading(console, heading)
            for line in lines:
                console.print(f"  {line}", markup=False)
