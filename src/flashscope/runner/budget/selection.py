"""Which experiments take part in an examination with a budget, and how far each goes.

1. Ranking, whatever the budget: first comes the experiment that says something about most properties not told by those
   before it, for the time and wear of its cheapest offer. A second witness of a property counts a quarter, a third
   nothing: those that add nothing (benchmark programs, mostly) come last.
2. In that order each that adds something takes its cheapest offer, if that fits and is at most a quarter of the budget.
3. The one of them that tells most is raised to its largest offer that fits, at most nine tenths of the budget.
4. Those whose cheapest offer is more than a quarter take it, if it fits.
5. The others are raised in the order of how much they tell; then those that add nothing take their cheapest offers, and
   are raised to at most a twentieth of the budget each.

Nothing is left out for which there would be room. Wear counts as the time of the writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from flashscope import units
from flashscope.runner.budget.budget import Budget
from flashscope.runner.budget.offers import Candidate, Offer

_WITNESSES = (1.0, 0.25)  # what the first and the second experiment that tells a property add
_WEAR_BYTES_PER_SECOND = 400e6
_LEAST_COST_S = 1.0
_MUCH_SHARE, _MOST_SHARE, _LITTLE_SHARE = 1 / 4, 9 / 10, 1 / 20


@dataclass(frozen=True)
class Selection:
    """taken: name -> the offer. left_out: name -> why, as a clause with what it would have cost."""

    taken: Mapping[str, Offer] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def bytes_to_write(self) -> int:
        """By all that take part, at most [bytes]."""
        return sum(offer.bytes_to_write for offer in self.taken.values())

    @property
    def time_s(self) -> float:
        """Of all that take part [s]."""
        return sum(offer.time_s for offer in self.taken.values())


def select(candidates: Sequence[Candidate], budget: Budget) -> Selection:
    """The experiments that tell most within the budget. The same for the same candidates and budget, always."""
    adding, others = ranking(candidates)
    taken: dict[str, Offer] = {}
    quarter = budget.share(_MUCH_SHARE)
    moderate = [each for each in adding if quarter.allows(each.cheapest.bytes_to_write, each.cheapest.time_s)]
    left = _take_cheapest(moderate, taken, budget)
    telling_most = sorted(moderate, key=lambda each: -len(each.tells))
    left = _raise(telling_most[:1], taken, left, budget.share(_MOST_SHARE))
    left = _take_cheapest(adding, taken, left)
    left = _raise(telling_most[1:], taken, left, budget.share(_MOST_SHARE))
    left = _take_cheapest(others, taken, left)
    _raise(others, taken, left, budget.share(_LITTLE_SHARE))
    order = [each.name for each in candidates if each.name in taken]
    missing = {each.name: _reason(each, candidates, taken, budget) for each in candidates if each.name not in taken}
    return Selection({name: taken[name] for name in order}, missing)


def ranking(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Those that add something to what is told by those before them, in that order; and the others."""
    waiting, adding = list(candidates), list[Candidate]()
    witnesses: Counter[str] = Counter()
    while waiting:
        best = max(waiting, key=lambda each: (_adds(each, witnesses) / _cost_s(each.cheapest), len(each.tells)))
        if not _adds(best, witnesses):
            break
        waiting.remove(best)
        adding.append(best)
        witnesses.update(best.tells)
    return adding, waiting


def _adds(each: Candidate, witnesses: Mapping[str, int]) -> float:
    told = (witnesses[property_] for property_ in each.tells)
    return sum(_WITNESSES[count] for count in told if count < len(_WITNESSES))


def _cost_s(offer: Offer) -> float:
    return max(offer.time_s + offer.bytes_to_write / _WEAR_BYTES_PER_SECOND, _LEAST_COST_S)


def _take_cheapest(candidates: Iterable[Candidate], taken: dict[str, Offer], left: Budget) -> Budget:
    """Adds the cheapest offers that fit, in order; what is left of the budget."""
    for each in candidates:
        offer = each.cheapest
        if each.name not in taken and left.allows(offer.bytes_to_write, offer.time_s):
            taken[each.name] = offer
            left = left.less(offer.bytes_to_write, offer.time_s)
    return left


def _raise(candidates: Iterable[Candidate], taken: dict[str, Offer], left: Budget, each_at_most: Budget) -> Budget:
    """Raises those that were taken, in order, to the largest offer that fits; what is left of the budget."""
    for each in candidates:
        if (before := taken.get(each.name)) is None:
            continue
        back = left.less(-before.bytes_to_write, -before.time_s)
        for offer in reversed(each.offers):
            cost = offer.bytes_to_write, offer.time_s
            if offer == before or (back.allows(*cost) and each_at_most.allows(*cost)):
                taken[each.name] = offer
                left = back.less(*cost)
                break
    return left


def _reason(each: Candidate, candidates: Sequence[Candidate], taken: Mapping[str, Offer], budget: Budget) -> str:
    cost = each.cheapest
    written = f"write up to {units.format_bytes(cost.bytes_to_write)} and " if cost.bytes_to_write else ""
    would = f"even its smallest run would {written}take about {units.format_time(cost.time_s * 1e9)}"
    told = {property_ for one in candidates if one.name in taken for property_ in one.tells}
    lost = sorted(each.tells - told)
    rest = f"; not told: {', '.join(word.replace('_', ' ') for word in lost)}" if lost else "; others tell the same"
    return f"{would}, which the rest of the budget ({budget}) has no room for{rest}"
