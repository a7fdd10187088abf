"""How many bytes were written to flash: which unit a counter has, which part of the flash it counts, or no number.

    counter x each unit it may have  --at least the host's bytes?-->                     the unit that fits, or none
                                     --about erase count x flash in the drive?-->
    less than the host wrote         --> the rest went to the write cache, which this counter leaves out
    repeats a number of another kind --> not bytes at all

A drive that does not compress writes at least what the host writes, so a smaller number counts only part of the flash:
on drives with three or four bits per cell, the cells outside the write cache. What the cache took is then at least the
difference, and about the bytes of the host, because all of them pass through it.
An erase of a block that served as write cache counts as much as one of a full block, but the block held only a third or
a fourth of the bytes, so erase count x flash may be up to four times the bytes written.
Not modelled here: the share of a cache that is written again by the drive itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from flashscope.smart.decoding.raw_flash import raw_flash_bytes
from flashscope.smart.decoding.reading import Contradiction, Field
from flashscope.smart.decoding.span import Span, derived
from flashscope.smart.dump import Dump
from flashscope.units import format_bytes

TOTAL, FULL, CACHE = "nand_written_bytes", "full_cell_nand_written_bytes", "slc_nand_written_bytes"
FEW_CYCLES = 5  # below, an average erase count says little about bytes
LITTLE_BYTES = 20 * 2**30  # counters of whole GiB lag behind by some of them
SAME_RATIO = 0.98
CACHE_BITS_MOST = 4  # a block with four bits per cell holds a fourth as cache
CACHE_RATIO = 1.8  # erases for so many times the counter's bytes: some of them were of the write cache
HIGHEST_CACHE_AMPLIFICATION = 30.0
HIGHEST_AMPLIFICATION = 200.0
FASTEST_FLASH_BYTES_PER_S = 2e9  # all flash of a SATA drive at once
_UNITS_SEEN = 16  # so many units of a counter later, it has moved if it ever does
_REPEATED_LEAST = 32  # smaller numbers are equal by chance
_OF_BYTES = frozenset({225, 233, 234, 235, 241, 242, 243, 244, 245, 246, 247, 248, 249, 251, 253})
"""Attributes that count bytes or pages on some family: two of them may well be equal."""


@dataclass(frozen=True)
class Settled:
    """fields: by key, those that replace or join the others. withdrawn: keys without a number. contradictions: why."""

    fields: Mapping[str, Field] = field(default_factory=dict)
    withdrawn: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What bounds the bytes written to flash; None where unknown.

    host: bytes of the host. by_erases: average erase count x flash in the drive. hours: with power on.
    """

    host: Field | None
    by_erases: Span | None
    hours: float | None
    compresses: bool

    def allows(self, counted: Span) -> bool:
        """Whether so many bytes can have been written to flash in all."""
        return self.enough(counted) and self.not_too_many(counted)

    def enough(self, counted: Span) -> bool:
        """Whether it is at least what the host wrote."""
        if self.host is None or self.compresses:
            return True
        return counted.high >= SAME_RATIO * self.host.low

    def not_too_many(self, counted: Span) -> bool:
        """Whether neither erases, nor time, nor the host's bytes speak against so many."""
        if self.by_erases is not None:
            return counted.low <= 2 * self.by_erases.high
        if self.hours and counted.low > FASTEST_FLASH_BYTES_PER_S * 3600 * (self.hours + 1):
            return False
        return not (
            self.host and self.host.low >= LITTLE_BYTES and counted.low > HIGHEST_AMPLIFICATION * self.host.high
        )


def evidence(fields: Mapping[str, Field], dump: Dump, *, compresses: bool) -> Evidence:
    """What the other numbers of the drive say about its flash bytes."""
    average, hours = fields.get("erase_count_average"), fields.get("power_on_time_hours")
    by_erases = None
    if average is not None and average.value >= FEW_CYCLES and dump.user_bytes:
        by_erases = Span.of(average) * raw_flash_bytes(dump.user_bytes)
    host = fields.get("host_written_bytes")
    if by_erases is not None and host is not None and host.low > 2 * by_erases.high:
        by_erases = None  # these erases are not of all blocks: the write cache has its own
    return Evidence(host, by_erases, hours.value if hours else None, compresses)


def settled(
    fields: Mapping[str, Field],
    scales: Mapping[str, Sequence[float]],
    dump: Dump,
    *,
    compresses: bool = False,
    cache_apart: bool = False,
) -> Settled:
    """The bytes written to flash in all, after the drive's own counters were held against its other numbers.

    fields: of the drive, its counters of flash in the first of their units. scales: the units [bytes] that such a
    counter may have, by key. compresses: the drive may write less than the host. cache_apart: the family's counter
    never includes the write cache.
    """
    known = evidence(fields, dump, compresses=compresses)
    full, cache = fields.get(TOTAL), fields.get(CACHE)
    if full is None:
        return Settled()
    if not full.value and not (cache and cache.value):
        counted_least = _UNITS_SEEN * max(512.0, full.high - full.low)
        empty = not cache and known.host is not None and known.host.low >= counted_least
        return _withdrawn(full, "is 0 although the host wrote") if empty else Settled()
    if (other := _repeats(full, dump)) is not None:
        return _withdrawn(full, f"repeats the raw number of attribute {other}, which counts no bytes")
    full, unit_known = _in_fitting_unit(full, scales.get(TOTAL, ()), known)
    found: list[Contradiction] = []
    cache, cache_doubt = _cache(cache, known)
    if cache_doubt:
        found.append(Contradiction("FlashFarAboveHost", cache_doubt, ""))
    counted = Span.of(full) + Span.of(cache) if cache else Span.of(full)
    if not known.not_too_many(Span.of(full)) and not unit_known:
        return _withdrawn(full, "fits none of the units that such a counter has", tuple(found))
    parts = {} if cache is None else {FULL: replace(full, key=FULL), CACHE: cache}
    if not known.enough(counted):
        total, told = _with_unseen_cache(full, counted, known)
        parts[FULL] = replace(full, key=FULL, meaning=f"{full.meaning}; without the write cache")
        found.append(told)
    elif cache is not None and cache.provenance == "assumed":  # it may be counted in the other one
        total = replace(full, high=max(full.high, counted.high), provenance="inferred")
    elif cache is not None:
        total = derived(
            TOTAL, "bytes", "written to flash, in all kinds of cells", counted, (full, cache), at_best="verified"
        )
    elif cache_apart and known.by_erases is not None and known.by_erases.value > CACHE_RATIO * counted.value:
        total, _ = _with_unseen_cache(full, counted, known)
        parts[FULL] = replace(full, key=FULL, meaning=f"{full.meaning}; without the write cache")
    else:
        total = full
    total, doubts = _against_erases(total, known)
    found.extend(doubts)
    gone = (CACHE,) if cache is None and CACHE in fields else ()
    return Settled({**parts, TOTAL: total}, gone, tuple(found))


