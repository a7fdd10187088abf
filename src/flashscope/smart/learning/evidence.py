"""Evidence for or against a meaning, in words and as a number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_TELLING = 0.2
"""Evidence weaker than this is counted but not shown."""


@dataclass(frozen=True)
class Evidence:
    """weight: ln of how much likelier this is when the meaning holds; negative: against it. words: what was seen."""

    weight: float
    words: str


@dataclass(frozen=True)
class Case:
    """All the evidence on one meaning of one counter."""

    parts: tuple[Evidence, ...]

    @property
    def weight(self) -> float:
        """ln of the likelihood ratio of all parts, taken as independent."""
        return sum(part.weight for part in self.parts)

    def words_for(self) -> tuple[str, ...]:
        """The words of the evidence for it, strongest first."""
        return _told(part for part in sorted(self.parts, key=lambda one: -one.weight) if part.weight >= _TELLING)

    def words_against(self) -> tuple[str, ...]:
        """The words of the evidence against it, strongest first."""
        return _told(part for part in sorted(self.parts, key=lambda one: one.weight) if part.weight <= -_TELLING)

    def with_part(self, *more: Evidence) -> Case:
        """The same case with more evidence."""
        return Case((*self.parts, *more))


def _told(parts: Iterable[Evidence]) -> tuple[str, ...]:
    return tuple(part.words for part in parts if part.words)
