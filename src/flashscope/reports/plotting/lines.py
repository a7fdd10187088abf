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

from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import INK, Layout, Spec

_LABEL_PX = 16.0
_LEAD_FROM_PX = 9.0
_AWAY_PX = 23.0
_AXIS_PX = 62.0  # of the height of a drawing: the unit above, ticks and title below


@dataclass(frozen=True)
class Line:
    """One line. rows: in the order of x, each with x, y, `exact` text, and low and high where there is an interval.

    points: draw a dot at each row. stepped: draw it as a staircase. dashed: as a second of two lines of one kind.
    """

    name: str
    rows: list[dict[str, Any]]
    colour: str
    points: bool = True
    stepped: bool = False
    dashed: bool = False


def room_for_names(low: float, high: float, layout: Layout, *, logarithmic: bool, names: Sequence[str] = ()) -> float:
    """The end of an x axis from low to high that leaves room for the lines' names on its right. names: long ones."""
    taken = max((vl.LETTER_PX * len(name) + _AWAY_PX for name in names), default=0.0) / (layout.width_px - _AXIS_PX)
    share = max(0.42 if layout.narrow else 0.2, taken / (1 - taken))
    return high * (high / low) ** share if logarithmic else high + (high - low) * share


def draw(
    lines: Sequence[Line],
    layout: Layout,
    *,
    x: Spec,
    y: Spec,
    below: Sequence[Spec] = (),
    height_ratio: float = 1.0,
) -> Spec:
    """The chart of these lines over two axes made by `vega_lite.axis` with domains. below: layers drawn first."""
    layers: list[Spec] = list(below)
    exact: list[dict[str, Any]] = []
    for line in lines:
        exact += line.rows
        mark: Spec = {"type": "line", "color": line.colour, "strokeWidth": 1.8, "clip": True}
        mark |= {"interpolate": "step-after"} if line.stepped else {}
        mark |= {"strokeDash": [5, 3]} if line.dashed else {}
        layers.append(vl.layer(line.rows, mark, x=x, y=y))
        if all("low" in row for row in line.rows):
            rule = {"type": "rule", "color": line.colour}
            layers.append(vl.layer(line.rows, rule, x=x, y=y | {"field": "low"}, y2={"field": "high"}))
        if line.points:
            dot = {"type": "point", "filled": True, "opacity": 1, "color": line.colour, "size": 55}
            layers.append(vl.layer(line.rows, dot, x=x, y=y))
    layers += names_at_ends(lines, layout, x=x, y=y, height_ratio=height_ratio)
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout, height_ratio=height_ratio)


def names_at_ends(lines: Sequence[Line], layout: Layout, *, x: Spec, y: Spec, height_ratio: float = 1.0) -> list[Spec]:
    """The name of each line at its end. Neighbours are moved apart; one moved far has a lead from its line."""
    named = [line for line in lines if line.name]
    moves = _apart([line.rows[-1]["y"] for line in named], y["scale"], layout.height_px * height_ratio)
    layers: list[Spec] = []
    for line, move in zip(named, moves, strict=True):
        end = line.rows[-1] | {"label": line.name}
        if abs(move) > _LEAD_FROM_PX:
            lead: Spec = {"type": "rule", "color": line.colour, "opacity": 0.6, "xOffset": 3, "x2Offset": 20}
            lead |= {"yOffset": 0, "y2Offset": move}
            layers.append(vl.layer([end | {"x2": end["x"], "y2": end["y"]}], lead, x=x, y=y,
                                   x2={"field": "x2"}, y2={"field": "y2"}))  # fmt: skip
        away = _AWAY_PX if abs(move) > _LEAD_FROM_PX else 9
        layers += vl.text([end], x=x, y=y, colour=INK, dx=away, dy=move)
    return layers


def _apart(ends: Sequence[float], scale: Spec, height_px: float) -> list[float]:
    """The shift of each name downwards [px] so that neighbours are one line of text apart, each moved as little as
    can be: names that would overlap share the move."""
    low, high = (float(end) for end in scale["domain"])
    logarithmic = scale["type"] == "log"

    def place(value: float) -> float:
        share = math.log(max(value, low) / low) / math.log(high / low) if logarithmic else (value - low) / (high - low)
        return (1 - share) * (height_px - _AXIS_PX)

    order = sorted(range(len(ends)), key=lambda one: (place(ends[one]), one))
    groups: list[tuple[float, int]] = []  # (middle [px], number of names)
    for index in order:
        middle, count = place(ends[index]), 1
        while groups and middle - (count - 1) / 2 * _LABEL_PX < groups[-1][0] + (groups[-1][1] + 1) / 2 * _LABEL_PX:
            above, number = groups.pop()
            middle = (above * number + middle * count) / (number + count)
            count += number
        groups.append((middle, count))
    puts = [middle + (one - (count - 1) / 2) * _LABEL_PX for middle, count in groups for one in range(count)]
    lowest = height_px - _AXIS_PX - _LABEL_PX / 2
    for at in reversed(range(len(puts))):  # none below the axis
        puts[at] = min(puts[at], lowest)
        lowest = puts[at] - _LABEL_PX
    moves = [0.0] * len(ends)
    for index, put in zip(order, puts, strict=True):
        moves[index] = round(put - place(ends[index]), 1)
    return moves
