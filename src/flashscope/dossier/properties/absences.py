"""What a finding without a value says: nothing was found where it would have been seen, or nothing could be told.

A limit of detection among the details says that the search could have found something; a doubt about the conditions
says that it could not.
"""

from __future__ import annotations

from flashscope.dossier.properties.property import Absence
from flashscope.records import Finding
from flashscope.units import format_time

_BLIND_RATIO = 0.5
"""A search that could not have seen a rate cut in half, or half as much again, tells nothing."""


def no_fall(finding: Finding) -> str:
    """A long write that keeps its rate."""
    return "no fall" if finding.details.get("detection_limit_ratio", 1.0) < _BLIND_RATIO else ""


def none_while_idle(finding: Finding) -> str:
    """Pauses that bring nothing back, up to the longest that was tried."""
    pauses = finding.details.get("pauses_ns", ())
    if not pauses or finding.doubts or finding.details.get("detection_limit_ratio", 1.0) > _BLIND_RATIO:
        return ""
    return f"none in {format_time(max(pauses))}"


def not_within_pauses(finding: Finding) -> str:
    """Pauses, or a deletion, that do not bring a full drive back."""
    pauses = finding.details.get("pauses_ns", ())
    return f"none in {format_time(max(pauses))}" if pauses and not finding.doubts else ""


def none_with(*details: str) -> Absence:
    """Nothing seen, by a search whose limits are all among the details."""
    return lambda finding: "none seen" if all(finding.details.get(name) is not None for name in details) else ""


def no_buffer(finding: Finding) -> str:
    """No buffer; flash that keeps up with the link would hide one."""
    limit = finding.details.get("detection_limit_bytes")
    return "none seen" if limit is not None and finding.details.get("keeps_up") is False else ""


def one_rate(finding: Finding) -> str:
    """Long writes that do not become slower as the drive fills."""
    return "none" if finding.details.get("levels") else ""
