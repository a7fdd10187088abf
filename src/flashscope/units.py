"""Numbers with units: read strictly from configuration, and written for people.

    "900 us" -> 900_000 ns        42_000_000_000 bytes -> "42 GB"

KB, MB, GB, TB, PB are powers of 1000 and KiB, MiB, GiB, TiB powers of 1024; both are used on purpose. A number
without a unit is refused wherever a unit exists. Arithmetic is exact (fractions), so "0.1 s" is
100_000_000 ns and "0.3 B" is an error rather than zero.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Literal, overload

from flashscope.errors import WrongUse

WholeDimension = Literal["bytes", "time", "rate", "cycles", "count", "request-rate"]

_DECIMAL = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15}
_BINARY = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_TIME = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9}

# dimension -> unit as written -> how many base units it is.
_UNITS: dict[str, dict[str, Fraction]] = {
    "bytes": {unit: Fraction(factor) for unit, factor in (_DECIMAL | _BINARY).items()},
    "time": {unit: Fraction(factor) for unit, factor in _TIME.items()},
    "rate": {f"{unit}/s": Fraction(factor) for unit, factor in (_DECIMAL | _BINARY).items()},
    "cycles": {"cycles": Fraction(1)},
    "request-rate": {"IOPS": Fraction(1), "kIOPS": Fraction(1000), "requests/s": Fraction(1)},
    "ratio": {"%": Fraction(1, 100)},
    "count": {},
}
_SPELLINGS = {"kB": "KB", "kB/s": "KB/s", "µs": "us", "μs": "us", "cycle": "cycles"}
_EXAMPLE_UNIT = {"bytes": "KiB", "time": "us", "rate": "MB/s", "cycles": "cycles", "request-rate": "IOPS", "ratio": "%"}
_BASE_UNIT = {"bytes": "byte", "time": "nanosecond", "rate": "byte per second", "cycles": "cycle"}
_MOST = 2**63 - 1  # what a signed number of 64 bits holds; the core, SQLite and the kernel count in those
_MOST_DIGITS = 60
_TINY, _MILLION = 1e-4, 999_999.5
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NUMBER = re.compile(r"(?P<number>\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d{1,2})?)\s*(?P<unit>\S(?:.*\S)?)?")


@overload
def parse(text: str | int | float, dimension: Literal["ratio"], *, key: str) -> float: ...
@overload
def parse(text: str | int | float, dimension: WholeDimension, *, key: str) -> int: ...
@overload
def parse(text: str | int | float, dimension: str, *, key: str) -> int | float: ...
def parse(text: str | int | float, dimension: str, *, key: str) -> int | float:
    """The value of `text` in base units: bytes, ns, bytes/s, cycles, requests/s or a count (int); a ratio (float).

    text: a number and its unit, such as "4 KiB", "900 us", "166 MB/s", "3000 cycles", "7 %". A count is a
        bare whole number; a ratio may also be a bare number from 0 to 1.
    dimension: "bytes", "time", "rate", "cycles", "count", "ratio" or "request-rate".
    key: the name of the setting, for the message.
    Raises WrongUse, naming key, value and accepted units, when the number is missing, negative, bare, of another
    dimension, not a whole number of base units, or more than 2^63 - 1 of them.
    """
    units = _UNITS[dimension]
    accepted = _accepted(dimension)
    written = str(text).strip()
    match = None if isinstance(text, bool) else _NUMBER.fullmatch(written)
    if match is None:
        raise WrongUse(f"{key} is {text!r}, which is not a number with a unit", accepted=accepted)
    if len(match["number"]) > _MOST_DIGITS:
        raise _too_large(f"{written[:20]}...", dimension, key)
    value = Fraction(match["number"].replace("_", ""))
    unit = match["unit"]
    if unit is None:
        if dimension == "ratio" and value <= 1:
            return float(value)
        if dimension != "count":
            example = f'"{written} {_EXAMPLE_UNIT[dimension]}"'
            raise WrongUse(f"{key} is {written}; give it a unit, such as {example}", accepted=accepted)
        factor = Fraction(1)
    elif (unit := _SPELLINGS.get(unit, unit)) in units:
        factor = units[unit]
    else:
        raise WrongUse(
            f'{key} is "{written}"; "{unit}" is not a unit of {dimension}',
            accepted=accepted,
            advice=_nearest(match["number"], unit, units),
        )
    base = value * factor
    if base > _MOST:
        raise _too_large(written, dimension, key)
    if dimension == "ratio":
        return float(base)
    if base.denominator != 1:
        whole = f"a whole number of {_BASE_UNIT[dimension]}s" if dimension in _BASE_UNIT else "a whole number"
        raise WrongUse(f'{key} is "{written}", which is not {whole}', accepted=accepted)
    return int(base)


def whole_number(text: str) -> int | None:
    """The whole number that these digits write, None for anything else; beyond any 64 bits it is 2^64.

    Python refuses to read thousands of digits, with an error of its own.
    """
    digits = text.lstrip("0") or text[:1]
    if not (digits.isascii() and digits.isdigit()):
        return None
    return min(int(digits[:_MOST_DIGITS]), 2**64)


def format_bytes(value_bytes: float) -> str:
    """Bytes in powers of 1000, three digits at most: 42e9 -> "42 GB".

    Petabytes begin at 10 PB: what drives are written is counted in TB.
    """
    return _scaled(value_bytes, list(_DECIMAL.items()), first={"PB": 10})


def format_bytes_binary(value_bytes: float) -> str:
    """Bytes in powers of 1024, three digits at most (four below the next unit): 120 * 2**30 -> "120 GiB"."""
    return _scaled(value_bytes, [("B", 1), *_BINARY.items()])


def format_rate(value_bytes_per_second: float) -> str:
    """Bytes per second in powers of 1000: 31e6 -> "31 MB/s"."""
    return _scaled(value_bytes_per_second, [(f"{unit}/s", factor) for unit, factor in _DECIMAL.items()])


def format_time(value_ns: float) -> str:
    """A duration [ns] as people say it: 61_000 -> "61 us", 120e9 -> "2 min".

    Minutes begin at 2 min, hours at 2 h, days at 2 d: "90 s" is easier to read than "1.5 min".
    """
    later = {"min": 2, "h": 2, "d": 2}
    return _scaled(value_ns, list(_TIME.items()), first=later)


def format_count(value: float) -> str:
    """A number of things: exact below 10 000, then "12.3 thousand", "1.2 million"."""
    if abs(value) < 9999.5:
        return _digits(value) if value != round(value) else f"{value:.0f}"
    return _scaled(value, [("thousand", 10**3), ("million", 10**6), ("billion", 10**9), ("trillion", 10**12)])


def format_number(value: float, digits: int = 3) -> str:
    """A bare number as people say it, never as programs print it: "9 350", "0.025", "3.2 × 10⁻⁷", "12.3 million".

    digits: significant ones of a fraction; whole thousands keep all theirs.
    """
    size = abs(value)
    if not math.isfinite(value):
        return "unknown"
    if 0 < size < _TINY:
        exponent = math.floor(math.log10(size))
        return f"{_digits(value / 10.0**exponent, digits)} × 10{str(exponent).translate(_SUPERSCRIPTS)}"
    if size >= _MILLION:
        return format_count(value)
    whole, _, fraction = _digits(value, digits).partition(".")
    grouped = f"{int(whole):,}".replace(",", "\u202f") if size >= 1000 else whole  # a thin space
    return f"{grouped}.{fraction}" if fraction else grouped


def counted(number: int, noun: str, said: str | None = None) -> str:
    """So many of a thing: "1 drive", "0 drives". said: how the number is written."""
    return f"{number if said is None else said} {noun}{'' if number == 1 else 's'}"


def format_percent(value_ratio: float) -> str:
    """A ratio (0..1) as per cent: 0.07 -> "7 %"."""
    return f"{_digits(value_ratio * 100)} %" if math.isfinite(value_ratio) else "unknown"


def _too_large(written: str, dimension: str, key: str) -> WrongUse:
    most = {"bytes": f"{_MOST} B", "time": f"{_MOST} ns, 292 years"}.get(dimension, str(_MOST))
    return WrongUse(f'{key} is "{written}", which is too large', accepted=f"at most {most}")


def _accepted(dimension: str) -> str:
    if dimension == "count":
        return 'a whole number without a unit, such as "32"'
    units = ", ".join(_UNITS[dimension])
    bare = " (or a number from 0 to 1 without a unit)" if dimension == "ratio" else ""
    return f"a number and one of: {units}{bare}"


def _nearest(number: str, unit: str, units: dict[str, Fraction]) -> str:
    by_lower = {name.lower(): name for name in units}
    # "4K" and "4 kib" are common mistakes; suggest the likely unit.
    near = get_close_matches(unit.lower(), by_lower, n=2, cutoff=0.5)
    meant = " or ".join(f'"{number} {by_lower[name]}"' for name in near)
    return f"write {meant} if that is what you mean" if near else ""


def _scaled(value: float, units: Sequence[tuple[str, int]], first: dict[str, int] | None = None) -> str:
    """`value` in the largest unit in which it is at least 1 (or `first[unit]`) after rounding."""
    if not math.isfinite(value):
        return "unknown"
    name, factor = units[0]
    for candidate, size in units[1:]:
        # Judge the rounded number, so that 999.96 MB becomes "1 GB" and not "1000 MB".
        shown_in_smaller = float(_digits(abs(value) / factor)) * factor
        if max(shown_in_smaller, abs(value)) < size * (first or {}).get(candidate, 1):
            break
        name, factor = candidate, size
    return f"{_digits(value / factor)} {name}"


def _digits(value: float, digits: int = 3) -> str:
    """Three significant digits, but never fewer than the integer part has; no exponent, no trailing zeros."""
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
