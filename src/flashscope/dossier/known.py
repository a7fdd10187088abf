"""The answers of a dossier as verdict and advice use them: only what is not doubtful has a value here."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.answer import Answer, Confidence

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
