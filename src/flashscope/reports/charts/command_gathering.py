"""Share of requests answered by then: a lone one, and one of two. A wait moves the whole curve of the lone one.

1 |        ____----- one of two
  |       /    |---- lone
  |      |<wait>|
0 +------------------ latency
"""

from __future__ import annotations

from typing import Any

from flashscope.experiments.command_gathering import LONE, PAIR
from flashscope.records import Finding, Record
from flashscope.records.latency import bucket_bounds_ns
from flashscope.reports import vega_lite as vl
from flashscope.reports.chart import Chart
from flashscope.reports.lines import Line, draw, room_for_names
from flashscope.reports.numbers import say
from flashscope.reports.theme import ACCENT, INK, SERIES, Layout, Spec

_TAIL = 0.98  # the slowest fiftieth would take most of the drawing
_NAMES = {LONE: "a lone read", PAIR: "one of two"}
_COLOURS = {LONE: ACCENT, PAIR: SERIES}


def build(record: Record) -> list[Chart]:
    """One chart of the two distributions; none when one of them is missing."""
    finding = next((found for found in record.findings if found.key == "gathering_wait_ns"), None)
    cells = {cell["name"]: cell for cell in finding.details.get("cells", ())} if finding else {}
    if finding is None or not all(cells.get(name, {}).get("buckets") for name in _NAMES):
        return []
    title = (
        f"A lone read is held back {say(finding.value, 'ns').text} to gather others"
        if finding.value is not None
        else "A lone read does not wait for others"
    )
    return [
        Chart(
            name="waiting",
            title=title,
            caption="Share of random 4 KiB reads that were answered by then: with one outstanding, and with two. Only "
            "the first finds the drive idle, so a drive that gathers commands holds only the first back.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: _draw(cells, finding, layout),
        )
    ]


def _draw(cells: dict[str, dict[str, Any]], finding: Finding, layout: Layout) -> Spec:
    lines = [
        Line(_NAMES[name], _rows(cells[name], name), _COLOURS[name], points=False, stepped=True) for name in _NAMES
    ]
    first = min(line.rows[0]["x"] for line in lines) * 0.9
    last = max(line.rows[-1]["x"] for line in lines)
    lines = [Line(one.name, [*one.rows, one.rows[-1] | {"x": last}], one.colour, False, True) for one in lines]
    x = vl.axis(
        "x",
        "answered after (µs)",
        domain=(first, room_for_names(first, last, layout, logarithmic=False)),
        tick_count=layout.tick_count,
    )
    y = vl.axis(
        "y", "share of reads", domain=(0.0, 1.08), ticks=(0, 0.25, 0.5, 0.75, 1), label="format(datum.value, '.0%')"
    )
    below: list[Spec] = []
    if isinstance(finding.value, int | float):
        end = float(finding.details["lone_floor_ns"]) / 1e3
        wait = {
            "x": end - float(finding.value) / 1e3,
            "x2": end,
            "y": 0.5,
            "label": f"wait {say(finding.value, 'ns').text}",
        }
        rule = {"type": "rule", "color": INK, "strokeWidth": 1.5, "strokeDash": [4, 3]}
        below = [
            vl.layer([wait], rule, x=x, x2={"field": "x2"}, y=y),
            *vl.text([wait], x=x, y=y, dy=-12, fontWeight="bold"),
        ]
    return draw(lines, layout, x=x, y=y, below=below)


def _rows(cell: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    reached = 0.0
    for bucket, share in cell["buckets"]:
        begin_us = bucket_bounds_ns(int(bucket))[0] / 1e3
        if not rows:
            rows.append({"x": begin_us * 0.999, "y": 0.0, "exact": f"{_NAMES[name]}: none before"})
        reached += float(share)
        rows.append({"x": begin_us, "y": reached, "exact": f"{_NAMES[name]}: {reached:.1%} by {begin_us:.4g} µs"})
        if reached >= _TAIL:
            break
    return rows
