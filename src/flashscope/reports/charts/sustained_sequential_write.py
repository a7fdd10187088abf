"""Write rate against bytes written, with its plateaus and the places where it changes.

       :                 | falls after 120 GB
-------:-----------------+                        thin grey: what was measured
       :                 +--------------------    thick: plateau, band: its interval
       : user capacity   |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flashscope import units
from flashscope.dossier.judge.ruling import is_ruled_out
from flashscope.records import Finding, Record, StepRecord
from flashscope.reports.numbers import written_unit
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.downsample import Envelope, envelope
from flashscope.reports.plotting.rate_trace import Trace, trace_of
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, MUTED, NARROW, SERIES, WIDE, Layout, Spec

_MB = 1e6
_AS_LOW = 0.97
"""A later plateau below this share of the first one after a fall is named, too."""
_CHANGES_LABELLED = 4
"""Of more changes than this, as a disk has them, the lines are pale and only the first has a label."""


@dataclass(frozen=True)
class _Axes:
    """Both axes of one drawing. unit_bytes: size of the x axis' unit. end, top: the ends of x and y."""

    unit_bytes: int
    end: float
    top: float
    x: Spec
    y: Spec
    layout: Layout


def build(record: Record) -> list[Chart]:
    """One chart, or none when the run ended before anything was written."""
    finding = next((found for found in record.findings if found.key == "rate_fall"), None)
    trace = trace_of(_steps(record, finding))
    if len(trace.written_bytes) < 2:
        return []
    drawn, small = _envelope(trace, WIDE), _envelope(trace, NARROW)
    caption = "Write rate against what had been written since the run began."
    if _details(finding, "plateaus"):
        caption += " Blue: plateaus, with the interval of each as a band."
    if drawn.rows_per_bin > 1:
        caption += (
            f" Each point of the grey line is the mean of {drawn.rows_per_bin} samples ({small.rows_per_bin} in the "
            "small drawing on a phone); the grey area spans their lowest and highest."
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
    """The steps that are evidence for the finding; all steps that wrote, when there is no finding."""
    evidence = _written(record.evidence_of(finding)) if finding else []
    return evidence or _written(record.steps)


def _written(steps: list[StepRecord]) -> list[StepRecord]:
    return [step for step in steps if step.workload and step.workload.totals.get("written_bytes", 0)]


def _envelope(trace: Trace, layout: Layout) -> Envelope:
    return envelope(trace.written_bytes, trace.rate_bytes_per_second, trace.duration_ns, layout.points_max)


def _details(finding: Finding | None, name: str) -> list[dict[str, Any]]:
    return list(finding.details.get(name, ())) if finding else []


def _title(finding: Finding | None, trace: Trace) -> str:
    plateaus = _details(finding, "plateaus")
    written = units.format_bytes(float(trace.written_bytes[-1]))
    if finding and is_ruled_out(finding):
        return f"The first {written} of writing; whether the rate falls cannot be told"
    if finding and isinstance(finding.value, int | float) and plateaus:
        place = float(finding.value)
        # The rate that follows the fall; a disk is fast again when it begins anew at its outer edge.
        follows = min(plateaus[1:] or plateaus, key=lambda plateau: abs(plateau["from_bytes"] - place))
        rate, worst = (each["rate_bytes_per_second"] for each in (follows, min(plateaus, key=_rate)))
        if len(_details(finding, "change_points")) > _CHANGES_LABELLED:
            return f"Falls little by little from {units.format_rate(_rate(plateaus[0]))} to {units.format_rate(worst)}"
        title = f"Falls to {units.format_rate(rate)} after {units.format_bytes(place)}"
        return title if worst > _AS_LOW * rate else f"{title}, later to {units.format_rate(worst)}"
    if finding and finding.details.get("detection_limit_ratio", 1) >= 1:
        return f"No answer from {len(trace.written_bytes)} samples over {written}"
    if finding and len(plateaus) == 1:
        return f"Holds {units.format_rate(plateaus[0]['rate_bytes_per_second'])} over {written}: no fall"
    if finding:
        return f"No fall found in {written}"
    return f"Not concluded: the first {written} of writing"


def _rate(plateau: dict[str, Any]) -> float:
    return float(plateau["rate_bytes_per_second"])


def _draw(record: Record, finding: Finding | None, trace: Trace, layout: Layout) -> Spec:
    unit, unit_bytes = written_unit(float(trace.written_bytes[-1]))
    drawn = _envelope(trace, layout)
    end, top = float(trace.written_bytes[-1]) / unit_bytes, _top(drawn) / _MB
    axes = _Axes(
        unit_bytes,
        end,
        top,
        vl.axis("x", f"{unit} written", domain=(0, end), tick_count=layout.tick_count),
        vl.axis("y", "MB/s", domain=(0, top), tick_count=5),
        layout,
    )
    line = _line(drawn, unit_bytes)
    return vl.chart(
        [
            *_capacity(record, axes),
            *_measured(line, axes),
            *_plateaus(_details(finding, "plateaus"), line, axes),
            *_changes(_details(finding, "change_points"), axes),
            vl.hover_points(line, x=axes.x, y=axes.y),
        ],
        layout,
    )


def _line(drawn: Envelope, unit_bytes: int) -> list[dict[str, Any]]:
    return [
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


def _measured(line: list[dict[str, Any]], axes: _Axes) -> list[Spec]:
    band: Spec = {"type": "area", "color": SERIES, "opacity": 0.3, "interpolate": "step-before", "clip": True}
    # The first bin begins where nothing was written yet.
    edged = [{**line[0], "x": 0}, *line]
    return [
        vl.layer(edged, band, x=axes.x, y=axes.y | {"field": "low"}, y2={"field": "high"}),
        vl.layer(edged, {"type": "line", "color": MUTED, "strokeWidth": 1.25}, x=axes.x, y=axes.y),
    ]


def _top(drawn: Envelope) -> float:
    """Upper end of the axis of rates: room for the means and their labels; a single peak may be higher."""
    return float(drawn.mean.max()) * 1.3 or 1.0


def _capacity(record: Record, axes: _Axes) -> list[Spec]:
    """A dotted line at each whole drive-fill (a few at most), the first labelled with the capacity."""
    user_bytes = record.drive_facts.user_bytes
    fills = int(axes.end * axes.unit_bytes / user_bytes) if user_bytes else 0
    if not 1 <= fills <= 6:
        return []
    rows: list[dict[str, Any]] = [
        {"x": fill * user_bytes / axes.unit_bytes, "y": 0, "label": f"{fill} drive-fills"}
        for fill in range(1, fills + 1)
    ]
    narrow = axes.layout.narrow
    rows[0]["label"] = "drive full once" if narrow else f"drive full once ({units.format_bytes(user_bytes)})"
    labelled = rows[: 1 if fills > (1 if narrow else 3) else None]
    # Left of the line where there is room, because the rate changes right of it.
    before = [row for row in labelled if row["x"] > 0.35 * axes.end]
    after = [row for row in labelled if row["x"] <= 0.35 * axes.end]
    return [
        vl.layer(rows, {"type": "rule", "color": MUTED, "strokeDash": [2, 4]}, x=axes.x),
        *vl.text(after, x=axes.x, y=axes.y, colour=MUTED, dx=5, dy=-10),
        *vl.text(before, x=axes.x, y=axes.y, colour=MUTED, dx=-5, dy=-10, align="right"),
    ]


def _plateaus(plateaus: list[dict[str, Any]], line: list[dict[str, Any]], axes: _Axes) -> list[Spec]:
    rows = [
        {
            "x": plateau["from_bytes"] / axes.unit_bytes,
            "x2": plateau["to_bytes"] / axes.unit_bytes,
            "y": plateau["rate_bytes_per_second"] / _MB,
            "low": plateau["low"] / _MB,
            "high": plateau["high"] / _MB,
            "label": units.format_rate(plateau["rate_bytes_per_second"]),
        }
        for plateau in plateaus
    ]
    # A short plateau has no room for its label; the list of findings still has it.
    wide = [row for row in rows if row["x2"] - row["x"] > 0.12 * axes.end]
    half = vl.LETTER_PX * 5 / axes.layout.width_px * axes.end  # a label at the edge stays beside the axis
    labelled = [
        row | {"x": min(max((row["x"] + row["x2"]) / 2, half), axes.end - half), "y": _above(row, line, axes)}
        for row in wide
    ]
    bar: Spec = {"type": "rule", "color": ACCENT, "strokeWidth": 5, "opacity": 0.6}
    band: Spec = {"type": "rect", "color": ACCENT, "opacity": 0.22}
    return [
        vl.layer(rows, band, x=axes.x, x2={"field": "x2"}, y=axes.y | {"field": "low"}, y2={"field": "high"}),
        vl.layer(rows, bar, x=axes.x, x2={"field": "x2"}, y=axes.y),
        *vl.text(labelled, x=axes.x, y=axes.y, colour=ACCENT, dy=-12, align="center", fontWeight="bold"),
    ]


def _above(plateau: dict[str, Any], line: list[dict[str, Any]], axes: _Axes) -> float:
    """A little above the measured rates around the middle of a plateau, so that its label hides nothing."""
    middle, reach = (plateau["x"] + plateau["x2"]) / 2, 0.12 * axes.end
    highest = max((point["high"] for point in line if abs(point["x"] - middle) < reach), default=plateau["y"])
    return float(min(max(highest, plateau["y"]), 0.85 * axes.top))


def _changes(changes: list[dict[str, Any]], axes: _Axes) -> list[Spec]:
    narrow = axes.layout.narrow
    rows = [
        {
            "x": change["bytes"] / axes.unit_bytes,
            "low": change["low"] / axes.unit_bytes,
            "high": change["high"] / axes.unit_bytes,
            "y": axes.top,
            "label": ("" if narrow else "changes after ") + units.format_bytes(change["bytes"]),
        }
        for change in changes
    ]
    many = len(rows) > _CHANGES_LABELLED
    if many:
        rows[0]["label"] = ("" if narrow else "first change after ") + units.format_bytes(changes[0]["bytes"])
    # Labels of neighbours would overlap: one that would meet the label before it is left out.
    labelled: list[dict[str, Any]] = []
    free = 0.0
    for row in rows[: 1 if many else None]:
        width = (vl.LETTER_PX * 1.15 * len(row["label"]) + 12) / axes.layout.width_px * axes.end  # in bold
        begin, done = (row["x"], row["x"] + width) if row["x"] <= 0.7 * axes.end else (row["x"] - width, row["x"])
        if begin >= free:
            labelled.append(row)
            free = done
    after = [row for row in labelled if row["x"] <= 0.7 * axes.end]
    before = [row for row in labelled if row["x"] > 0.7 * axes.end]
    band: Spec = {"type": "rect", "color": CONTRAST, "opacity": 0.08 if many else 0.18}
    rule: Spec = {"type": "rule", "color": CONTRAST, "strokeWidth": 1.5, "opacity": 0.35 if many else 1.0}
    return [
        vl.layer(rows, band, x=axes.x | {"field": "low"}, x2={"field": "high"}),
        vl.layer(rows, rule, x=axes.x),
        *vl.text(after, x=axes.x, y=axes.y, dx=6, dy=8, fontWeight="bold"),
        *vl.text(before, x=axes.x, y=axes.y, dx=-6, dy=8, align="right", fontWeight="bold"),
    ]
