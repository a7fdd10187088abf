"""Latency of small reads against the write rate at the same time: the median, 1 in 100, 1 in 1000.

10 ms |         o----o  1 in 1000
 1 ms |     o--x----x   1 in 100
      |  o--+--+----+   half of them
      +--0--25-50--75 % of the write rate
"""

from __future__ import annotations

from typing import Any

from flashscope.records import Record
from flashscope.reports.numbers import say
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line, draw, room_for_names
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, SERIES, Layout, Spec
from flashscope.units import format_number, format_rate

_LINES = {"p999": ("1 in 1000", CONTRAST), "p99": ("1 in 100", ACCENT), "p50": ("half of them", SERIES)}


def build(record: Record) -> list[Chart]:
    """One chart of all levels; none when a level is missing."""
    found = {finding.key: finding for finding in record.findings}
    middle, rare = found.get("read_wait_p50_ratio"), found.get("read_wait_p99_ratio")
    levels = middle.details.get("levels", []) if middle else []
    if middle is None or rare is None or rare.value is None or len(levels) < 2:
        return []
    title = f"Beside writing at half rate, 1 read in 100 waits {format_number(float(rare.value), 2)} times as long"
    return [
        Chart(
            name="levels",
            title=title,
            caption="Latency of random 4 KiB reads, one at a time, while data is written in order at a share of the "
            "drive's own rate. Half of the reads, 1 in 100 and 1 in 1000 take longer than the line says.",
            description=" ".join(finding.statement for finding in found.values()),
            draw=lambda layout: _draw(levels, layout),
        )
    ]


def _draw(levels: list[dict[str, Any]], layout: Layout) -> Spec:
    lines = [
        Line(name, [_row(level, key, name) for level in levels], colour)
        for key, (name, colour) in _LINES.items()
        if all(f"{key}_ns" in level for level in levels)
    ]
    values = [row[edge] for line in lines for row in line.rows for edge in ("low", "high")]
    end = room_for_names(
        0.0, levels[-1]["share_ratio"] * 100, layout, logarithmic=False, names=[each.name for each in lines]
    )
    x = vl.axis(
        "x",
        "written beside, % of the drive's write rate",
        domain=(0.0, end),
        ticks=[100 * one["share_ratio"] for one in levels],
    )
    y = vl.axis("y", "latency (ms)", domain=(min(values) / 1.5, max(values) * 1.5), kind="log", tick_count=5)
    return draw(lines, layout, x=x, y=y)


def _row(level: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    value = float(level[f"{key}_ns"])
    return {
        "x": 100 * float(level["share_ratio"]),
        "y": value / 1e6,
        "low": float(level[f"{key}_low_ns"]) / 1e6,
        "high": float(level[f"{key}_high_ns"]) / 1e6,
        "exact": f"{name}, {level['name']}: {say(value, 'ns').text} "
        f"(written at {format_rate(level['written_bytes_per_second'])})",
    }
