"""A finding without a value is an answer ("there is none"), an open question, or an answer with limits.

    Finding(value=None)                                            there is none: right or wrong
    Finding(value=None, details=could_not_tell("it was short"))    nothing was claimed
    Finding(value=None, details=visible(least=4096))               there is none of 4096 or more; a smaller one may be

Plain data in the details, so that a record keeps it as it is.
"""

from __future__ import annotations

from typing import Any

from flashscope.records.record import Finding

_WHY, _LEAST, _MOST = "could_not_tell", "visible_from", "visible_to"


def could_not_tell(because: str) -> dict[str, Any]:
    """The details that mark an open question; because: a reason that ends "could not tell, because ..."."""
    return {_WHY: because}


def visible(*, least: float | None = None, most: float | None = None) -> dict[str, Any]:
    """The details that say between which values it would have been found; None: no limit on that side."""
    ends = {_LEAST: least, _MOST: most}
    return {key: float(end) for key, end in ends.items() if end is not None}


def why_untold(finding: Finding) -> str:
    """Why the finding claims nothing; "" for a finding that is an answer."""
    return "" if finding.value is not None else str(finding.details.get(_WHY, ""))


def is_limited(finding: Finding) -> bool:
    """Whether the finding says between which values it would have found one."""
    return bool({_LEAST, _MOST} & finding.details.keys())


def claims_nothing_of(finding: Finding, truth: float) -> bool:
    """Whether a finding without a value leaves open that there is one of this size."""
    if finding.value is not None:
        return False
    least, most = finding.details.get(_LEAST, truth), finding.details.get(_MOST, truth)
    return bool(why_untold(finding)) or not least <= truth <= most
