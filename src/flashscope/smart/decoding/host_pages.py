"""Drives that count the flash pages they program: bytes written to flash, and a counter of host bytes that wrapped.

pages for the host x 16 KiB = host bytes                  usual: all pages are of that size
                            = host bytes + k x 2^32 sectors    the host's counter wrapped k times
                            otherwise                     size of a page = host bytes / pages
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flashscope.smart.decoding.reading import Contradiction, Field
from flashscope.units import format_bytes

PAGE_BYTES = 16384  # of flash, on most drives that count pages
_OTHER_PAGES_BYTES = (2048, 4096, 8192, 32768, 65536)
_USUAL_RATIO = 0.05
_WRAP_SECTORS = 1 << 32
_WRAP_BYTES = _WRAP_SECTORS * 512
_SAME_RATIO = 0.01
_ROUND_RATIO = 0.05  # of 2^32 sectors: largest error of the sum, so small that it seldom fits by chance
_HOST, _PAGES, _BACKGROUND = "host_written_bytes", "host_program_page_count", "background_program_page_count"


def nand_by_pages(fields: Mapping[str, Field]) -> Field | None:
    """Bytes written to flash; None where pages or host bytes are unknown."""
    pages, more, host = fields.get(_PAGES), fields.get(_BACKGROUND), fields.get(_HOST)
    if pages is None or more is None or host is None or not pages.value or not host.value:
        return None
    page_bytes: int | float = host.value / pages.value
    usual = _near(page_bytes, PAGE_BYTES, _USUAL_RATIO)
    if usual:
        page_bytes = PAGE_BYTES
    value = round((pages.value + more.value) * page_bytes)
    meaning = f"written to flash, by pages of {page_bytes / 1024:.4g} KiB"
    origin = f"{_PAGES}, {_BACKGROUND}" + ("" if usual else f", {_HOST}")
    low, high = (value, value) if usual else (round(value * 0.95), round(value * 1.05))
    provenance = "verified" if usual else "inferred"
    return Field("nand_written_bytes", value, "bytes", meaning, provenance, low, high, None, origin)


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
