"""The longest freeze seen under any work: a drive that stands still under a mixed load stands still.

What was seen is a fact: that the drive was watched briefly, or in part, only says that it may freeze for longer. The
judge's doubt about one kind of work is that another experiment saw a longer freeze, so it holds for all of them.
What the judge withdrew has no value here and is not used.
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.derived.found import numbers_of
from flashscope.dossier.judge.ruling import is_of_judge
from flashscope.experiments.stutter import WORK
from flashscope.records import Finding, Record
from flashscope.units import format_time

FREEZE_WORK = "work"
"""Among the details: under which work it was, in words."""

_MAY_BE_LONGER = frozenset({"TooShort", "NotTheWholeDrive"})


def longest_freeze(records: Sequence[Record]) -> Finding | None:
    """longest_freeze_ns [ns]; None where nothing was watched."""
    places = {f"longest_freeze_{work}_ns": words for work, words in WORK.items()}
    found = numbers_of(records, *(("stutter", key) for key in places))
    if not found:
        return None
    longest = max(found, key=lambda each: float(each.value or 0))
    value = float(longest.value or 0)
    work = places[longest.key]
    statement = f"The longest freeze was {format_time(value)}, under {work}."
    own = tuple(doubt for doubt in longest.doubts if doubt.kind not in _MAY_BE_LONGER and not is_of_judge(doubt))
    judged = tuple(doubt for each in found for doubt in each.doubts if is_of_judge(doubt))
    doubts, details = (*own, *judged), {FREEZE_WORK: work}
    return Finding("longest_freeze_ns", statement, value, "ns", doubts=doubts, details=details)
