"""The meaning of a drive's numbers: the tables in parts/smart/, one TOML file each.

A *family table* says how a controller family is recognised (`[recognise]`) and what each of its ATA attributes
counts (`[[attribute]]`). Two rows may have the same id: two numbers packed into one attribute. A *log table*
(`log = ...`) says what the entries of one log mean (`[[entry]]`), whichever family the drive is of.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.decoding.layouts import LAYOUTS
from flashscope.smart.decoding.reading import PROVENANCES
from flashscope.smart.documents import documents


@dataclass(frozen=True)
class Row:
    """One number of a family or of a log. key: stable name. scales: possible sizes of one count, in `unit`.

    scales: one where the unit is known; several, likeliest first, where it differs within the family.
    step: how far above the shown number the true one may be, in counts (a count of whole units: 1; a count that is
        rounded up: -1).
    negate_from: value = negate_from - count; None: the count itself. add: added last (kelvin to Celsius).
    placeholders: counts that mean "unknown". fallback: used only when no earlier row gave this key.
    """

    key: str
    meaning: str
    unit: str
    provenance: str
    scales: tuple[int | float, ...] = (1,)
    step: float = 0
    negate_from: int | None = None
    add: int = 0
    placeholders: frozenset[int] = frozenset()
    fallback: bool = False


@dataclass(frozen=True)
class AttributeRow(Row):
    """One number of an ATA attribute. layout: a name of `layouts.LAYOUTS`."""

    id: int = 0
    layout: str = "raw-48"


@dataclass(frozen=True)
class EntryRow(Row):
    """One number of a log. names: its names in the readers. page, offset: its place in the ATA Device Statistics.

    since: the version of the log page that has it first; an older page has 0 in its place.
    """

    names: tuple[str, ...] = ()
    page: int = 0
    offset: int = 0
    since: int = 0


@dataclass(frozen=True)
class Mark:
    """One piece of evidence for a family besides its ids; exactly one of the kinds below is given.

    bits: log2 of how much likelier the family becomes when the mark is present; against: when it is not. A mark
    whose attributes are absent is no evidence.
    model, firmware: a pattern that the printed name matches; weak, since labels may be wrong. first: the ids at the
    beginning of the list, in order. absent: ids it must not have. flags_zero: no attribute carries a flag.
    equal: two ids with the same raw number. wear_percent: (count, percent, lowest rating, highest rating): percent is
    the whole per cent of some rating. over_100: an id whose value is above 100. ordered: (id, word of the minimum, of
    the average, of the maximum) of a packed triple. raw_is_value: an id whose raw number repeats its value byte.
    """

    bits: float = 0
    against: float = 0
    model: re.Pattern[str] | None = None
    firmware: re.Pattern[str] | None = None
    first: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    flags_zero: bool = False
    equal: tuple[int, ...] = ()
    wear_percent: tuple[int, ...] = ()
    over_100: int = 0
    ordered: tuple[int, ...] = ()
    raw_is_value: int = 0


@dataclass(frozen=True)
class Recognition:
    """How drives of a family are recognised. always: ids nearly all have; sometimes: further ids, besides the rows'."""

    always: frozenset[int] = frozenset()
    sometimes: frozenset[int] = frozenset()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class FamilyTable:
    """All that is known of one family. rows: in the order of the file. is_flash: False for hard disks.

    cache_apart: its counter of flash bytes never includes what went to the write cache.
    """

    name: str
    title: str
    recognise: Recognition
    rows: tuple[AttributeRow, ...] = field(default_factory=tuple)
    is_flash: bool = True
    cache_apart: bool = False


@dataclass(frozen=True)
class LogTable:
    """The meaning of the entries of one log. log: its name in a `Dump`. place: how its origin is printed."""

    log: str
    title: str
    place: str
    rows: tuple[EntryRow, ...] = field(default_factory=tuple)


@cache
def all_tables() -> tuple[FamilyTable, ...]:
    """The family tables that come with flashscope, by name of file."""
    return tuple(one for one in _shipped() if isinstance(one, FamilyTable))


@cache
def log_tables() -> Mapping[str, LogTable]:
    """The log tables that come with flashscope, by the log's name."""
    return {one.log: one for one in _shipped() if isinstance(one, LogTable)}


@cache
def vendor_log_tables() -> Mapping[str, LogTable]:
    """The tables of the logs of NVMe drives' makers, by the log's name; their layout is read by the readers."""
    found = {}
    for name, (_, document) in documents("nvme").items():
        rows = [{key: row[key] for key in row if key not in _LAYOUT_KEYS} for row in document["entry"] if "key" in row]
        head = {key: document[key] for key in ("log", "title", "place")}
        table = _log_table({**head, "entry": rows}, name)
        _check(table, name)
        found[table.log] = table
    return found


