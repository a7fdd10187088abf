"""Drives that count the flash pages they program: bytes written to flash, and a counter of host bytes that wrapped.

pages for the host x 16 KiB = host bytes                  usual: all pages are of that size
                            = host bytes + k x 2^32 sectors    the host's counter wrapped k times
                            otherwise                     size of a page = host bytes / pages
(pages + the drive's own) x size   <= erase count x flash in the drive <= 3.4 times it, else the pages are not believed
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from flashscope.smart.decoding.raw_flash import raw_flash_bytes
from flashscope.smart.decoding.reading import Contradiction, Field
from flashscope.smart.decoding.span import Span
from flashscope.smart.dump import Dump
from flashscope.units import format_bytes

PAGE_BYTES = 16384  # of flash, on most drives that count pages
_OTHER_PAGES_BYTES = (2048, 4096, 8192, 32768, 65536)
_USUAL_RATIO = 0.05
_WRAP_SECTORS = 1 << 32
_WRAP_BYTES = _WRAP_SECTORS * 512
_SAME_RATIO = 0.01
_FEW_CYCLES = 5
_TWO_BIT_RATING = 2800
_LEAST_FILLED = 0.6  # share of a page that the host's bytes fill at least, on drives known to have pages of 16 KiB
_ROUND_RATIO = 0.05  # of 2^32 sectors: largest error of the sum, so small that it seldom fits by chance
_HOST, _PAGES, _BACKGROUND = "host_written_bytes", "host_program_page_count", "background_program_page_count"


def nand_by_pages(fields: Mapping[str, Field], dump: Dump) -> Field | None:
    """Bytes written to flash; None where pages or host bytes are unknown.

    Erases bound them: a drive whose erases fit no size of page has counters of pages that went round, or that count
    something else, and the bytes follow from its erases.
    """
    pages, more, host = fields.get(_PAGES), fields.get(_BACKGROUND), fields.get(_HOST)
    if pages is None or more is None or host is None or not pages.value or not host.value:
        return None
    together, by_host = pages.value + more.value, host.value / pages.value
    by_erases, times_most = _by_erases(fields, dump)
    origin = f"{_PAGES}, {_BACKGROUND}"
    usual_bytes = round(together * PAGE_BYTES)
    fits = by_erases is not None and by_host <= (1 + _USUAL_RATIO) * PAGE_BYTES and _within(by_erases, usual_bytes, 1.6)
    if fits or (_near(by_host, PAGE_BYTES, _USUAL_RATIO) and _within(by_erases, usual_bytes, times_most)):
        loose = by_erases is not None and (not fits or by_host < _LEAST_FILLED * PAGE_BYTES)
        high = max(usual_bytes, round(by_erases.value)) if by_erases is not None and loose else usual_bytes
        provenance = "inferred" if loose else "verified"
        meaning = f"written to flash, by pages of {PAGE_BYTES / 1024:.4g} KiB"
        return Field("nand_written_bytes", usual_bytes, "bytes", meaning, provenance, usual_bytes, high, None, origin)
    value = round(together * by_host)
    if _within(by_erases, value, times_most):
        high = round(max(value * 1.05, by_erases.value if by_erases is not None else 0))
        meaning = f"written to flash, by pages of {by_host / 1024:.4g} KiB, so that those of the host are its bytes"
        origin = f"{origin}, {_HOST}"
        return Field("nand_written_bytes", value, "bytes", meaning, "inferred", round(value * 0.95), high, None, origin)
    return _from_erases(by_erases, max(value, host.value)) if by_erases is not None else None


def _from_erases(by_erases: Span, at_least: float) -> Field:
    """Bytes written to flash by erases alone, of which some may have been of the write cache."""
    meaning = (
        "written to flash, by erase count and flash in the drive: its counters of pages went round, or count pages of "
        "an unknown size"
    )
    best = round(max(by_erases.value / 1.5, at_least))
    low, high = round(min(best, max(by_erases.low / 3.5, at_least))), round(max(by_erases.high, best))
    return Field("nand_written_bytes", best, "bytes", meaning, "assumed", low, high, None, "erase_count_average")


def _by_erases(fields: Mapping[str, Field], dump: Dump) -> tuple[Span | None, float]:
    """Erase count x flash in the drive, and how many times the bytes written that may be.

    An erase of a block that served as write cache counts in full, although the block held a third of the bytes. Flash
    rated for 2800 cycles or more has no such cache.
    """
    average, used = fields.get("erase_count_average"), fields.get("life_used_percent")
    if average is None or average.value < _FEW_CYCLES or not dump.user_bytes:
        return None, math.inf
    two_bits = used is not None and used.value >= 10 and 100 * average.value / used.value >= _TWO_BIT_RATING
    return Span.of(average) * raw_flash_bytes(dump.user_bytes), 1.6 if two_bits else 3.4


def _within(by_erases: Span | None, written: float, times_most: float) -> bool:
    return by_erases is None or (0.35 * written <= by_erases.high and by_erases.value <= times_most * written)


def host_counter_gone_round(fields: Mapping[str, Field]) -> tuple[Field, Contradiction] | None:
    """Host bytes plus the wraps of its counter at 2^32 sectors, found from the pages; None where it never wrapped."""
    pages, host = fields.get(_PAGES), fields.get(_HOST)
    if pages is None or host is None or host.raw is None or host.value != host.raw * 512 or host.raw >= _WRAP_SECTORS:
        return None
    by_pages = pages.value * PAGE_BYTES
    turns = round((by_pages - host.value) / _WRAP_BYTES)
    value = host.value + turns * _WRAP_BYTES
    off_bytes = _SAME_RATIO * by_pages
    if turns < 1 or abs(value - by_pages) > off_bytes or off_bytes > _ROUND_RATIO * _WRAP_BYTES:
        return None
    if any(_near(host.value / pages.value, size, 2 * _SAME_RATIO) for size in _OTHER_PAGES_BYTES):
        return None  # pages of another size explain the same without a wrap
    times = "once" if turns == 1 else f"{turns} times"
    message = (
        f"{host.origin} makes {format_bytes(host.value)}, the pages programmed for the host {format_bytes(by_pages)}: "
        f"its counter went round at 2^32 sectors {times}. {format_bytes(value)} is believed."
    )
    meaning = f"{host.meaning}; its counter went round at 2^32 {times}"
    surer = replace(host, value=value, low=value, high=value, meaning=meaning, provenance="inferred")
    return surer, Contradiction("CounterWentRound", message, _HOST)


def _near(one: float, other: float, ratio: float) -> bool:
    return abs(one / other - 1) < ratio
