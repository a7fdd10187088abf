"""Numbers that follow from several SMART fields, whatever the family; and what contradicts what.

All work on field values by key, so a new family gets them by naming its fields as the others do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from flashscope.records.record import Doubt

Number = int | float
RATINGS = (1000, 1500, 3000, 5000, 10_000, 30_000, 100_000)  # cycles makers rate flash for


def raw_bit_error_ratio(error_bits: Number, host_read_bytes: Number) -> float:
    """Wrong bits per bit read [ratio]: error bits / (sectors read x 4096).

    Collection and refresh read flash too, and wrong bits they met are counted while what they read is not:
    too high where those reads are many. NaN when nothing was read.
    """
    return error_bits / (host_read_bytes * 8) if host_read_bytes else math.nan


def error_exponent(ratio: float) -> int:
    """-log10 of a ratio, rounded down: what the "read error rate" of Indilinx drives shows. Needs ratio > 0.

    Rounded down, not to the nearest: so it is on all eight real dumps at hand (2.9e-8 shows as 7).
    """
    return math.floor(-math.log10(ratio))


def derived(values: Mapping[str, Number]) -> Iterator[tuple[str, str, str, Number]]:
    """(key, unit, meaning, value) of everything that follows from these fields; nothing is divided by zero."""
    error_bits, host_read = values.get("error_bits"), values.get("host_read_bytes")
    if error_bits is not None and host_read:
        yield "rber", "ratio", "wrong bits per bit the host read", raw_bit_error_ratio(error_bits, host_read)
    if error_bits is not None and (events := values.get("corrected_read_count")):
        yield "error_bits_per_event", "bits", "wrong bits per read that had any; grows with age", error_bits / events
    host, nand = values.get("host_written_bytes"), values.get("nand_written_bytes")
    if host and nand is not None:
        yield "write_amplification", "ratio", "bytes written to flash per byte of the host", nand / host
    rated = values.get("rated_pe_cycles")
    if rated is None and (inferred := _rating(values)):
        yield "rated_pe_cycles", "cycles", "rating that makes the per cent used fit the erase count", inferred
        rated = inferred
    life = _remaining_life(values, rated)
    if life is not None:
        yield "remaining_life_ratio", "ratio", "share of the rated erase count that is left", life


def _remaining_life(values: Mapping[str, Number], rated: Number | None) -> float | None:
    """From the erase count where there is one; what the drive reports of itself is the last resort."""
    average = values.get("erase_count_average")
    if average is not None and rated:
        return max(0.0, 1 - average / rated)
    if (used := values.get("life_used_percent")) is not None:
        return max(0.0, 1 - used / 100)
    if (left := values.get("life_left_percent")) is not None:
        return min(1.0, left / 100)
    return None


def _rating(values: Mapping[str, Number]) -> int | None:
    """The one usual rating R with floor(100 x average erase count / R) = per cent used; None when not just one."""
    average, used = values.get("erase_count_average"), values.get("life_used_percent")
    if average is None or used is None:
        return None
    fitting = [rating for rating in RATINGS if 100 * average // rating == used]
    return fitting[0] if len(fitting) == 1 else None


def doubts(values: Mapping[str, Number]) -> tuple[Doubt, ...]:
    """What the fields say against each other."""
    reported, average = values.get("reported_life_percent"), values.get("erase_count_average")
    rated = values.get("rated_pe_cycles")
    if reported is None or average is None or not rated:
        return ()
    left_percent = max(0, 100 - 100 * average // rated)
    if abs(reported - left_percent) <= 1:  # the drive rounds, and never shows more than 99
        return ()
    past = " The rating is passed, and past it this attribute is known to be wrong." if average > rated else ""
    message = (
        f"the drive reports {reported} % life left; {average} of {rated} rated erases leave {left_percent} %.{past}"
    )
    return (Doubt("LifeDisagrees", message, "believe the erase count"),)
