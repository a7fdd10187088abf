"""The window of CrystalDiskMark 5: a read and a write for each row, the best of the passes."""

from __future__ import annotations

from flashscope.experiments.profiles.crystal_disk_mark import ROWS_5
from flashscope.records import Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.rate_pairs import build_rate_pairs


def build(record: Record) -> list[Chart]:
    """One chart of the rows that were measured; none when none was."""
    return build_rate_pairs(
        record,
        [(row.label, row.read, row.write) for row in ROWS_5],
        program="CrystalDiskMark 5",
        caption="Best of the passes; a line spans the slowest and the fastest. MB = 1 000 000 B.",
    )
