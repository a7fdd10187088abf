"""The table of properties: value, interval, confidence, method, action, and the findings that speak for and against."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from flashscope.dossier.answer import Answer, Confidence, Evidence
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.properties import property_of
from flashscope.dossier.properties.value_text import span
from flashscope.records.numbers import is_number
from flashscope.reports.front.told import Told, in_symbols, tell
from flashscope.reports.numbers import Said, say

FIRST_ROWS = 16
"""So many stand open; the others are folded."""


@dataclass(frozen=True)
class EvidenceView:
    """One finding. href: where it stands on the page, "" for one that is derived from several."""

    experiment: str
    href: str
    said: Said
    interval: str
    statement: str
    agrees: bool


@dataclass(frozen=True)
class PropertyRow:
    """One property. confidence: a word, also the class of the cell. doubts: sentences."""

    told: Told
    confidence: Confidence
    method: str
    action: str
    statement: str
    evidence: tuple[EvidenceView, ...]
    doubts: tuple[str, ...]

    @property
    def against(self) -> tuple[EvidenceView, ...]:
        """What contradicts the answer."""
        return tuple(each for each in self.evidence if not each.agrees)


def property_rows(dossier: Dossier, anchors: Collection[str]) -> list[PropertyRow]:
    """A row for each property, known or not, in the dossier's order. anchors: ids of the findings on the page."""
    return [_row(answer, anchors) for answer in dossier.answers]


def _row(answer: Answer, anchors: Collection[str]) -> PropertyRow:
    return PropertyRow(
        told=tell(answer),
        confidence=answer.confidence,
        method=answer.method,
        action=answer.action,
        statement=answer.statement,
        evidence=tuple(_evidence(each, answer, anchors) for each in answer.evidence),
        doubts=tuple(dict.fromkeys(doubt.message for doubt in answer.doubts)),
    )


def _evidence(found: Evidence, answer: Answer, anchors: Collection[str]) -> EvidenceView:
    asked, anchor = property_of(answer.property_key), f"{found.record_id}-{found.key}"
    number = found.value if is_number(found.value) else None
    said = say(found.value, answer.unit or asked.unit, key=found.key)
    return EvidenceView(
        experiment=found.experiment or "from several",
        href=f"#{anchor}" if anchor in anchors else "",
        said=Said(in_symbols(asked.say(float(number))), said.exact, said.raw) if number is not None else said,
        interval=in_symbols(span(found.low, found.high, asked.say)) if number is not None else "",
        statement=found.statement,
        agrees=found.agrees,
    )
