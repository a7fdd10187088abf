"""Answers as the joining would give them, for what follows from them."""

from __future__ import annotations

from dataclasses import replace

from flashscope.dossier.answer import Answer, Confidence
from flashscope.dossier.derived.rates import CONDITION
from flashscope.dossier.known import Known
from flashscope.dossier.properties import property_of


def answered(key: str, value: float | str, confidence: Confidence = Confidence.HIGH) -> Answer:
    """The answer to a property."""
    asked = property_of(key)
    text = value if isinstance(value, str) else asked.say(value)
    return Answer(key, value, asked.unit, None, None, text, "It is so.", "", confidence)


def trusted(confidence: Confidence = Confidence.HIGH, /, **values: float | str) -> Known:
    """Answers by the keys of their properties, all of one confidence."""
    return Known([answered(key, value, confidence) for key, value in values.items()])


def trusted_where(where: str, /, **values: float | str) -> Known:
    """The same, with the worst rate of long writes seen under a condition."""
    answers = [answered(key, value) for key, value in values.items()]
    return Known([replace(each, details={CONDITION: where}) for each in answers])
