"""Laws between attributes of one drive: a life percentage computed from an erase count, equal counters, sums.

used = floor(100 * erases / rated)      left = 100 - used      rated: a round number, or the value of an attribute
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.smart.learning.conventions import CYCLES_ID, HOURS_ID
from flashscope.smart.learning.counters import Counter
from flashscope.units import counted

ROUND_RATINGS = (
    *(300, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000, 8000),
    *(10_000, 12_000, 15_000, 20_000, 25_000, 30_000, 50_000, 60_000, 100_000),
)
_WEAK_LAW = 1.5
"""Two points lie on many lines: the greatest weight of a law from fewer than three percentages and no stored rating."""
_LEAST, _MOST = 300, 100_000
_PARTS_OF_A_PERCENT = 102_400
"""A counter in 1/1024 % obeys the law with this rating, so the law says nothing of erases there."""
_SPAN = math.log(_MOST / _LEAST)


@dataclass(frozen=True)
class LifeIdentity:
    """used = floor(100 * wear / rated). life: the counter of the percentage, None: the Device Statistics.

    counts_left: it shows 100 - used. rated_low, rated_high: bounds from the readings [cycles]; rated: the one used.
    rated_counter: the attribute with the rating, if any. values_count: different percentages seen. weight: ln of how
    unlikely the law is by chance. lives: every counter for which it holds as well, and whether it shows 100 - used.
    """

    wear: Counter
    life: Counter | None
    counts_left: bool
    rated_low: float
    rated_high: float
    rated: int
    rated_counter: Counter | None
    values_count: int
    weight: float
    lives: tuple[tuple[Counter, bool], ...] = ()

    @property
    def words(self) -> str:
        """The law, with the attributes' numbers."""
        rated = f"attribute {self.rated_counter.id} ({self.rated})" if self.rated_counter else str(self.rated)
        law = f"floor(100 * attribute {self.wear.id} / {rated})"
        what = "the Device Statistics' percentage" if self.life is None else f"attribute {self.life.id}"
        if self.life is not None and self.life.layout == "value":
            what = f"the normalized value of {what}"
        values = counted(self.values_count, "different value")
        return f"{what} = {'100 - ' * self.counts_left}{law} at every reading ({values})"


def life_identities(
    counters: Sequence[Counter], life_used_percent: Sequence[float] | None = None
) -> list[LifeIdentity]:
    """Every wear counter with the law that holds for it at every reading, best law only; strongest first."""
    constants = [one for one in counters if one.is_constant and _LEAST <= one.values[0] <= _MOST]
    percentages = _percentages(counters, life_used_percent)
    best: dict[tuple[int, str], LifeIdentity] = {}
    also: dict[tuple[int, str], list[LifeIdentity]] = {}
    for wear in counters:
        if wear.layout == "value" or min(wear.values) < 0 or wear.values[-1] > 2 * _MOST or wear.is_constant:
            continue
        for life, counts_left, used in percentages:
            if life is wear or (life and life.layout != "value" and life.id == wear.id):
                continue
            found = _law(wear, life, counts_left, used, constants)
            if found is not None:
                also.setdefault((wear.id, wear.layout), []).append(found)
    for key, laws in also.items():
        best[key] = max(laws, key=lambda one: one.weight)
        others = tuple(
            (one.life, one.counts_left) for one in laws if one.life is not None and one.weight > best[key].weight - 0.5
        )
        best[key] = replace(best[key], lives=others)
    return sorted(best.values(), key=lambda one: -one.weight)


def percentages_used(
    counters: Sequence[Counter], life_used_percent: Sequence[float] | None = None
) -> list[tuple[int, ...]]:
    """Every column that may be the per cent used of the drive's life, at each reading, that moved."""
    return [used for _, _, used in _percentages(counters, life_used_percent) if len(set(used)) > 1]


