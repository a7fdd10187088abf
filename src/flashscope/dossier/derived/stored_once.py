"""Whether equal blocks are stored once: the answer stands among the details of compressibility's repeated blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flashscope.dossier.derived.found import finding_of
from flashscope.records import Finding, Record


def stores_repeats_once(records: Sequence[Record]) -> Finding | None:
    """stores_repeats_once, "yes" or "no"; None when the rates were not measured, or withdrawn."""
    found = finding_of(records, "compressibility", "repeated_rate_ratio")
    answer = None if found is None or found.value is None else found.details.get("stores_repeats_once")
    if found is None or answer is None:
        return None
    return replace(found, key="stores_repeats_once", value=str(answer), unit="", low=None, high=None, details={})
