"""Which alerts are raised: conditions judged with the past; only changes are reported.

    not raised --holds--> raised --clears--> cleared --holds--> raised ...

The raised alerts are kept in the store, so a watch that starts again raises none of them twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Literal

from flashscope.smart.watching.conditions import CONDITIONS, UNREADABLE, Limits
from flashscope.smart.watching.history import History
from flashscope.smart.watching.sample import Number


@dataclass(frozen=True)
class Change:
    """An alert raised or cleared. subject: the drive's identity key, or the place for `UNREADABLE`."""

    subject: str
    place: str
    condition: str
    state: Literal["raised", "cleared"]
    severity: str
    message: str
    value: Number | None = None
    limit: Number | None = None
    unit: str = ""
    advice: str = ""


def changes(history: History, raised: Set[str], limits: Limits) -> Iterator[Change]:
    """What the newest sample of a drive raises or clears. raised: names of the alerts raised until now."""
    for condition in CONDITIONS:
        verdict = condition.judge(history, limits)
        if verdict.holds is None or verdict.holds == (condition.name in raised):
            continue
        yield Change(
            history.now.drive,
            history.now.place,
            condition.name,
            "raised" if verdict.holds else "cleared",
            condition.severity,
            verdict.message,
            verdict.value,
            verdict.limit,
            verdict.unit,
            condition.advice if verdict.holds else "",
        )


def unreadable(place: str, reason: str, misses: int, limits: Limits) -> Change:
    """The alert that too many readings in a row at a place failed."""
    message = f"{misses} readings in a row gave nothing: {reason.splitlines()[0] if reason else 'no reason given'}"
    advice = "check whether the drive is still there and may be read"
    return Change(place, place, UNREADABLE, "raised", "critical", message, misses, limits.misses, "count", advice)


def readable(place: str) -> Change:
    """The end of that alert: the place can be read again."""
    return Change(place, place, UNREADABLE, "cleared", "critical", "it can be read again", 0, None, "count")


def taken_away(subject: str, place: str, condition: str, drive_now: str) -> Change:
    """The end of a drive's alert because another drive is in its place."""
    severity = next((one.severity for one in CONDITIONS if one.name == condition), "critical")
    return Change(subject, place, condition, "cleared", severity, f"the drive was taken away; {drive_now} is there now")
