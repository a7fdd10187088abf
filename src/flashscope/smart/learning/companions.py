"""Meanings that follow from a known average erase count: minimum, maximum, total, the rating, the life percentage."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flashscope.smart.learning.counters import Counter
from flashscope.smart.learning.erases import is_maximum, is_minimum, name_of
from flashscope.smart.learning.hypothesis import Hypothesis
from flashscope.smart.learning.identities import LifeIdentity

_MOST_ERASES = 300_000


def companions(
    average: Counter, score: float, identity: LifeIdentity | None, movers: Sequence[Counter], taken: set[int]
) -> list[Hypothesis]:
    """Hypotheses that follow from an average erase count, none more certain than it. taken: ids with other meanings."""
    found = [] if identity is None else _of_identity(identity, score)
    others = [one for one in movers if one.values != average.values and (one.id not in taken or one.id == average.id)]
    near = [one for one in others if abs(one.id - average.id) <= 2 and one.values[-1] <= _MOST_ERASES]
    below = [one for one in near if is_minimum(one, average)]
    above = [one for one in near if is_maximum(one, average)]
    both = bool(below) and bool(above)
    for key, side, words in (
        ("erase_count_min", below, "never above"),
        ("erase_count_max", above, "never below"),
    ):
        for one in side:
            told = len(set(one.values))
            belief = _logistic(-2.0 + 0.4 * min(told, 5) + 2.0 * both)
            evidence = (f"{words} the average, {name_of(average)}, at any of {len(one.values)} readings",)
            found.append(Hypothesis(one.id, one.layout, key, "cycles", 1.0, score * belief, evidence))
    return found + [total for one in others if (total := _total(one, average, score)) is not None]


def _total(one: Counter, average: Counter, score: float) -> Hypothesis | None:
    """A count of all erases is the average times the number of blocks, at every reading."""
    ratios = [a / b for a, b in zip(one.values, average.values, strict=True) if b >= 3]
    if len(set(ratios)) < 2 or one.growth <= 0 or average.growth <= 0:
        return None
    blocks = one.growth / average.growth
    apart = max(abs(math.log(max(ratio, 1e-9) / blocks)) for ratio in ratios)
    # Rounding an average of 3 down loses up to a quarter; a drive has at least a hundred blocks.
    if apart > 0.3 or not 100 <= blocks <= 1e6:
        return None
    belief = _logistic(-1.0 + 0.4 * min(len(ratios), 6) - 4 * apart)
    evidence = (f"{blocks:.4g} times the average, {name_of(average)}, at every reading: the number of blocks",)
    return Hypothesis(one.id, one.layout, "erase_count_total", "erases", 1.0, score * belief, evidence)


def _of_identity(identity: LifeIdentity, score: float) -> list[Hypothesis]:
    belief = score * _logistic(identity.weight - 1.0)
    found = []
    for life, counts_left in identity.lives:
        key = "life_left_percent" if counts_left else "life_used_percent"
        found.append(Hypothesis(life.id, life.layout, key, "%", 1.0, belief, (identity.words,)))
    if identity.rated_counter is not None:
        kept = identity.rated_counter
        found.append(Hypothesis(kept.id, kept.layout, "rated_pe_cycles", "cycles", 1.0, belief, (identity.words,)))
    return found


def _logistic(weight: float) -> float:
    return 1 / (1 + math.exp(-weight))
