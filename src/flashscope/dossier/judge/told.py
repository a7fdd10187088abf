"""A finding beside its record, and what rules ask of findings: which were told, their numbers, whether they meet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flashscope.dossier.judge.objection import Objection, Ruling
from flashscope.records import Finding, Record
from flashscope.records.numbers import is_number

_CLEARLY = 2.0


@dataclass(frozen=True)
class Told:
    """A finding and the record that it stands in."""

    record: Record
    finding: Finding

    @property
    def sentence(self) -> str:
        """The statement up to its first full stop, without it."""
        return self.finding.statement.split(". ")[0].removesuffix(".")


@dataclass(frozen=True)
class Number(Told):
    """A finding whose value is a number."""

    value: float

    @property
    def low(self) -> float:
        """The lower end of the interval, or the value where there is none."""
        return self.value if self.finding.low is None else self.finding.low

    @property
    def high(self) -> float:
        """The upper end of the interval, or the value where there is none."""
        return self.value if self.finding.high is None else self.finding.high


def every(records: Sequence[Record]) -> Iterator[Told]:
    """All findings, those without a value, too."""
    return (Told(record, finding) for record in records for finding in record.findings)


def told(records: Sequence[Record], *keys: str, experiment: str = "") -> list[Told]:
    """The findings of these keys that have a value. experiment: only of this one."""
    return [
        each
        for each in every(records)
        if each.finding.key in keys and each.finding.value is not None and experiment in ("", each.record.experiment)
    ]


def numbers_told(records: Sequence[Record], *keys: str, experiment: str = "") -> list[Number]:
    """Those of them whose value is a number."""
    return list(_numbers(told(records, *keys, experiment=experiment)))


def every_number(records: Sequence[Record]) -> Iterator[Number]:
    """All findings whose value is a number."""
    return _numbers(every(records))


def _numbers(found: Iterable[Told]) -> Iterator[Number]:
    for each in found:
        if is_number(value := each.finding.value):
            yield Number(each.record, each.finding, float(value))


def numbers_of(finding: Finding) -> list[float]:
    """Lower end, value and upper end, those that there are."""
    return [float(each) for each in (finding.low, finding.value, finding.high) if is_number(each)]


def can_both_be(one: Number, other: Number, ratio: float = 1.0) -> bool:
    """Whether the intervals meet, when each is widened by the ratio."""
    return one.low <= other.high * ratio and other.low <= one.high * ratio


def both_doubted(one: Told, other: Told, reason: str) -> tuple[Objection, Objection]:
    """Neither is to be preferred. reason: holds for both."""
    return doubted(one, reason, other), doubted(other, reason, one)


def more_trusted(one: Number, other: Number) -> Number | None:
    """The one with fewer doubts, or with as many and an interval that is clearly narrower; None when they are alike."""
    doubts = len(one.finding.doubts), len(other.finding.doubts)
    if doubts[0] != doubts[1]:
        return one if doubts[0] < doubts[1] else other
    widths = [(each.high - each.low) / abs(each.value) if each.value else math.inf for each in (one, other)]
    if _CLEARLY * min(widths) < max(widths):
        return one if widths[0] < widths[1] else other
    return None


def withdrawn(found: Told, reason: str, *against: Told) -> Objection:
    """The finding cannot be true."""
    return _objection(found, Ruling.WITHDRAWN, reason, against)


def doubted(found: Told, reason: str, *against: Told) -> Objection:
    """The finding may be true."""
    return _objection(found, Ruling.DOUBTED, reason, against)


def _objection(found: Told, ruling: Ruling, reason: str, against: tuple[Told, ...]) -> Objection:
    others = tuple(dict.fromkeys(each.record.id for each in against))
    return Objection(found.record.id, found.finding.key, ruling, "", reason, others)
