"""Bytes taken against time in the first moments of a burst: steep into the buffer, then at the rate of the flash.

MB |        ____----  flash
   |    .---          <- the buffer is full
   |  /  link
   +------------- ms
"""

from __future__ import annotations

import numpy as np

from flashscope.records import Finding, Record, StepRecord
from flashscope.reports.chart import Chart
from flashscope.reports.curve import Curve, Line, draw_curve
from flashscope.reports.theme import ACCENT, CONTRAST
from flashscope.units import format_bytes, format_bytes_binary, format_time

_POINTS = 60


def build(record: Record) -> list[Chart]:
    """The burst with a bend, and the space regained in gaps; fewer when they were not measured."""
    found = {finding.key: finding for finding in record.findings}
    size = found.get("write_buffer_bytes")
    if size is None:
        return []
    charts = []
    knee = _knee(size)
    step = _burst(record, size, knee)
    if step is not None:
        title = (
            f"Takes {format_bytes_binary(float(size.value))} at once"
            if isinstance(size.value, int | float)
            else "No write buffer shows"
        )
        line = _trace(step, 4 * knee if knee else None)
        reach = line.points[-1][0]
        full_ms = next((x for x, y, _ in line.points if knee and y >= knee / 1e6), None)
        marks = ((full_ms, "full"),) if full_ms is not None and full_ms < reach else ()
        charts.append(
            Chart(
                name="burst",
                title=title,
                caption=f"What single writes had brought since the burst began ({step.name}).",
                description=f"{title}. {size.statement}",
                draw=lambda layout: draw_curve(Curve("ms", "MB taken", (line,), marks=marks), layout),
            )
        )
    gaps = [gap for gap in size.details.get("gaps", ()) if gap["gap_ns"] > 0]
    if len(gaps) > 2 and isinstance(size.value, int | float):
        points = tuple(
            (
                gap["gap_ns"] / 1e6,
                gap["room_bytes"] / 1e6,
                f"{format_time(round(gap['gap_ns']))}: {format_bytes(gap['room_bytes'])} of room",
            )
            for gap in gaps
        )
        needed = found.get("idle_gap_for_full_burst_ns")
        title = f"Has room again after {format_time(round(float(needed.value)))}" if needed and needed.value else "Room"
        charts.append(
            Chart(
                name="gaps",
                title=title,
                caption="Room a burst found after each idle gap behind a long write.",
                description=f"{title}. {needed.statement if needed else ''}".strip(),
                draw=lambda layout: draw_curve(
                    Curve("idle gap, ms", "MB of room", (Line("", CONTRAST, points),), x_log=True), layout
                ),
            )
        )
    return charts


def _knee(size: Finding) -> float | None:
    bursts = size.details.get("bursts", ())
    return float(np.median([burst["knee_bytes"] for burst in bursts])) if bursts and size.value is not None else None


def _burst(record: Record, size: Finding, knee: float | None) -> StepRecord | None:
    """The evidence with the best length to show the bend: the shortest that writes over twice its bytes."""
    steps = [s for s in record.evidence_of(size) if s.workload and len(s.workload.series) > 5]
    suited = [s for s in steps if knee and s.workload and s.workload.totals["written_bytes"] > 2 * knee]
    return min(suited or steps, key=lambda s: s.workload.totals["written_bytes"] if s.workload else 0, default=None)


def _trace(step: StepRecord, until_bytes: float | None) -> Line:
    assert step.workload is not None
    written = np.cumsum(step.workload.series["written_bytes"])
    end = int(np.searchsorted(written, until_bytes)) + 1 if until_bytes else len(written)
    chosen = np.unique(np.linspace(0, min(end, len(written)) - 1, _POINTS).astype(int))
    elapsed = step.workload.series["elapsed_ns"]
    return Line(
        "",
        ACCENT,
        tuple(
            (
                float(elapsed[row]) / 1e6,
                float(written[row]) / 1e6,
                f"{format_bytes(float(written[row]))} after {format_time(int(elapsed[row]))}",
            )
            for row in chosen
        ),
    )
