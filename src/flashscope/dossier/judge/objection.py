"""An objection to a finding: what the judge says about it, by which rule, and why."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Ruling(enum.StrEnum):
    """What becomes of a finding that a rule objects to."""

    WITHDRAWN = "withdrawn"
    """It cannot be true; it is printed only as withdrawn, with the reason."""

    DOUBTED = "doubted"
    """It may be true; it is printed with the doubt."""


@dataclass(frozen=True)
class Objection:
    """record_id, key: the finding. rule: name of the rule. reason: one sentence. against: ids of the other records
    whose findings contradict it; empty when it is impossible by itself."""

    record_id: str
    key: str
    ruling: Ruling
    rule: str
    reason: str
    against: tuple[str, ...] = ()
