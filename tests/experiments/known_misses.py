"""Findings about shipped parts, quick, that disagree with the drive's truth though nothing is wrong with it, and why.

None at present. A row is added only with the reason, and stands in docs/reference/score.md, too: a finding that can be
mended is mended, and one that cannot be sure says so (`records/abstention.py`).
"""

from __future__ import annotations

from flashscope.records import Record
from flashscope.reports.agreement import compare

KNOWN_MISSES: dict[tuple[str, str, str], str] = {}
"""(part, experiment, key) -> the reason."""


def missed(record: Record, part: str) -> list[str]:
    """Each finding of the record that disagrees with the truth and is no known miss."""
    return [
        f"{record.experiment} {row.key}: {row.inferred.text}, truth {row.truth.text}"
        for row in compare(record)
        if row.agrees is False and (part, record.experiment, row.key) not in KNOWN_MISSES
    ]
