"""The window of AS SSD: Seq, 4K, 4K-64Thrd, and the points in the title."""

from __future__ import annotations

from dataclasses import replace

from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.rate_pairs import build_rate_pairs
from flashscope.units import format_number

_ROWS = (
    ("Seq", "seq_read", "seq_write"),
    ("4K-64Thrd", "rand_read_4k_64_threads", "rand_write_4k_64_threads"),
    ("4K", "rand_read_4k", "rand_write_4k"),
)


def build(record: Record) -> list[Chart]:
    """One chart of the rates that were measured; none when none was."""
    caption = "One run of each load on the test file. MB = 1 000 000 B; the program's own MB is 1 048 576 B."
    charts = build_rate_pairs(record, _ROWS, program="AS SSD", caption=caption)
    points = next((found.value for found in record.findings if found.key == "score_total"), None)
    if isinstance(points, int | float):
        charts = [replace(chart, title=f"{format_number(round(points))} points in {chart.title}") for chart in charts]
    return charts
