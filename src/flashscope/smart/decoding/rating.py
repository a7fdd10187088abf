"""The number of erase cycles a drive is rated for, computed from two of its own numbers.

Firmware shows wear in whole per cent, 100 x erase count / rating rounded down. So erase count and per cent together
bound the rating:

    average 953, used 19 %    ->   953 * 100 / 20 < rating <= 954 * 100 / 19    ->   4765 to 5021   ->   5000

The pairs: 202 = floor(100 * 173 / rating) of Micron, 209 = 100 - floor(100 * 208 / rating) of Indilinx, and a
normalized value that steps down by one for each per cent of the rating (177 of Samsung).
"""

from __future__ import annotations

from flashscope.smart.decoding.life_claims import ERASES, HIGHEST_RATING, LOWEST_RATING, counting, life_claims
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.decoding.span import Span, derived

USUAL_RATINGS = (500, 1000, 1500, 2000, 3000, 5000, 10_000, 30_000, 100_000)
"""Cycles that makers rate flash for."""

_NARROW_RATIO = 0.1  # width over middle: so narrow an interval is an answer even when no usual rating fits
_MEANING = "erase cycles a block is rated for, so that the per cent used fits the erase count"


def rating_span(erase_count: Span, used_percent: float) -> tuple[float, float]:
    """The lowest and highest rating [cycles] at which an average erase count shows as `used_percent`, at least 1 %."""
    low = 100 * erase_count.low / (used_percent + 1)
    return low, 100 * erase_count.high / used_percent


def usual_ratings_within(low: float, high: float) -> list[int]:
    """The usual ratings within an interval; both ends count."""
    return [rating for rating in USUAL_RATINGS if low <= rating <= high]


def inferred_rating(reading: Reading) -> Field | None:
    """The field rated_pe_cycles inferred from erase count and per cent used.

    None when the drive states its rating, when one of the two numbers is missing, or when several usual ratings fit.
    """
    fields = reading.fields
    average = fields.get("erase_count_average")
    claim = next((one for one in counting(life_claims(reading)) if one.key != ERASES), None)
    if "rated_pe_cycles" in fields or average is None or claim is None or average.value <= 0:
        return None
    used_percent, source = round(100 * claim.used.value, 6), claim.sources[0]
    if claim.stops or not 1 <= used_percent < 100:
        return None  # at its ends the percentage may stay the same although wear grows
    low, high = rating_span(Span.of(average), used_percent)
    usual = usual_ratings_within(low, high)
    if len(usual) == 1:
        span, at_best = Span(usual[0], max(low, LOWEST_RATING), min(high, HIGHEST_RATING)), "inferred"
    elif (
        not usual and low >= LOWEST_RATING and high <= HIGHEST_RATING and high - low <= _NARROW_RATIO * (high + low) / 2
    ):
        span, at_best = Span(round((low + high) / 2), low, high), "assumed"
    else:
        return None
    return derived("rated_pe_cycles", "cycles", _MEANING, span, (average, source), at_best=at_best)
