"""Inferred against truth: the conclusions of an experiment, beside the true values inside a virtual drive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flashscope import units
from flashscope.dossier.judge.ruling import is_ruled_out
from flashscope.records import Finding, Record
from flashscope.records.abstention import claims_nothing_of, is_limited, why_untold
from flashscope.records.bounds import ends_of
from flashscope.records.numbers import is_number
from flashscope.reports.numbers import Said, plain, say, say_finding

TOLERANCE_RATIO = 0.01  # for numbers that come without an interval; the page prints it


@dataclass(frozen=True)
class Comparison:
    """One row of the table. agrees: None when the experiment could not tell, so that nothing can be wrong.

    verdict: "yes", "could not tell", or "no" and by how much. record_id: where the row comes from.
    """

    key: str
    inferred: Said
    interval: str
    truth: Said
    agrees: bool | None
    verdict: str
    record_id: str


def compare(record: Record) -> list[Comparison]:
    """One row for each truth of a virtual drive that belongs to this record's experiment; empty for a real drive."""
    return [
        _compare(finding, record.truth[finding.key], record.id)
        for finding in record.findings
        if finding.key in record.truth
    ]


def score(records: Sequence[Record]) -> str:
    """How many findings agree with the virtual drive, how many could not tell, and about how many it states nothing.

    "" where nothing could be compared.
    """
    rows = [row for record in records for row in compare(record)]
    told = [row for row in rows if row.agrees is not None]
    if not told:
        return ""
    said = f"{sum(1 for row in told if row.agrees)} of {len(told)} findings agree"
    said += f"; {len(rows) - len(told)} more could not tell" if len(rows) > len(told) else ""
    left = sum(len(record.findings) for record in records) - len(rows)
    return said + (f"; about {left} it states nothing." if left else ".")


def agrees(finding: Finding, truth: Any) -> bool | None:
    """True when the truth lies in the finding's interval; without one, when both are equal (numbers: to 1 %).

    Of a truth that is a bound: when the finding, or a part of its interval, keeps to it (to 1 %). None: it claims
    nothing.
    """
    value, ends = finding.value, ends_of(truth)
    if value is None and (is_ruled_out(finding) or _leaves_open(finding, truth)):
        return None
    if ends is not None:
        return is_number(value) and _within(finding, value, *ends)
    if not is_number(value) or not is_number(truth):
        return bool(value == truth)
    if finding.low is not None and finding.high is not None:
        return bool(finding.low <= truth <= finding.high)
    return bool(abs(value - truth) <= TOLERANCE_RATIO * abs(truth))


def _leaves_open(finding: Finding, truth: Any) -> bool:
    """Whether a finding without a value is no claim about this truth."""
    ends = ends_of(truth)
    if ends is not None:  # none of what is merely bounded: an answer only where it says what it would have seen
        return not is_limited(finding) or any(claims_nothing_of(finding, end) for end in ends if math.isfinite(end))
    return claims_nothing_of(finding, truth) if is_number(truth) else truth is not None and bool(why_untold(finding))


def _within(finding: Finding, value: float, least: float, most: float) -> bool:
    low, high = (value, value) if finding.low is None or finding.high is None else (finding.low, finding.high)
    return bool(high >= least - TOLERANCE_RATIO * abs(least) and low <= most + TOLERANCE_RATIO * abs(most))


def interval(finding: Finding) -> Said | None:
    """The interval of a finding, "118 GiB to 121 GiB", or None when it has none."""
    if finding.low is None or finding.high is None or not math.isfinite(finding.low + finding.high):
        return None
    low, high = (say(bound, finding.unit, key=finding.key) for bound in (finding.low, finding.high))
    confidence = units.format_percent(finding.confidence_ratio)
    unit = high.exact.removeprefix(plain(finding.high)).split(" (")[0]
    return Said(
        _range(low.text, high.text),
        f"{plain(finding.low)} to {plain(finding.high)}{unit}, {confidence} confidence",
        f"{finding.low!r} {finding.high!r}",
    )


def _range(low: str, high: str) -> str:
    """Both ends; their unit once when it is the same: "59 to 59.2 MB/s"."""
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    return f"{number if unit and high.endswith(f' {unit}') else low} to {high}"


def _compare(finding: Finding, truth: Any, record_id: str) -> Comparison:
    right = agrees(finding, truth)
    verdict = {True: "yes", False: "no", None: "could not tell"}[right]
    if is_ruled_out(finding):
        verdict = "withdrawn"
    if finding.value is None and right is False:
        verdict += ", it was not found"
    if right is False and is_number(finding.value) and is_number(truth) and truth:
        verdict += f", off by {units.format_percent(abs(finding.value - truth) / abs(truth))}"
    bounds, inferred = interval(finding), say_finding(finding)
    return Comparison(
        key=finding.key,
        inferred=inferred,
        interval=bounds.text if bounds and bounds.text != inferred.text else "",
        truth=_say_truth(finding, truth),
        agrees=right,
        verdict=verdict,
        record_id=record_id,
    )


def _say_truth(finding: Finding, truth: Any) -> Said:
    ends = ends_of(truth)
    if ends is None:
        return say_finding(replace(finding, value=truth))
    if all(math.isfinite(end) for end in ends):
        least, most = (say(end, finding.unit, key=finding.key) for end in ends)
        exact = f"{plain(ends[0])} to {plain(ends[1])}"
        return Said(_range(least.text, most.text), exact, f"{ends[0]!r} {ends[1]!r}")
    words, end = ("at least", ends[0]) if math.isfinite(ends[0]) else ("at most", ends[1])
    said = say(end, finding.unit, key=finding.key)
    return Said(f"{words} {said.text}", f"{words} {said.exact}", said.raw)
