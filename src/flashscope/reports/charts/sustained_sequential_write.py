"""Write rate against bytes written, with its plateaus and the places where it changes.

       :                 | falls after 120 GB
-------:-----------------+                        thin grey: what was measured
       :                 +--------------------    thick: plateau, band: its interval
       : user capacity   |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flashscope import units
from flashscope.records import Finding, Record, StepRecord
from flashscope.reports import vega_lite as vl
from flashscope.reports.chart import Chart
from flashscope.reports.downsample import Envelope, envelope
from flashscope.reports.theme import ACCENT, CONTRAST, INK, MUTED, SERIES, WIDE, Layout, Spec

_MB = 1e6


@dataclass(frozen=True)
class _Trace:
    """Rate against bytes written. Arrays of shape (intervals,)."""

    written_bytes: np.ndarray
    rate_bytes_per_second: np.ndarray
    duration_ns: np.ndarray


def build(record: Record) -> list[Chart]:
    """One chart, or none when the run ended before anything was written."""
    finding = next((found for found in record.findings if found.key == "rate_fall"), None)
    trace = _trace(_steps(record, finding))
    if len(trace.written_bytes) < 2:
        return []
    drawn = _envelope(trace, WIDE)
    caption = "Write rate against what had been written since the run began."
    if _details(finding, "plateaus"):
        caption += " Blue: plateaus, with the interval of each as a band."
    if drawn.rows_per_bin > 1:
        caption += (
            f" Each point of the grey line is the mean of {drawn.rows_per_bin} samples; the grey area spans their "
            "lowest and highest."
        )
    if drawn.high.max() > _top(drawn):
        caption += f" The highest single sample, {units.format_rate(drawn.high.max())}, lies beyond the axis."
    title = _title(finding, trace)
    return [
        Chart(
            name="rate",
            title=title,
            caption=caption,
            description=f"{title}. {finding.statement if finding else ''}".strip(),
            draw=lambda layout: _draw(record, finding, trace, layout),
        )
    ]


def _steps(record: Record, finding: Finding | None) -> list[StepRecord]:
    """The steps the finding rests on; all that wrote, when there is no finding."""
    written = [step for step in record.steps if step.workload and step.workload.totals.get("written_bytes", 0)]
    evidence = [step for step in written if finding and step.name in finding.evidence]
    return evidence or written


def _trace(steps: list[StepRecord]) -> _Trace:
    written: list[np.ndarray] = [np.empty(0)]
    rate: list[np.ndarray] = [np.empty(0)]
    duration: list[np.ndarray] = [np.empty(0)]
    before = 0.0
    for step in steps:
        if step.workload is None or len(step.workload.series) == 0:
            continue
        series = step.workload.series
        interval_ns = np.diff(series["elapsed_ns"].astype(float), prepend=0.0)
        row_bytes = series["written_bytes"].astype(float)
        # Position counts every row; a rate needs time to have passed.
        position = before + np.cumsum(row_bytes)
        timed = interval_ns > 0
        written.append(position[timed])
        rate.append(row_bytes[timed] / interval_ns[timed] * 1e9)
        duration.append(interval_ns[timed])
        before = float(position[-1])
    return _Trace(np.concatenate(written), np.concatenate(rate), np.concatenate(duration))


def _envelope(trace: _Trace, layout: Layout) -> Envelope:
    return envelope(trace.written_bytes, trace.rate_bytes_per_second, trace.duration_ns, layout.points_max)


def _details(finding: Finding | None, name: str) -> list[dict[str, Any]]:
    return list(finding.details.get(name, ())) if finding else []


def _title(finding: Finding | None, trace: _Trace) -> str:
    plateaus = _details(finding, "plateaus")
    written = units.format_bytes(float(trace.written_bytes[-1]))
    if finding and isinstance(finding.value, int | float) and plateaus:
        settled = units.format_rate(plateaus[-1]["rate_bytes_per_second"])
        return f"Falls to {settled} after {units.format_bytes(finding.value)}"
    if finding and len(plateaus) == 1:
        return f"Holds {units.format_rate(plateaus[0]['rate_bytes_per_second'])} over {written}: no fall"
    if finding:
        return f"No fall found in {written}"
    return f"Not concluded: the first {written} of writing"


def _draw(record: Record, finding: Finding | None, trace: _Trace, layout: Layout) -> Spec:
    unit, unit_bytes = written_unit(float(trace.written_bytes[-1]))
    drawn = _envelope(trace, layout)
    top = _top(drawn) / _MB
    end = float(trace.written_bytes[-1]) / unit_bytes
    x = vl.axis("x", f"{unit} written", domain=(0, end), tick_count=layout.tick_count)
    y = vl.axis("y", "MB/s", domain=(0, top), tick_count=5)
    line = [
        {
            "x": place / unit_bytes,
            "y": mean / _MB,
            "low": low / _MB,
            "high": high / _MB,
            "exact": f"{units.format_rate(mean)} at {units.format_bytes(place)}"
            + (f" (lowest {units.format_rate(low)}, highest {units.format_rate(high)})" if low < high else ""),
        }
        for place, mean, low, high in zip(drawn.position, drawn.mean, drawn.low, drawn.high, strict=True)
    ]
    band: Spec = {"type": "area", "color": SERIES, "opacity": 0.3, "interpolate": "step-before", "clip": True}
    # The first bin begins where nothing was written yet.
    edged = [{**line[0], "x": 0}, *line]
    return vl.chart(
        [
            *_capacity(record, unit_bytes, end, top, x, y, layout),
            vl.layer(edged, band, x=x, y=y | {"field": "low"}, y2={"field": "high"}),
            *_plateaus(_details(finding, "plateaus"), unit_bytes, end, x, y),
            vl.layer(edged, {"type": "line", "color": MUTED, "strokeWidth": 1.25}, x=x, y=y),
            *_changes(_details(finding, "change_points"), unit_bytes, end, top, x, y, layout),
            vl.hover_points(line, x=x, y=y),
        ],
        layout,
    )


def _top(drawn: Envelope) -> float:
    """Upper end of the axis of rates: room for the means and their labels; a lone peak may reach beyond it."""
    return float(drawn.mean.max()) * 1.3 or 1.0


def written_unit(largest_bytes: float) -> tuple[str, int]:
    """The unit for an axis of bytes written that reaches `largest_bytes`: its name and its size in bytes."""
    return next(
        ((name, size) for name, size in (("GB", 10**9), ("MB", 10**6)) if largest_bytes >= 4 * size), ("KB", 1000)
    )


def _capacity(record: Record, unit_bytes: int, end: float, top: float, x: Spec, y: Spec, layout: Layout) -> list[Spec]:
    """A dotted line at each whole drive-fill (a few at most), the first labelled with the capacity."""
    user_bytes = int(record.drive_facts.get("user_bytes", 0))
    fills = int(end * unit_bytes / user_bytes) if user_bytes else 0
    if not 1 <= fills <= 6:
        return []
    rows: list[dict[str, Any]] = [
        {"x": fill * user_bytes / unit_bytes, "y": 0, "label": f"{fill} drive-fill{'s' if fill > 1 else ''}"}
        for fill in range(1, fills + 1)
    ]
    rows[0]["label"] = "drive full once" if layout.narrow else f"drive full once ({units.format_bytes(user_bytes)})"
    crowded = fills > (1 if layout.narrow else 3)
    near_end = [row for row in rows[: 1 if crowded else None] if row["x"] > 0.7 * end]
    inside = [row for row in rows[: 1 if crowded else None] if row["x"] <= 0.7 * end]
    return [
        vl.layer(rows, {"type": "rule", "color": MUTED, "strokeDash": [2, 4]}, x=x),
        *vl.text(inside, x=x, y=y, colour=MUTED, dx=5, dy=-10),
        *vl.text(near_end, x=x, y=y, colour=MUTED, dx=-5, dy=-10, align="right"),
    ]


def _plateaus(plateaus: list[dict[str, Any]], unit_bytes: int, end: float, x: Spec, y: Spec) -> list[Spec]:
    rows = [
        {
            "x": plateau["from_bytes"] / unit_bytes,
            "x2": plateau["to_bytes"] / unit_bytes,
            "y": plateau["rate_bytes_per_second"] / _MB,
            "low": plateau.get("low", plateau["rate_bytes_per_second"]) / _MB,
            "high": plateau.get("high", plateau["rate_bytes_per_second"]) / _MB,
            "label": units.format_rate(plateau["rate_bytes_per_second"]),
        }
        for plateau in plateaus
    ]
    # A short plateau has no room for its label; the table of findings still has it.
    labelled = [row | {"x": (row["x"] + row["x2"]) / 2} for row in rows if row["x2"] - row["x"] > 0.12 * end]
    bar: Spec = {"type": "rule", "color": ACCENT, "strokeWidth": 6, "opacity": 0.5}
    return [
        vl.layer(
            rows,
            {"type": "rect", "color": ACCENT, "opacity": 0.22},
            x=x,
            x2={"field": "x2"},
            y=y | {"field": "low"},
            y2={"field": "high"},
        ),
        vl.layer(rows, bar, x=x, x2={"field": "x2"}, y=y),
        *vl.text(labelled, x=x, y=y, colour=ACCENT, dy=-14, align="center", fontWeight="bold"),
    ]


def _changes(
    changes: list[dict[str, Any]], unit_bytes: int, end: float, top: float, x: Spec, y: Spec, layout: Layout
) -> list[Spec]:
    rows = [
        {
            "x": change["bytes"] / unit_bytes,
            "low": change.get("low", change["bytes"]) / unit_bytes,
            "high": change.get("high", change["bytes"]) / unit_bytes,
            "y": top,
            "label": ("" if layout.narrow else "changes after ") + units.format_bytes(change["bytes"]),
        }
        for change in changes
    ]
    # Labels of neighbours would overlap: only the first of a crowd is labelled.
    room = end * (0.3 if layout.narrow else 0.25)
    labelled: list[dict[str, Any]] = []
    for row in rows:
        if not labelled or row["x"] - labelled[-1]["x"] > room:
            labelled.append(row)
    right = [row for row in labelled if row["x"] <= 0.7 * end]
    left = [row for row in labelled if row["x"] > 0.7 * end]
    return [
        vl.layer(
            rows, {"type": "rect", "color": CONTRAST, "opacity": 0.18}, x=x | {"field": "low"}, x2={"field": "high"}
        ),
        vl.layer(rows, {"type": "rule", "color": CONTRAST, "strokeWidth": 1.5}, x=x),
        *vl.text(right, x=x, y=y, colour=INK, dx=6, dy=8, fontWeight="bold"),
        *vl.text(left, x=x, y=y, colour=INK, dx=-6, dy=8, align="right", fontWeight="bold"),
    ]
