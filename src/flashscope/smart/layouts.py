"""How a number lies in the twelve bytes of an ATA attribute.

    byte    0    1..2    3      4      5  6  7  8  9  10    11
            id   flags   value  worst  raw0 ...        raw5  reserved (not kept)

    raw-48          raw0..raw5, least significant first; raw-32 the lower four of them
    raw-16-word-1   the middle one of three 16-bit words
    value           the value byte alone
    value-first-64  value, worst, raw0..raw5 as one number: (raw-48 << 16) | (worst << 8) | value

A new layout is a row in `LAYOUTS`, and tables in parts/smart/ can name it.
"""

from __future__ import annotations

from collections.abc import Callable

from flashscope.records.record import SmartAttribute


def raw_48(attribute: SmartAttribute) -> int:
    """The six raw bytes as one number."""
    return int.from_bytes(attribute.raw, "little")


def value_first_64(attribute: SmartAttribute) -> int:
    """The 64-bit number that begins at the value byte, as Indilinx controllers lay it."""
    return (raw_48(attribute) << 16) | (attribute.worst << 8) | attribute.value


def _word(index: int) -> Callable[[SmartAttribute], int]:
    return lambda attribute: (raw_48(attribute) >> (16 * index)) & 0xFFFF


LAYOUTS: dict[str, Callable[[SmartAttribute], int]] = {
    "raw-48": raw_48,
    "raw-32": lambda attribute: raw_48(attribute) & 0xFFFF_FFFF,
    "raw-16-word-0": _word(0),
    "raw-16-word-1": _word(1),
    "raw-16-word-2": _word(2),
    "value": lambda attribute: attribute.value,
    "value-first-64": value_first_64,
}
