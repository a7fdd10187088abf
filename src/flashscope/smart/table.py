"""What the SMART attributes of a controller family mean: the tables in parts/smart/, one TOML file each.

A table says how the family is recognised (`[recognise]`) and what each attribute counts (`[[attribute]]`).
Two rows may have the same id: two numbers packed into one attribute.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.layouts import LAYOUTS

PROVENANCES = {
    "verified": "checked against dumps of real drives or a second counter of the same drive",
    "documented": "stated by the maker or by several independent programs",
    "inferred": "follows from how the number moves",
    "assumed": "a guess",
}


@dataclass(frozen=True)
class AttributeRow:
    """One number of a family. key: stable name. scale: what one count is worth, in `unit`.

    layout: a name of `layouts.LAYOUTS`. provenance: a key of `PROVENANCES`.
    """

    id: int
    key: str
    meaning: str
    layout: str
    unit: str
    provenance: str
    scale: int = 1


@dataclass(frozen=True)
class WearPercent:
    """Attribute `percent` is the whole per cent that attribute `count` is of a rating between the two of `rated`."""

    count: int
    percent: int
    rated: tuple[int, int]


@dataclass(frozen=True)
class Recognition:
    """What must hold of a drive's attributes for it to be of the family; names of models do not count.

    required, absent: ids. flags_zero: no attribute carries a flag. equal: pairs of ids with equal raw numbers.
    """

    required: tuple[int, ...]
    absent: tuple[int, ...] = ()
    flags_zero: bool = False
    equal: tuple[tuple[int, int], ...] = ()
    wear_percent: WearPercent | None = None


@dataclass(frozen=True)
class FamilyTable:
    """All that is known of one family. rows: in the order of the file."""

    name: str
    title: str
    recognise: Recognition
    rows: tuple[AttributeRow, ...] = field(default_factory=tuple)


@cache
def all_tables() -> tuple[FamilyTable, ...]:
    """The tables that come with flashscope, by name."""
    folder = Path(str(resources.files("flashscope"))) / "parts" / "smart"
    return tuple(
        parse_table(path.read_text(encoding="utf-8"), label=path.name) for path in sorted(folder.glob("*.toml"))
    )


def parse_table(text: str, *, label: str) -> FamilyTable:
    """The table that `text` (TOML) holds; `label` names it in messages.

    Raises WrongUse: not TOML, missing or unknown entries, unknown layout or provenance, a key used twice.
    """
    try:
        document = tomllib.loads(text)
        rows = tuple(AttributeRow(**row) for row in document["attribute"])
        table = FamilyTable(document["name"], document["title"], _recognition(document["recognise"]), rows)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise WrongUse(
            f"{label} is not a SMART table: {error}", accepted="TOML, as parts/smart/indilinx.toml"
        ) from None
    for row in rows:
        if row.layout not in LAYOUTS:
            raise WrongUse(f"{label}: {row.key} has the layout {row.layout!r}", accepted=", ".join(LAYOUTS))
        if row.provenance not in PROVENANCES:
            raise WrongUse(f"{label}: {row.key} has the provenance {row.provenance!r}", accepted=", ".join(PROVENANCES))
    keys = [row.key for row in rows]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise WrongUse(f"{label}: {', '.join(twice)} stands twice", accepted="each key once")
    return table


def _recognition(entry: dict[str, Any]) -> Recognition:
    wear = entry.get("wear_percent")
    changed = {
        "required": tuple(entry["required"]),
        "absent": tuple(entry.get("absent", ())),
        "equal": tuple((one, other) for one, other in entry.get("equal", ())),
        "wear_percent": WearPercent(wear["count"], wear["percent"], (wear["rated"][0], wear["rated"][1]))
        if wear
        else None,
    }
    return Recognition(**{**entry, **changed})
