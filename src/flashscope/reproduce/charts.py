"""One figure per law: the gap of every measurement, as a share of its tolerance.

allowed  +---------------------+      grey band: the tolerance, of each measurement its own
         | o   o     o         |      dots: in the order of the table, so that a trend with
       0 |---o---o-----o---o---|      size can be seen
         |             o       |      the largest gap has its condition at the edge of the band,
allowed  +-------------|-------+      where no other dot is
                  its condition
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from flashscope.outputs import SVG, ResultFile
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, GRID, MUTED, WIDE, Layout, Spec
from flashscope.reproduce.case import Law
from flashscope.reproduce.row import Row


def chart_files(laws: Sequence[Law], rows: Sequence[Row], directory: Path) -> list[ResultFile]:
    """A chart `<law>.svg` for each law that has rows, to be written to a directory."""
    charts = []
    for law in laws:
        measured = [row for row in rows if row.law == law.name and math.isfinite(row.gap_ratio)]
        if measured:
            spec = vl.titled(draw(measured, WIDE), title(measured), f"{law.name}: {law.title}. Grey: the tolerance.")
            charts.append(ResultFile(directory / f"{law.name}.svg", SVG, vl.to_svg(spec).encode()))
    return charts


def title(rows: Sequence[Row]) -> str:
    """The answer in a sentence."""
    holding = sum(row.holds for row in rows)
    all_hold = "The law holds" if len(rows) == 1 else f"All {len(rows)} hold"
    begin = all_hold if holding == len(rows) else f"{holding} of {len(rows)} hold"
    return f"{begin}; the largest gap is {_percent(_worst(rows).gap_ratio)}"


def draw(rows: Sequence[Row], layout: Layout) -> Spec:
    """The gaps of one law's rows."""
    dots: list[Spec] = [
        {
            "x": place,
            "y": 100 * row.gap_ratio / row.tolerance_ratio,
            "exact": f"{row.condition}: expected {row.expected:.5g}, measured {row.measured:.5g}, "
            f"gap {_percent(row.gap_ratio)} of {100 * row.tolerance_ratio:.2g} % allowed",
            "label": f"{_percent(row.gap_ratio)}: {_short(row.condition)}",
            "holds": row.holds,
        }
        for place, row in enumerate(rows, start=1)
    ]
    last = len(rows) + 0.5
    limit = max(125.0, *(1.2 * abs(dot["y"]) for dot in dots))
    x = vl.axis("x", "measurement, as in the table", domain=(0.5, last), ticks=_ticks(len(rows)))
    y = vl.axis("y", "gap, as a share of the tolerance [%]", domain=(-limit, limit), ticks=(-100, -50, 0, 50, 100))
    band = {"type": "rect", "color": GRID, "opacity": 0.6}
    layers = [
        vl.layer([{"low": -100, "high": 100}], band, y=y | {"field": "low"}, y2={"field": "high"}),
        vl.layer([{"y": 0}], {"type": "rule", "color": MUTED, "strokeWidth": 1}, y=y),
    ]
    for holds, colour in ((True, ACCENT), (False, CONTRAST)):
        some = [dot for dot in dots if dot["holds"] is holds]
        if some:
            mark: Spec = {"type": "circle", "size": 60, "color": colour, "opacity": 0.9}
            layers.append(vl.layer(some, mark, x=x, y=y))
    worst = dots[rows.index(_worst(rows))]
    late = worst["x"] > last / 2
    side: Spec = {"align": "right" if late else "left", "dx": -4 if late else 4}
    if worst["holds"]:
        edge = math.copysign(112.0, worst["y"])
        stem = [{"x": worst["x"], "low": worst["y"], "high": edge}]
        y_from, y_to = y | {"field": "low"}, {"field": "high"}
        layers.append(vl.layer(stem, {"type": "rule", "color": MUTED, "strokeWidth": 1}, x=x, y=y_from, y2=y_to))
        layers += vl.text([worst | {"y": edge}], x=x, y=y, **side)
    else:
        layers += vl.text([worst], x=x, y=y, **(side | {"dx": 9 - 18 * late}))
    return vl.chart([*layers, vl.hover_points(dots, x=x, y=y)], layout, height_ratio=0.75)


def _worst(rows: Sequence[Row]) -> Row:
    return max(rows, key=lambda row: abs(row.gap_ratio))


def _ticks(count: int) -> list[float]:
    step = 1 if count <= 20 else 5
    return [1, *range(step, count + 1, step)] if step > 1 else list(range(1, count + 1))


def _short(condition: str) -> str:
    return condition if len(condition) <= 52 else condition[:50].rstrip(" ,:") + " ..."


def _percent(ratio: float) -> str:
    return f"{100 * ratio:+.2g} %".replace("-", "\u2212")
