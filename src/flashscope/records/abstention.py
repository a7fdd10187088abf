"""A finding without a value is an answer ("there is none") or an open question ("could not tell, because ...").

    Finding(value=None)                                          no fall, no buffer, no unit: an answer, right or wrong
    Finding(value=None, details=could_not_tell("too short"))     nothing was claimed

Plain data in the details, so that a record keeps it as it is.
"""

from __future__ import annotations

from typing import Any

from flashscope.records.record import Finding

_KEY = "could_not_tell"


def could_not_tell(because: str) -> dict[str, Any]:
    """The details that mark an open question; because: a reason that ends "could not tell, because ..."."""
    return {_KEY: because}


def why_untold(finding: Finding) -> str:
    """Why the finding claims nothing; "" for a finding that is an answer."""
    return "" if finding.value is not None else str(finding.details.get(_KEY, ""))
