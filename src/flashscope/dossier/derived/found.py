"""Looks findings up in the records of a drive: the newest one of an experiment that has a value."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.records import Finding, Record

AT_MOST = "is_at_most"
"""Among the details of a finding whose value is only an upper bound."""


def finding_of(records: Sequence[Record], experiment: str, key: str) -> Finding | None:
    """That finding of the newest record of the experiment in which it stands."""
    for record in reversed(records):
        if record.experiment == experiment:
            for finding in record.findings:
                if finding.key == key:
                    return finding
    return None


def numbers_of(records: Sequence[Record], *places: tuple[str, str]) -> list[Finding]:
    """Those of the findings, each given by (experiment, key), whose value is a number."""
    found = (finding_of(records, *place) for place in places)
    return [each for each in found if each is not None and isinstance(each.value, int | float)]