_LAYOUT_KEYS = frozenset({"at", "size", "shift", "mask", "labels"})


@cache
def _shipped() -> tuple[FamilyTable | LogTable, ...]:
    return tuple(_table_of(document, name) for name, (_, document) in documents().items())


def parse_table(text: str, *, label: str) -> FamilyTable:
    """The family table in `text` (TOML); `label` names it in messages.

    Raises WrongUse: not TOML, missing or unknown entries, unknown layout or provenance, a key used twice.
    """
    table = _parse(text, label=label)
    if not isinstance(table, FamilyTable):
        raise WrongUse(f"{label} is the table of a log", accepted="a table of a family, with [recognise]")
    return table


def parse_log_table(text: str, *, label: str) -> LogTable:
    """The log table in `text` (TOML); as `parse_table`."""
    table = _parse(text, label=label)
    if not isinstance(table, LogTable):
        raise WrongUse(f"{label} is the table of a family", accepted="a table of a log, with `log = ...`")
    return table


def _parse(text: str, *, label: str) -> FamilyTable | LogTable:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _no_table(label, error) from None
    return _table_of(document, label)


def _no_table(label: str, error: Exception) -> WrongUse:
    return WrongUse(f"{label} is not a SMART table: {error}", accepted="TOML, as parts/smart/indilinx.toml")


def _table_of(document: Mapping[str, Any], label: str) -> FamilyTable | LogTable:
    table: FamilyTable | LogTable
    try:
        if "log" in document:
            table = _log_table(document, label)
        else:
            rows = tuple(AttributeRow(**_row(row)) for row in document["attribute"])
            head = {key: entry for key, entry in document.items() if key not in ("attribute", "recognise")}
            table = FamilyTable(rows=rows, recognise=_recognition(document["recognise"]), **head)
    except (KeyError, TypeError, ValueError, re.error) as error:
        raise _no_table(label, error) from None
    _check(table, label)
    return table


def _log_table(document: Mapping[str, Any], label: str) -> LogTable:
    head = {key: entry for key, entry in document.items() if key != "entry"}
    rows = tuple(EntryRow(**_row(row, names=tuple(row.get("names", ())))) for row in document["entry"])
    return LogTable(rows=rows, **head)


def _row(row: dict[str, Any], **changed: object) -> dict[str, Any]:
    scales = row.get("scale", 1)
    rest = {key: entry for key, entry in row.items() if key != "scale"}
    scales = tuple(scales) if isinstance(scales, list) else (scales,)
    if not scales or not all(isinstance(scale, int | float) and scale > 0 for scale in scales):
        raise ValueError(f"scale = {row['scale']!r} is not a positive number, nor a list of them")
    steps = {} if "step" in row else {"step": 1 if row["unit"] in ("bytes", "hours", "cycles") else 0}
    hidden = frozenset(row.get("placeholders", ()))
    return {**rest, **steps, **changed, "scales": scales, "placeholders": hidden}


def _recognition(entry: dict[str, Any]) -> Recognition:
    marks = []
    for mark in entry.get("mark", ()):
        changed = {key: tuple(value) for key, value in mark.items() if isinstance(value, list)}
        patterns = {key: re.compile(mark[key], re.IGNORECASE) for key in ("model", "firmware") if key in mark}
        marks.append(Mark(**{**mark, **changed, **patterns}))
    known = {"always", "sometimes", "mark"}
    if strange := sorted(set(entry) - known):
        raise ValueError(f"[recognise] holds {', '.join(strange)}; it takes {', '.join(sorted(known))}")
    return Recognition(frozenset(entry["always"]), frozenset(entry.get("sometimes", ())), tuple(marks))


def _check(table: FamilyTable | LogTable, label: str) -> None:
    seen: set[str] = set()
    for row in table.rows:
        if isinstance(row, AttributeRow) and row.layout not in LAYOUTS:
            raise WrongUse(f"{label}: {row.key} has the layout {row.layout!r}", accepted=", ".join(LAYOUTS))
        if row.provenance not in PROVENANCES:
            raise WrongUse(f"{label}: {row.key} has the provenance {row.provenance!r}", accepted=", ".join(PROVENANCES))
        if row.key in seen and not row.fallback:
            raise WrongUse(f"{label}: {row.key} stands twice", accepted="each key once, or the later `fallback = true`")
        seen.add(row.key)
