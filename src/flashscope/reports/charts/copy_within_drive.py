"""Separate writing and reading, compared with the copy: a longer bar of the copy means that they slow each other down.

write, then read  |####|#####  5.6 s
copy within       |################  11 s, 1.9 times as long
"""

from __future__ import annotations

from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.duration_bars import Bar, draw


def build(record: Record) -> list[Chart]:
    """One chart of the passes; none when no pass was completed."""
    finding = next((found for found in record.findings if found.key == "delay_ratio"), None)
    passes = finding.details.get("passes", ()) if finding else ()
    if finding is None or not passes or not isinstance(finding.value, int | float):
        return []
    title = f"A copy within the drive takes {finding.value:.2f} times as long as its parts"
    memory_read_s = float(finding.details.get("memory_read_s") or 0.0)
    memory_write_s = float(finding.details.get("memory_write_s") or 0.0)
    bars = []
    for number, one in enumerate(passes, start=1):
        apart = (one["write_s"] - memory_read_s, one["read_s"] - memory_write_s)
        bars.append(Bar(f"{number}: write, read", apart))
        bars.append(Bar(f"{number}: copy", (one["copy_s"],), matters=True, note=f"({one['delay_ratio']:.2f})"))
    return [
        Chart(
            name="durations",
            title=title,
            caption="Grey: writing a file and reading it, apart and end to end, without what memory took. "
            "Blue: copying it within the drive, which reads and writes as much.",
            description=f"{title}. {finding.statement}",
            draw=lambda layout: draw(bars, layout),
        )
    ]
