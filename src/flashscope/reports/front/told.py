"""An answer of the dossier in words for a page: its value, interval, what the part assumes, or why it is not known."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.dossier.answer import Answer, Confidence
from flashscope.dossier.properties import property_of
from flashscope.dossier.properties.value_text import span
from flashscope.records.numbers import is_number
from flashscope.reports.numbers import Said, say

NOT_MEASURED = "not measured"
WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Told:
    """key: of the property. title: its name. said: its value; `NOT_MEASURED` in words when there is none.

    interval: "59-59.2 MB/s", or "". assumed: what a virtual drive's part assumes about it. why: it is not known.
    source: the record that told it, for a reader. is_doubtful: its confidence is low.
    """

    key: str
    title: str
    said: Said
    interval: str
    assumed: str
    why: str
    source: str = ""
    is_doubtful: bool = False

    @property
    def is_known(self) -> bool:
        """True when there is a value, or it was seen that there is nothing."""
        return not self.why

    @property
    def is_amount(self) -> bool:
        """True for "16 KiB", False for "none seen" and "not measured"."""
        return self.said.text[:1].isdigit() or self.said.text[:1] == "-"

    @property
    def anchor(self) -> str:
        """The id of its row among the properties."""
        return f"property-{self.key}"


def tell(answer: Answer) -> Told:
    """The answer in words."""
    asked = property_of(answer.property_key)
    if not answer.text:
        why = answer.why_unknown or "nothing was found that tells it"
        words = WITHDRAWN if why.startswith(WITHDRAWN) else NOT_MEASURED
        return Told(answer.property_key, asked.title, Said(words, why), "", answer.assumed, why)
    low, high = answer.low, answer.high
    return Told(
        answer.property_key,
        asked.title,
        Said(in_symbols(answer.text), _exact(answer), repr(answer.value)),
        in_symbols(span(low, high, asked.say)),
        answer.assumed,
        "",
        f"record {answer.evidence[0].record_id}" if answer.evidence else "",
        answer.confidence is Confidence.LOW,
    )


def in_symbols(text: str) -> str:
    """Microseconds and factors with their signs."""
    text = text.replace(" us", " µs")
    return f"{text[:-2]} ×" if text.endswith(" x") else text


def _exact(answer: Answer) -> str:
    if not is_number(answer.value):
        return answer.statement or answer.text
    return say(answer.value, answer.unit, key=answer.property_key).exact
