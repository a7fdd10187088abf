"""A worn drive in charts: its rates and its wear, against the bytes written.

MB/s | o--o--o--o   write, read        per cent | .-o--o   of the rated life used
     +------------ bytes written                +---------- bytes written
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flashscope.records import Record
from flashscope.reports.numbers import written_unit
from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, GREEN, PURPLE, Layout, Spec
from flashscope.units import format_bytes, format_number

_MB = 1e6
_RATES = (
    ("sequential write", "sequential_write", ACCENT),
    ("sequential read", "sequential_read", CONTRAST),
    ("random write", "random_write", GREEN),
    ("random read", "random_read", PURPLE),
)


def build(record: Record) -> list[Chart]:
    """Up to two charts; none with fewer than two checkpoints."""
    seen = [step.parameters["checkpoint"] for step in record.steps if "checkpoint" in step.parameters]
    if len(seen) < 2:
        return []
    with_figures = [one for one in seen if one["performance"]]
    charts = [_rates(with_figures)] if len(with_figures) >= 2 else [_wear_rate(seen)]
    used = [step.parameters for step in record.steps if step.parameters.get("projection_to_rating")]
    return [*charts, _used(used)] if len(used) >= 2 else charts


def _rates(seen: Sequence[dict[str, Any]]) -> Chart:
    first, last = (seen[place]["performance"]["sequential_write"]["bytes_per_second"] for place in (0, -1))
    title = f"Sequential writing: {first / _MB:.0f} MB/s at first, {last / _MB:.0f} MB/s at the end"
    rows = {
        name: (
            [(one["host_written_bytes"], one["performance"][key]["bytes_per_second"] / _MB) for one in seen],
            colour,
        )
        for name, key, colour in _RATES
    }
    caption = "Short figures of fio at each checkpoint; writes in a space of their own, reads over the whole drive."
    return _chart("performance", title, caption, rows, "MB/s")


def _wear_rate(seen: Sequence[dict[str, Any]]) -> Chart:
    known = [one for one in seen if one["bytes_per_second"]]
    title = f"The last stretch was written at {known[-1]['bytes_per_second'] / _MB:.1f} MB/s"
    rows = {"verified writing": ([(one["host_written_bytes"], one["bytes_per_second"] / _MB) for one in known], ACCENT)}
    caption = "Rate of the wearing itself between checkpoints, stamps and journal included."
    return _chart("wear-rate", title, caption, rows, "MB/s")


def _used(steps: Sequence[dict[str, Any]]) -> Chart:
    made = [(one["checkpoint"]["host_written_bytes"], one["projection_to_rating"]) for one in steps]
    last = made[-1][1]
    title = f"{last['used_ratio']:.1%} of the rated life is used; {last['days']:.1f} days are left at this rate"
    rows = {f"by {last['basis']}": ([(written, 100 * one["used_ratio"]) for written, one in made], ACCENT)}
    caption = (
        "Share of the rated life at each checkpoint. The rating is what the maker promises, not where a drive dies."
    )
    return _chart("rated-life", title, caption, rows, "per cent of the rated life")


def _chart(
    name: str, title: str, caption: str, series: dict[str, tuple[list[tuple[int, float]], str]], unit: str
) -> Chart:
    most_bytes = max(point[0] for points, _ in series.values() for point in points)
    label, unit_bytes = written_unit(most_bytes)

    def draw(layout: Layout) -> Spec:
        drawn = [
            Line(
                title_of,
                [
                    {
                        "x": written / unit_bytes,
                        "y": value,
                        "exact": f"{format_bytes(written)}: {format_number(value)} {unit}",
                    }
                    for written, value in points
                ],
                colour,
            )
            for title_of, (points, colour) in series.items()
        ]
        high = max(row["y"] for line in drawn for row in line.rows)
        end = lines.room_for_names(0.0, most_bytes / unit_bytes, layout, logarithmic=False)
        x = vl.axis("x", f"{label} written", domain=(0.0, end), tick_count=6)
        y = vl.axis("y", unit, domain=(0.0, max(high * 1.1, 1e-9)), tick_count=5)
        return lines.draw(drawn, layout, x=x, y=y)

    return Chart(name, title, caption, f"{title}.", draw)
