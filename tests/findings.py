"""The findings of a record, looked up by their keys, and what a test asks of one."""

from __future__ import annotations

from flashscope.records import Finding, Record

from .known import known


def by_key(record: Record) -> dict[str, Finding]:
    """The findings by key."""
    return {finding.key: finding for finding in record.findings}


def finding_of(record: Record, key: str) -> Finding:
    """The finding of that key."""
    return by_key(record)[key]


def holds(finding: Finding, truth: float) -> bool:
    """Whether the interval of a finding, which has one, holds the truth."""
    return known(finding.low) <= truth <= known(finding.high)
