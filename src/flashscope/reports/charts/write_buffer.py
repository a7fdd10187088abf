"""Bytes taken against time in the first moments of a burst: steep into the buffer, then at the rate of the flash.

MiB |        ____----  the flash's rate, drawn back to the start, begins at what the buffer holds
    |    .--- . '
    |.. /.'. . . . . .   18.8 MiB, the finding
    |  / link
    +------------- ms

The flash works while the buffer fills: when it is full, more than its size was taken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from flashscope.records import Finding, Record, StepRecord, WorkloadResult
from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import Curve, Line, draw_curve
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, MUTED, Layout, Spec
from flashscope.reports.plotting.ticks import say_time
from flashscope.units import format_bytes_binary, format_rate

_POINTS = 60
_MIB, _KIB = 2**20, 2**10


def build(record: Record) -> list[Chart]:
    """The burst with a bend, and the space regained in gaps; fewer when they were not measured."""
    found = {finding.key: finding for finding in record.findings}
    size = found.get("write_buffer_bytes")
    if size is None:
        return []
    charts = []
    chosen = _burst(record, size)
    if chosen is not None:
        charts.append(_burst_chart(size, chosen))
    gaps = [gap for gap in size.details.get("gaps", ()) if gap["gap_ns"] > 0]
    if len(gaps) > 2 and isinstance(size.value, int | float):
        unit, unit_bytes = ("MiB", _MIB) if max(gap["room_bytes"] for gap in gaps) >= 2 * _MIB else ("KiB", _KIB)
        points = tuple(
            (
                gap["gap_ns"] / 1e6,
                gap["room_bytes"] / unit_bytes,
                f"{say_time(gap['gap_ns'])}: {format_bytes_binary(gap['room_bytes'])} of room",
            )
            for gap in gaps
        )
        needed = found.get("idle_gap_for_full_burst_ns")
        title = f"Has room again after {say_time(float(needed.value))}" if needed and needed.value else "Room"
        charts.append(
            Chart(
                name="gaps",
                title=title,
                caption="Room a burst found after each idle gap behind a long write.",
                description=f"{title}. {needed.statement if needed else ''}".strip(),
                draw=lambda layout: draw_curve(
                    Curve("idle gap, ms", f"{unit} of room", (Line("", CONTRAST, points),), x_log=True), layout
                ),
            )
        )
    return charts


def _fits(size: Finding) -> dict[int, dict[str, Any]]:
    """What each burst showed, by the size of its requests [bytes]; empty when no buffer was found."""
    return {} if size.value is None else {int(fit["request_bytes"]): fit for fit in size.details.get("bursts", ())}


class _Burst(NamedTuple):
    """A burst that is drawn. fit: the bend that it showed; None without one."""

    step: StepRecord
    workload: WorkloadResult
    fit: dict[str, Any] | None

    @property
    def written_bytes(self) -> int:
        """By the host [bytes]."""
        return int(self.workload.totals["written_bytes"])


def _burst(record: Record, size: Finding) -> _Burst | None:
    """The evidence with the best length to show the bend, and what it showed: the shortest that writes over twice the
    bytes of its bend; without a bend any."""
    fits = _fits(size)
    bursts = [
        _Burst(step, step.workload, fits.get(_request_bytes(step)))
        for step in record.evidence_of(size)
        if step.workload is not None and len(step.workload.series) > 5
    ]
    suited = [each for each in bursts if each.fit is not None and each.written_bytes > 2 * each.fit["knee_bytes"]]
    chosen = suited or [each._replace(fit=None) for each in bursts]
    return min(chosen, key=lambda each: each.written_bytes, default=None)


def _request_bytes(step: StepRecord) -> int:
    jobs = step.parameters.get("jobs") or [{}]
    weighted = jobs[0].get("write_sizes", {}).get("weighted") or [[0, 100]]
    return int(weighted[0][0])


def _burst_chart(size: Finding, burst: _Burst) -> Chart:
    step, _, fit = burst
    known = isinstance(size.value, int | float)
    title = (
        f"Holds {format_bytes_binary(float(size.value or 0))} in its write buffer" if known else "No write buffer shows"
    )
    caption = f"What single writes had brought since the burst began ({step.name})."
    if fit is not None:
        caption += (
            " Grey: the rate of the flash, drawn back to the start, where it meets what the buffer holds. It is full "
            f"after {format_bytes_binary(fit['knee_bytes'])}, since the flash works meanwhile."
        )
    return Chart(
        name="burst",
        title=title,
        caption=caption,
        description=f"{title}. {size.statement}",
        draw=lambda layout: _draw_burst(burst, size, layout),
    )


def _draw_burst(burst: _Burst, size: Finding, layout: Layout) -> Spec:
    _, workload, fit = burst
    written = np.cumsum(workload.series["written_bytes"])
    elapsed_ms = workload.series["elapsed_ns"] / 1e6
    end = int(np.searchsorted(written, 4 * fit["knee_bytes"])) + 1 if fit else len(written)
    chosen = np.unique(np.linspace(0, min(end, len(written)) - 1, _POINTS).astype(int))
    unit, unit_bytes = ("MiB", _MIB) if written[chosen[-1]] >= 2 * _MIB else ("KiB", _KIB)
    rows: list[dict[str, Any]] = [{"x": 0.0, "y": 0.0, "exact": "nothing yet"}] + [
        {
            "x": float(elapsed_ms[row]),
            "y": float(written[row]) / unit_bytes,
            "exact": f"{format_bytes_binary(float(written[row]))} after {say_time(float(elapsed_ms[row]) * 1e6)}",
        }
        for row in chosen
    ]
    last = rows[-1]["x"]
    x = vl.axis("x", "ms since the burst began", domain=(0.0, last * 1.04), tick_count=layout.tick_count)
    y = vl.axis("y", f"{unit} taken", domain=(0.0, rows[-1]["y"] * 1.1), tick_count=5)
    below: list[Spec] = []
    if fit is not None:
        held = float(size.value or 0) / unit_bytes
        slope = fit["slow_bytes_per_second"] / 1e3 / unit_bytes
        flash = [{"x": at, "y": fit["held_bytes"] / unit_bytes + slope * at} for at in (0.0, last)]
        rate = flash[0] | {"x": last * 0.97, "y": flash[0]["y"] + slope * last * 0.97}
        rate["label"] = f"the flash: {format_rate(fit['slow_bytes_per_second'])}"
        mark = {"x": last, "y": held, "label": f"buffer {format_bytes_binary(float(size.value or 0))}"}
        below = [
            vl.layer(flash, {"type": "line", "color": MUTED, "strokeDash": [2, 4], "clip": True}, x=x, y=y),
            vl.layer([mark], {"type": "rule", "color": INK, "strokeDash": [4, 3], "strokeWidth": 1.5}, y=y),
            *vl.text([mark], x=x, y=y, align="right", dy=11, fontWeight="bold"),
            *vl.text([rate], x=x, y=y, colour=MUTED, align="right", dx=-12, dy=-10),
        ]
    return lines.draw([lines.Line("", rows, ACCENT, points=len(rows) < _POINTS // 2)], layout, x=x, y=y, below=below)
