"""Wrong bits per bit read, against the average erase count, each with its interval.

RBER |      |      |
     |  |   o   |  o
     |  o   |   o  |
     +------------------ average erase count
"""

from __future__ import annotations

from typing import Any

from flashscope.records import Record
from flashscope.reports.numbers import one_in, plain, rare_unit
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, Layout, Spec
from flashscope.units import format_number


def build(record: Record) -> list[Chart]:
    """One chart; none when no level was read, or erase counts are not shown."""
    finding = next((found for found in record.findings if found.key == "rber"), None)
    levels = (
        [row for row in finding.details.get("levels", []) if row["erase_count_average"] is not None] if finding else []
    )
    if finding is None or not levels:
        return []
    last = levels[-1]
    often = one_in(last["rber"]) if last["error_bits"] else f"At most {one_in(last['high'])}"
    title = f"{often} bits is read wrong at an average erase count of {format_number(last['erase_count_average'])}"
    return [
        Chart(
            name="levels",
            title=title,
            caption="Wrong bits that correction met, over bits the host read, by SMART; the bars are 95 % intervals by "
            "Poisson's law, widened by how much the parts of a reading scatter.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: _draw(levels, layout),
        )
    ]


def _draw(levels: list[dict[str, Any]], layout: Layout) -> Spec:
    unit, whole = rare_unit(max(float(row["high"]) for row in levels))
    rows: list[dict[str, Any]] = [
        {
            "x": float(row["erase_count_average"]),
            "y": float(row["rber"]) * whole,
            "low": float(row["low"]) * whole,
            "high": float(row["high"]) * whole,
            "exact": f"{format_number(row['erase_count_average'])} erases: {format_number(row['rber'])} "
            f"({plain(row['error_bits'])} bits)",
        }
        for row in levels
    ]
    first, last = rows[0]["x"], rows[-1]["x"]
    room = max((last - first) * 0.2, 1.0)
    places = sorted({round(row["x"]) for row in rows})
    x = vl.axis("x", "average erase count", domain=(max(0.0, first - room), last + room), ticks=places)
    top = max(row["high"] for row in rows) * 1.15
    y = vl.axis("y", f"wrong bits in a {unit}", domain=(0.0, top), tick_count=5)
    return vl.chart(
        [
            vl.layer(
                rows,
                {"type": "rule", "color": ACCENT, "strokeWidth": 2},
                x=x,
                y=y | {"field": "low"},
                y2={"field": "high"},
            ),
            vl.layer(rows, {"type": "point", "filled": True, "opacity": 1, "color": ACCENT, "size": 70}, x=x, y=y),
            vl.hover_points(rows, x=x, y=y),
        ],
        layout,
    )
