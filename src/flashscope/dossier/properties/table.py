"""The table of all properties, in Markdown; docs/reference/dossier.md holds exactly this."""

from __future__ import annotations

from flashscope.dossier.drive_kind import DriveKind
from flashscope.dossier.properties.catalogue import PROPERTIES
from flashscope.dossier.properties.property import Property, Source

_KIND_NAMES = {DriveKind.FLASH: "SSD"}


def property_table() -> str:
    """One row for each property: key, title, the findings that tell it, and the kinds of drives that can have it."""
    rows = ["| property | title | told by, the best first | of |", "|---|---|---|---|"]
    for each in PROPERTIES:
        rows.append(f"| `{each.key}` | {each.title} | {_told_by(each)} | {_kinds(each)} |")
    return "\n".join(rows)


def _told_by(asked: Property) -> str:
    same = ", ".join(_named(source) for source in asked.sources if source.same)
    others = ", ".join(_named(source) for source in asked.sources if not source.same)
    return f"{same}; beside it: {others}" if others else same


def _named(source: Source) -> str:
    return f"{source.experiment} `{source.key}`" if source.experiment else source.method


def _kinds(asked: Property) -> str:
    if asked.kinds == frozenset(DriveKind):
        return "every drive"
    return ", ".join(_KIND_NAMES.get(kind, kind.value) for kind in DriveKind if kind in asked.kinds)
