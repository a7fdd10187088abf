"""What the judge leaves in a finding: a doubt of its own kind, and a sentence in place of what it withdraws."""

from __future__ import annotations

from dataclasses import replace

from flashscope.records import Doubt, Finding

_KIND = "Judge:"
_GONE = "Withdrawn: "


def doubt_of(rule: str, reason: str) -> Doubt:
    """The doubt of a rule."""
    return Doubt(f"{_KIND}{rule}", reason, "")


def is_of_judge(doubt: Doubt, rule: str = "") -> bool:
    """Whether it is a doubt of the judge; of this rule, where one is named."""
    return doubt.kind == f"{_KIND}{rule}" if rule else doubt.kind.startswith(_KIND)


def without_value(finding: Finding, reason: str) -> Finding:
    """The finding as it is printed when it cannot be true."""
    return replace(finding, value=None, low=None, high=None, statement=f"{_GONE}{reason}.")


def is_withdrawn(finding: Finding) -> bool:
    """True when the judge took its value away, or its claim that there is nothing."""
    return finding.value is None and finding.statement.startswith(_GONE)


def is_ruled_out(finding: Finding) -> bool:
    """True when nothing is claimed after the judge: it was withdrawn, or that there is nothing is doubted."""
    return finding.value is None and any(is_of_judge(doubt) for doubt in finding.doubts)
