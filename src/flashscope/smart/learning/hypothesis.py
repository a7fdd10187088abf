"""The learner's result: hypotheses with a score, rejected attributes with the reason, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass

CLAIM_SCORE = 0.5
"""A hypothesis below this is shown as a possibility and not claimed."""

STATED_SCORE = 0.9
"""From here on a score is stated. Below, the share that is true differs too much from family to family of drives to be
foretold for another one (docs/reference/smart-learn.md); the order of hypotheses is kept."""

SCORE_MEANING = (
    "an estimate, stated from 0.9, of the share of such hypotheses that are true: how likely the evidence is if the "
    "attribute means this, against every other meaning that was tried, and against none of them; null below, where it "
    "would not hold for every family of drives"
)


@dataclass(frozen=True)
class Hypothesis:
    """One meaning of one number.

    attribute, field: its place (see decoding/layouts.py). key: of the vocabulary of readings. unit: in words,
    such as "32 MiB" or "cycles". scale: what one count stands for, in the key's own unit. score: 0 to 1, SCORE_MEANING.
    evidence, counter_evidence: in words, strongest first.
    """

    attribute: int
    field: str
    key: str
    unit: str
    scale: float
    score: float
    evidence: tuple[str, ...]
    counter_evidence: tuple[str, ...] = ()

    @property
    def is_claim(self) -> bool:
        """Whether the evidence is enough for a claim."""
        return self.score >= CLAIM_SCORE

    @property
    def stated_score(self) -> float | None:
        """The score where it can be stated, else None."""
        return self.score if self.score >= STATED_SCORE else None


@dataclass(frozen=True)
class Rejected:
    """An attribute (or a part of it) that got no meaning, and why."""

    attribute: int
    field: str
    reason: str


@dataclass(frozen=True)
class Learnt:
    """All that was learnt about one drive. hypotheses: likeliest first. missing: data that is still needed, in words.

    axis: in words, the source of the bytes written by the host; "" when there is none.
    """

    hypotheses: tuple[Hypothesis, ...]
    rejected: tuple[Rejected, ...]
    missing: tuple[str, ...]
    axis: str
    remarks: tuple[str, ...]
    reading_count: int

    def best(self, key: str) -> Hypothesis | None:
        """The claimed hypothesis with that key; None when none is claimed."""
        return next((one for one in self.hypotheses if one.key == key and one.is_claim), None)
