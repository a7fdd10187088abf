"""Requests per second by queue depth: where the lines go flat, more depth only means longer waits.

1/s |          ___o  reads
    |      o--/
    |  o--x----x--x  writes
    +--1--4--16--64-- queue depth
"""

from __future__ import annotations

from typing import Any

from flashscope.records import Finding, Record
from flashscope.reports.numbers import plain, say
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line, draw, room_for_names
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, Layout, Spec
from flashscope.units import format_number

_LOG_FROM = 20.0


def build(record: Record) -> list[Chart]:
    """One chart of both directions; none without a measured depth."""
    found = {finding.key: finding for finding in record.findings}
    lines = {
        kind: found[f"effective_parallelism_{kind}s"].details.get("depths", [])
        for kind in ("read", "write")
        if f"effective_parallelism_{kind}s" in found
    }
    lines = {kind: rows for kind, rows in lines.items() if len(rows) > 1}
    if not lines:
        return []
    title = _title(found)
    return [
        Chart(
            name="depths",
            title=title,
            caption="Random 4 KiB requests per second with so many outstanding at all times. Where a line goes flat "
            "the drive has no more to work on at once, and a deeper queue only waits.",
            description=f"{title}. " + " ".join(found[key].statement for key in sorted(found)),
            draw=lambda layout: _draw(lines, layout),
        )
    ]


def _title(found: dict[str, Finding]) -> str:
    parallel = found.get("effective_parallelism_reads")
    useful = found.get("useful_queue_depth_reads")
    if parallel is None or not isinstance(parallel.value, float):
        return "How many reads are worked on at once is not known"
    if parallel.value < 1.05 or useful is None:
        return "Works on one read at a time"
    return f"Works on {format_number(parallel.value, 2)} reads at once; a queue depth of {useful.value} is enough"


def _draw(lines: dict[str, list[dict[str, Any]]], layout: Layout) -> Spec:
    rates = [float(row["requests_per_second"]) for rows in lines.values() for row in rows]
    depths = sorted({int(row["depth"]) for rows in lines.values() for row in rows})
    logarithmic = max(rates) / max(min(rates), 1e-9) > _LOG_FROM
    domain = (min(rates) / 2, max(rates) * 2) if logarithmic else (0.0, max(rates) * 1.1)
    end = room_for_names(depths[0], depths[-1], layout, logarithmic=True)
    x = vl.axis("x", "queue depth", domain=(depths[0] / 1.15, end), kind="log", ticks=depths)
    y = vl.axis("y", "requests per second", domain=domain, kind="log" if logarithmic else "linear", tick_count=5)
    drawn = [
        Line(f"{kind}s", [_row(kind, row) for row in rows], ACCENT if kind == "read" else CONTRAST)
        for kind, rows in lines.items()
    ]
    return draw(drawn, layout, x=x, y=y)


def _row(kind: str, row: dict[str, Any]) -> dict[str, Any]:
    rate = float(row["requests_per_second"])
    return {
        "x": int(row["depth"]),
        "y": rate,
        "low": float(row["low"]),
        "high": float(row["high"]),
        "exact": f"{kind}s at depth {row['depth']}: {plain(round(rate))} per second, "
        f"{say(row['mean_latency_ns'], 'ns').text} each on average, {format_number(row['outstanding'])} outstanding",
    }
