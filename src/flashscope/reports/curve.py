"""Charts that several experiments share: points joined by lines with their names in place, and bars in words.

curve   y |      o---o  name          bars   fresh         ########## 59 MB/s
          | o---o                            after a fill  ######
          +----------- x                                    0 ------------
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flashscope.reports import vega_lite as vl
from flashscope.reports.theme import INK, MUTED, Layout, Spec

_LOG_FROM = 30.0


@dataclass(frozen=True)
class Line:
    """One named line. points: (x, y, exact text) in the order of x."""

    name: str
    colour: str
    points: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True)
class Curve:
    """What a curve chart shows. x_log: the x axis is logarithmic. marks: (x, words) of vertical lines, the finding.

    y_top: where the y axis ends; None: a little above the highest point.
    """

    x_title: str
    y_title: str
    lines: tuple[Line, ...]
    x_log: bool = False
    marks: tuple[tuple[float, str], ...] = field(default=())
    y_top: float | None = None


def draw_curve(curve: Curve, layout: Layout) -> Spec:
    """The specification of a curve chart."""
    xs = [x for line in curve.lines for x, _, _ in line.points] + [x for x, _ in curve.marks]
    ys = [y for line in curve.lines for _, y, _ in line.points]
    top = curve.y_top or max(max(ys) * 1.2, 1e-9)
    if curve.x_log:
        low, high = min(xs) / 1.3, max(xs) * (max(xs) / min(xs)) ** (0.3 if layout.narrow else 0.16) * 1.3
        x = vl.axis("x", curve.x_title, domain=(low, high), kind="log", tick_count=layout.tick_count)
    else:
        reach = max(max(xs), 1e-9)
        x = vl.axis("x", curve.x_title, domain=(0.0, reach * 1.25), tick_count=layout.tick_count)
    y = vl.axis("y", curve.y_title, domain=(0.0, top), tick_count=5)
    layers: list[Spec] = []
    for place, words in curve.marks:
        mark = {"x": place, "y": top, "label": words}
        layers.append(vl.layer([mark], {"type": "rule", "color": INK, "strokeDash": [4, 3], "strokeWidth": 1.5}, x=x))
        layers += vl.text([mark], x=x, y=y, align="left", dx=6, dy=8, fontWeight="bold")
    exact: list[dict[str, Any]] = []
    for line in curve.lines:
        rows = [{"x": px, "y": py, "exact": words} for px, py, words in line.points]
        exact += rows
        layers += [
            vl.layer(rows, {"type": "line", "color": line.colour, "strokeWidth": 2}, x=x, y=y),
            vl.layer(rows, {"type": "point", "filled": True, "opacity": 1, "color": line.colour, "size": 45}, x=x, y=y),
            *vl.text([rows[-1] | {"label": line.name}], x=x, y=y, dx=8, dy=-2),
        ]
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def draw_bars(rows: Sequence[tuple[str, float, str, str]], x_title: str, layout: Layout) -> Spec:
    """Bars from zero, one per row: (words, value, colour, exact text). Very different values get a logarithmic axis."""
    values = [value for _, value, _, _ in rows if value > 0]
    logarithmic = bool(values) and max(values) / min(values) > _LOG_FROM
    low = min(values) / 3 if logarithmic else 0.0
    top = max(values, default=1.0) * (6 if logarithmic else 1.3)
    x = vl.axis("y", x_title, domain=(low, top), kind="log" if logarithmic else "linear", tick_count=5)
    y = {
        "field": "words",
        "type": "nominal",
        "sort": None,
        "axis": {"title": None, "labelLimit": 130 if layout.narrow else 300, "domain": False, "ticks": False},
    }
    layers: list[Spec] = []
    data = [
        {"words": words, "y": max(value, low), "low": low, "label": exact.split(": ")[-1], "exact": exact, "c": colour}
        for words, value, colour, exact in rows
    ]
    for colour in dict.fromkeys(row["c"] for row in data):
        chosen = [row for row in data if row["c"] == colour]
        bar = {"type": "bar", "color": colour, "height": {"band": 0.6}}
        layers.append(vl.layer(chosen, bar, x=x, x2={"field": "low"}, y=y))
    layers += vl.text(data, x=x, y=y, colour=MUTED, dx=5)
    height = max(0.5, len(rows) * 26 / layout.height_px + 0.25)
    return vl.chart([*layers, vl.hover_points(data, x=x, y=y)], layout, height_ratio=height)
