"""Values of SMART fields and clocks formatted for a reader.

5.61e-08 ratio -> 5.61 × 10⁻⁸      10454 hours -> 1.19 years      63 per cent -> 63 %
"""

from __future__ import annotations

import math

from flashscope import units
from flashscope.reports.numbers import Said, plain
from flashscope.smart.decoding.reading import Field
from flashscope.smart.decoding.span import Span

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_HOURS_A_YEAR = 8766.0
_LONG_YEARS = 100.0
_SMALLEST_PERCENT = 0.01


def say_field(field: Field) -> Said:
    """The value of a field, with the exact number beside it."""
    value = field.value
    if not math.isfinite(value):
        return Said("unknown", "cannot be told", "null")
    unit = "" if field.unit in ("ratio", "flag") else f" {field.unit}"
    return Said(said(value, field.unit, field.key), f"{plain(value)}{unit}", repr(value))


def say_interval(field: Field) -> str:
    """The interval, "low to high"; empty when both ends are printed like the value."""
    ends = [said(end, field.unit, field.key) for end in (field.low, field.high)]
    return "" if ends[0] == ends[1] or _counts_singly(field) else between(*ends)


def _counts_singly(field: Field) -> bool:
    """Things counted one by one: an interval of one more count is of no use to a reader."""
    return field.unit not in ("bytes", "ratio", "hours", "minutes") and field.high - field.low <= 1


def said(value: float, unit: str, key: str = "") -> str:
    """A number in a unit of the fields."""
    if not math.isfinite(value):
        return "any" if value == math.inf else "unknown"
    if key == "rber":
        return power_of_ten(value)
    if key == "write_amplification":
        return f"{units.format_number(value)} ×"
    match unit:
        case "bytes":
            return units.format_bytes(value)
        case "hours":
            return say_hours(value)
        case "minutes":
            return say_hours(value / 60)
        case "per cent" | "%":
            return f"{value:.3g} %"
        case "ratio":
            return units.format_percent(value) if value <= 1 else f"{value:.3g}"
        case "degrees Celsius" | "celsius" | "°C":
            return f"{value:.3g} °C"
        case "flag":
            return "yes" if value else "no"
        case "count" | "":
            return units.format_count(value)
        case _:
            return f"{units.format_count(value)} {unit.removesuffix('s') if value == 1 else unit}"


def power_of_ten(value: float) -> str:
    """A tiny ratio: 5.61e-8 -> "5.61 × 10⁻⁸"."""
    if value <= 0:
        return "0"
    exponent = math.floor(math.log10(value))
    return f"{value / 10.0**exponent:.3g} × 10{str(exponent).translate(_SUPERSCRIPTS)}"


def say_hours(hours: float, digits: int = 3) -> str:
    """Hours as hours, days or years, with so many digits."""
    if not math.isfinite(hours):
        return "no end can be seen"
    if hours < 48:
        return f"{units.format_number(hours, digits)} h"
    if hours < _HOURS_A_YEAR:
        said = units.format_number(hours / 24, digits)
        return f"{said} day{'s' * (said != '1')}"
    years = hours / _HOURS_A_YEAR
    said = units.format_number(years, digits)
    return f"{said} year{'s' * (said != '1')}" if years < _LONG_YEARS else f"more than {_LONG_YEARS:.0f} years"


def say_span_of_hours(span: Span) -> str:
    """An interval of time: "2.1 to 4 years"."""
    return between(say_hours(span.low), say_hours(span.high))


def say_middle_of_hours(span: Span, of: str = "") -> str:
    """A time with its interval: "about 3 years (1 to 7)"; only "more than 100 years" where even the low end is.

    of: words behind the time, such as " of power-on time".
    """
    middle, low, high = (say_hours(hours, 2) for hours in (span.value, span.low, span.high))
    interval = between(low, high)
    if low == high:
        return f"{middle}{of}"
    about = "" if middle.startswith("more") else "about "
    return f"{about}{middle}{of} ({_without_unit_of(middle, interval)})"


def say_middle_of_bytes(span: Span) -> str:
    """Bytes with their interval: "about 120 TB (80 to 200 TB)"."""
    middle = units.format_bytes(span.value)
    if middle in (units.format_bytes(span.low), units.format_bytes(span.high)):
        return middle
    return f"about {middle} ({_without_unit_of(middle, say_span_of_bytes(span))})"


def _without_unit_of(middle: str, interval: str) -> str:
    """The interval without its unit where the middle value has the same and the interval names only this one."""
    unit = middle.partition(" ")[2]
    numbers = interval.removesuffix(f" {unit}")
    return numbers if not any(sign.isalpha() for sign in numbers.replace(" to ", "")) else interval


def say_span_of_bytes(span: Span) -> str:
    """An interval of bytes: "80 to 200 TB"."""
    high = units.format_bytes(span.high) if math.isfinite(span.high) else "no end can be seen"
    return between(units.format_bytes(span.low), high)


def say_span_of_ratio(span: Span) -> str:
    """An interval of a ratio, in per cent."""
    return between(_percent(span.low), _percent(span.high) if math.isfinite(span.high) else "any")


def _percent(ratio: float) -> str:
    return f"under {_SMALLEST_PERCENT:g} %" if 0 < 100 * ratio < _SMALLEST_PERCENT else units.format_percent(ratio)


def between(low: str, high: str) -> str:
    """ "low to high", with one unit where both have the same."""
    if low == high:
        return low
    low_number, _, low_unit = low.partition(" ")
    _, _, high_unit = high.partition(" ")
    plain_low = low_number.replace(".", "").isdigit()
    same_unit = low_unit.removesuffix("s") == high_unit.removesuffix("s")
    return f"{low_number} to {high}" if plain_low and same_unit else f"{low} to {high}"
