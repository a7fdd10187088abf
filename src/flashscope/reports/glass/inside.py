"""What is inside a virtual drive at the end of a run: how its blocks are distributed over erase counts and valid slots.

Only a virtual drive shows its inside; a record of a real drive has no such table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flashscope.records import FIRST_STATE_OUT_OF_USE, Record
from flashscope.reports.numbers import plain
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import CONTRAST, SERIES, Layout, Spec
from flashscope.units import format_number

_BARS_MAX, _PLACES_LEAST = 40, 8


@dataclass(frozen=True)
class _Question:
    """A column of the table and its words."""

    column: str
    axis_title: str
    answer: str
    all_alike: str
    none: str


_QUESTIONS = (
    _Question(
        "erase_count",
        "times erased",
        "Erase counts run from {low} to {high}, {mean} on average",
        "All blocks were erased equally often: {low} times",
        "No block was erased yet",
    ),
    _Question(
        "valid_slots",
        "valid slots in the block",
        "Blocks hold {low} to {high} valid slots, {mean} on average",
        "Every block holds {low} valid slots",
        "No block holds valid data",
    ),
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
    low, high = plain(values.min()), plain(values.max())
    title = question.answer.format(low=low, high=high, mean=format_number(float(values.mean())))
    if low == high:
        title = question.none if values.max() == 0 else question.all_alike.format(low=low)
    return Chart(
        name=f"inside-{question.column.replace('_', '-')}",
        title=title,
        caption=f"All {plain(len(values))} blocks in use at the end of the run. The line is the mean.",
        description=f"{title}, over {plain(len(values))} blocks in use.",
        draw=lambda layout: _draw(values, question, layout),
    )


def _draw(values: np.ndarray, question: _Question, layout: Layout) -> Spec:
    """The bar of a value v reaches from v to v + 1, and its tick is in its middle, so that no axis begins below 0."""
    low, high = int(values.min()), int(values.max())
    # Integers: bins of equal integer width, so that no bar is taller only because its bin has one value more.
    width = max(1, -(-(high - low + 1) // _BARS_MAX))
    edges = np.arange(low, high + width + 1, width)
    counts = np.histogram(values, bins=edges)[0]
    rows = [
        {
            "x": int(edge),
            "x2": int(edge) + width,
            "middle": int(edge) + width / 2,
            "y": int(count),
            "exact": f"{plain(int(count))} blocks with {int(edge)}"
            + (f" to {int(edge) + width - 1}" if width > 1 else ""),
        }
        for edge, count in zip(edges[:-1], counts, strict=True)
        if count
    ]
    first = max(0, low - width)
    last = max(int(edges[-1]) + width, first + _PLACES_LEAST)
    x = vl.axis("x", question.axis_title, domain=(first, last), ticks=_middles(first, last - 1, layout.tick_count))
    x["axis"] |= {"labelExpr": "format(datum.value - 0.5, ',d')"}
    y = vl.axis("y", "blocks", domain=(0, max(1, int(counts.max())) * 1.18), tick_count=4)
    y["axis"] |= {"tickMinStep": 1}
    mean = float(values.mean())
    label = {"x": mean + 0.5, "y": int(counts.max()) * 1.18, "label": f"mean {format_number(mean)}"}
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


def _middles(first: int, last: int, count: int) -> list[float]:
    """About `count` round whole numbers from first to last, each moved to the middle of its bar."""
    wanted = max(1, (last - first) // count)
    power = 10 ** (len(str(wanted)) - 1)
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= wanted)
    return [value + 0.5 for value in range(-(-first // step) * step, last + 1, step)]
