"""The outcomes of the points of a sweep, as rows: what was varied, how it ended, what was found."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flashscope.dossier.judge.judge import judged_alone
from flashscope.errors import WrongUse
from flashscope.records import Finding, Record, Status
from flashscope.records.numbers import is_number
from flashscope.records.plain import plain
from flashscope.sweeps.point import Point

KEY_FINDINGS = 4
"""This many findings are shown when nobody chooses them."""


@dataclass(frozen=True)
class Outcome:
    """One point. findings: judged as those of a drive of its own. was_there: it was in the store before.

    varied: as in `Point`.
    """

    record_id: str
    status: Status
    note: str
    findings: tuple[Finding, ...]
    was_there: bool
    address: str = ""
    varied: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_record(cls, record: Record, *, was_there: bool) -> Outcome:
        """Of a point with this record, as the experiment made it; what cannot be true is withdrawn here."""
        return cls(record.id, record.status, record.note, tuple(judged_alone(record).findings), was_there)

    def of(self, point: Point) -> Outcome:
        """The same with what was varied."""
        return replace(self, address=str(point.address), varied=point.varied)

    def finding(self, key: str) -> Finding | None:
        """The finding of that key, None when there is none."""
        return next((found for found in self.findings if found.key == key), None)

    def to_json(self) -> dict[str, Any]:
        """For other programs."""
        row: dict[str, Any] = plain(
            {
                "address": self.address,
                "varied": dict(self.varied),
                "status": self.status,
                "note": self.note,
                "record": self.record_id,
                "was_there": self.was_there,
                "findings": [{name: value for name, value in plain(found).items() if name != "details"}
                             for found in self.findings],
            }
        )  # fmt: skip
        return row


def chosen_findings(outcomes: Sequence[Outcome], asked: Sequence[str]) -> list[str]:
    """The keys to be shown: those asked for, else the first few that have a number somewhere.

    Raises WrongUse for one that no point has.
    """
    keys = list(dict.fromkeys(found.key for outcome in outcomes for found in outcome.findings))
    for key in asked:
        if keys and key not in keys:
            raise WrongUse(f"no point of this sweep has a finding {key}", accepted=", ".join(keys))
    return list(dict.fromkeys(asked)) or numeric_findings(outcomes)[:KEY_FINDINGS]


def numeric_findings(outcomes: Sequence[Outcome]) -> list[str]:
    """The keys of findings that are quantities at some point, in order; the id of an attribute is not a quantity."""
    every = (found for outcome in outcomes for found in outcome.findings)
    return list(dict.fromkeys(one.key for one in every if is_number(one.value) and one.unit != "attribute id"))


def to_csv(outcomes: Sequence[Outcome]) -> str:
    """One row for each finding of each point: what was varied, then key, value, unit and interval."""
    text = io.StringIO()
    names = varied_names(outcomes)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["address", *names, "status", "record", "finding", "value", "unit", "low", "high", "confidence_ratio"]
    )
    for row in _csv_rows(outcomes, names):
        writer.writerow(["" if cell is None else cell for cell in row])
    return text.getvalue()


def varied_names(outcomes: Sequence[Outcome]) -> list[str]:
    """What was varied, in order."""
    return list(dict.fromkeys(name for outcome in outcomes for name, _ in outcome.varied))


def _csv_rows(outcomes: Sequence[Outcome], names: Sequence[str]) -> Iterator[list[object]]:
    for outcome in outcomes:
        varied = dict(outcome.varied)
        head = [outcome.address, *(varied.get(name) for name in names), outcome.status.value, outcome.record_id]
        for found in outcome.findings:
            yield [*head, found.key, found.value, found.unit, found.low, found.high, found.confidence_ratio]
        if not outcome.findings:
            yield [*head, None, None, None, None, None, None]
