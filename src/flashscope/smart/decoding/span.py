"""A number with the interval of its true value, and arithmetic on such numbers.

    13 243 bits [13 243 to 13 243]  /  4.3e9 sectors [4.3e9 to 4.3e9 + 1]  ->  ratio [low to high]

Intervals are worst cases: both sources at their ends at once. All numbers here are zero or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flashscope.smart.decoding.reading import PROVENANCES, Field


@dataclass(frozen=True)
class Span:
    """A value and the ends of its interval, in one unit. high may be infinite."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, field: Field) -> Span:
        """The span of a field."""
        return cls(field.value, min(field.low, field.value), max(field.high, field.value))

    @classmethod
    def exactly(cls, value: float) -> Span:
        """An exact number."""
        return cls(value, value, value)

    def __add__(self, other: Span) -> Span:
        return Span(self.value + other.value, self.low + other.low, self.high + other.high)

    def __mul__(self, other: Span) -> Span:
        return Span(self.value * other.value, self.low * other.low, self.high * other.high)

    def __truediv__(self, other: Span) -> Span:
        """A quotient; a positive number over zero is infinite, zero over zero unknown (NaN, within 0 to infinity)."""
        low = self.low / other.high if other.high else 0.0
        high = self.high / other.low if other.low else math.inf
        if not other.value:
            return Span(math.inf if self.value else math.nan, low, high)
        return Span(self.value / other.value, low, high)

    def left_of(self, whole: float) -> Span:
        """`whole` minus this, never below zero."""
        return Span(max(0.0, whole - self.value), max(0.0, whole - self.high), max(0.0, whole - self.low))

    def widened(self, factor: float) -> Span:
        """The same value in an interval `factor` times as far out on both sides."""
        return Span(self.value, self.low / factor, self.high * factor)

    def at_most(self, limit: float) -> Span:
        """The same, with everything above the limit reduced to it."""
        return Span(min(self.value, limit), min(self.low, limit), min(self.high, limit))


def weakest(*fields: Field, at_best: str = "verified") -> str:
    """The least certain provenance among these fields and `at_best`."""
    order = list(PROVENANCES)
    return max((at_best, *(field.provenance for field in fields)), key=order.index)


def derived(key: str, unit: str, meaning: str, span: Span, sources: tuple[Field, ...], *, at_best: str) -> Field:
    """A field derived from others; its origin names their keys."""
    origin = "from " + ", ".join(source.key for source in sources)
    provenance = weakest(*sources, at_best=at_best)
    return Field(key, span.value, unit, meaning, provenance, span.low, span.high, origin=origin)
