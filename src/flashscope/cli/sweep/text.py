"""The table at the end of a sweep: key findings with their intervals against what was varied."""

from __future__ import annotations

import io
from collections.abc import Sequence

from flashscope.cli.texts.terminal_width import terminal_columns
from flashscope.records import Finding, Status
from flashscope.reports.agreement import interval
from flashscope.reports.numbers import say_finding
from flashscope.reports.sweep.chart import titled
from flashscope.sweeps.outcome import Outcome, varied_names

_ROWS_SHOWN = 60
_WIDTH = 120  # in a pipe or a file


def sweep_text(what: str, count: int, outcomes: Sequence[Outcome], findings: Sequence[str]) -> str:
    """The sweep for a terminal. count: its points. findings: the keys to be shown."""
    there = sum(one.was_there for one in outcomes)
    lines = [f"{what}: {len(outcomes)} of {count} points, {there} of them were in the store already"]
    if outcomes and findings:
        lines += ["", _table(outcomes[:_ROWS_SHOWN], findings)]
    elif outcomes:
        lines += ["no finding is a number; the records say why (flashscope report RECORD)"]
    if len(outcomes) > _ROWS_SHOWN:
        lines.append(f"... and {len(outcomes) - _ROWS_SHOWN} more (--csv and --json have all)")
    for one in outcomes:
        if one.status is not Status.DONE:
            lines.append(f"{one.status.value}: {one.address}, record {one.record_id}: {one.note}")
    if len(outcomes) < count:
        lines.append(f"{count - len(outcomes)} points are missing; the same command computes them")
    return "\n".join(lines)


def _table(outcomes: Sequence[Outcome], findings: Sequence[str]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    names = varied_names(outcomes)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in names or ["part"]:
        table.add_column(name, justify="left" if name == "part" else "right", no_wrap=True)
    for key in findings:
        table.add_column(titled(key), justify="right")
    for one in outcomes:
        varied = dict(one.varied)
        cells = [varied.get(name, "") for name in names] or [one.address]
        table.add_row(*cells, *(_said(one.finding(key)) for key in findings))
    text = io.StringIO()
    Console(file=text, width=terminal_columns() or _WIDTH, color_system=None, highlight=False).print(
        table, markup=False
    )
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())


def _said(finding: Finding | None) -> str:
    if finding is None:
        return ""
    bounds = interval(finding)
    return say_finding(finding).text + (f"\n{bounds.text}" if bounds else "")
