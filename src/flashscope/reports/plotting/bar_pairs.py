"""Horizontal bars, one or two per row, with their numbers, as in the window of a benchmark program.

    Seq   ############ 243 MB/s
          ###### 120 MB/s              read: accent     write: contrast
    4K    ## 30.3 MB/s
          # 12.3 MB/s

A whisker goes from the slowest to the fastest pass, which a score does not show. The scale begins at zero.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, Layout, Spec
from flashscope.reports.plotting.ticks import linear_ticks

_HALF = 0.38


@dataclass(frozen=True)
class Bar:
    """One bar. row: the label of its row. is_second: the lower of two, in the other colour.

    value, low, high: on the x axis. label: written at its end. exact: what the page shows on hover.
    """

    row: str
    value: float
    label: str
    exact: str
    is_second: bool = False
    low: float | None = None
    high: float | None = None


def draw_bars(bars: Sequence[Bar], x_title: str, layout: Layout) -> Spec:
    """The chart of these bars; rows in the order in which they first appear."""
    rows = list(dict.fromkeys(bar.row for bar in bars))
    pairs = {row for row in rows if len([bar for bar in bars if bar.row == row]) > 1}
    end = max(max(bar.value, bar.high or 0.0) for bar in bars) or 1.0
    reach = max(
        1.02, vl.room_at_ends([(max(bar.value, bar.high or 0.0) / end, bar.label) for bar in bars], rows, layout)
    )
    x = vl.axis("x", x_title, domain=(0, end * reach), ticks=linear_ticks(0.0, end, 3 if layout.narrow else 5))
    names = "".join(f"datum.value == {index + 0.5} ? {json.dumps(row)} : " for index, row in enumerate(rows))
    y = vl.axis("y", "", domain=(len(rows), 0), ticks=[place + 0.5 for place in range(len(rows))], label=f"{names}''")
    y["axis"] |= {"grid": False, "ticks": False} | vl.room_for_words(rows, layout)
    layers: list[Spec] = []
    for second, colour in ((False, ACCENT), (True, CONTRAST)):
        drawn = [_row(bar, rows.index(bar.row), is_pair=bar.row in pairs) for bar in bars if bar.is_second is second]
        if not drawn:
            continue
        whiskers = [row for row in drawn if row["low"] is not None and row["high"] is not None]
        layers += [
            vl.layer(
                drawn,
                {"type": "rect", "color": colour, "opacity": 0.85},
                x=x | {"field": "zero"},
                x2={"field": "x"},
                y=y | {"field": "from"},
                y2={"field": "to"},
            ),
            vl.layer(
                whiskers,
                {"type": "rule", "color": INK, "strokeWidth": 1.5},
                x=x | {"field": "low"},
                x2={"field": "high"},
                y=y,
            ),
            *vl.text([row | {"x": row["reach"]} for row in drawn], x=x, y=y, dx=6, colour=INK, halo=False),
            vl.hover_points(drawn, x=x, y=y),
        ]
    return vl.chart(layers, layout, height_ratio=max(0.55, 0.15 + len(rows) * (0.13 if pairs else 0.1)))


def _row(bar: Bar, index: int, *, is_pair: bool) -> vl.Row:
    middle = index + 0.5
    top, bottom = middle - _HALF, middle + _HALF
    if is_pair:
        top, bottom = (middle, bottom) if bar.is_second else (top, middle)
    return {
        "zero": 0,
        "x": bar.value,
        "from": top,
        "to": bottom,
        "y": (top + bottom) / 2,
        "low": bar.low,
        "high": bar.high,
        "reach": max(bar.value, bar.high or 0.0),
        "label": bar.label,
        "exact": bar.exact,
    }
