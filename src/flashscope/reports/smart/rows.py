"""The rows of the SMART table: each field's name, value, interval, provenance, raw number and history, in groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.reports.numbers import Said, plain
from flashscope.reports.plotting import sparkline
from flashscope.reports.smart.names import GROUPS, Name, in_order, name_of
from flashscope.reports.smart.numbers import between, said, say_field, say_interval
from flashscope.smart.decoding.reading import PROVENANCES, Field, Reading
from flashscope.smart.dump import Dump

Seen = tuple[Dump, Reading]
_BANK = re.compile(r"(\w+)_bank_\d+")


@dataclass(frozen=True)
class FieldRow:
    """One field for display. history: (time, value) of all readings that have it."""

    key: str
    name: Name
    value: Said
    interval: str
    provenance: str
    provenance_meaning: str
    raw: str
    origin: str
    explanation: str
    history: sparkline.Points
    line_over: str = "readings"

    @property
    def spark(self) -> str:
        """The history as SVG; "" when there is none."""
        if len(self.history) < 2:
            return ""
        return sparkline.svg(self.history, label=f"{self.name.full} over {len(self.history)} {self.line_over}")


def grouped_rows(ordered: Sequence[Seen]) -> list[tuple[str, str, list[FieldRow]]]:
    """The groups that have rows, in order: name, what it is about, rows. ordered: readings, the last is shown."""
    last = ordered[-1][1]
    rows = [_row(last.fields[key], ordered) for key in in_order([key for key in last.fields if not _of_a_bank(key)])]
    rows += _bank_rows(last)
    grouped = [(group, note, [row for row in rows if row.name.group == group]) for group, note in GROUPS.items()]
    return [one for one in grouped if one[2]]


def _row(field: Field, ordered: Sequence[Seen]) -> FieldRow:
    name = name_of(field.key)
    meaning = f"{field.meaning[:1].upper()}{field.meaning[1:]}."
    return FieldRow(
        key=field.key,
        name=name,
        value=say_field(field),
        interval=say_interval(field),
        provenance=field.provenance,
        provenance_meaning=PROVENANCES.get(field.provenance, ""),
        raw="" if field.raw is None else str(field.raw),
        origin=_said_origin(field.origin),
        explanation=" ".join(part for part in (meaning if field.meaning else "", name.explanation) if part),
        history=_history(field.key, ordered),
    )


def _of_a_bank(key: str) -> bool:
    return _BANK.fullmatch(key) is not None


def _bank_rows(reading: Reading) -> list[FieldRow]:
    """One row for each number that is reported bank by bank; the x axis of its line is the bank, not time."""
    rows = []
    for base in dict.fromkeys(match[1] for key in reading.fields if (match := _BANK.fullmatch(key))):
        fields = [
            field for key, field in reading.fields.items() if (match := _BANK.fullmatch(key)) and match[1] == base
        ]
        values = [field.value for field in fields]
        low, high = (said(end, fields[0].unit) for end in (min(values), max(values)))
        text = Said(between(low, high), ", ".join(plain(value) for value in values))
        name = name_of(base)
        name = replace(name, full=f"{name.full}, bank by bank", short=f"{name.short} by bank")
        rows.append(
            FieldRow(
                key=f"{base}_by_bank",
                name=name,
                value=text,
                interval=f"{len(fields)} banks",
                provenance=fields[0].provenance,
                provenance_meaning=PROVENANCES.get(fields[0].provenance, ""),
                raw="",
                origin=fields[0].origin,
                explanation="Lowest and highest bank; the line runs over the banks.",
                history=[(float(bank), float(value)) for bank, value in enumerate(values)],
                line_over="banks",
            )
        )
    return rows


def _history(key: str, ordered: Sequence[Seen]) -> list[tuple[float, float]]:
    """(time or power-on time or number of the reading, value) of every reading that has the field."""
    timed = all(dump.taken_at_s is not None for dump, _ in ordered)
    hours = [reading.value("power_on_time_hours") for _, reading in ordered]
    points = []
    for index, (dump, reading) in enumerate(ordered):
        value = reading.value(key)
        place = dump.taken_at_s if timed else hours[index] if None not in hours else index
        if value is not None and place is not None:
            points.append((float(place), float(value)))
    return points


def _said_origin(origin: str) -> str:
    """The origin of a number, with its sources by name: "from error bits, host read"."""
    if not origin.startswith("from "):
        return origin
    return "from " + ", ".join(name_of(key).short for key in origin.removeprefix("from ").split(", "))
