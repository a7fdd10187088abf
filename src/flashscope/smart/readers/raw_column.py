"""The six raw bytes behind what smartctl prints in its RAW_VALUE column.

    printed                      what it is                                   bytes
    12345, 0x00000000abcd        one number of 48 bits                        raw0..raw5, least first
    46886511 with VALUE "---"    one number of 64 bits                        value, worst, raw0..raw5
    0x00ec... with WORST "---"   big-endian number that begins at worst       worst, raw0, raw1, ...
    5478/5662 with WORST "---"   two big-endian numbers of 24 bits            worst raw0 raw1 / raw2 raw3 raw4
    2 3 4                        three words of 16 bits, highest first        raw5..raw4 raw3..raw2 raw1..raw0
    7 (1 2)                      low word, then the high and middle word
    7 (1 2 3)                    low 24 bits, then raw5, raw4, raw3
    7 (1 2 3 4), 7 (1 2 3 4 5)   raw0, then raw5 .. raw2 or raw1
    36 (Average 5)               low word, middle word
    33 (Min/Max 18/45)           a temperature: raw0; lowest raw2, highest raw3 (assumed; other drives differ)
    0/46886511                   high 16 bits (smartctl shows 24, with the reserved byte), low 32 bits
    13221h+06m+31.670s           hours in the low 32 bits, milliseconds above
    123h+45m, 123h+45m+06s       one number of minutes (half minutes when the name says so), of seconds

The number as printed stays in `PrintedAttribute.raw_text`. Two other layouts are recognized by id and name:
234 "...Throttle..." is raw0 / raw1..raw4, and a name with "Lat" and "Erl" has its counts in raw4..raw5 and raw0..raw1.
"""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"\d+")
_PARENTHESES = re.compile(r"(\d+) \((?:Lifetime )?(Average|Min/Max)? ?([-\d /,]+)(?: #(\d+))?\)")
_PAIR = re.compile(r"(\d+)/(\d+)")
_TIME = re.compile(r"(\d+)h\+(\d+)m(?:\+(\d+)(?:[.,](\d{3}))?s)?(?: \((\d+)\))?")
_MASK_48 = (1 << 48) - 1


def raw_bytes(text: str, id: int, name: str, *, worst_first: bool = False) -> tuple[bytes, int | None] | None:
    """The raw bytes, and the worst byte when the number begins there; None when `text` is of no known form.

    worst_first: WORST is printed as "---", so the number begins at the worst byte.
    """
    if worst_first:
        whole = _big_endian(text, id)
        return None if whole is None else (whole[1:7], whole[0])
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 22 else _number(text, id, name)
    if number is None or number < 0:
        return None
    if number == (1 << 64) - 1:
        number = _MASK_48
    return None if number >> 56 else ((number & _MASK_48).to_bytes(6, "little"), None)


def eight_bytes(text: str) -> bytes | None:
    """Value, worst and raw bytes of a row whose VALUE is "---": one number of 64 bits; None when it is none."""
    first = text.split(" ", 1)[0]
    try:
        number = int(first, 16) if first[:2] == "0x" else int(first) if first.isdigit() else -1
    except ValueError:
        return None
    return number.to_bytes(8, "little") if 0 <= number < 1 << 64 else None


def _big_endian(text: str, id: int) -> bytes | None:
    """Seven or more bytes from the worst byte on, those not printed as zero."""
    if text[:2] == "0x":
        try:
            return bytes.fromhex(text[2:]).ljust(8, b"\0")
        except ValueError:
            return None
    if not (pair := _PAIR.fullmatch(text)):
        return None
    first, second = int(pair[1]), int(pair[2])
    # Attribute 235 counts blocks: the second number is of two bytes only.
    second_bytes = 2 if id == 235 else 3
    if first >> 24 or second >> (8 * second_bytes):
        return None
    return (first.to_bytes(3, "big") + second.to_bytes(second_bytes, "big")).ljust(8, b"\0")


def _number(text: str, id: int, name: str) -> int | None:
    """The number of 48 bits (or 56, with the reserved byte) behind smartctl's format."""
    if len(text) > 80:
        return None
    if text[:2] == "0x":
        try:
            return int(text, 16)
        except ValueError:
            return None
    if pair := _PAIR.fullmatch(text):
        return _pair(int(pair[1]), int(pair[2]), id, name)
    if in_parentheses := _PARENTHESES.fullmatch(text):
        return _parentheses(in_parentheses)
    if time := _TIME.fullmatch(text):
        return _time(time, name)
    words = text.split()
    if len(words) in (3, 6) and all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
        bits = 48 // len(words)
        return _joined([int(word) for word in words], bits)
    if (tenths := re.fullmatch(r"(\d{1,3})[.,](\d)", text)) and "emp" in name:
        return int(tenths[1] + tenths[2])
    return None


def _joined(words: list[int], bits: int) -> int | None:
    number = 0
    for word in words:
        if word >> bits:
            return None
        number = number << bits | word
    return number


def _pair(first: int, second: int, id: int, name: str) -> int | None:
    if id == 234 and "hrottle" in name:
        return None if first >> 8 or second >> 32 else second << 8 | first
    if "Lat" in name and "Erl" in name:
        return None if first >> 16 or second >> 16 else first << 32 | second
    return None if first >> 24 or second >> 32 else first << 32 | second


def _parentheses(match: re.Match[str]) -> int | None:
    number, kind = int(match[1]), match[2]
    rest = [int(word) for word in _NUMBERS.findall(match[3])]
    if kind == "Average":
        return None if number >> 16 or len(rest) != 1 or rest[0] >> 16 else rest[0] << 16 | number
    if kind == "Min/Max":
        return _temperature(number, match[3], int(match[4] or 0))
    bits = {2: 16, 3: 8, 4: 8, 5: 8}.get(len(rest))
    low_bits = {2: 16, 3: 24, 4: 16, 5: 8}.get(len(rest))
    if bits is None or low_bits is None or number >> low_bits:
        return None
    high = _joined(rest, bits)
    return None if high is None else high << low_bits | number


def _temperature(now: int, extremes: str, count: int) -> int | None:
    try:
        lowest, highest = (int(word) & 0xFF for word in extremes.split("/"))
    except ValueError:
        return None
    return None if now >> 8 or count >> 16 else count << 32 | highest << 24 | lowest << 16 | now


def _time(match: re.Match[str], name: str) -> int | None:
    hours, minutes = int(match[1]), int(match[2])
    if match[4] is not None:
        milliseconds = (minutes * 60 + int(match[3])) * 1000 + int(match[4])
        return None if hours >> 32 or milliseconds >> 24 else milliseconds << 32 | hours
    if match[3] is not None:
        return (hours * 60 + minutes) * 60 + int(match[3])
    total = hours * 60 + minutes
    if "Half" in name:
        return total * 2
    return int(match[5] or 0) << 32 | total
