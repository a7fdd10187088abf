"""A property of a drive, as an examination that the store holds has found it.

Only an answer of medium or high confidence counts, and only of the same drive: by serial number, model and size;
without a serial number by address, model and size.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flashscope.dossier.answer import Confidence
from flashscope.dossier.one_drive import recognised_by
from flashscope.errors import FlashscopeError
from flashscope.records.drive_facts import DriveFacts
from flashscope.store.store import Store

_TRUSTED = {Confidence.MEDIUM.value, Confidence.HIGH.value}


@dataclass(frozen=True)
class Found:
    """value: in the property's own unit. created_utc: when the dossier was made that says so."""

    value: float
    created_utc: str


def found_in_store(store_path: Path, facts: DriveFacts, *properties: str) -> Found | None:
    """The newest value of the first of these properties that is known of this drive, above 0.

    None where no store is there, where it cannot be read, and where it tells none of them. Damaged dossiers are passed
    over.
    """
    if not store_path.exists():
        return None
    try:
        with Store(store_path, create=False) as store:
            return _newest(store, facts, properties)
    except FlashscopeError:
        return None


def _newest(store: Store, facts: DriveFacts, properties: tuple[str, ...]) -> Found | None:
    wanted = recognised_by(facts)
    for kept in reversed(store.dossiers()):
        value = _first_of(kept.document.get("properties"), properties)
        record = None if value is None else store.load_sound(kept.record_id)
        if value is not None and record is not None and recognised_by(record.drive_facts) == wanted:
            return Found(value, kept.created_utc)
    return None


def _first_of(answers: object, properties: tuple[str, ...]) -> float | None:
    values = {
        each.get("property_key"): each.get("value")
        for each in (answers if isinstance(answers, list) else ())
        if each.get("confidence") in _TRUSTED
    }
    told = (values.get(key) for key in properties)
    return next((float(value) for value in told if isinstance(value, int | float) and value > 0), None)
