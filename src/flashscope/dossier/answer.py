"""The answer to one question about a drive, with all the evidence for and against it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flashscope.records import Doubt


class Confidence(enum.StrEnum):
    """How far an answer can be trusted."""

    HIGH = "high"
    """Two methods agree, or one direct method has a narrow interval and no doubt."""

    MEDIUM = "medium"
    """One method, without doubts about its conditions."""

    LOW = "low"
    """Doubts, a wide interval, or evidence against it."""

    NONE = "none"
    """Nothing could be told."""


@dataclass(frozen=True)
class Evidence:
    """One finding that says something about a property.

    record_id, experiment, key: where it stands. statement: its sentence. value, low, high: in the property's unit.
    agrees: whether it can be true together with the answer.
    """

    record_id: str
    experiment: str
    key: str
    statement: str
    value: float | int | str | None
    low: float | None
    high: float | None
    agrees: bool


@dataclass(frozen=True)
class Answer:
    """What is known of one property.

    property_key: of `properties.py`. value: None when it could not be told; low, high: interval at 95 %, or None.
    text: the value for a person, "16 KiB", "none", "59 MB/s". statement: one sentence. method: how it was inferred.
    evidence: all findings about it, the one that gives the value first. why_unknown: "" when there is a value.
    action: what to do about it, in one word or a few ("align to 16 KiB"); "" when nothing.
    assumed: what the part of a virtual drive says, as text; "" for a real drive or where it says nothing.
    details: what the finding that gives the value keeps beside it.
    """

    property_key: str
    value: float | int | str | None
    unit: str
    low: float | None
    high: float | None
    text: str
    statement: str
    method: str
    confidence: Confidence
    evidence: tuple[Evidence, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    why_unknown: str = ""
    action: str = ""
    assumed: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
