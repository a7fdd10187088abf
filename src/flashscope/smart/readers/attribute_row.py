"""One row of smartctl's attribute table, in any of its shapes.

    ID# ATTRIBUTE_NAME        FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
      9 Power_On_Hours        0x0032   099   099   000    Old_age   Always       -       10454
    ID# ATTRIBUTE_NAME        FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
      9 Power_On_Hours        -O--CK   099   099   000    -    10454

Columns are recognized by their content, so blanks may be lost. VALUE, WORST and THRESH may be "---".
"""

from __future__ import annotations

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import PrintedAttribute
from flashscope.smart.readers.raw_column import eight_bytes, raw_bytes

_FLAG_BITS = {letter: 1 << bit for bit, letter in enumerate("POSRCK")}
_TYPES = {"Pre-fail", "Old_age"}
_UPDATED = {"Always", "Offline"}
_FAILED = {"-": "", "---": "", "In_the_past": "past", "Past": "past", "FAILING_NOW": "now", "NOW": "now"}
_known_flags: dict[str, int | None] = {}


class RowError(Exception):
    """The row is complete but cannot be turned into bytes; the message says why."""


def starts_row(tokens: list[str]) -> bool:
    """Whether a line of these words begins with an attribute's number and name."""
    return len(tokens) > 1 and number_of(tokens[0]) is not None and (tokens[1][0].isalpha() or tokens[1][0] == "_")


def number_of(token: str) -> int | None:
    """An attribute's number, 1 to 255, decimal or hexadecimal; None when `token` is not one."""
    if len(token) > 4:
        return None
    if token.isascii() and token.isdigit():
        number = int(token)
    elif token[:2] == "0x":
        try:
            number = int(token, 16)
        except ValueError:
            return None
    else:
        return None
    return number if 0 < number < 256 else None


def row_of(tokens: list[str]) -> tuple[SmartAttribute, PrintedAttribute] | None:
    """The attribute in a row of these words; None when the row is not complete or no row at all.

    Raises RowError when it is complete and its numbers cannot be turned into bytes.
    """
    if len(tokens) < 8 or (id := number_of(tokens[0])) is None:
        return None
    place = 2
    while (flags := _flags(tokens[place])) is None:
        place += 1
        if place > 5 or len(tokens) < place + 6:
            return None
    value, worst, threshold = (_normalized(token) for token in tokens[place + 1 : place + 4])
    if value is None or worst is None or threshold is None:
        return None
    place += 4
    if tokens[place] in _TYPES:
        place += 1
        if place < len(tokens) and tokens[place] in _UPDATED:
            place += 1
    if place + 1 >= len(tokens) or tokens[place] not in _FAILED:
        return None
    raw_text = tokens[place + 1] if place + 2 == len(tokens) else " ".join(tokens[place + 1 :])
    printed = PrintedAttribute(None if threshold < 0 else threshold, raw_text, _FAILED[tokens[place]], bool(flags & 1))
    return _laid(id, tokens[1], flags, value, worst, raw_text), printed


def _laid(id: int, name: str, flags: int, value: int, worst: int, raw_text: str) -> SmartAttribute:
    if value < 0:
        whole = eight_bytes(raw_text)
        if whole is None:
            raise RowError(f"attribute {id}: {raw_text!r} is not a number of 64 bits")
        return SmartAttribute(id, flags, whole[0], whole[1], whole[2:], name)
    laid = raw_bytes(raw_text, id, name, worst_first=worst < 0 and not raw_text.isdigit())
    if laid is None:
        raise RowError(f"attribute {id}: the raw number {raw_text!r} is in an unknown form")
    raw, first = laid
    if first is not None:
        worst = first
    elif worst < 0:
        worst = value
    return SmartAttribute(id, flags, value, worst, raw, name)


def _flags(token: str) -> int | None:
    if token in _known_flags:
        return _known_flags[token]
    flags: int | None = None
    if len(token) == 6 and token[:2] == "0x":
        try:
            flags = int(token, 16)
        except ValueError:
            flags = None
    elif 6 <= len(token) <= 7 and set(token) <= set("POSRCK-+"):
        # The letters have a fixed order; a "+" says that bits without a letter are set too.
        flags = sum(_FLAG_BITS.get(letter, 0) for letter in token)
    if len(_known_flags) < 4096:
        _known_flags[token] = flags
    return flags


def _normalized(token: str) -> int | None:
    """The byte printed; -1 for "---"; None when it is neither."""
    if token.isascii() and token.isdigit() and len(token) < 5:
        number = int(token)
        return number if number < 256 else None
    if token in ("---", "--", "-"):
        return -1
    if token[:2] == "0x" and len(token) == 4:
        try:
            return int(token, 16)
        except ValueError:
            return None
    return None
