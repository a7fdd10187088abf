"""Values as fio writes them: sizes, times, percentages, lists by kind of request.

fio's own rules, with its default kb_base of 1024: `4k`, `4kb` and `4ki` are 4096, only `4kib` is 4000; a bare size is
in bytes; a bare run time is in seconds, a bare think time in microseconds. Each function raises ValueError with what
would be accepted; the parser adds file, line and option.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from flashscope import units

Value = TypeVar("Value")

END_OF_TIME_NS = 250 * 365 * 86_400 * 10**9
"""Where virtual time ends (`crates/kernel/src/time.rs`)."""

_MOST = 2**63 - 1
_MOST_DIGITS = 40  # a number with more digits is out of every range
_SIZE = re.compile(r"(0x[0-9a-f]+|\d+)\s*([kmgtp]?)(i?b|i|)", re.IGNORECASE | re.ASCII)
_POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_TIME = re.compile(r"(\d+)\s*(d|h|m|s|ms|msec|us|usec|)", re.IGNORECASE | re.ASCII)
_NS = {
    "d": 86_400_000_000_000,
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "msec": 1_000_000,
    "us": 1_000,
    "usec": 1_000,
}


def size_bytes(text: str) -> int:
    """A size [bytes]."""
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise ValueError("a size in bytes, or with a unit: 4096, 4k, 1m, 2g (powers of 1024)")
    number, prefix, suffix = found.groups()
    power: int = (1000 if suffix.lower() == "ib" else 1024) ** _POWER[prefix.lower()]
    size = int(number[:_MOST_DIGITS], 0 if number.startswith("0x") else 10) * power
    if size > _MOST:
        raise ValueError(f"at most {_MOST} bytes, 8 EiB")
    return size


def positive_size_bytes(text: str) -> int:
    """A size above 0 [bytes]."""
    size = size_bytes(text)
    if size == 0:
        raise ValueError("a size above 0")
    return size


def size_or_share(text: str) -> int | float:
    """A size [bytes, int], or a share of the drive such as "50%" [ratio, float]."""
    if text.strip().endswith("%"):
        return whole_number(0, 100)(text.strip()[:-1]) / 100.0
    return size_bytes(text)


def time_ns(bare_unit: str) -> Callable[[str], int]:
    """A parser of times [ns] that takes a bare number in `bare_unit`."""

    def parse(text: str) -> int:
        found = _TIME.fullmatch(text.strip())
        if not found:
            raise ValueError(f"a time: a number ({bare_unit} when bare), or with us, ms, s, m, h, d")
        number, unit = found.groups()
        duration_ns = int(number[:_MOST_DIGITS]) * _NS[unit.lower() or bare_unit]
        if duration_ns > END_OF_TIME_NS:
            raise ValueError("at most 250 years, where virtual time ends")
        return duration_ns

    return parse


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A parser of whole numbers from least to most."""

    def parse(text: str) -> int:
        number = units.whole_number(text.strip())
        if number is None or not least <= number <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return number

    return parse


def switch(text: str) -> bool:
    """On (nothing, or 1) or off (0)."""
    if text.strip() not in ("", "0", "1"):
        raise ValueError("1 or no value for on, 0 for off")
    return text.strip() != "0"


def one_of(*choices: str) -> Callable[[str], str]:
    """A parser that accepts only these words."""

    def parse(text: str) -> str:
        if text.strip() not in choices:
            raise ValueError(", ".join(choices))
        return text.strip()

    return parse


def by_kind(parse: Callable[[str], Value]) -> Callable[[str], tuple[Value | None, Value | None, Value | None]]:
    """A parser of values for reads, writes and trims, separated by commas.

    As in fio: the last value given applies to the kinds after it, unless a comma follows it; a kind left out is None.
    """

    def parse_all(text: str) -> tuple[Value | None, Value | None, Value | None]:
        parts = text.split(",")
        if len(parts) > 3:
            raise ValueError("at most three values: reads, writes, trims")
        values = [parse(part) if part.strip() else None for part in parts]
        values += [values[-1]] * (3 - len(values))
        return values[0], values[1], values[2]

    return parse_all


def size_range(text: str) -> tuple[int, int]:
    """A range of sizes such as 1k-4k or 1k:4k [bytes, bytes]."""
    low, dash, high = text.replace(":", "-", 1).partition("-")
    if not dash:
        raise ValueError("two sizes with a dash: 1k-4k")
    sizes = positive_size_bytes(low), positive_size_bytes(high)
    if sizes[0] > sizes[1]:
        raise ValueError("the smaller size first: 1k-4k")
    return sizes


def weighted_sizes(text: str) -> tuple[tuple[int, float], ...]:
    """Sizes with weights such as 4k/60:64k/40 [(bytes, per cent)]; sizes without a weight share the rest."""
    entries = [entry.partition("/") for entry in text.split(":")]
    given = {index: whole_number(0, 100)(weight) for index, (_, _, weight) in enumerate(entries) if weight.strip()}
    rest = 100 - sum(given.values())
    open_count = len(entries) - len(given)
    if rest < 0 or (rest > 0 and open_count == 0):
        raise ValueError("weights that add up to 100: 4k/60:64k/40")
    for place, index in enumerate(index for index in range(len(entries)) if index not in given):
        # Whole per cent, as fio takes no others; the last size gets the remainder.
        given[index] = rest // open_count + (rest % open_count if place == open_count - 1 else 0)
    return tuple((positive_size_bytes(size), float(given[index])) for index, (size, _, _) in enumerate(entries))


def zones(text: str) -> tuple[tuple[float, float], ...]:
    """Zones such as 60/10:40/90 [(per cent of accesses, per cent of the span)], each column adding up to 100."""
    expected = "access/span in whole per cent, each adding up to 100: 60/10:40/90"
    pairs = []
    for entry in text.split(":"):
        access, slash, span = entry.partition("/")
        if not slash:
            raise ValueError(expected)
        pairs.append((float(whole_number(0, 100)(access)), float(whole_number(1, 100)(span))))
    if any(sum(column) != 100 for column in zip(*pairs, strict=True)):
        raise ValueError(expected)
    return tuple(pairs)
