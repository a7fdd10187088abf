"""Numbers formatted for a reader, each with its exact value."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flashscope import units

if TYPE_CHECKING:
    from flashscope.records import Finding

THIN_SPACE = "\u202f"
_NUMBER_AND_UNIT = re.compile(
    r"(?<=\d) (?=(?:%|×|[KMGT]?i?B(?:/s)?|ns|us|µs|ms|s|min|h|d|thousand|million|billion|trillion)(?![\w]))"
)


@dataclass(frozen=True)
class Said:
    """A number for a reader.

    text: rounded, in a readable unit. exact: with its unit, to six digits or to one unit. raw: all digits.
    """

    text: str
    exact: str
    raw: str = ""


_UNITS_OF_KEYS = ("_bytes_per_second", "_bytes", "_ns", "_s")
_WORDS_OF_KEYS = {
    "seq": "sequential", "rand": "random", "rber": "raw bit error rate", "min": "at least", "max": "at most",
    "512k": "512 KiB", "4k": "4 KiB", "128k": "128 KiB", "1m": "1 MiB", "p50": "median", "p99": "99 %",
    "p999": "99.9 %", "p9999": "99.99 %", "qd1": "queue depth 1", "qd8": "queue depth 8", "qd16": "queue depth 16",
    "qd32": "queue depth 32",
}  # fmt: skip
"""Words that keys shorten, in full."""


def say(value: Any, unit: str, *, key: str = "") -> Said:
    """A recorded value [unit] for a reader.

    Bytes are printed in powers of 1000, as in advertised capacities and rates; a whole number of sectors below
    1 MiB (a request, a page, a unit) and the size of a buffer, which is memory, in powers of 1024.
    key: the finding's key; it distinguishes an attribute's number or a write amplification from a plain count or ratio.
    """
    value = value.item() if hasattr(value, "item") else value  # a numpy scalar
    if value is None:
        return Said("not found", "no value", "null")
    if isinstance(value, bool):
        return Said("yes" if value else "no", str(value).lower())
    if not isinstance(value, int | float):
        return Said(str(value), str(value))
    if isinstance(value, float) and not math.isfinite(value):
        return Said("unknown", str(value))
    exact = f"{plain(value)} {'' if unit in ('ratio', 'attribute id') else unit}".strip()
    if unit == "bytes" and value >= 2**20:
        exact += f" ({units.format_bytes_binary(value)})"
    return Said(_text(value, unit, key), exact, repr(value))


def say_finding(finding: Finding) -> Said:
    """The value of a finding for a reader; without a value, whether this is an answer or an answer is missing."""
    # A limit of 1: no fall of any size could have been seen.
    if finding.value is None and finding.key == "rate_fall" and finding.details.get("detection_limit_ratio", 1) < 1:
        return Said("no fall", "no fall found", "null")
    return say(finding.value, finding.unit, key=finding.key)


def plain(value: float) -> str:
    """Integers with all digits, in groups of thousands: 129922760704 -> "129 922 760 704"; fractions to six digits."""
    whole = float(value).is_integer() or abs(value) >= 1e5
    return f"{round(value):,}".replace(",", THIN_SPACE) if whole else f"{value:.6g}"


def written_unit(largest_bytes: float) -> tuple[str, int]:
    """The unit for an axis of bytes written that reaches `largest_bytes`: its name and its size in bytes."""
    return next(
        ((name, size) for name, size in (("GB", 10**9), ("MB", 10**6)) if largest_bytes >= 4 * size), ("KB", 1000)
    )


def one_in(share_ratio: float) -> str:
    """A small share as people say it: 3.2e-7 -> "1 in 3.12 million"; "none" for 0."""
    return f"1 in {units.format_count(1 / share_ratio)}" if share_ratio > 0 else "none"


def rare_unit(largest_ratio: float) -> tuple[str, float]:
    """The words for an axis of small shares that reaches `largest_ratio`, and how many of them make the whole."""
    sizes = (("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12))
    return next(((name, size) for name, size in sizes if largest_ratio * size >= 1), sizes[-1])


def named(key: str) -> str:
    """A finding's key in words, without its unit: "rate_rand_4k_bytes_per_second" -> "rate random 4 KiB"."""
    unit = next((unit for unit in _UNITS_OF_KEYS if key.endswith(unit) and not key.endswith("_host_bytes")), "")
    return " ".join(_WORDS_OF_KEYS.get(word, word) for word in key.removesuffix(unit).split("_"))


def bound(text: str) -> str:
    """Text without a line break between a number and its unit."""
    return _NUMBER_AND_UNIT.sub("\u00a0", text)


def _text(value: float, unit: str, key: str) -> str:
    if key.endswith("_attribute") and float(value).is_integer():
        return f"{int(value)} (0x{int(value):02X})"
    if key.startswith("write_amplification"):
        return f"{units.format_number(value)} ×"
    match unit:
        case "bytes":
            small = value < 2**20 and value % 512 == 0
            return units.format_bytes_binary(value) if small or "buffer" in key else units.format_bytes(value)
        case "bytes/s" | "bytes per second" | "bytes_per_second":
            return units.format_rate(value)
        case "ns":
            return units.format_time(value).replace(" us", " µs")
        case "ratio":
            return units.format_percent(value)
        case "count" | "":
            return units.format_count(value)
        case _:
            return f"{units.format_count(value)} {unit}"
