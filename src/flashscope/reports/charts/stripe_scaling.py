"""Rate by number of members, for large and small requests, with the host's limit where it is reached.

MB/s |        - - host's limit - -
     |       o----o----o   reads of 64 MiB
     |    o--x----x----x   reads of 1 MiB
     |  o
     +--1--2--3--4--5--6-- drives
"""

from __future__ import annotations

from typing import Any

from flashscope.records import Finding, Record
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line, draw, room_for_names
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, SERIES, Layout, Spec
from flashscope.units import format_number, format_rate

_LINES = {
    "read_64_mib": ("reads, 64 MiB", ACCENT, False),
    "read_1_mib": ("reads, 1 MiB", ACCENT, True),
    "write_64_mib": ("writes, 64 MiB", CONTRAST, False),
    "write_1_mib": ("writes, 1 MiB", CONTRAST, True),
}
"""Part of the key -> name, colour, dashed: the colour says the direction, dashes say the smaller requests."""


def build(record: Record) -> list[Chart]:
    """Rates, and the interference of reading and writing; none when fewer than two arrays were measured."""
    found = {finding.key: finding for finding in record.findings}
    arrays: list[dict[str, Any]] = next(
        (finding.details["arrays"] for finding in found.values() if finding.details.get("arrays")), []
    )
    if len(arrays) < 2:
        return []
    limit = found.get("host_limit_bytes_per_second")
    charts = [
        Chart(
            name="rates",
            title=_title(limit, arrays),
            caption="Requests in order, one at a time, over arrays of one drive to all of them.",
            description=" ".join(finding.statement for finding in found.values()),
            draw=lambda layout: _draw_rates(arrays, limit, layout),
        )
    ]
    ratio = found.get("stripe_interference_ratio")
    if ratio is not None and all("interference_ratio" in array for array in arrays):
        charts.append(
            Chart(
                name="interference",
                title=f"With {arrays[-1]['members']} drives reading and writing at once takes "
                f"{format_number(float(ratio.value or 0))} times as long as one after the other",
                caption="Time to read and write the same amount at once, over the time of one after the other. "
                "1: they take turns. Above: they hinder each other.",
                description=ratio.statement,
                draw=lambda layout: _draw_interference(arrays, layout),
            )
        )
    return charts


def _title(limit: Finding | None, arrays: list[dict[str, Any]]) -> str:
    if limit is not None and isinstance(limit.value, float):
        count = limit.details["last_useful_member_count"]
        return f"From {count} drives on the host is the limit, at {format_rate(limit.value)}"
    gain = arrays[-1]["read_64_mib_bytes_per_second"] / arrays[0]["read_64_mib_bytes_per_second"]
    return f"{arrays[-1]['members']} drives read {format_number(gain, 2)} times as fast as one"


def _draw_rates(arrays: list[dict[str, Any]], limit: Finding | None, layout: Layout) -> Spec:
    lines = []
    for key, (name, colour, dashed) in _LINES.items():
        known = [array for array in arrays if f"{key}_bytes_per_second" in array]
        if known:
            lines.append(Line(name, [_rate_row(array, key, name) for array in known], colour, dashed=dashed))
    most = max(row["y"] for line in lines for row in line.rows)
    x = _members_axis(arrays, layout)
    y = vl.axis("y", "MB/s", domain=(0.0, most * 1.15), tick_count=5)
    below: list[Spec] = []
    if limit is not None and isinstance(limit.value, float):
        mark = {"x": arrays[0]["members"], "y": limit.value / 1e6, "label": f"host {format_rate(limit.value)}"}
        rule = {"type": "rule", "color": INK, "strokeDash": [4, 3]}
        below = [vl.layer([mark], rule, y=y), *vl.text([mark], x=x, y=y, dy=-10, fontWeight="bold")]
    return draw(lines, layout, x=x, y=y, below=below)


def _rate_row(array: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    rate = float(array[f"{key}_bytes_per_second"])
    return {"x": array["members"], "y": rate / 1e6, "exact": f"{name}, {array['members']} drives: {format_rate(rate)}"}


def _draw_interference(arrays: list[dict[str, Any]], layout: Layout) -> Spec:
    rows = [
        {
            "x": array["members"],
            "y": float(array["interference_ratio"]),
            "low": float(array["interference_low"]),
            "high": float(array["interference_high"]),
            "exact": f"{array['members']} drives: {format_number(array['interference_ratio'])} times",
        }
        for array in arrays
    ]
    y = vl.axis("y", "times", domain=(0.0, max(1.1, *(row["high"] * 1.1 for row in rows))), tick_count=5)
    below = [vl.layer([{"y": 1.0}], {"type": "rule", "color": SERIES, "strokeDash": [4, 3]}, y=y)]
    return draw([Line("at once", rows, ACCENT)], layout, x=_members_axis(arrays, layout), y=y, below=below)


def _members_axis(arrays: list[dict[str, Any]], layout: Layout) -> Spec:
    counts = [int(array["members"]) for array in arrays]
    end = room_for_names(counts[0], counts[-1], layout, logarithmic=False)
    return vl.axis("x", "drives", domain=(max(0.0, counts[0] - 0.3), end), ticks=counts)
