"""How far an answer can be trusted, from what speaks for and against it.

none     nothing could be told
low      evidence against it, a doubt without a second method, a wide interval, an unfinished run, the judge's doubt
medium   one method without doubts; or doubts, and a second method that agrees
high     two methods agree without doubts, or one has a narrow interval without doubts
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.answer import Confidence
from flashscope.dossier.telling import Telling

_WIDE = 2.0
"""An interval whose ends differ by this factor tells only the order of magnitude."""
_NARROW = 1.25
_ABOUT_EXTENT = frozenset({"TooFewSamples", "NotTheWholeFile"})
"""Doubts of a short run; a second method that agrees answers them."""
_ABOUT_FILES = "NotTheBareDrive"
"""No doubt about a file, which is what was asked for; only about the drive below it."""


def confidence(best: Telling, agreeing: Sequence[Telling], against: Sequence[Telling]) -> Confidence:
    """The confidence in the best telling. agreeing: other methods and older runs. against: those that
    measure the same."""
    if against or not best.source.same or best.is_judged_doubtful or not best.is_finished or _width(best) > _WIDE:
        return Confidence.LOW
    doubts = {doubt.kind for doubt in best.finding.doubts} - {_ABOUT_FILES}
    own = (best.source.experiment, *best.source.rests_on)  # what it was derived from is no second method
    second = any(each.source.experiment not in own for each in agreeing)
    if doubts:
        return Confidence.MEDIUM if second and doubts <= _ABOUT_EXTENT else Confidence.LOW
    if second or (best.finding.low is not None and _width(best) < _NARROW):
        return Confidence.HIGH
    return Confidence.MEDIUM


def _width(telling: Telling) -> float:
    """The upper over the lower end of its interval; 1 without one."""
    low, high = telling.finding.low, telling.finding.high
    if low is None or high is None or low == high:
        return 1.0
    return high / low if low > 0 else float("inf")
