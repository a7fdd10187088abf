"""Where partitions begin, against the boundaries of the mapping unit: which of their writes touch two units.

          |               |               |               |      boundaries of 16 KiB
sector 63               [####][----][----][----][####][----]     #: touches two units
sector 2048 [----][----][----][----][----][----][----][----]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import CONTRAST, INK, SERIES, SURFACE, Layout, Spec
from flashscope.units import format_bytes_binary

WRITE_BYTES = 4096
"""The writes that are drawn [bytes]."""

_UNITS = 3  # that are drawn
_KIB = 1024


def draw_boundaries(names: Sequence[str], starts: Sequence[int], unit: int, layout: Layout) -> Spec:
    """One row of writes for each start, from the boundary before it. names: of the rows; starts, unit: [bytes]."""
    end = _UNITS * unit
    writes = [row for index, start in enumerate(starts) for row in _writes(start % unit, unit, end, index)]
    bounds = [unit * number / _KIB for number in range(_UNITS + 1)]
    x = vl.axis("x", "KiB from a boundary", domain=(0, end / _KIB), ticks=bounds)
    cases = "".join(f"datum.value == {index + 0.5} ? {json.dumps(name)} : " for index, name in enumerate(names))
    places = [index + 0.5 for index in range(len(names))]
    y = vl.axis("y", "", domain=(len(names), 0), ticks=places, label=f"{cases}''")
    y["axis"] |= {"grid": False, "ticks": False} | vl.room_for_words(names, layout)
    layers = []
    for colour in (SERIES, CONTRAST):
        mark = {"type": "rect", "color": colour, "stroke": SURFACE, "strokeWidth": 1.5}
        rows = [row for row in writes if row["colour"] == colour]
        layers.append(vl.layer(rows, mark, x=x, x2={"field": "x2"}, y=y | {"field": "from"}, y2={"field": "to"}))
    layers.append(vl.layer([{"x": at} for at in bounds], {"type": "rule", "color": INK, "strokeWidth": 1.5}, x=x))
    return vl.chart([*layers, vl.hover_points(writes, x=x, y=y)], layout, height_ratio=0.25 + 0.125 * len(names))


def _writes(past: int, unit: int, end: int, index: int) -> list[dict[str, Any]]:
    """The writes of a partition that begins so far past a boundary, up to the end of the drawing [bytes]."""
    rows = []
    for at in range(past, end, WRITE_BYTES):
        last = at + WRITE_BYTES
        two = at // unit != (last - 1) // unit
        touches = "two units" if two else "one unit"
        rows.append(
            {
                "x": at / _KIB,
                "x2": min(last, end) / _KIB,
                "from": index + 0.2,
                "to": index + 0.8,
                "y": index + 0.5,
                "colour": CONTRAST if two else SERIES,
                "exact": f"the write {format_bytes_binary(at - past)} into the partition touches {touches}",
            }
        )
    return rows
