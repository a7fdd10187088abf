"""Durations side by side, as bars from zero; the most important one in the accent colour.

copy      |#########  3.8 s
at once   |###########  4.6 s
in turn   |#######################################  16.2 s
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.reports.numbers import plain
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import ACCENT, INK, SERIES, Layout, Spec
from flashscope.units import format_number


@dataclass(frozen=True)
class Bar:
    """One bar. parts: seconds, drawn end to end; matters: drawn in the accent. note: behind the number."""

    label: str
    parts: tuple[float, ...]
    matters: bool = False
    note: str = ""

    @property
    def seconds(self) -> float:
        """Its total length [s]."""
        return sum(self.parts)


def draw(bars: Sequence[Bar], layout: Layout) -> Spec:
    """The bars from top to bottom in the order given."""
    longest = max(bar.seconds for bar in bars)
    room = 1.55 if layout.narrow else 1.3
    x = vl.axis("x", "seconds", domain=(0.0, longest * room), tick_count=layout.tick_count)
    axis: Spec = {"title": None, "labelColor": INK, "grid": False}
    y: Spec = {"field": "name", "type": "nominal", "sort": None, "axis": axis}
    axis |= vl.room_for_words([bar.label for bar in bars], layout)
    pieces, ends = [], []
    for bar in bars:
        begin = 0.0
        for part in bar.parts:
            pieces.append(
                {"name": bar.label, "from": begin, "x": begin + part, "colour": ACCENT if bar.matters else SERIES}
            )
            begin += part
        note = f" {bar.note}" if bar.note and not layout.narrow else ""
        exact = f"{bar.label}: {plain(round(bar.seconds, 3))} s {bar.note}".strip()
        ends.append(
            {"name": bar.label, "x": bar.seconds, "label": f"{format_number(bar.seconds)} s{note}", "exact": exact}
        )
    mark = {"type": "bar", "stroke": "#FFFFFE", "strokeWidth": 1, "height": {"band": 0.62}}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    layers = [
        vl.layer(pieces, mark, x=x | {"field": "from"}, x2={"field": "x"}, y=y, color=colour),
        *vl.text(ends, x=x, y=y, dx=6),
        vl.hover_points(ends, x=x, y=y),
    ]
    return vl.chart(layers, layout, height_ratio=min(1.0, 0.3 + 0.12 * len(bars)))
