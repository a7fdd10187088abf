"""How a number is stored in the twelve bytes of an ATA attribute.

    byte    0    1..2    3      4      5  6  7  8  9  10    11
            id   flags   value  worst  raw0 ...        raw5  reserved (not kept)

    raw-48            raw0..raw5, least significant first; raw-32 and raw-24-low the lowest of them,
                      raw-24-high the upper three
    raw-16-word-1     the middle one of three 16-bit words
    value             the value byte alone; value-over-100 counts it from 100 (200 = new, 100 = worn out)
    value-first-64    value, worst, raw0..raw5 as one number: (raw-48 << 16) | (worst << 8) | value
    worst-first-24    worst, raw0, raw1, most significant first; raw-2-first-24 the next
                      three, raw-2-first-16 the first two of these
    hours             as many low bytes as give a possible number of hours; some makers store minutes above them
    hours-offset      the lower 32 bits, minus a base that some firmware adds
    celsius           the lowest byte, signed; celsius-min and -max the two words above, in either order

A layout gives None where the bytes contain no such number. A new layout is a row in `LAYOUTS`; then tables in
parts/smart/ can name it.
"""

from __future__ import annotations

from collections.abc import Callable

from flashscope.records.smart_snapshot import SmartAttribute

Layout = Callable[[SmartAttribute], int | None]
HOURS_MOST = 500_000  # 57 years: no drive with SMART is as old
HOURS_BASE = 0x0DA753  # added to the hours by Intel 520 and 330 firmware that stores minutes beside them
CELSIUS = range(-40, 126)  # possible readings of a sensor


def raw_48(attribute: SmartAttribute) -> int:
    """The six raw bytes as one number."""
    return int.from_bytes(attribute.raw, "little")


def value_first_64(attribute: SmartAttribute) -> int:
    """The 64-bit number that begins at the value byte, as Indilinx controllers store it."""
    return (raw_48(attribute) << 16) | (attribute.worst << 8) | attribute.value


def _hours(attribute: SmartAttribute) -> int | None:
    whole = raw_48(attribute)
    return next((part for bits in (48, 32, 24, 16) if (part := whole & (1 << bits) - 1) <= HOURS_MOST), None)


def _hours_offset(attribute: SmartAttribute) -> int | None:
    hours = raw_48(attribute) & 0xFFFF_FFFF
    hours -= HOURS_BASE if hours >= HOURS_BASE else 0
    return hours if hours <= HOURS_MOST else None


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def _celsius(attribute: SmartAttribute) -> int | None:
    degrees = _signed(attribute.raw[0])
    return degrees if degrees in CELSIUS else None


def _celsius_extreme(index: int) -> Layout:
    """The lower (0) or higher (1) of the two words above the temperature, when the temperature is between them."""

    def layout(attribute: SmartAttribute) -> int | None:
        now = _signed(attribute.raw[0])
        extremes = sorted((_signed(attribute.raw[2]), _signed(attribute.raw[4])))
        packed = not (attribute.raw[3] or attribute.raw[5]) and extremes[0] <= now <= extremes[1]
        return extremes[index] if packed and extremes[0] != extremes[1] and extremes[index] in CELSIUS else None

    return layout


def _word(index: int) -> Layout:
    return lambda attribute: (raw_48(attribute) >> (16 * index)) & 0xFFFF


def _big_endian(first: int, count: int) -> Layout:
    """`count` bytes, most significant first, from byte `first` counted from `worst`."""
    return lambda attribute: int.from_bytes(bytes([attribute.worst, *attribute.raw])[first : first + count], "big")


LAYOUTS: dict[str, Layout] = {
    "raw-48": raw_48,
    "raw-32": lambda attribute: raw_48(attribute) & 0xFFFF_FFFF,
    "raw-24-low": lambda attribute: raw_48(attribute) & 0xFF_FFFF,
    "raw-24-high": lambda attribute: raw_48(attribute) >> 24,
    "raw-16-word-0": _word(0),
    "raw-16-word-1": _word(1),
    "raw-16-word-2": _word(2),
    "raw-byte-1": lambda attribute: attribute.raw[1],
    "value": lambda attribute: attribute.value,
    "value-over-100": lambda attribute: attribute.value - 100 if 100 <= attribute.value <= 200 else None,
    "value-first-64": value_first_64,
    "worst-first-24": _big_endian(0, 3),
    "raw-2-first-24": _big_endian(3, 3),
    "raw-2-first-16": _big_endian(3, 2),
    "hours": _hours,
    "hours-offset": _hours_offset,
    "celsius": _celsius,
    "celsius-min": _celsius_extreme(0),
    "celsius-max": _celsius_extreme(1),
}