def _withdrawn(full: Field, why: str, found: tuple[Contradiction, ...] = ()) -> Settled:
    message = f"{full.origin} {why}; no bytes written to flash are stated."
    return Settled({}, (TOTAL, CACHE), (*found, Contradiction("FlashBytesUnknown", message, "")))


def _repeats(full: Field, dump: Dump) -> int | None:
    """The attribute of another kind whose raw number this one repeats; None usually."""
    if full.attribute_id is None or not full.raw or full.raw < _REPEATED_LEAST:
        return None
    for one in dump.attributes:
        if one.id not in _OF_BYTES and int.from_bytes(one.raw, "little") == full.raw:
            return one.id
    return None


def _in_fitting_unit(full: Field, scales: Sequence[float], known: Evidence) -> tuple[Field, bool]:
    """The counter in the one unit that fits, else in its likeliest with all that fit; and whether the unit is sure."""
    if len(scales) < 2 or full.raw is None:
        return full, False
    raw = full.raw
    used = min(scales, key=lambda scale: abs(full.value - raw * scale))
    scales = (used, *(scale for scale in scales if scale != used))
    count = full.value / used

    def in_unit(scale: float) -> Field:
        value = round(count * scale)
        return replace(full, value=value, low=value, high=value if scale <= 512 else round(value + scale))

    fitting = [scale for scale in scales if known.allows(Span.of(in_unit(scale)))]
    if not fitting:  # it may count a part of the flash only
        fitting = [scale for scale in scales if known.not_too_many(Span.of(in_unit(scale)))][:1]
    if not fitting:
        return full, False
    chosen = in_unit(fitting[0])
    if len(fitting) == 1:
        known_well = full.provenance != "assumed" and fitting[0] == used
        return chosen if known_well else replace(chosen, provenance="inferred"), True
    meaning = f"{full.meaning}; the unit is assumed, and the interval holds all that it may be"
    return replace(chosen, provenance="assumed", meaning=meaning, high=in_unit(max(fitting)).high), True


def _cache(cache: Field | None, known: Evidence) -> tuple[Field | None, str]:
    """The counter of the write cache, or None and why it is not believed."""
    if cache is None or known.host is None or known.host.low < LITTLE_BYTES:
        return cache, ""
    if cache.low <= HIGHEST_CACHE_AMPLIFICATION * known.host.high:
        return cache, ""
    return None, (
        f"{format_bytes(cache.value)} written to the write cache for {format_bytes(known.host.value)} of the host is "
        "more than any drive does; the number is left out."
    )


def _against_erases(total: Field, known: Evidence) -> tuple[Field, tuple[Contradiction, ...]]:
    """The same, up to what the erases say where they are far more than a write cache explains."""
    if known.by_erases is None or known.by_erases.low <= CACHE_BITS_MOST * max(total.high, total.value):
        return total, ()
    high = round(known.by_erases.value)
    message = (
        f"{format_bytes(total.value)} written to flash by {total.origin}, up to {format_bytes(high)} by erase count "
        "and flash in the drive. Blocks were erased before they were full, or one of the two counts something else."
    )
    doubted = replace(total, high=high, provenance="inferred")
    return doubted, (Contradiction("FlashBelowErases", message, TOTAL),)


def _with_unseen_cache(full: Field, counted: Span, known: Evidence) -> tuple[Field, Contradiction]:
    """All flash bytes where a counter leaves the write cache out, and how that was seen."""
    host = known.host if known.host is not None else full
    unseen = host.value
    high = counted.high + host.high
    if known.by_erases is not None:
        unseen = max(unseen, (known.by_erases.value - counted.value) / (CACHE_BITS_MOST - 1))
        high = max(high, known.by_erases.value)
    span = Span(counted.value + unseen, max(counted.low, host.low), max(high, counted.value + unseen))
    meaning = (
        "written to flash, the write cache included; the drive counts only the flash outside its write cache, through "
        "which about all bytes of the host pass"
    )
    total = derived(TOTAL, "bytes", meaning, span, (full, host), at_best="inferred")
    total = replace(total, origin=f"{full.origin}, host_written_bytes")
    message = (
        f"{format_bytes(counted.value)} written to flash is less than the {format_bytes(host.value)} of the host. "
        "The drive counts only the flash outside its write cache, or from a later day on; the host's bytes are "
        f"believed, and {format_bytes(span.low)} to {format_bytes(span.high)} to flash in all."
    )
    return total, Contradiction("FlashBelowHost", message, "host_written_bytes")
