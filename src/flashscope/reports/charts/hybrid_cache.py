"""Rates of random reads by their size, in a warmed region and in one that was never read.

MB/s |            x   o    o  warmed
     |   o    o
     |        x            x  never read
     +--4K---64K---256K--1M--
"""

from __future__ import annotations

from typing import Any

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, Layout, Spec


def build(record: Record) -> list[Chart]:
    """One chart; none before both regions were read."""
    findings = {found.key: found for found in record.findings}
    gain = findings.get("hybrid_cache_gain_ratio")
    rows = gain.details.get("by_request_size", []) if gain else []
    if gain is None or not rows:
        return []
    title = _title(gain, findings)
    return [
        Chart(
            name="reads",
            title=title,
            caption="Random reads, one at a time, in a region that was read again and again and then left idle, and in "
            "one of the same size beside it that was not.",
            description=f"{title}. {gain.statement}",
            draw=lambda layout: _draw(rows, layout),
        )
    ]


def _title(gain: Finding, findings: dict[str, Finding]) -> str:
    if gain.value is None:
        return "No cache seen: warmed reads take as long as others"
    largest = findings.get("hybrid_cache_largest_request_bytes")
    up_to = f" and gain up to {units.format_bytes_binary(float(largest.value))}" if largest and largest.value else ""
    return f"Warmed reads of 4 KiB are {units.format_number(float(gain.value), 2)} times as fast{up_to}"


def _draw(rows: list[dict[str, Any]], layout: Layout) -> Spec:
    sizes = [int(row["request_bytes"]) for row in rows]
    rates = [float(row[key]) / 1e6 for row in rows for key in ("warm_bytes_per_second", "cold_bytes_per_second")]
    room = (sizes[-1] / sizes[0]) ** (0.4 if layout.narrow else 0.2)
    cases = "".join(f"datum.value == {size} ? '{units.format_bytes_binary(size)}' : " for size in _ticks(sizes, layout))
    x = vl.axis(
        "x",
        "size of each read",
        domain=(sizes[0] / 1.4, sizes[-1] * max(room, 1.5)),
        kind="log",
        ticks=_ticks(sizes, layout),
        label=f"{cases}''",
    )
    y = vl.axis("y", "MB/s", domain=(min(rates) / 1.6, max(rates) * 1.8), kind="log", tick_count=5)
    layers: list[Spec] = []
    exact: list[dict[str, Any]] = []
    last = rows[-1]
    upper = "warm" if last["warm_bytes_per_second"] >= last["cold_bytes_per_second"] else "cold"
    for key, name, colour, shape in (("cold", "never read", CONTRAST, "diamond"), ("warm", "warmed", ACCENT, "circle")):
        points = [_point(row, key, name) for row in rows]
        exact += points
        layers += [
            vl.layer(points, {"type": "line", "color": colour, "strokeWidth": 1.5, "opacity": 0.5}, x=x, y=y),
            vl.layer(
                points,
                {"type": "point", "shape": shape, "filled": True, "opacity": 1, "color": colour, "size": 70},
                x=x,
                y=y,
            ),
            *vl.text([points[-1] | {"label": name}], x=x, y=y, colour=INK, dx=9, dy=-7 if key == upper else 7),
        ]
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def _ticks(sizes: list[int], layout: Layout) -> list[int]:
    """Sizes to name: those far enough from the one before."""
    far, named = (5.0 if layout.narrow else 2.0), [sizes[0]]
    for size in sizes[1:]:
        if size >= named[-1] * far:
            named.append(size)
    return named


def _point(row: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    rate, size = float(row[f"{key}_bytes_per_second"]), int(row["request_bytes"])
    said = units.format_bytes_binary(size)
    return {"x": size, "y": rate / 1e6, "exact": f"{name}, {said} reads: {units.format_rate(rate)}"}
