"""Points of InfluxDB, from its line protocol and from its CSV, annotated or not.

    smart,device_protocol=ATA,device_wwn=0x5000c500 temp=30i,attr.9.raw_value=1234i 1700000000000000000
    ,result,table,_time,_value,_field,_measurement,device_protocol     one field a row, or pivoted: one column a field

Fields of one measurement, tags and time belong to one point, in whatever lines they stand.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from flashscope.smart.readers.collectors.moments import moment_of_text, possible_moment

_NS = 10**9
_SPLIT = {one: re.compile(rf"(?<!\\){re.escape(one)}") for one in (",", "=", " ")}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


@dataclass
class Point:
    """taken_at_s: None without a possible time. fields: numbers as whole numbers, all else as text."""

    measurement: str
    tags: dict[str, str]
    taken_at_s: float | None
    fields: dict[str, int | str] = field(default_factory=dict)


def points_of(text: str) -> tuple[list[Point], int]:
    """The points in a text, and how many of its lines are not whole."""
    found: dict[tuple[object, ...], Point] = {}
    broken = 0
    for one in _of_csv(text) if _is_csv(text) else _of_lines(text):
        if one is None:
            broken += 1
            continue
        key = (one.measurement, tuple(sorted(one.tags.items())), one.taken_at_s)
        found.setdefault(key, Point(one.measurement, one.tags, one.taken_at_s)).fields.update(one.fields)
    return list(found.values()), broken


def _is_csv(text: str) -> bool:
    head = text.lstrip()[:4000]
    return (head.startswith("#") and "#datatype" in head) or ("_time" in head and "_measurement" in head)


def _of_csv(text: str) -> Iterator[Point | None]:
    """Tables follow each other, separated by empty lines; each has headings of its own."""
    names: list[str] = []
    ends = text.endswith("\n")
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.strip():
            names = []
            continue
        if line.startswith("#"):
            names = []
            continue
        cells = _cells(line.rstrip("\r"))
        if not names:
            names = cells
        elif len(cells) != len(names) or (number == len(lines) - 1 and not ends):
            yield None
        elif cells != names:
            yield _of_row(dict(zip(names, cells, strict=True)))


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _of_row(row: dict[str, str]) -> Point:
    fields: dict[str, int | str] = {}
    if "_field" in row and row.get("_value", "") != "":
        fields[row["_field"]] = _plain(row["_value"])
    tags = {}
    for name, value in row.items():
        if name in ("", "result", "table") or name.startswith("_") or value == "":
            continue
        if name.startswith("device_") or name == "scrutiny_uuid" or "_field" in row:
            tags[name] = value
        else:
            fields[name] = _plain(value)
    return Point(row.get("_measurement", ""), tags, moment_of_text(row.get("_time", "")), fields)


def _of_lines(text: str) -> Iterator[Point | None]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.strip() or line.startswith("#"):
            continue
        yield None if number == len(lines) - 1 else _of_line(line.strip())


def _of_line(line: str) -> Point | None:
    place, _, rest = _cut(line, " ")
    if not rest:
        return None
    inside = _outside_quotes(rest)
    fields_end = inside.rfind(" ")
    stamp = rest[fields_end + 1 :] if fields_end >= 0 else ""
    if stamp and not re.fullmatch(r"-?\d+", stamp):
        return None
    measurement, *tags = _SPLIT[","].split(place)
    told_tags = dict(_pair(one) for one in tags)
    fields: dict[str, int | str] = {}
    for one in _fields(rest[:fields_end] if stamp else rest):
        name, value = _pair(one)
        if not name or value == "":
            return None
        fields[name] = value[1:-1] if value.startswith('"') else _plain(value.rstrip("iu"))
    taken_at_s = possible_moment(int(stamp) / _NS) if stamp and len(stamp) <= 19 else None
    return Point(_unescaped(measurement), told_tags, taken_at_s, fields)


def _fields(text: str) -> Iterator[str]:
    """`a=1i,b="x,y"` at the commas outside of quotation marks."""
    begin = 0
    for match in _SPLIT[","].finditer(_outside_quotes(text)):
        yield text[begin : match.start()]
        begin = match.end()
    yield text[begin:]


def _outside_quotes(text: str) -> str:
    """The text with all that stands in quotation marks replaced by signs that separate nothing."""
    return re.sub(r'"(?:[^"\\]|\\.)*"', lambda one: '"' + "." * (len(one[0]) - 2) + '"', text)


def _cut(text: str, at: str) -> tuple[str, str, str]:
    match = _SPLIT[at].search(text)
    return (text, "", "") if match is None else (text[: match.start()], at, text[match.end() :])


def _pair(text: str) -> tuple[str, str]:
    name, _, value = _cut(text, "=")
    return _unescaped(name), value if value.startswith('"') else _unescaped(value)


def _unescaped(text: str) -> str:
    return re.sub(r"\\([,= ])", r"\1", text)


def _plain(text: str) -> int | str:
    if not _NUMBER.fullmatch(text) or len(text) > 30:
        return text
    number = float(text)
    if "." in text or "e" in text.lower():
        return int(number) if number == int(number) and abs(number) < 1 << 53 else text
    return int(text)
