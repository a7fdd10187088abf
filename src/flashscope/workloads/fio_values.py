"""Values as fio writes them: integers with suffixes, times, percentages, and lists for read,write,trim.

Every reader takes the text right of "=" and returns a value in base units, or raises ValueError saying what is
wrong with it; who calls adds the file, the line and what is accepted.

    4k 4kb 4ki -> 4096      4kib -> 4000      10m (a time) -> 600 s      50% -> Percent(50)

The odd one is real: with its default kb_base=1024, fio 3.33 reads k, kb and ki as 1024 and kib as 1000.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Value = TypeVar("Value")

_LARGEST = 2**63 - 1
_NUMBER = re.compile(r"(0x[0-9a-f]+|\d+)([a-z]*)", re.IGNORECASE)
_INTEGER_SUFFIXES = {"": 1, "b": 1} | {
    letter + ending: (1000 if ending == "ib" else 1024) ** power
    for power, letter in enumerate("kmgtp", start=1)
    for ending in ("", "b", "i", "ib")
}
_MICROSECOND_NS = 1000
_TIME_SUFFIXES_NS = {
    "us": _MICROSECOND_NS,
    "usec": _MICROSECOND_NS,
    "ms": 10**6,
    "msec": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 86400 * 10**9,
}


@dataclass(frozen=True)
class Percent:
    """A whole percentage, of what the option says. whole: 0 to 100."""

    whole: int


def integer(text: str) -> int:
    """A whole number, decimal or 0x..., with fio's suffixes b, k, m, g, t, p (1024), kib ... pib (1000)."""
    return _number(text, _INTEGER_SUFFIXES)


def time_ns(text: str, *, bare_ns: int) -> int:
    """A time [ns] with fio's suffixes us, ms, s, m, h, d. bare_ns: what a number without one counts."""
    return _number(text, _TIME_SUFFIXES_NS | {"": bare_ns})


def runtime_ns(text: str) -> int:
    """A time [ns] whose bare numbers are seconds."""
    return time_ns(text, bare_ns=10**9)


def thinktime_ns(text: str) -> int:
    """A time [ns] whose bare numbers are microseconds."""
    return time_ns(text, bare_ns=_MICROSECOND_NS)


def percentage(text: str) -> int:
    """A whole number from 0 to 100, without a sign."""
    if not text.isascii() or not text.isdigit() or int(text) > 100:
        raise ValueError("it is not a whole percentage from 0 to 100")
    return int(text)


def bytes_or_percent(text: str) -> int | Percent:
    """Bytes, or a percentage such as "50%"."""
    return Percent(percentage(text[:-1])) if text.endswith("%") else integer(text)


def positive(text: str) -> int:
    """A whole number of 1 or more."""
    value = integer(text)
    if value == 0:
        raise ValueError("it has to be 1 or more")
    return value


def switch(text: str) -> bool:
    """0 or 1; nothing at all counts as 1."""
    if text not in ("", "0", "1"):
        raise ValueError("it is neither 0 nor 1")
    return text != "0"


def per_kind(text: str, read: Callable[[str], Value]) -> tuple[Value | None, Value | None, Value | None]:
    """Values for (read, write, trim); None where fio's default stands.

    One value is for all three, the second of two is for writes and trims, and an empty place keeps the default:
    "8k," is for reads only, ",8k" for writes and trims, ",8k," for writes only.
    """
    parts = [read(part.strip()) if part.strip() else None for part in text.split(",")]
    if len(parts) > 3:
        raise ValueError("there are more than three values (read, write, trim)")
    if all(part is None for part in parts):
        raise ValueError("there is no value")
    return parts[0], parts[min(1, len(parts) - 1)], parts[-1]


def _number(text: str, suffixes: dict[str, int]) -> int:
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError("it is not a whole number with a suffix")
    digits, suffix = match[1], match[2].lower()
    if suffix not in suffixes:
        raise ValueError(f'"{match[2]}" is not a suffix that is known here')
    value = int(digits, 16 if digits[:2].lower() == "0x" else 10) * suffixes[suffix]
    if value > _LARGEST:
        raise ValueError("it is too large")
    return value
