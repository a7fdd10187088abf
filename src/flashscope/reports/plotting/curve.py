"""Charts that several experiments share: points joined by lines with their names in place, and values in words.

curve   y |      o---o  name          bars   fresh         ########## 59 MB/s
          | o---o                            after a fill  ######
          +----------- x                                    0 ------------

A bar has a length only from zero, and a logarithmic axis has no zero: very different values are dots.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import GRID, INK, MUTED, Layout, Spec
from flashscope.reports.plotting.ticks import in_words, linear_ticks, log_ticks
from flashscope.units import format_number

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
    named = any(line.name for line in curve.lines)
    if curve.x_log:
        low, high = min(xs), max(xs)
        end = lines.room_for_names(low, high, layout, logarithmic=True) if named else high
        ticks = log_ticks(low / 1.3, high * 1.3, layout.tick_count)
        words = in_words(ticks, format_number)
        x = vl.axis("x", curve.x_title, domain=(low / 1.3, end * 1.3), kind="log", ticks=ticks, label=words)
    else:
        reach = max(max(xs), 1e-9)
        end = lines.room_for_names(0.0, reach, layout, logarithmic=False) if named else reach * 1.04
        ticks = linear_ticks(0.0, reach, layout.tick_count)
        x = vl.axis("x", curve.x_title, domain=(0.0, end), ticks=ticks)
    y = vl.axis("y", curve.y_title, domain=(0.0, top), tick_count=5)
    return lines.draw(
        [
            lines.Line(line.name, [{"x": px, "y": py, "exact": words} for px, py, words in line.points], line.colour)
            for line in curve.lines
        ],
        layout,
        x=x,
        y=y,
        below=_marks(curve.marks, top, x, y),
    )


def _marks(marks: Sequence[tuple[float, str]], top: float, x: Spec, y: Spec) -> list[Spec]:
    """Vertical lines with their words, on the side where there is more room."""
    layers: list[Spec] = []
    first, last = x["scale"]["domain"]
    for place, words in marks:
        mark = {"x": place, "y": top, "label": words}
        late = place > (first * last) ** 0.5 if x["scale"]["type"] == "log" else place > (first + last) / 2
        side: Spec = {"align": "right", "dx": -6} if late else {"align": "left", "dx": 6}
        layers.append(vl.layer([mark], {"type": "rule", "color": INK, "strokeDash": [4, 3], "strokeWidth": 1.5}, x=x))
        layers += vl.text([mark], x=x, y=y, dy=8, fontWeight="bold", **side)
    return layers


def draw_bars(rows: Sequence[tuple[str, float, str, str]], x_title: str, layout: Layout) -> Spec:
    """One value per row: (words, value, colour, exact text), as bars from zero; dots where they span decades."""
    values = [value for _, value, _, _ in rows if value > 0]
    logarithmic = bool(values) and max(values) / min(values) > _LOG_FROM
    low = min(values) / 3 if logarithmic else 0.0
    most = max(values, default=1.0) or 1.0
    ends = [
        (math.log(max(value, low) / low) / math.log(most / low) if logarithmic else value / most, _at_end(exact))
        for _, value, _, exact in rows
    ]
    reach = vl.room_at_ends(ends, [words for words, _, _, _ in rows], layout)
    top = low * (most / low) ** reach if logarithmic else most * reach
    kind, tick_count = "log" if logarithmic else "linear", 3 if layout.narrow else 5
    x = vl.axis("y", x_title, domain=(low, top), kind=kind, tick_count=tick_count)
    axis: Spec = {"title": None, "domain": False, "ticks": False}
    axis |= vl.room_for_words([words for words, _, _, _ in rows], layout)
    y: Spec = {"field": "words", "type": "nominal", "sort": None, "axis": axis}
    if logarithmic:  # a dotted line guides the eye from the words to the dot; it has no length that means anything
        axis |= {"grid": True, "gridDash": [1, 3], "gridColor": GRID}
    data = [
        {"words": words, "y": value, "zero": 0.0, "label": _at_end(exact), "exact": exact, "c": colour}
        for words, value, colour, exact in rows
        if value > 0 or not logarithmic
    ]
    layers: list[Spec] = []
    for colour in dict.fromkeys(row["c"] for row in data):
        chosen = [row for row in data if row["c"] == colour]
        if logarithmic:
            layers.append(vl.layer(chosen, {"type": "point", "filled": True, "opacity": 1, "color": colour, "size": 90},
                                   x=x, y=y))  # fmt: skip
        else:
            bar = {"type": "bar", "color": colour, "height": {"band": 0.6}}
            layers.append(vl.layer(chosen, bar, x=x, x2={"field": "zero"}, y=y))
    layers += vl.text(data, x=x, y=y, colour=MUTED, dx=8 if logarithmic else 5)
    height = max(0.5, len(rows) * 26 / layout.height_px + 0.25)
    return vl.chart([*layers, vl.hover_points(data, x=x, y=y)], layout, height_ratio=height)


def _at_end(exact: str) -> str:
    """What stands at the end of a bar: its exact text without the words before it."""
    return exact.split(": ")[-1]
