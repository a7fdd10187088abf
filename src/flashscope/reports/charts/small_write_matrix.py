"""Requests per second by write size, aligned and not: below the mapping unit each write costs a read and a rewrite.

IOPS |            o  aligned       :  the unit, as in the finding
     |  o   o   o :
     |  x   x   x : x  unaligned
     +--512-1K--2K-4K--
"""

from __future__ import annotations

from typing import Any

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.numbers import plain, say
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, Layout, Spec

_LOG_FROM = 30.0  # fastest over slowest: beyond this the slow cells would be on the axis


def build(record: Record) -> list[Chart]:
    """One chart from the cells that are evidence for the finding; none when there are no cells."""
    finding = next((found for found in record.findings if found.key == "mapping_unit_bytes"), None)
    cells = [cell for cell in finding.details.get("cells", ()) if cell["requests_per_second"] > 0] if finding else []
    if finding is None or not cells:
        return []
    known = isinstance(finding.value, int | float)
    title = (
        f"Maps flash in units of {units.format_bytes_binary(float(finding.value or 0))}"
        if known
        else "No mapping unit shows at these sizes"
    )
    return [
        Chart(
            name="matrix",
            title=title,
            caption="Random writes per second, one at a time. Aligned: each starts at a multiple of 4 KiB, "
            "or of its own size above that. Unaligned: each starts at any sector, so most reach into one unit more.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: _draw(cells, finding, layout),
        )
    ]


def _draw(cells: list[dict[str, Any]], finding: Finding, layout: Layout) -> Spec:
    sizes = {int(cell["request_bytes"]) for cell in cells}
    unit_bytes = int(finding.value) if isinstance(finding.value, int | float) else None
    places = sorted({*sizes, *([unit_bytes] if unit_bytes else [])})
    rates = [float(cell["requests_per_second"]) for cell in cells]
    logarithmic = max(rates) / min(rates) > _LOG_FROM
    bottom, top = (min(rates) / 2, max(rates) * 2.5) if logarithmic else (0.0, max(rates) * 1.2)
    # Room on the right for the names of the two lines.
    room = (places[-1] / places[0]) ** (0.42 if layout.narrow else 0.17)
    domain = (places[0] / 1.3, places[-1] * max(room, 1.5))
    x = vl.axis("x", "size of each write", domain=domain, kind="log", ticks=places, label=_size_labels(places, layout))
    y = vl.axis("y", "writes per second", domain=(bottom, top), kind="log" if logarithmic else "linear", tick_count=5)
    layers: list[Spec] = []
    if unit_bytes:
        mark = {"x": unit_bytes, "y": top, "label": f"unit {units.format_bytes_binary(unit_bytes)}"}
        layers.append(vl.layer([mark], {"type": "rule", "color": INK, "strokeDash": [4, 3], "strokeWidth": 1.5}, x=x))
        layers += vl.text([mark], x=x, y=y, align="right", dx=-6, dy=8, fontWeight="bold")
    exact: list[dict[str, Any]] = []
    for aligned, name, colour, shape in (
        (False, "unaligned", CONTRAST, "diamond"),
        (True, "aligned", ACCENT, "circle"),
    ):
        rows = [_row(cell, name) for cell in cells if cell["aligned"] is aligned]
        rows.sort(key=lambda row: float(row["x"]))
        if not rows:
            continue
        exact += rows
        last = rows[-1] | {"label": name}
        # The upper name a little up, the lower a little down: the lines may end close together.
        side = -1 if aligned else 1
        layers += [
            vl.layer(rows, {"type": "line", "color": colour, "strokeWidth": 1.5, "opacity": 0.5}, x=x, y=y),
            vl.layer(rows, {"type": "rule", "color": colour}, x=x, y=y | {"field": "low"}, y2={"field": "high"}),
            vl.layer(
                rows,
                {"type": "point", "shape": shape, "filled": True, "opacity": 1, "color": colour, "size": 70},
                x=x,
                y=y,
            ),
            *vl.text([last], x=x, y=y, colour=INK, dx=9, dy=8 * side, fontWeight="bold" if aligned else "normal"),
        ]
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def _row(cell: dict[str, Any], name: str) -> dict[str, Any]:
    rate, size = float(cell["requests_per_second"]), units.format_bytes_binary(cell["request_bytes"])
    return {
        "x": int(cell["request_bytes"]),
        "y": rate,
        "low": float(cell["low"]),
        "high": float(cell["high"]),
        "exact": f"{name} {size}: {plain(round(rate))} writes per second, {say(1e9 / rate, 'ns').text} each "
        f"({plain(cell['request_count'])} writes)",
    }


def _size_labels(places: list[int], layout: Layout) -> str:
    """A Vega expression that names each tick; on a phone every second one when they are many."""
    sparse = layout.narrow and len(places) > 5
    named = [place for index, place in enumerate(places) if not sparse or (len(places) - 1 - index) % 2 == 0]
    cases = "".join(f"datum.value == {place} ? '{units.format_bytes_binary(place)}' : " for place in named)
    return f"{cases}''"
