"""When a collector says that it read a drive."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

_NO_TIMES = {1234567890}
"""Seconds since 1970 that programs write where they know no time."""
_EARLIEST_S = 1_262_304_000  # 2010
_DAY_S = 86_400
_RFC_3339 = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)")


def possible_moment(seconds: float) -> float | None:
    """Seconds since 1970, or None when nobody can have read a drive then: before 2010, or later than tomorrow."""
    if int(seconds) in _NO_TIMES or not _EARLIEST_S <= seconds <= time.time() + _DAY_S:
        return None
    return float(seconds)


def moment_of_text(text: str) -> float | None:
    """The same for a time such as 2024-03-25T12:00:00Z; None for anything else."""
    found = _RFC_3339.fullmatch(text.strip())
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(found[1].replace(" ", "T") + found[2].replace("Z", "+00:00"))
    except ValueError:
        return None
    return possible_moment(moment.astimezone(UTC).timestamp())
