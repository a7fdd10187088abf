"""A part of the drawing of the inside: a box with a name and what was inferred about it, grey when nothing was.

The page lays the boxes out (style.css), so that one drawing fits a laptop, a phone and paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flashscope.dossier.dossier import Dossier
from flashscope.records.numbers import is_number
from flashscope.reports.front.told import tell

UNKNOWN = "not known"


@dataclass(frozen=True)
class Box:
    """name: of the part. value: for a person. note: interval, or a word of explanation. href: where it is explained.

    shape: class of the style sheet, e.g. "case". picture: an SVG element, or "". share: of the width of its row, 0 when
    it takes what it needs. inside: the parts in it.
    """

    name: str
    value: str = ""
    note: str = ""
    href: str = ""
    shape: str = ""
    is_known: bool = True
    picture: str = ""
    share: float = 0.0
    assumed: str = ""
    inside: tuple[Box, ...] = ()


def box(dossier: Dossier, key: str, name: str, *, value: str = "{}", shape: str = "") -> Box | None:
    """The part that a property describes; None where such a drive is not asked for it.

    value: how it is said, with {} in place of the value.
    """
    answer = dossier.answer(key)
    if answer is None:
        return None
    told = tell(answer)
    if not told.is_known:
        return Box(name, UNKNOWN, href=f"#{told.anchor}", shape=shape, is_known=False)
    said = value.format(told.said.text) if told.is_amount else told.said.text
    return Box(name, said, told.interval, f"#{told.anchor}", shape, assumed=told.assumed)


def boxes(*maybe: Box | None) -> tuple[Box, ...]:
    """Those that there are."""
    return tuple(each for each in maybe if each is not None)


def with_picture(part: Box | None, picture: str) -> Box | None:
    """The part with a picture in it."""
    return replace(part, picture=picture) if part else None


def number_of(dossier: Dossier, key: str) -> float | None:
    """The value of a property where it is a number."""
    answer = dossier.answer(key)
    value = answer.value if answer else None
    return float(value) if is_number(value) else None
