"""A dossier on a terminal: at most 25 lines that say what the drive is, where the rest lies, and what is not known.

    three sentences
                                                     blank
    Property        Value      Interval    Trust   To do
    ...                                              as many rows as fit
    Not told: ...                                    what could not be told (fewer lines where rows need the room),
                                                     not finished, withdrawn
    Report: ...

Properties stand in the order of their kind of drive, so that the rows that fall away are the least asked for. A value
with a star rests on something that the part of a virtual drive merely assumes.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from flashscope.cli.texts.terminal_width import fitted_to
from flashscope.dossier.answer import Answer
from flashscope.dossier.assumed import is_merely_assumed
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.judge.objection import Ruling
from flashscope.dossier.properties import property_of
from flashscope.dossier.properties.value_text import span
from flashscope.records import Status
from flashscope.units import counted

MOST_LINES = 25
"""Of the whole text, the line that names the report included."""

USUAL_COLUMNS = 80
"""Where there is no terminal."""

_UNKNOWN_LINES = (3, 2, 1)
"""How many lines say what could not be told, the first choice first: fewer where a property has no row otherwise."""

_TITLES_SHOWN = 2
_HEADINGS = ("Property", "Value", "Interval", "Trust", "To do")
_INTERVAL = 2
_FEWEST_ROWS = 3
_NUMBER_AND_UNIT = re.compile(r"(?<=\d) (?=(?:[KMGT]?i?B|ns|us|ms|s|min|h|x|%)\b)")
_REMARK = "* rests on what the part of this virtual drive merely assumes"


def front_page(dossier: Dossier, columns: int, report: str = "", *, most_lines: int | None = MOST_LINES) -> str:
    """The text. report: its last line, "" for none. most_lines: None shows all properties."""
    head = [*wrapped(" ".join(dossier.verdict), columns), ""]
    known = [answer for answer in dossier.answers if answer.text]
    rows = _table(known, columns)
    end = [report] if report else []
    if most_lines is None:
        return "\n".join([*head, *rows, *_notes(dossier, columns), *end])
    room = most_lines - len(head) - len(end)
    notes = next(
        (notes for lines in _UNKNOWN_LINES if len(notes := _notes(dossier, columns, lines)) + len(rows) <= room),
        _notes(dossier, columns, _UNKNOWN_LINES[-1]),
    )
    while len(known) > _FEWEST_ROWS and len(rows) + len(notes) > room:
        known = known[:-1]
        rows = _table(known, columns)
    return "\n".join([*head, *rows, *notes, *end])


def wrapped(text: str, columns: int, *, bullet: str = "") -> list[str]:
    """Lines without a break between a number and its unit. bullet: before the first line; the others are indented."""
    text = _NUMBER_AND_UNIT.sub("\u00a0", text)
    lines = textwrap.wrap(text, columns, initial_indent=bullet, subsequent_indent=" " * len(bullet))
    return [line.replace("\u00a0", " ") for line in lines]


def _table(known: Sequence[Answer], columns: int) -> list[str]:
    """Heading and rows, aligned, and what the star means; without the interval where the terminal is too narrow."""
    cells = [_HEADINGS, *(_row(answer) for answer in known)]
    gap = "  " if _width(cells, 2) <= columns else " "
    if _width(cells, len(gap)) > columns:
        cells = [(*row[:_INTERVAL], *row[_INTERVAL + 1 :]) for row in cells]
        gap = "  "
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = (gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)
    remark = [_REMARK] if any(_star(answer) for answer in known) else []
    return [fitted_to(line, columns) for line in (*lines, *remark)]


def _width(cells: Sequence[tuple[str, ...]], gap: int) -> int:
    return sum(max(map(len, column)) for column in zip(*cells, strict=True)) + gap * (len(cells[0]) - 1)


def _row(answer: Answer) -> tuple[str, ...]:
    asked = property_of(answer.property_key)
    interval = span(answer.low, answer.high, asked.say) if not isinstance(answer.value, str) else ""
    value = f"{answer.text}*" if _star(answer) else answer.text
    return (asked.title, value, interval, answer.confidence.value, answer.action)


def _star(answer: Answer) -> bool:
    return is_merely_assumed(answer.assumed)


def _notes(dossier: Dossier, columns: int, most: int | None = None) -> list[str]:
    """What could not be told and why, what was not finished, what the judge withdrew; a line each.

    most: as many lines for what could not be told; None for all.
    """
    unknown = _by_reason(answer for answer in dossier.answers if not answer.text)
    short = most is not None
    shown = dict(list(unknown.items())[: 0 if _is_fake(dossier) else most]) if short else unknown
    lines = [f"Not told: {_some(titles)}, because {_bare(reason)}" for reason, titles in shown.items()]
    left = sum(map(len, unknown.values())) - sum(map(len, shown.values()))
    unfinished = [record for record in dossier.records if record.status is not Status.DONE]
    if unfinished:
        names = ", ".join(f"{record.experiment} ({record.status.value})" for record in unfinished)
        lines.append(f"Not finished: {names}")
    withdrawn = sum(each.ruling is Ruling.WITHDRAWN for each in dossier.objections)
    more = [f"{left} more not told"] if left else []
    more += [f"{counted(withdrawn, 'finding')} withdrawn"] if withdrawn else []
    more += [f"{counted(len(dossier.set_apart), 'record')} of another build"] if dossier.set_apart else []
    if more:
        said = ", ".join(more)
        lines.append(f"{said}: see the report or --verbose" if short else said)
    return [fitted_to(line, columns) for line in lines]


def _by_reason(unknown: Iterable[Answer]) -> dict[str, list[str]]:
    """Reason -> titles, in the order of the properties."""
    titles: dict[str, list[str]] = {}
    for answer in unknown:
        titles.setdefault(answer.why_unknown, []).append(property_of(answer.property_key).title)
    return titles


def _bare(reason: str) -> str:
    """The reason without the name of what was left out or withdrawn for it: a line has room for one of them."""
    return (reason.partition(" was left out: ")[2] or reason).removeprefix("withdrawn: ")


def _some(titles: Sequence[str]) -> str:
    """The first ones, and how many more."""
    if len(titles) <= _TITLES_SHOWN:
        return " and ".join(titles)
    return f"{titles[0]} and {len(titles) - 1} more"


def _is_fake(dossier: Dossier) -> bool:
    """Nothing else was measured then, and nobody asks for it."""
    answer = dossier.answer("is_counterfeit")
    return answer is not None and answer.value == "yes"
