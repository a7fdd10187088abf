"""Share of requests answered by a time: single ones, and one of two. A wait moves the whole curve of single requests.

1 |        ____----- one of two
  |       /    |---- lone
  |      |<wait>|
0 +------------------ latency
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flashscope.experiments.command_gathering import COMPANY_ROLE, LONE_ROLE
from flashscope.experiments.measured import latency, measured
from flashscope.records import Finding, Histogram, Record
from flashscope.records.latency import bucket_bounds_ns
from flashscope.reports.numbers import say
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line, draw, room_for_names
from flashscope.reports.plotting.theme import ACCENT, INK, SERIES, Layout, Spec
from flashscope.units import format_number, format_percent

_TAIL = 0.98  # the slowest 2 % would take most of the drawing
_LINES = ((LONE_ROLE, 1, "a lone read", ACCENT), (COMPANY_ROLE, 2, "one of two", SERIES))
"""Role and depth of the step, words, colour."""


def build(record: Record) -> list[Chart]:
    """One chart of the two distributions; none when one of them is missing."""
    finding = next((found for found in record.findings if found.key == "gathering_wait_ns"), None)
    reads = [_reads(record, role, depth) for role, depth, _, _ in _LINES]
    if finding is None or not all(one.total for one in reads):
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
            draw=lambda layout: _draw(reads, finding, layout),
        )
    ]


def _reads(record: Record, role: str, depth: int) -> Histogram:
    result = measured(record, role, depth=depth)
    return Histogram() if result is None else latency(result, "read")


def _draw(reads: Sequence[Histogram], finding: Finding, layout: Layout) -> Spec:
    lines = [
        Line(words, _rows(histogram, words), colour, points=False, stepped=True)
        for histogram, (_, _, words, colour) in zip(reads, _LINES, strict=True)
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
        "y",
        "share of reads",
        domain=(0.0, 1.08),
        ticks=(0, 0.25, 0.5, 0.75, 1),
        label="format(datum.value * 100, 'd') + ' %'",
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


def _rows(reads: Histogram, words: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    reached = 0.0
    for bucket, count in sorted(reads.counts.items()):
        begin_us = bucket_bounds_ns(bucket)[0] / 1e3
        if not rows:
            rows.append({"x": begin_us * 0.999, "y": 0.0, "exact": f"{words}: none before"})
        reached += round(count / reads.total, 6)
        rows.append(
            {
                "x": begin_us,
                "y": reached,
                "exact": f"{words}: {format_percent(reached)} by {format_number(begin_us, 4)} µs",
            }
        )
        if reached >= _TAIL:
            break
    return rows
