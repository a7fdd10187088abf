"""Iometer's requests per second, one bar for each number of outstanding requests."""

from __future__ import annotations

from flashscope import units
from flashscope.records import Record
from flashscope.reports.numbers import say
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.chart import Chart

_PREFIX = "requests_per_second_qd"


def build(record: Record) -> list[Chart]:
    """One chart; none when no run completed its ramp-up."""
    found = {finding.key: finding for finding in record.findings if isinstance(finding.value, int | float)}
    bars = []
    for key, finding in found.items():
        if key.startswith(_PREFIX):
            depth = key.removeprefix(_PREFIX)
            wait = found.get(f"response_time_qd{depth}_ns")
            waits = f", {say(wait.value, 'ns').text} each" if wait else ""
            rate = float(finding.value or 0)
            text = f"{units.format_number(rate)}/s{waits}"
            bars.append(Bar(f"{depth} outstanding", rate, text, finding.statement.rstrip(".")))
    if not bars:
        return []
    title = f"File Server mix: {units.format_number(bars[0].value)} requests/s one at a time"
    if len(bars) > 1:
        title += f", {units.format_number(bars[-1].value)} with {bars[-1].row.split()[0]} outstanding"
    return [
        Chart(
            name="requests",
            title=title,
            caption="512 B to 64 KiB at random places of the test file, four reads to one write; without the ramp-up.",
            description=f"{title}. " + " ".join(f"{bar.exact}." for bar in bars),
            draw=lambda layout: draw_bars(bars, "requests per second", layout),
        )
    ]
