"""All that a drive says of how much of its rated life is used, held against each other.

    erases / a stated rating          \\
    percentages of attributes          >  claims, the most certain first;  some are set aside, with the reason
    Device Statistics, NVMe log       /
    host bytes / the maker's promise      kept apart: it is about the warranty, not about the flash

A claim is set aside where arithmetic rules it out: it needs flash that nobody makes for its erase count, stays at "new"
while another moves, counts the other way round, goes back past the rating, or two others agree against it. Claims that
only differ stay, and make the interval of the one life (`life.py`) wide. Nothing here knows a drive's name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flashscope.smart.decoding.reading import PROVENANCES, Field, Reading
from flashscope.smart.decoding.span import Span, weakest
from flashscope.units import format_count, format_percent

ERASES = "erase_counts"
LOWEST_RATING, HIGHEST_RATING = 300, 200_000
"""Cycles that flash is rated for, with a margin."""
_FEWEST_CYCLES, _MOST_CYCLES = 150, 120_000
"""An erase count and a percentage that need flash of fewer or more cycles than these cannot both be true [cycles]."""
_ERASES_LEAST, _MUCH_RATIO = 10, 0.3
_USED = ("life_used_percent", "endurance_used_percent")
_LEFT = ("life_left_percent", "reported_life_percent")
_COPIES = ("", "_statistics", "_log")
_STANDS_AT_NEW_RATIO, _MOVED_RATIO = 0.01, 0.02
_SAME_RATIO, _APART_RATIO = 0.05, 0.1
_TURNED_ROUND_RATIO = 0.021
_COUNTS_TO_PERCENT = 255
_STOPS_AT_PERCENT = 100


@dataclass(frozen=True)
class Claim:
    """key: of the field it comes from, or ERASES. words: for a person. set_aside: why it is not believed; "" if it is.

    used: of the rated life [ratio]; its high end is infinite where the number stops counting.
    """

    key: str
    words: str
    used: Span
    provenance: str
    sources: tuple[Field, ...]
    set_aside: str = ""

    @property
    def stops(self) -> bool:
        """Whether the number has reached its end, so that more may be used than it says."""
        return math.isinf(self.used.high)


def life_claims(reading: Reading) -> tuple[Claim, ...]:
    """All claims, the most certain first; those that cannot be true are set aside. None for disks."""
    if reading.is_flash is False:
        return ()
    claims = [*_by_erases(reading), *_percentages(reading)]
    order = list(PROVENANCES)
    claims.sort(key=lambda claim: (claim.key != ERASES, order.index(claim.provenance)))
    return _judged(tuple(claims), reading.fields.get("erase_count_average"))


def believed(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that are not set aside."""
    return [claim for claim in claims if not claim.set_aside]


def counting(claims: Sequence[Claim]) -> list[Claim]:
    """The believed claims without those that have stopped where another counts on past them."""
    sure = believed(claims)
    furthest = max((claim.used.value for claim in sure if not claim.stops), default=0.0)
    return [claim for claim in sure if not (claim.stops and furthest >= claim.used.low)]


def _by_erases(reading: Reading) -> Iterator[Claim]:
    """Average over rated erase count, where the drive states its rating; one inferred from a claim adds nothing."""
    average, rated = reading.fields.get("erase_count_average"), reading.fields.get("rated_pe_cycles")
    if average is None or rated is None or rated.value <= 0 or rated.origin.startswith("from "):
        return
    words = f"{format_count(average.value)} of {format_count(rated.value)} rated erases are used"
    yield Claim(ERASES, words, Span.of(average) / Span.of(rated), weakest(average, rated), (average, rated))


def _percentages(reading: Reading) -> Iterator[Claim]:
    for key in (*_USED, *_LEFT):
        for copy in _COPIES:
            field = reading.fields.get(f"{key}{copy}")
            if field is not None:
                used = _used_span(field, counts_down=key in _LEFT)
                least = "at least " if math.isinf(used.high) else ""
                words = f"{_where(field)} {least}{format_percent(used.value)} used"
                yield Claim(field.key, words, used, field.provenance, (field,))


def _where(field: Field) -> str:
    told = bool(field.origin) and not field.origin.startswith("from ")
    return f"{field.origin.partition(': ')[0]} says" if told else "the drive says"


