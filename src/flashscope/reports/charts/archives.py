"""The durations of copying, unpacking at once and unpacking in turn, on the drive and in memory.

copy              |#####  3.8 s
at once           |######  4.6 s
in turn           |######################  16.2 s
at once, memory   |#  1.1 s
in turn, memory   |################  12.2 s
"""

from __future__ import annotations

from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.duration_bars import Bar, draw
from flashscope.units import format_percent

_NAMES = (
    ("copy_s", "copy", False),
    ("parallel_s", "at once", True),
    ("serial_s", "in turn", True),
    ("memory_parallel_s", "at once, memory", False),
    ("memory_serial_s", "in turn, memory", False),
)


def build(record: Record) -> list[Chart]:
    """One chart; none when unpacking was not measured both ways."""
    finding = next((found for found in record.findings if found.key == "parallel_gain_ratio"), None)
    if finding is None or not isinstance(finding.value, int | float):
        return []
    bars = [
        Bar(label, (float(finding.details[key]),), matters)
        for key, label, matters in _NAMES
        if finding.details.get(key) is not None
    ]
    verb = "gains" if finding.value >= 0 else "loses"
    title = f"Unpacking {verb} {format_percent(abs(finding.value))} when all is done at once"
    return [
        Chart(
            name="durations",
            title=title,
            caption="13 archives: copied within the drive; unpacked by 13 processes at once and by one in turn (blue); "
            "and the unpacking in memory, where the processor alone counts. Until all is on the drive.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: draw(bars, layout),
        )
    ]
