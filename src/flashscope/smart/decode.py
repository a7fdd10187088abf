"""From attributes as the drive gives them to named numbers with units.

    SmartSnapshot -> which family?  (ids and byte layout, never the model's name)
                  -> one field per row of its table
                  -> numbers that follow from several fields (`derive.py`), and doubts

A raw number is never lost: each field keeps the bytes it came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from flashscope.records.record import Doubt, SmartAttribute, SmartSnapshot
from flashscope.smart import derive
from flashscope.smart.layouts import LAYOUTS, raw_48
from flashscope.smart.table import FamilyTable, Recognition, WearPercent, all_tables

UNKNOWN = "unknown"
NO_SMART = "no SMART"


@dataclass(frozen=True)
class Field:
    """One named number. value: in `unit`. provenance: how sure its meaning is (`table.PROVENANCES`).

    attribute_id, raw: where it came from; None and empty for a number derived from others.
    """

    key: str
    value: int | float
    unit: str
    meaning: str
    provenance: str
    attribute_id: int | None = None
    raw: bytes = b""


@dataclass(frozen=True)
class DecodedSmart:
    """What a snapshot says. family: a table's name, "unknown", or "no SMART" when it holds no attributes.

    fields: key -> field. undecoded: ids no field was made of.
    """

    family: str
    title: str
    fields: dict[str, Field] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()
    undecoded: tuple[int, ...] = ()

    def value(self, key: str) -> int | float | None:
        """The value of a field; None when the drive does not tell."""
        return self.fields[key].value if key in self.fields else None


def decode(snapshot: SmartSnapshot) -> DecodedSmart:
    """The named numbers of a snapshot; of an unknown family none but the ids."""
    by_id = {attribute.id: attribute for attribute in snapshot.attributes}
    if not by_id:
        return DecodedSmart(NO_SMART, "the drive tells no SMART attributes")
    table = recognise(by_id)
    if table is None:
        return DecodedSmart(UNKNOWN, "a family that is not known yet", undecoded=tuple(sorted(by_id)))
    fields = {
        row.key: Field(
            row.key,
            LAYOUTS[row.layout](by_id[row.id]) * row.scale,
            row.unit,
            row.meaning,
            row.provenance,
            row.id,
            by_id[row.id].raw,
        )
        for row in table.rows
        if row.id in by_id
    }
    direct = {key: one.value for key, one in fields.items()}
    for key, unit, meaning, value in derive.derived(direct):
        fields[key] = Field(key, value, unit, meaning, "inferred")
    undecoded = tuple(sorted(set(by_id) - {row.id for row in table.rows}))
    return DecodedSmart(table.name, table.title, fields, derive.doubts(direct), undecoded)


def recognise(by_id: dict[int, SmartAttribute]) -> FamilyTable | None:
    """The family whose every mark these attributes (id -> attribute) bear; None when there is none."""
    return next((table for table in all_tables() if _bears(table.recognise, by_id)), None)


def _bears(marks: Recognition, by_id: dict[int, SmartAttribute]) -> bool:
    return (
        by_id.keys() >= set(marks.required)
        and not by_id.keys() & set(marks.absent)
        and not (marks.flags_zero and any(attribute.flags for attribute in by_id.values()))
        and all(raw_48(by_id[one]) == raw_48(by_id[other]) for one, other in marks.equal)
        and (marks.wear_percent is None or _wears_as_rated(marks.wear_percent, by_id))
    )


def _wears_as_rated(mark: WearPercent, by_id: dict[int, SmartAttribute]) -> bool:
    """Whether percent = floor(100 count / rated) for some rating within bounds."""
    count, percent = raw_48(by_id[mark.count]), raw_48(by_id[mark.percent])
    lowest, highest = mark.rated
    return 100 * count // highest <= percent <= 100 * count // lowest