def _used_span(field: Field, *, counts_down: bool) -> Span:
    """Of the rated life [ratio]; a number that has stopped at its end may stand for any higher use."""
    span = Span.of(field)
    if counts_down:
        used = max(0.0, 100 - span.value) / 100
        high = math.inf if span.value <= 1 else max(used, (100 - span.low) / 100)
        return Span(used, min(used, max(0.0, 100 - span.high) / 100), high)
    by_standard = field.key.startswith("endurance_used")  # passes 100, and ends at 255
    stops = span.value >= _COUNTS_TO_PERCENT if by_standard else span.value == _STOPS_AT_PERCENT
    return Span(span.value / 100, span.low / 100, math.inf if stops else span.high / 100)


def _judged(claims: tuple[Claim, ...], average: Field | None) -> tuple[Claim, ...]:
    """The claims, with the reason where one cannot be believed."""
    rules = _RULES if len(claims) > 1 else (_needs_flash_that_nobody_makes,)
    for rule in rules:
        left = believed(claims)
        whys = [rule(claim, left, average) if not claim.set_aside else "" for claim in claims]
        if any(whys):
            claims = tuple(
                replace(claim, set_aside=why) if why else claim for claim, why in zip(claims, whys, strict=True)
            )
    return claims


def _needs_flash_that_nobody_makes(claim: Claim, left: Sequence[Claim], average: Field | None) -> str:
    if claim.key == ERASES:
        rated = claim.sources[1].value
        return "" if rated >= LOWEST_RATING else f"no flash is rated for only {format_count(rated)} erases"
    used, by_standard = claim.used, claim.key.startswith("endurance_used")
    if average is None or used.value < _MOVED_RATIO or (by_standard and len(left) == 1):
        return ""
    if average.value < _ERASES_LEAST and (by_standard or used.value < _MUCH_RATIO):
        return (
            ""  # so small a count may not be what it seems; only a drive that is called worn out would be known by it
        )
    most = average.value / used.value
    if _FEWEST_CYCLES <= most <= _MOST_CYCLES or (used.high >= 1 and claim.stops and most <= _MOST_CYCLES):
        return ""
    erases, cycles = format_count(average.value), format_count(most)
    return f"with {erases} erases on average its flash would be rated for {cycles} cycles, and none is"


def _goes_back(claim: Claim, left: Sequence[Claim], _: Field | None) -> str:
    erases = next((one for one in left if one.key == ERASES), None)
    if erases is None or claim is erases or erases.used.low < 1 or claim.used.high >= erases.used.value:
        return ""
    return "the rated erases are passed, and past them such a claim is known to be wrong"


def _turned_round(claim: Claim, left: Sequence[Claim], _: Field | None) -> str:
    better = left[: left.index(claim)]
    for other in better:
        apart = abs(claim.used.value - other.used.value)
        if apart > _APART_RATIO and abs(claim.used.value + other.used.value - 1) <= _TURNED_ROUND_RATIO:
            return f"it counts what is left where another counts what is used ({other.words})"
    return ""


def _stands_at_new(claim: Claim, left: Sequence[Claim], _: Field | None) -> str:
    moved = next((other for other in left if other.used.value >= _MOVED_RATIO), None)
    if moved is None or claim.used.value >= _STANDS_AT_NEW_RATIO:
        return ""
    return f"it stands where a new drive's does, and another has moved ({moved.words})"


def _outvoted(claim: Claim, left: Sequence[Claim], _: Field | None) -> str:
    others = [other for other in left if other is not claim]
    agree = all(_alike(one.used, other.used) for one in others for other in others)
    if len(others) < 2 or not agree:
        return ""
    if min(abs(claim.used.value - other.used.value) for other in others) <= _APART_RATIO:
        return ""
    if any(_alike(claim.used, other.used) for other in others):
        return ""
    return f"{len(others)} others agree against it"


def _alike(one: Span, other: Span) -> bool:
    apart = abs(one.value - other.value)
    return apart <= max(_SAME_RATIO, 0.2 * min(one.value, other.value)) or (one.high >= 1 and other.high >= 1)


_RULES = (_goes_back, _needs_flash_that_nobody_makes, _turned_round, _stands_at_new, _outvoted)
"""In this order; each looks only at the claims that those before it left."""
