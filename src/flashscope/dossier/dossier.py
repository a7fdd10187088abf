"""All that is known of one drive: its answers, what could not be told, what was withdrawn, and the advice."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.dossier.answer import Answer
from flashscope.dossier.judge.objection import Objection
from flashscope.records import Record


@dataclass(frozen=True)
class Advice:
    """What to do, and the reason, from values: "align partitions to 16 KiB" because "smaller writes cost ..."."""

    text: str
    reason: str
    property_keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dossier:
    """What `make_dossier` joins.

    drive: its address. kind: "solid-state drive", "disk", "hybrid disk", "memory", "array", "file".
    verdict: three sentences at most.
    answers: one for each property that applies to such a drive, in the order of `properties.py`; those without a value
    say why. records: judged, oldest first. record_ids: of all records that were joined.
    set_apart: records of the same virtual drive by other builds, which were not joined.
    """

    drive: str
    title: str
    kind: str
    verdict: tuple[str, ...]
    answers: tuple[Answer, ...]
    advice: tuple[Advice, ...]
    objections: tuple[Objection, ...]
    records: tuple[Record, ...]
    set_apart: tuple[Record, ...] = ()

    @property
    def record_ids(self) -> tuple[str, ...]:
        """Of the records that it rests on."""
        return tuple(record.id for record in self.records)

    def answer(self, property_key: str) -> Answer | None:
        """The answer of that key; None when the property does not apply to the drive."""
        return next((answer for answer in self.answers if answer.property_key == property_key), None)
