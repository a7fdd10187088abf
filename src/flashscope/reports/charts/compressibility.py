"""Write rate against the compressibility of the data; with SMART, flash bytes per host byte beside it."""

from __future__ import annotations

from typing import Any

from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import Curve, Line, draw_curve
from flashscope.reports.plotting.theme import ACCENT, CONTRAST
from flashscope.units import format_rate


def build(record: Record) -> list[Chart]:
    """The rate, and the share that reaches flash where the drive reports it; none without two points."""
    finding = next((found for found in record.findings if found.key == "compresses"), None)
    curve: list[dict[str, Any]] = list(finding.details.get("curve", ())) if finding else []
    if finding is None or len(curve) < 2:
        return []
    title = "Compresses what it is given" if finding.value == "yes" else "Writes all data alike"
    # The curve has a point for each step that is evidence for the finding, in the order of the run.
    steps = record.evidence_of(finding)
    percent = [p for p, step in zip(curve, steps, strict=False) if step.labels.word("kind") == "compressible"]
    if len(percent) < 2:
        return []
    rates = Line(
        "",
        ACCENT,
        tuple(
            (
                100 * p["removable_ratio"],
                p["rate_bytes_per_second"] / 1e6,
                f"{p['name']}: {format_rate(p['rate_bytes_per_second'])}",
            )
            for p in percent
        ),
    )
    charts = [
        Chart(
            name="rate",
            title=title,
            caption="Rate of sequential writes against the share of the data that a compressor can remove.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: draw_curve(Curve("compressible, per cent", "MB/s", (rates,)), layout),
        )
    ]
    flash = [p for p in percent if p["flash_bytes_per_host_byte"] is not None]
    if len(flash) > 1:
        points = tuple(
            (
                100 * p["removable_ratio"],
                p["flash_bytes_per_host_byte"],
                f"{p['name']}: {p['flash_bytes_per_host_byte']:.2f} flash bytes per host byte",
            )
            for p in flash
        )
        charts.append(
            Chart(
                name="flash",
                title="What of each byte reaches flash",
                caption="By the drive's own counters, which step by a GiB: as coarse as one step over the run.",
                description=f"Flash bytes per host byte against compressibility. {finding.statement}",
                draw=lambda layout: draw_curve(
                    Curve("compressible, per cent", "flash bytes per host byte", (Line("", CONTRAST, points),)), layout
                ),
            )
        )
    return charts
