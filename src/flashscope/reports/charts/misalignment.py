"""Writes per second by the start of a partition: a comb with its teeth at the multiples of the unit.

rate |o       o       o       o     o  64 KiB writes: only starts on the unit are fast
     |  x x x   x x x   x x x     x
     +0-------8------16------63-64---- start [sectors]
"""

from __future__ import annotations

from typing import Any

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.numbers import plain
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, Layout, Spec

_LOG_FROM = 8.0
_SHOWN_SECTORS = 128
_OLD_START = 63


def build(record: Record) -> list[Chart]:
    """The comb at the smallest and the largest size; none before anything was written."""
    findings = {found.key: found for found in record.findings}
    unit, cost = findings.get("mapping_unit_bytes"), findings.get("misaligned_cost_ratio")
    runs = unit.details.get("runs", []) if unit else []
    if unit is None or not runs:
        return []
    return [
        Chart(
            name="starts",
            title=_title(unit, cost),
            caption="Random writes per second, one at a time, each on a grid of its own size that begins where the "
            "partition does. Sector 63 is where old systems put it, 64 and 128 are on every usual unit.",
            description=f"{_title(unit, cost)}. {unit.statement}",
            draw=lambda layout: _draw(runs, layout),
        )
    ]


def _title(unit: Finding, cost: Finding | None) -> str:
    if cost is not None and isinstance(cost.value, float) and cost.details["by_request_bytes"]["4096"]["period_bytes"]:
        return f"A start at sector 63 makes 4 KiB writes {units.format_number(cost.value)} times as slow"
    if isinstance(unit.value, int):
        said = units.format_bytes_binary(unit.value)
        return f"4 KiB writes do not care where a partition starts, larger ones want {said}"
    return "No start of a partition is dearer than another"


def _draw(runs: list[dict[str, Any]], layout: Layout) -> Spec:
    sizes = sorted({int(run["request_bytes"]) for run in runs})
    shown = [(sizes[0], ACCENT, "circle"), *([(sizes[-1], CONTRAST, "diamond")] if len(sizes) > 1 else [])]
    rows = [run for run in runs if int(run["request_bytes"]) in (sizes[0], sizes[-1])]
    rates = [float(run["requests_per_second"]) for run in rows]
    logarithmic = max(rates) / max(min(rates), 1e-9) > _LOG_FROM
    bottom, top = (min(rates) / 1.6, max(rates) * 1.8) if logarithmic else (0.0, max(rates) * 1.15)
    x = vl.axis(
        "x",
        "start of the partition [sectors of 512 B]",
        domain=(0, _SHOWN_SECTORS * (1.36 if layout.narrow else 1.18)),
        ticks=(0, 32, 64, 96, 128),
    )
    y = vl.axis("y", "writes per second", domain=(bottom, top), kind="log" if logarithmic else "linear", tick_count=5)
    layers: list[Spec] = []
    exact: list[dict[str, Any]] = []
    for size, colour, shape in shown:
        said = units.format_bytes_binary(size)
        points = [_point(run, said) for run in rows if int(run["request_bytes"]) == size]
        points.sort(key=lambda point: float(point["x"]))
        exact += points
        layers += [
            vl.layer(points, {"type": "line", "color": colour, "strokeWidth": 1, "opacity": 0.45}, x=x, y=y),
            vl.layer(points, {"type": "rule", "color": colour}, x=x, y=y | {"field": "low"}, y2={"field": "high"}),
            vl.layer(
                points,
                {"type": "point", "shape": shape, "filled": True, "opacity": 1, "color": colour, "size": 55},
                x=x,
                y=y,
            ),
            *vl.text([points[-1] | {"label": said}], x=x, y=y, colour=INK, dx=9, fontWeight="bold"),
        ]
    old = [point | {"label": "sector 63"} for point in exact if point["x"] == _OLD_START]
    old = [min(old, key=lambda point: float(point["y"]))] if old else []
    layers += vl.text(old, x=x, y=y, colour=INK, dx=-8, dy=10, align="right")
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def _point(run: dict[str, Any], said: str) -> dict[str, Any]:
    rate, start = float(run["requests_per_second"]), int(run["start_sectors"])
    return {
        "x": start,
        "y": rate,
        "low": float(run["low"]),
        "high": float(run["high"]),
        "exact": f"{said} writes from sector {start}: {plain(round(rate))} per second",
    }
