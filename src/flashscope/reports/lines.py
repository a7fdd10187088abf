"""A chart of a few named lines: each with its points, its intervals, and its name at its end instead of a legend.

|           o--- reads          names that would overlap are moved apart
|      o---/
|  o--x----x---- writes
+----------------
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flashscope.reports import vega_lite as vl
from flashscope.reports.theme import INK, Layout, Spec

_LABEL_PX = 16.0


@dataclass(frozen=True)
class Line:
    """One line. rows: in the order of x, each with x, y, `exact` text, and low and high where there is an interval.

    points: draw a dot at each row. stepped: draw it as a staircase.
    """

    name: str
    rows: list[dict[str, Any]]
    colour: str
    points: bool = True
    stepped: bool = False


def room_for_names(low: float, high: float, layout: Layout, *, logarithmic: bool) -> float:
    """The end of an x axis from low to high that leaves room for the lines' names on its right."""
    share = 0.42 if layout.narrow else 0.2
    return high * (high / low) ** share if logarithmic else high + (high - low) * share


def draw(lines: Sequence[Line], layout: Layout, *, x: Spec, y: Spec, below: Sequence[Spec] = ()) -> Spec:
    """The chart of these lines over two axes made by `vega_lite.axis` with domains. below: layers drawn first."""
    layers: list[Spec] = list(below)
    exact: list[dict[str, Any]] = []
    moves = _apart([line.rows[-1]["y"] for line in lines], y["scale"], layout)
    for line, move in zip(lines, moves, strict=True):
        exact += line.rows
        mark: Spec = {"type": "line", "color": line.colour, "strokeWidth": 1.8, "clip": True}
        layers.append(vl.layer(line.rows, mark | ({"interpolate": "step-after"} if line.stepped else {}), x=x, y=y))
        if all("low" in row for row in line.rows):
            rule = {"type": "rule", "color": line.colour}
            layers.append(vl.layer(line.rows, rule, x=x, y=y | {"field": "low"}, y2={"field": "high"}))
        if line.points:
            dot = {"type": "point", "filled": True, "opacity": 1, "color": line.colour, "size": 55}
            layers.append(vl.layer(line.rows, dot, x=x, y=y))
        last = line.rows[-1] | {"label": line.name}
        layers += vl.text([last], x=x, y=y, colour=INK, dx=9, dy=move)
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def _apart(ends: Sequence[float], scale: Spec, layout: Layout) -> list[float]:
    """The shift of each name downwards [px] so that neighbours are one line of text apart."""
    low, high = (float(end) for end in scale["domain"])
    logarithmic = scale["type"] == "log"

    def place(value: float) -> float:
        share = math.log(max(value, low) / low) / math.log(high / low) if logarithmic else (value - low) / (high - low)
        return (1 - share) * layout.height_px * 0.75

    moves = [0.0] * len(ends)
    free = -math.inf
    for index in sorted(range(len(ends)), key=lambda one: (place(ends[one]), one)):
        wanted = place(ends[index])
        put = max(wanted, free)
        moves[index] = round(put - wanted, 1)
        free = put + _LABEL_PX
    return moves
