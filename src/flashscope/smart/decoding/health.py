"""One health model for every family: numbers derived from the fields, and contradictions between them.

    Reading with the fields of tables and logs
        --rating-->           rated erase cycles, when the drive does not state them
        --contradictions-->   impossible numbers are shown; the more certain number replaces them
        --derivations-->      write amplification, bit error ratio, evenness, spare, life left
    -> the same Reading, complete

Works on fields by key, so a new family needs only the same names of fields as the others. A number that the drive
states itself is never replaced by a derived one of the same key.
Not modelled here: reads by collection and refresh, except in the interval of `rber`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from flashscope.smart.decoding.contradictions import COMPRESSING_FAMILIES, HIGHEST_WRITE_AMPLIFICATION, Case, findings
from flashscope.smart.decoding.life import life_of
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.rating import inferred_rating
from flashscope.smart.decoding.raw_flash import raw_flash_bytes
from flashscope.smart.decoding.reading import Contradiction, Field, Reading
from flashscope.smart.decoding.span import Span, derived
from flashscope.smart.decoding.unfilled import left_is_not_filled_in, spare_of_nvme_is_not_filled_in
from flashscope.smart.dump import Dump

Number = int | float
_BANKS_MOST = 32
_RATIO_OF_NOISE = 0.5  # share of wrong bits in random data


def complete(reading: Reading, dump: Dump) -> Reading:
    """The reading with derived fields and contradictions; a reading without fields is returned unchanged."""
    if not reading.fields:
        return reading
    fields = dict(reading.fields)
    if (rating := inferred_rating(reading)) is not None:
        fields[rating.key] = rating
    case = Case(replace(reading, fields=fields), dump)
    found = [*findings(case), *left_is_not_filled_in(case), *spare_of_nvme_is_not_filled_in(case)]
    for one in found:
        for key in one.drop:
            fields.pop(key, None)
        if one.replacement is not None:
            fields[one.replacement.key] = one.replacement
    case = Case(replace(reading, fields=fields), dump)
    for rule in DERIVATIONS:
        for field in rule(case):
            fields.setdefault(field.key, field)
    shown = tuple(Contradiction(one.kind, one.message, one.believed) for one in found)
    return replace(reading, fields=fields, contradictions=(*reading.contradictions, *shown))


def raw_bit_error_ratio(error_bits: Number, host_read_bytes: Number) -> float:
    """Wrong bits per bit read [ratio]: error bits / (sectors read x 4096).

    Collection and refresh read flash too. Their wrong bits are counted, but not the sectors they read, so the ratio is
    too high where such reads are many. NaN when nothing was read.
    """
    return error_bits / (host_read_bytes * 8) if host_read_bytes else math.nan


def error_exponent(ratio: float) -> int:
    """-log10 of a ratio, rounded down, as the "read error rate" of Indilinx drives shows it. Needs ratio > 0.

    Rounded down, not to the nearest: all eight available real dumps show this (2.9e-8 shows as 7).
    """
    return math.floor(-math.log10(ratio))


def write_amplification(case: Case) -> Iterator[Field]:
    """Bytes written to flash per byte of the host: by two counters, by two page counters, or by erase counts.

    No field where it would be higher than on any drive: then the meaning of one of the sources is wrong.
    """
    for field in _write_amplification(case):
        if field.value <= HIGHEST_WRITE_AMPLIFICATION:
            yield field


def _write_amplification(case: Case) -> Iterator[Field]:
    meaning = "bytes written to flash for each byte the host wrote"
    host, nand = case.field("host_written_bytes"), case.field("nand_written_bytes")
    pages, more = case.field("host_program_page_count"), case.field("background_program_page_count")
    if host and nand and host.value > 0:
        span = Span.of(nand) / Span.of(host)
        yield derived("write_amplification", "ratio", meaning, span, (nand, host), at_best="verified")
    elif pages and more and pages.value > 0:
        span = (Span.of(pages) + Span.of(more)) / Span.of(pages)
        yield derived("write_amplification", "ratio", meaning, span, (pages, more), at_best="verified")
    elif (by_erases := _written_by_erases(case)) and host and host.value > 0:
        written, average = by_erases
        span = written / Span.of(host)
        if not case.reading.family.startswith(COMPRESSING_FAMILIES):
            if span.high < 1:
                return  # these erases are not of all blocks
            span = Span(max(span.value, 1.0), max(span.low, 1.0), span.high)  # what the host wrote is in the flash
        text = f"{meaning}; by erase counts and the flash a drive of this size has inside, so only roughly"
        yield derived("write_amplification", "ratio", text, span, (average, host), at_best="inferred")


def _written_by_erases(case: Case) -> tuple[Span, Field] | None:
    """Bytes written to flash if every block was filled between its erases; None without erase count or capacity."""
    average, user_bytes = case.field("erase_count_average"), case.dump.user_bytes
    if average is None or not user_bytes or average.value <= 0:
        return None
    return Span.of(average) * raw_flash_bytes(user_bytes), average


def erase_evenness(case: Case) -> Iterator[Field]:
    """Average erase count over the highest: 1 when all blocks are worn alike."""
    average, highest = case.field("erase_count_average"), case.field("erase_count_max")
    if average and highest and highest.value > 0:
        span = (Span.of(average) / Span.of(highest)).at_most(1.0)
        meaning = "average erase count over the highest; 1 when all blocks are worn alike"
        yield derived("erase_count_evenness_ratio", "ratio", meaning, span, (average, highest), at_best="verified")


def bit_errors(case: Case) -> Iterator[Field]:
    """RBER, its exponent, and the number of wrong bits per error event."""
    bits, events = case.field("error_bits"), case.field("corrected_read_count")
    if bits is None:
        return
    together = bits.value / events.value if events and events.value else 1.0
    if events and events.value:
        span = Span.of(bits) / Span.of(events)
        meaning = "wrong bits per read that had any; near 1 when spread, more when a few blocks are bad"
        yield derived("error_bits_per_event", "bits", meaning, span, (bits, events), at_best="verified")
    read = case.field("host_read_bytes")
    if read is None or read.value <= 0:
        return
    ratio = _error_ratio(case, bits, read, together)
    if ratio.value > _RATIO_OF_NOISE:
        return  # nearly all wrong bits come from internal reads of the drive
    meaning = "wrong bits per bit the host read, before correction (RBER)"
    yield derived("rber", "ratio", meaning, ratio, (bits, read), at_best="inferred")
    if bits.value > 0 and ratio.low > 0:
        highest = error_exponent(ratio.low)
        span = Span(error_exponent(ratio.value), error_exponent(min(ratio.high, 1.0)), highest)
        meaning = "RBER as its negative power of ten, rounded down; higher is better"
        yield derived("read_error_exponent", "count", meaning, span, (bits, read), at_best="inferred")


def _error_ratio(case: Case, bits: Field, read: Field, together: float) -> Span:
    """RBER. Low end: the drive itself also read all data ever written to flash. Both ends: chance of the count."""
    chance = 1.96 * math.sqrt(max(bits.value, 1) * max(together, 1.0))
    moved = case.field("nand_written_bytes")
    moved_high = moved.high if moved else _moved_by_erases(case)
    low = max(0.0, bits.low - chance) / (8 * (max(read.high, read.value) + moved_high))
    high = (bits.high + chance) / (8 * read.low) if read.low > 0 else math.inf
    return Span(raw_bit_error_ratio(bits.value, read.value), low, min(1.0, high))


def _moved_by_erases(case: Case) -> float:
    by_erases = _written_by_erases(case)
    return by_erases[0].high if by_erases else 0.0


def errors_by_bank(case: Case) -> Iterator[Field]:
    """How unequal the flash banks are, where a drive counts wrong bits for each (Indilinx, in its GP log 03h)."""
    found = (case.field(f"error_bits_bank_{bank}") for bank in range(_BANKS_MOST))
    banks = [field for field in found if field is not None]
    whole = sum(field.value for field in banks)
    if len(banks) < 2 or not whole:
        return
    worst = max(banks, key=lambda field: field.value)
    meaning = f"wrong bits of the worst of {len(banks)} flash banks over the mean of all; 1 when all are alike"
    span = Span.exactly(worst.value * len(banks) / whole)
    yield derived("bank_error_spread_ratio", "ratio", meaning, span, (worst,), at_best="verified")


def spare_left(case: Case) -> Iterator[Field]:
    """Spare blocks left, as a share of all: free over the sum of free and used."""
    spare = case.field("spare_block_count")
    gone = case.field("grown_bad_block_count") or case.field("retired_block_count")
    if spare and gone and spare.value + gone.value > 0:
        value = 100 * spare.value / (spare.value + gone.value)
        low = 100 * spare.low / max(1.0, spare.low + gone.high)
        high = min(100.0, 100 * spare.high / max(1.0, spare.high + gone.low))
        meaning = "spare blocks still free, of those there were"
        span = Span(value, min(low, value), max(high, value))
        yield derived("spare_left_percent", "per cent", meaning, span, (spare, gone), at_best="inferred")


def remaining_life(case: Case) -> Iterator[Field]:
    """Share of the rated life that is left, by all that the drive says of it (`life.py`)."""
    life = life_of(case.reading, promised_writes(case.dump))
    if life is None:
        return
    meaning = "share of the rated life that is left, as the drive claims; its erase count or rating is not shown"
    if life.by_erases:
        meaning = "share of the rated erase cycles that is left, worked out from the erase count; 0 once it is reached"
    at_best = "verified" if life.by_erases else "documented"
    yield derived("remaining_life_ratio", "ratio", meaning, life.left.at_most(1.0), life.sources, at_best=at_best)


DERIVATIONS: tuple[Callable[[Case], Iterator[Field]], ...] = (
    write_amplification,
    erase_evenness,
    bit_errors,
    errors_by_bank,
    spare_left,
    remaining_life,
)
"""In this order; none uses the result of another."""
