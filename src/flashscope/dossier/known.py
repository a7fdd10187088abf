"""The answers of a dossier as verdict and advice use them: only what is not doubtful has a value here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flashscope.dossier.answer import Answer, Confidence
from flashscope.dossier.derived.longest_freeze import FREEZE_WORK
from flashscope.dossier.derived.rates import PLACE_OF_THE_LOWEST, RATE_BEFORE_THE_LOWEST
from flashscope.experiments.idle_recovery import WHOLE_BURST
from flashscope.units import format_bytes, format_rate, format_time

_LONG_RANDOM = {"random_write_long": "random writes", "random_write_long_64k": "random 64 KiB writes"}
_SLOW_READS, _NOTICED_NS = 5.0, 1e6
_TRUSTED = frozenset({Confidence.MEDIUM, Confidence.HIGH})


class Known:
    """Answers by key. Low confidence counts as not known."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = {answer.property_key: answer for answer in answers}

    def answer(self, key: str) -> Answer | None:
        """The answer, however doubtful; None when the property does not apply."""
        return self._answers.get(key)

    def is_trusted(self, key: str) -> bool:
        """It has a value of medium confidence at least."""
        answer = self._answers.get(key)
        return answer is not None and answer.confidence in _TRUSTED

    def number(self, key: str) -> float | None:
        """A trusted value that is a number."""
        answer = self._answers.get(key)
        if answer is None or not self.is_trusted(key) or isinstance(answer.value, str) or answer.value is None:
            return None
        return float(answer.value)

    def roughly(self, key: str) -> float | None:
        """A number that may be doubtful, where nothing speaks against it: for conclusions that it would have to be far
        from the truth to change."""
        answer = self._answers.get(key)
        if answer is None or isinstance(answer.value, str) or answer.value is None:
            return None
        return float(answer.value) if all(each.agrees for each in answer.evidence) else None

    def word(self, key: str) -> str:
        """A trusted value that is a word, such as "yes" or "none"; "" otherwise."""
        answer = self._answers.get(key)
        return answer.value if answer is not None and self.is_trusted(key) and isinstance(answer.value, str) else ""

    def text(self, key: str) -> str:
        """A trusted value for a person; "" when it is not known."""
        answer = self._answers.get(key)
        return answer.text if answer is not None and self.is_trusted(key) else ""

    def surely_above(self, key: str, limit: float) -> bool:
        """Whether a trusted number lies above the limit with all of its interval."""
        value, answer = self.number(key), self._answers.get(key)
        low = None if answer is None else answer.low
        return value is not None and min(value, value if low is None else low) > limit

    def detail(self, key: str, name: str) -> Any:
        """What an answer's finding keeps beside its value; None where it does not."""
        answer = self._answers.get(key)
        return None if answer is None else answer.details.get(name)

    def freeze_work(self) -> str:
        """Under which work the longest freeze was seen, in words."""
        return self.detail("longest_freeze", FREEZE_WORK) or "small random requests"

    def rest_for_a_burst(self) -> str:
        """The rest after which a tired drive takes a burst at its full rate, for a person; "" where it is not known."""
        rest_ns = self.detail("idle_work", WHOLE_BURST)
        return "" if rest_ns is None else format_time(rest_ns)

    def longest_rest(self) -> str:
        """How long a drive rested in vain, for a person: "none in 79.4 s" is the answer's text; "" otherwise."""
        return self.text("idle_work").partition("none in ")[2]

    def later_fall(self) -> tuple[str, str] | None:
        """When a long write falls again: the rate before that and where, for a person; None otherwise."""
        rate, place = (self.detail("after_cache", name) for name in (RATE_BEFORE_THE_LOWEST, PLACE_OF_THE_LOWEST))
        return None if rate is None or place is None else (format_rate(rate), format_bytes(place))

    def long_random(self) -> tuple[str, str]:
        """The key of the rate of long random writing that is known, 4 KiB requests before larger ones, and the words
        for such writes; two empty strings when neither is."""
        found = ((key, words) for key, words in _LONG_RANDOM.items() if self.number(key) is not None)
        return next(found, ("", ""))


def slow_reads_ratio(known: Known) -> float | None:
    """By how much 1 read in 100 is slower beside writes, where a person or a program notices; None otherwise.

    Memory that answers in microseconds stays quick even nine times as slow.
    """
    ratio, alone_ns = known.number("mixed_load"), known.number("read_latency")
    quick = ratio is not None and alone_ns is not None and ratio * alone_ns < _NOTICED_NS
    return None if ratio is None or ratio < _SLOW_READS or quick else ratio
