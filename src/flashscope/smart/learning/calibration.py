"""From belief to score: the share of hypotheses with such a belief that were true, of drives whose truth is known.

    belief (evidence multiplied, as if each piece were independent) --curve of its key--> score

Pieces of evidence depend on each other, so the product overstates. A curve only lowers a belief, and stands where
seven in ten of its fits lie above it, each to other families of those measured: a family that nobody measured differs
too. The curves are in parts/smart/learn/calibration.toml, written by scripts/calibrate-learn.py from series of virtual
drives; docs/reference/smart-learn.md says on which, and how far they hold on other parts and families. Each key has
two: with the host's bytes known, and without.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

from flashscope.smart.documents import documents
from flashscope.smart.learning.hypothesis import Hypothesis, Learnt

LOOKED_UP = frozenset({"power_on_time_hours", "power_cycle_count", "temperature_celsius"})
"""Keys of which the score is fixed: their meaning is looked up by convention, not learnt."""
OTHER = "other"
_LEAST = 1e-6


@dataclass(frozen=True)
class Curve:
    """logit(score) = slope * logit(belief) + shift, at most the belief. slope is above 0, so that order is kept."""

    slope: float
    shift: float

    def score(self, belief: float) -> float:
        """The score of a belief, both from 0 to 1."""
        certain = min(max(belief, _LEAST), 1 - _LEAST)
        odds = self.slope * math.log(certain / (1 - certain)) + self.shift
        return min(belief, 1 / (1 + math.exp(-odds)))


@cache
def curves() -> dict[tuple[str, bool], Curve]:
    """(key, whether the host's bytes were known) -> its curve; under OTHER that of the keys with few cases."""
    _, document = documents("learn")["calibration.toml"]
    return {(one["key"], one["host_bytes_known"]): Curve(one["slope"], one["shift"]) for one in document["curve"]}


def with_scores(learnt: Learnt) -> Learnt:
    """The same, with scores in place of beliefs. Nothing that follows from an erase count is more certain than it."""
    known = bool(learnt.axis)
    scored = [one if _is_looked_up(one) else _scored(one, known) for one in learnt.hypotheses]
    average = max((one.score for one in scored if one.key == "erase_count_average"), default=1.0)
    scored = [replace(one, score=min(one.score, average)) if _follows(one) else one for one in scored]
    scored.sort(key=lambda one: (-one.score, one.scale, one.attribute))
    return replace(learnt, hypotheses=tuple(scored))


def _is_looked_up(one: Hypothesis) -> bool:
    return one.key in LOOKED_UP


def _follows(one: Hypothesis) -> bool:
    return one.key in ("erase_count_min", "erase_count_max", "rated_pe_cycles")


def _scored(one: Hypothesis, known: bool) -> Hypothesis:
    return replace(one, score=score_of(one.key, known, one.score))


def score_of(key: str, host_bytes_known: bool, belief: float) -> float:
    """The score of a belief in a hypothesis with this key."""
    curve = curves().get((key, host_bytes_known)) or curves()[OTHER, host_bytes_known]
    return curve.score(belief)
