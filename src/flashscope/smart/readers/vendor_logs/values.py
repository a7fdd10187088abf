"""A number as nvme-cli and its makers' plugins print it -> a whole number.

    1,234   0x4d2   12 %   100%   1133997.9 GiB   304 K   0 609651339018240 (upper and lower 64 bits)

Two programs print counts of six bytes wrongly. One shows 65,536 times the count, since it does not move the bits down
after it masked the share beside it. The other puts the lower four bytes 32 bits too high. Both are put right: a drive
with so many bad blocks does not exist.
"""

from __future__ import annotations

import re

from flashscope.smart.readers.text import whole_number

_WITH_UNIT = re.compile(r"(\d{1,15})(?:[.,](\d{1,3}))?\s*(B|[KMGTP]i?B)", re.IGNORECASE)
_PERCENT = re.compile(r"(.*\d)\s*%")
_KELVIN = re.compile(r"(?:.*\()?(\d{2,3})\s*(?:K|Kelvin)\)?")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_MOST = 1 << 128
SIX_BYTES = 6


def printed_number(text: str) -> int | None:
    """The number in a printed value; None when it is none, or below 0, or larger than 128 bits."""
    text = text.strip()
    number = whole_number(text)
    if number is None and (match := _PERCENT.fullmatch(text)):
        number = whole_number(match[1])
    if number is None and (match := _WITH_UNIT.fullmatch(text)):
        number = _bytes(match[1], match[2] or "", match[3])
    if number is None and (match := _KELVIN.fullmatch(text)):
        number = int(match[1])
    if number is None:
        number = _halves(text)
    return number if number is not None and 0 <= number < _MOST else None


def _bytes(whole: str, fraction: str, unit: str) -> int:
    base = 1024 if "i" in unit.lower() else 1000
    scale, decimals = 1, 1
    for _ in range(_POWERS[unit[0].upper() if len(unit) > 1 else ""]):
        scale *= base
    for _ in fraction:
        decimals *= 10
    return (int(whole + fraction) * scale + decimals // 2) // decimals


def _halves(text: str) -> int | None:
    words = text.split()
    if len(words) != 2:
        return None
    high, low = (whole_number(word) for word in words)
    return None if high is None or low is None or low >> 64 else high << 64 | low


def six_bytes(number: int) -> tuple[int, bool]:
    """A printed count of six bytes, and whether it had to be put right."""
    if number >> 32:
        right = number >> 32 | (number & 0xFFFF) << 32
        return right, right != number
    if number and not number & 0xFFFF:
        return number >> 16, True
    return number, False