def _percentages(
    counters: Sequence[Counter], life_used_percent: Sequence[float] | None
) -> list[tuple[Counter | None, bool, tuple[int, ...]]]:
    """Possible percentages of life: (counter, whether it shows 100 - used, per cent used at each reading)."""
    found: list[tuple[Counter | None, bool, tuple[int, ...]]] = []
    if life_used_percent is not None and 0 < life_used_percent[-1] < 255:
        found.append((None, False, tuple(int(one) for one in life_used_percent)))
    values = {one.id: one.values for one in counters if one.layout == "value"}
    for one in counters:
        if not 0 <= min(one.values) <= max(one.values) <= 200 or one.id in (HOURS_ID, CYCLES_ID):
            continue
        falls = all(step <= 0 for step in one.steps)
        if falls and max(one.values) <= 100 and _tells(one, 100 - one.values[-1]):
            found.append((one, True, tuple(100 - value for value in one.values)))
        rises = all(step >= 0 for step in one.steps) and one.layout != "value"
        if rises and _tells(one, one.values[-1]) and _agrees_with_value(one, values.get(one.id)):
            found.append((one, False, one.values))
    return found


def _tells(one: Counter, used: int) -> bool:
    """Whether a percentage is evidence: one that never moved must not be a number found on many drives."""
    return used >= (3 if one.is_constant else 1)


def _agrees_with_value(used: Counter, value: Sequence[int] | None) -> bool:
    """Whether the normalized value next to a percentage used is 100 - used, or without meaning (100 and above)."""
    if value is None or min(value) >= 100 or max(value) == 0:
        return True
    return all(abs(left - (100 - percent)) <= 1 for left, percent in zip(value, used.values, strict=True))


def _law(
    wear: Counter, life: Counter | None, counts_left: bool, used: Sequence[int], constants: Sequence[Counter]
) -> LifeIdentity | None:
    low, high = 0.0, float("inf")
    for erases, percent in zip(wear.values, used, strict=True):
        # A percentage computed just before the count may lag by one erase. Some drives never show 100 % left, so 1 %
        # used may also be 0 %.
        low = max(low, 100 * (erases - 1) / (percent + 1))
        if percent > (1 if counts_left else 0):
            high = min(high, 100 * erases / percent)
    if math.isinf(high) or high < max(low, _LEAST) or low > _MOST or low <= _PARTS_OF_A_PERCENT <= high:
        return None
    width = math.log(high / max(low, 1.0)) if low > 0 else _SPAN
    kept = next((one for one in constants if low <= one.values[0] <= high and one.id not in (wear.id,)), None)
    rounds = [rating for rating in ROUND_RATINGS if low <= rating <= high]
    if kept is None and not rounds:
        return None
    choices = len({one.values[0] for one in constants}) if kept else len(ROUND_RATINGS)
    accident = 1 - math.exp(-choices * min(width, _SPAN) / _SPAN)
    seen = {percent for percent in used if percent > 0}
    # Two numbers that hardly moved always keep their ratio, so the weight depends on how far the percentage moved.
    moved = min(1.0, abs(math.log((used[-1] + 1) / (used[0] + 1))) / math.log(1.3))
    weight = -math.log(max(accident, 1e-6)) + 1.5 * (len(seen) - 1) * moved
    if kept is None and len(seen) < 3:
        weight = min(weight, _WEAK_LAW)
    centre = math.sqrt(max(low, 1.0) * high)
    rated = kept.values[0] if kept else min(rounds, key=lambda rating: abs(math.log(rating / centre)))
    return LifeIdentity(wear, life, counts_left, low, high, rated, kept, len(seen), min(weight, 7.0))


def equal_counters(counters: Sequence[Counter]) -> dict[tuple[int, str], list[int]]:
    """(id, layout) of each moving counter -> ids of the others that show the same number at every reading."""
    by_values: dict[tuple[int, ...], list[Counter]] = {}
    for one in counters:
        if one.layout != "value" and not one.is_constant:
            by_values.setdefault(one.values, []).append(one)
    return {
        (one.id, one.layout): [other.id for other in group if other.id != one.id]
        for group in by_values.values()
        for one in group
    }


def sums(counters: Sequence[Counter]) -> list[tuple[Counter, Counter, Counter]]:
    """(whole, part, part): counters of which one is the sum of two others at every reading, all of them moving."""
    moving = [one for one in counters if one.layout != "value" and one.grows]
    by_values = {one.values: one for one in moving}
    found = []
    for index, first in enumerate(moving):
        for second in moving[index + 1 :]:
            whole = by_values.get(tuple(a + b for a, b in zip(first.values, second.values, strict=True)))
            if whole is not None:
                found.append((whole, first, second))
    return found
