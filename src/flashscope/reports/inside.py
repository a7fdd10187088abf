"""What is inside a virtual drive at the end of a run: how its blocks are distributed over erase counts and valid slots.

Only a virtual drive shows its inside; a record of a real drive has no such table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flashscope.records import FIRST_STATE_OUT_OF_USE, Record
from flashscope.reports import vega_lite as vl
from flashscope.reports.chart import Chart
from flashscope.reports.numbers import plain
from flashscope.reports.theme import CONTRAST, SERIES, Layout, Spec

_BARS_MAX = 40


@dataclass(frozen=True)
class _Question:
    """A column of the table and its words."""

    column: str
    axis_title: str
    answer: str


_QUESTIONS = (
    _Question("erase_count", "times erased", "Erase counts run from {low} to {high}, {mean} on average"),
    _Question("valid_slots", "valid slots in the block", "Blocks hold {low} to {high} valid slots, {mean} on average"),
)


def build_inside(record: Record) -> list[Chart]:
    """A histogram over blocks for each column with words; empty for a real drive."""
    if record.inside is None or len(record.inside) == 0:
        return []
    table = record.inside
    rows = len(table)
    in_use = table["state"] < FIRST_STATE_OUT_OF_USE if "state" in table.columns else np.ones(rows, dtype=bool)
    return [
        _chart(question, table[question.column][in_use])
        for question in _QUESTIONS
        if question.column in table.columns and in_use.any()
    ]


def _chart(question: _Question, values: np.ndarray) -> Chart:
    title = question.answer.format(
        low=plain(values.min()), high=plain(values.max()), mean=f"{float(values.mean()):.3g}"
    )
    return Chart(
        name=f"inside-{question.column.replace('_', '-')}",
        title=title,
        caption=f"All {plain(len(values))} blocks in use at the end of the run. The line is the mean.",
        description=f"{title}, over {plain(len(values))} blocks in use.",
        draw=lambda layout: _draw(values, question, layout),
    )


def _draw(values: np.ndarray, question: _Question, layout: Layout) -> Spec:
    low, high = int(values.min()), int(values.max())
    # Integers: bins of equal integer width, so that no bar is taller only because its bin has one value more.
    width = max(1, -(-(high - low + 1) // _BARS_MAX))
    edges = np.arange(low, high + width + 1, width)
    counts = np.histogram(values, bins=edges)[0]
    rows = [
        {
            "x": int(edge) - 0.5,
            "x2": int(edge) + width - 0.5,
            "middle": int(edge) + (width - 1) / 2,
            "y": int(count),
            "exact": f"{plain(int(count))} blocks with {int(edge)}"
            + (f" to {int(edge) + width - 1}" if width > 1 else ""),
        }
        for edge, count in zip(edges[:-1], counts, strict=True)
        if count
    ]
    mean = float(values.mean())
    x = vl.axis("x", question.axis_title, domain=(low - 0.5 - width, high + 0.5 + width), tick_count=layout.tick_count)
    x["axis"] |= {"tickMinStep": 1}
    y = vl.axis("y", "blocks", domain=(0, max(1, int(counts.max())) * 1.18), tick_count=4)
    label = {"x": mean, "y": int(counts.max()) * 1.18, "label": f"mean {mean:.3g}"}
    late = mean > low + 0.7 * (high - low)
    bars: Spec = {"type": "rect", "color": SERIES, "stroke": None}
    return vl.chart(
        [
            vl.layer(rows, bars, x=x, x2={"field": "x2"}, y=y, y2={"datum": 0}),
            vl.layer([label], {"type": "rule", "color": CONTRAST, "strokeWidth": 1.5}, x=x),
            *vl.text([label], x=x, y=y, dy=8, dx=-6 if late else 6, align="right" if late else "left"),
            vl.hover_points([row | {"x": row["middle"]} for row in rows], x=x, y=y),
        ],
        layout,
        height_ratio=0.75,
    )
