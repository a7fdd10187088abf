"""Lives of many drives: the share that failed against the bytes written, with the fitted distribution.

1 |            ___--o        o: drives, in order of their lives (median ranks)
  |        o-o'              line: Weibull
0 +--o--------------- host bytes
"""

from __future__ import annotations

import math
from typing import Any

from flashscope.records import Record
from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, Layout, Spec
from flashscope.units import format_number

_TB = 1e12


def build(record: Record) -> list[Chart]:
    """One chart; none when fewer than two drives failed."""
    by_key = {finding.key: finding for finding in record.findings}
    rows = by_key["functional_failures_at_rating"].details["rows"] if "functional_failures_at_rating" in by_key else []
    scale = by_key.get("life_weibull_scale")
    failed = sorted((row for row in rows if row["failed"]), key=lambda row: float(row["host_written_bytes"]))
    if len(failed) < 2 or scale is None or scale.value is None:
        return []
    fit = scale.details
    title = f"10 % of such drives have failed by {format_number(fit['life_10_percent'] / _TB)} TB"
    return [
        Chart(
            "lives",
            title,
            f"{len(failed)} of {len(rows)} drives failed; points by median rank, the line is the Weibull fit.",
            f"{title}. {scale.statement}",
            lambda layout: _draw(failed, len(rows), fit, layout),
        )
    ]


def _draw(failed: list[dict[str, Any]], count: int, fit: dict[str, Any], layout: Layout) -> Spec:
    points = [
        {
            "x": row["host_written_bytes"] / _TB,
            "y": (place + 0.7) / (count + 0.4),
            "exact": f"drive {row['number'] + 1} of lot {row['lot'] + 1}: "
            f"{format_number(row['host_written_bytes'] / _TB, 4)} TB",
        }
        for place, row in enumerate(failed)
    ]
    low, high = points[0]["x"], points[-1]["x"]
    room = max((high - low) * 0.15, high * 0.01)
    xs = [low - room + (high - low + 2 * room) * step / 60 for step in range(61)]
    curve = [
        {"x": x, "y": -math.expm1(-((x * _TB / fit["scale"]) ** fit["shape"])), "exact": f"{format_number(x, 4)} TB"}
        for x in xs
        if x > 0
    ]
    end = lines.room_for_names(xs[0], xs[-1], layout, logarithmic=False)
    x = vl.axis("x", "TB written by the host", domain=(max(0.0, xs[0]), end), tick_count=6)
    y = vl.axis("y", "share failed", domain=(0.0, 1.0), tick_count=5)
    dots = vl.layer(points, {"type": "point", "filled": True, "opacity": 1, "color": CONTRAST, "size": 55}, x=x, y=y)
    return lines.draw([Line("Weibull", curve, ACCENT, points=False)], layout, x=x, y=y, below=[dots])
