"""The one answer to "how much of its rated life is left", with its interval and its reasons.

    claims of the drive (life_claims.py)        the most certain gives the value, all that are believed the interval
    host bytes / what the maker promises        widens the interval towards the end, where it is further than the claims

The headline, the verdict, the fleet and `--json` take it from here. The end of a rated life is the end of a promise: it
does not mean that the drive is expected to fail.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.smart.decoding.life_claims import ERASES, Claim, believed, counting, life_claims
from flashscope.smart.decoding.rated_writes import PromisedWrites
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.decoding.span import Span
from flashscope.units import format_bytes, format_percent

LITTLE_LEFT_RATIO = 0.1
"""Less is the time to plan a replacement."""
DIFFERENCE_SHOWN_RATIO = 0.05
"""Claims that differ by more are shown as a contradiction."""


@dataclass(frozen=True)
class Life:
    """used: of the rated life [ratio], above 1 past it. claims: all, with the reason where one is not believed.

    sources: the fields that give the value. by_erases: whether these are an erase count and its rating.
    promise: what the written bytes say, in words; "" where no promise is known.
    """

    used: Span
    claims: tuple[Claim, ...]
    sources: tuple[Field, ...]
    by_erases: bool = False
    promise: str = ""

    @property
    def left(self) -> Span:
        """Of the rated life [ratio], 0 once it is used up."""
        return self.used.left_of(1)

    @property
    def first(self) -> Claim:
        """The claim that gives the value."""
        return counting(self.claims)[0]

    @property
    def disagrees(self) -> bool:
        """Whether a claim is not believed, or those that are believed differ by more than their rounding."""
        if any(claim.set_aside for claim in self.claims):
            return True
        uses = [claim.used.value for claim in believed(self.claims) if not claim.stops]
        return bool(uses) and max(uses) - min(uses) > DIFFERENCE_SHOWN_RATIO

    @property
    def nearly_over(self) -> Claim | None:
        """A believed claim by which little is left although the value says that enough is; None without one."""
        if self.left.value < LITTLE_LEFT_RATIO:
            return None
        return next((one for one in believed(self.claims) if 1 - one.used.value < LITTLE_LEFT_RATIO), None)


def said_between(left: Span) -> str:
    """The interval of a share that is left, in brackets; "" where it is only rounding."""
    if left.high - left.low <= DIFFERENCE_SHOWN_RATIO:
        return ""
    return f" (between {format_percent(round(left.low, 2))} and {format_percent(round(left.high, 2))})"


def life_of(reading: Reading, promised: PromisedWrites | None = None) -> Life | None:
    """The life of a drive from one reading; None where it claims nothing that can be believed."""
    claims = life_claims(reading)
    sure = counting(claims)
    if not sure:
        return None
    first, low, high = sure[0], min(one.used.low for one in sure), max(one.used.high for one in sure)
    used = Span(first.used.value, min(first.used.value, low), max(first.used.value, high))
    sources, by_erases = first.sources, first.key == ERASES
    average, rated = reading.fields.get("erase_count_average"), reading.fields.get("rated_pe_cycles")
    if average is not None and rated is not None and first.key in rated.origin:
        # The rating was inferred from this claim, so the erase count tells the same in finer steps.
        fine = Span.of(average) / Span.exactly(rated.value)
        used = Span(fine.value, min(used.low, fine.low), max(used.high, fine.high))
        sources, by_erases = (average, rated), True
    promise, host = "", reading.fields.get("host_written_bytes")
    if host is not None and promised is not None:
        used = Span(used.value, used.low, max(used.high, host.value / promised.rated_bytes))
        promise = f"{format_bytes(host.value)} of {format_bytes(promised.rated_bytes)} promised were written"
    return Life(used, claims, sources, by_erases, promise)
