"""Share of a burst that runs at the rested rate, against the pause before it; the bend is when collection begins."""

from __future__ import annotations

from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import Curve, Line, draw_curve
from flashscope.reports.plotting.theme import ACCENT
from flashscope.reports.plotting.ticks import say_time
from flashscope.units import format_percent


def build(record: Record) -> list[Chart]:
    """One chart, or none when too few bursts were measured."""
    finding = next((found for found in record.findings if found.key == "idle_collection_delay_ns"), None)
    pauses = list(finding.details.get("pauses_ns", ())) if finding else []
    if finding is None or len(pauses) < 2:
        return []
    shares = finding.details["recovered_ratio"]
    points = tuple(
        (pause / 1e9, 100 * share, f"after {say_time(pause)}: {format_percent(share)} of the burst")
        for pause, share in zip(pauses, shares, strict=True)
    )
    known = isinstance(finding.value, int | float)
    title = (
        f"Recovers from {say_time(float(finding.value or 0))} of idleness on" if known else "Idle time does not help"
    )
    marks = ((float(finding.value or 0) / 1e9, "collection begins"),) if known else ()
    return [
        Chart(
            name="recovery",
            title=title,
            caption="Share of each random-write burst that ran at the rate of a rested drive, after growing pauses.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: draw_curve(
                Curve(
                    "pause, s", "per cent recovered", (Line("", ACCENT, points),), x_log=True, marks=marks, y_top=110.0
                ),
                layout,
            ),
        )
    ]
