"""HD Tune's curve: transfer rate over the address range, with the average as a line.

MB/s | o--o--o--o--o     read (blue)
     | - - - - - - - -   average
     +------------------ position
"""

from __future__ import annotations

from typing import Any

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, Layout, Spec

_GB = 1e9
_MB = 1e6


def build(record: Record) -> list[Chart]:
    """One chart of the curves that were measured; none when none was."""
    curves = [
        (word, colour, finding)
        for word, key, colour in (("read", "seq_read", ACCENT), ("write", "seq_write", CONTRAST))
        for finding in record.findings
        if finding.key == key and finding.details.get("points") and isinstance(finding.value, int | float)
    ]
    if not curves:
        return []
    title = "; ".join(_told(word, finding) for word, _, finding in curves)
    return [
        Chart(
            name="curve",
            title=title[0].upper() + title[1:],
            caption="64 KiB requests, one at a time, at even distances. Blue: read; orange: write; dashed: averages.",
            description=f"{title}. " + " ".join(finding.statement for _, _, finding in curves),
            draw=lambda layout: _draw(curves, record.drive_facts.user_bytes, layout),
        )
    ]


def _told(word: str, finding: Finding) -> str:
    ends = f"{units.format_rate(finding.low or 0)} to {units.format_rate(finding.high or 0)}"
    average = units.format_rate(float(finding.value or 0))
    if (finding.low or 0) > 0.98 * (finding.high or 0):
        return f"{word} {average} everywhere"
    return f"{word} {average} on average, {ends}"


def _draw(curves: list[tuple[str, str, Finding]], user_bytes: int, layout: Layout) -> Spec:
    end = max(user_bytes, *(point["offset_bytes"] for _, _, found in curves for point in found.details["points"]))
    unit, unit_bytes = ("GB", _GB) if end >= 4 * _GB else ("MB", _MB)
    top = max(finding.high or 0.0 for _, _, finding in curves) / _MB * 1.2 or 1.0
    x = vl.axis("x", f"position on the drive, {unit}", domain=(0, end / unit_bytes), tick_count=layout.tick_count)
    y = vl.axis("y", "MB/s", domain=(0, top), tick_count=5)
    layers: list[Spec] = []
    highest = max(float(finding.value or 0) for _, _, finding in curves)
    for word, colour, finding in curves:
        rows = [_row(point, word, unit_bytes) for point in finding.details["points"]]
        average = float(finding.value or 0) / _MB
        label = {"x": end / unit_bytes, "y": average, "label": f"{word} {units.format_rate(average * _MB)}"}
        layers += [
            vl.layer([label], {"type": "rule", "color": colour, "strokeDash": [5, 4], "opacity": 0.7}, y=y),
            vl.layer(rows, {"type": "line", "color": colour, "strokeWidth": 1.75}, x=x, y=y),
            vl.layer(rows, {"type": "point", "filled": True, "opacity": 1, "color": colour, "size": 24}, x=x, y=y),
            # The label of the higher average is above its line, that of the lower below: they may be close together.
            *vl.text(
                [label], x=x, y=y, dx=-6, dy=-12 if average * _MB == highest else 14, align="right", fontWeight="bold"
            ),
            vl.hover_points(rows, x=x, y=y),
        ]
    return vl.chart(layers, layout)


def _row(point: dict[str, Any], word: str, unit_bytes: float) -> dict[str, Any]:
    exact = f"{word} {units.format_rate(point['rate'])} at {units.format_bytes(point['offset_bytes'])}"
    return {"x": point["offset_bytes"] / unit_bytes, "y": point["rate"] / _MB, "exact": exact}
