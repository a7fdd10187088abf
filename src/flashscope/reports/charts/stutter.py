"""The worst second, in steps of 10 ms, of the work with the longest freeze; and how many requests took longer than each
latency.

done |||| || ||||            |||| ||           1/s |-----.
     |||||||||||             |||||||               |      \\__
     +------------ 0.5 s ----------- 1 s           +-- 1 ms -- 1 s -- latency
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flashscope.experiments.stutter import WORK
from flashscope.records import Finding, Record
from flashscope.records.latency import bucket_bounds_ns
from flashscope.reports.numbers import plain, say
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line, draw, room_for_names
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, GREEN, INK, Layout, Spec

_COLOURS = {"writes": CONTRAST, "mixed": GREEN, "reads": ACCENT}
_NOTICED_NS = 100_000_000
_MOST_NARROW_TICKS = 3


def build(record: Record) -> list[Chart]:
    """The worst second and the tails; none when nothing was measured."""
    found = {
        work: finding
        for finding in record.findings
        for work in WORK
        if finding.key == f"longest_freeze_{work}_ns" and isinstance(finding.value, int | float)
    }
    if not found:
        return []
    worst = max(found, key=lambda work: float(found[work].value or 0))
    longest = say(found[worst].value, "ns").text
    stands = float(found[worst].value or 0) >= _NOTICED_NS
    title = f"Stands still for up to {longest}" if stands else f"No freeze anyone would notice: {longest} at most"
    charts = [
        Chart(
            name="tails",
            title=title,
            caption="Requests, one at a time, in a million that took longer than this. A person notices 100 ms.",
            description=" ".join(finding.statement for finding in found.values()),
            draw=lambda layout: _draw_tails(found, layout),
        )
    ]
    second = found[worst].details.get("worst_second") or {}
    if stands and sum(second.get("requests", ())):  # nothing to draw when a whole second had no answer
        charts.append(
            Chart(
                name="worst-second",
                title=f"The worst second of {WORK[worst]}: {plain(sum(second['requests']))} requests, "
                f"{plain(round(second['requests_per_second_on_average']))} in a usual one",
                caption="Requests answered in each 10 ms of the second in which fewest were.",
                description=found[worst].statement,
                draw=lambda layout: _draw_second(second, layout),
            )
        )
    return charts


def _draw_tails(found: dict[str, Finding], layout: Layout) -> Spec:
    lines = [
        Line(work, rows, _COLOURS[work], points=False, stepped=True)
        for work, finding in found.items()
        if (rows := _tail(work, finding.details["buckets"]))
    ]
    xs: list[float] = [row["x"] for line in lines for row in line.rows]
    ys: list[float] = [row["y"] for line in lines for row in line.rows]
    low, high = min(xs) / 1.2, max([*xs, 0.1])
    ticks = [10.0**power for power in range(-5, 3) if low <= 10.0**power <= high]
    x = vl.axis(
        "x",
        "took longer than",
        domain=(low, room_for_names(low, high, layout, logarithmic=True)),
        kind="log",
        ticks=ticks[:: 2 if layout.narrow and len(ticks) > _MOST_NARROW_TICKS else 1],
        label="datum.value < 0.00099 ? format(datum.value * 1e6, '~r') + ' µs' : datum.value < 0.99 ? "
        "format(datum.value * 1e3, '~r') + ' ms' : format(datum.value, '~r') + ' s'",
    )
    y = vl.axis("y", "requests in a million", domain=(min(ys) / 2, 2e6), kind="log", tick_count=5)
    mark = {"x": 0.1, "y": 2e6, "label": "noticed"}
    rule = {"type": "rule", "color": INK, "strokeDash": [4, 3]}
    below = [vl.layer([mark], rule, x=x), *vl.text([mark], x=x, y=y, align="right", dx=-6, dy=8)]
    return draw(lines, layout, x=x, y=y, below=below)


def _tail(work: str, buckets: list[list[int]]) -> list[dict[str, Any]]:
    counts = np.array([count for _, count in buckets], dtype=float)
    if counts.sum() == 0:
        return []
    beyond = counts[::-1].cumsum()[::-1] / counts.sum() * 1e6
    rows = []
    for (bucket, _), millionths in zip(buckets, beyond, strict=True):
        begin_s = bucket_bounds_ns(int(bucket))[0] / 1e9
        exact = f"{work}: {plain(round(millionths, 1))} in a million took {say(begin_s * 1e9, 'ns').text} or longer"
        rows.append({"x": begin_s, "y": float(millionths), "exact": exact})
    kept = max(1, len(rows) // 120)
    return [*rows[:-1:kept], rows[-1]]


def _draw_second(second: dict[str, Any], layout: Layout) -> Spec:
    begin = int(second["begin_ns"])
    rows: list[dict[str, Any]] = []
    before = begin
    for end, count in zip(second["end_ns"], second["requests"], strict=True):
        place = {"x": (before - begin) / 1e6, "x2": (int(end) - begin) / 1e6}
        rows.append(
            place | {"y": int(count), "exact": f"{count} requests from {place['x']:.0f} to {place['x2']:.0f} ms"}
        )
        before = int(end)
    x = vl.axis("x", "ms into the second", domain=(0.0, rows[-1]["x2"]), tick_count=layout.tick_count)
    y = vl.axis("y", "requests", domain=(0.0, max(row["y"] for row in rows) * 1.1 + 1), tick_count=5)
    bars = vl.layer(rows, {"type": "rect", "color": ACCENT}, x=x, x2={"field": "x2"}, y=y, y2={"datum": 0})
    return vl.chart([bars, vl.hover_points(rows, x=x, y=y)], layout)
