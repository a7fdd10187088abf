"""How long each copy of a tree of small files takes, with logical sectors of 512 B and of 4096 B.

512 B, pass 1   |##############  5.6 s
4096 B, pass 1  |############  5 s
"""

from __future__ import annotations

from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.duration_bars import Bar, draw
from flashscope.units import format_percent


def build(record: Record) -> list[Chart]:
    """One chart; none when one of the sizes was not measured."""
    finding = next((found for found in record.findings if found.key == "sector_emulation_gain_ratio"), None)
    if finding is None or not isinstance(finding.value, int | float):
        return []
    bars = [
        Bar(f"{sector} B, pass {number}", (float(seconds),), matters=sector == 4096)
        for sector in (512, 4096)
        for number, seconds in enumerate(finding.details[f"durations_{sector}_s"], start=1)
    ]
    verb = "gain" if finding.value >= 0 else "cost"
    title = f"Sectors of 4096 B {verb} {format_percent(abs(finding.value))} with many small files"
    return [
        Chart(
            name="durations",
            title=title,
            caption="The same tree of small files, copied within the drive three times with each size of sector.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: draw(bars, layout),
        )
    ]
