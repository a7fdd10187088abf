"""The mapping unit of a drive, as an examination that the store holds has found it.

Only an answer of medium or high confidence counts, and only of the same drive: by serial number, model and size;
without a serial number by address, model and size.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.dossier.answer import Confidence
from flashscope.dossier.one_drive import recognised_by
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.store import Store

_PROPERTY = "mapping_unit"
_TRUSTED = {Confidence.MEDIUM.value, Confidence.HIGH.value}


@dataclass(frozen=True)
class FoundUnit:
    """size_bytes: the unit. created_utc: when the dossier was made that says so. record_id: its newest record."""

    size_bytes: int
    created_utc: str
    record_id: str


def unit_in_store(store: Store, facts: DriveFacts) -> FoundUnit | None:
    """The newest that is known of this drive; None where the store has none. Damaged dossiers are passed over."""
    wanted = recognised_by(facts)
    for kept in reversed(store.dossiers()):
        size_bytes = _unit_of(kept.document.get("properties"))
        record = None if size_bytes is None else store.load_sound(kept.record_id)
        if size_bytes is not None and record is not None and recognised_by(record.drive_facts) == wanted:
            return FoundUnit(size_bytes, kept.created_utc, kept.record_id)
    return None


def _unit_of(properties: object) -> int | None:
    for each in properties if isinstance(properties, list) else ():
        if each.get("property_key") == _PROPERTY and each.get("confidence") in _TRUSTED:
            value = each.get("value")
            return int(value) if isinstance(value, int | float) and value > 0 else None
    return None
