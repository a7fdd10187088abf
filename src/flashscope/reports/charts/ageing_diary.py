"""The marks of a diary: random writes when new and at each date, as bars."""

from __future__ import annotations

from functools import partial

from flashscope.records import Record
from flashscope.reports.charts.fill_and_recovery import mark_bars
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import draw_bars
from flashscope.units import format_percent


def build(record: Record) -> list[Chart]:
    """512 KiB and 4 KiB random writes; none when the simulated year was not completed."""
    found = {finding.key: finding for finding in record.findings}
    charts = []
    aged = found.get("aged_ratio_rand_write_512k")
    marks = aged.details.get("marks", {}) if aged else {}
    for metric, words in (("rand_write_512k", "512 KiB"), ("rand_write_4k", "4 KiB")):
        finding = found.get(f"aged_ratio_{metric}")
        rows = mark_bars(record, marks, metric)
        if finding is None or not isinstance(finding.value, int | float) or not rows:
            continue
        title = f"{words} random writes run at {format_percent(finding.value)} of new after a year"
        charts.append(
            Chart(
                name=f"diary-{words.split()[0]}k",
                title=title,
                caption=f"{words} random writes at each date of the diary.",
                description=f"{title}. {finding.statement}",
                draw=partial(draw_bars, rows, "MB/s"),
            )
        )
    return charts
