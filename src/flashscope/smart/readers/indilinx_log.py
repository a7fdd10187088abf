"""GP log 03h of Indilinx Barefoot controllers: the firmware's own statistics, with errors per bank of flash.

    0x20  the numbers behind attributes 1, 9, 12, 184, 195, 196, 197 (32 bits each), 0x40 198, 0x48 199, 0x50 200,
    0x58 201 (64 bits), 0x60 202, 0x64 203, 0x68 204, 0x6c 205, 0x70 206, 0x74 207, 0x78 208, 0x7c 209
    0xe0  error bits seen, per bank (32 bits each)          0x160  reads with corrected errors, per bank

The layout is right where the sums of the errors per bank are about attributes 202 and 203 (not exactly: the counters
are read one after another).
Source: one real dump; the sums agree within 2e-7.
"""

from __future__ import annotations

from dataclasses import replace

from flashscope.smart.dump import Dump
from flashscope.smart.readers.draft import Draft

LOG = "indilinx_gp_03"
PAGE = "gp_03"
LEAST_BYTES = 0x190
_NUMBERS: tuple[tuple[int, int, int], ...] = (
    *((id, 0x20 + 4 * index, 4) for index, id in enumerate((1, 9, 12, 184, 195, 196, 197))),
    *((id, 0x40 + 8 * index, 8) for index, id in enumerate((198, 199, 200, 201))),
    *((id, 0x60 + 4 * index, 4) for index, id in enumerate(range(202, 210))),
)
_BANKS_MOST = 32
_ERROR_BITS_AT, _EVENTS_AT = 0xE0, 0x160
_DIFFERENCE_MOST = 1e-3
_RATED_LEAST, _RATED_MOST = 500, 1_000_000


def _four(page: bytes, offset: int) -> int:
    return int.from_bytes(page[offset : offset + 4], "little")


def _banks(page: bytes, start: int) -> list[int]:
    """The counters of the banks, up to the last that is not zero."""
    end = min(start + 4 * _BANKS_MOST, len(page) // 4 * 4, _EVENTS_AT if start < _EVENTS_AT else len(page))
    counts = [_four(page, offset) for offset in range(start, end, 4)]
    while counts and not counts[-1]:
        counts.pop()
    return counts


def is_statistics(page: bytes) -> bool:
    """Whether a page has this layout: a rating, erase counts in order, and banks that sum to the totals."""
    if len(page) < LEAST_BYTES or not _RATED_LEAST <= _four(page, 0x6C) <= _RATED_MOST:
        return False
    if not _four(page, 0x70) <= _four(page, 0x78) <= _four(page, 0x74):
        return False
    for total_at, banks_at in ((0x60, _ERROR_BITS_AT), (0x64, _EVENTS_AT)):
        total, banks = _four(page, total_at), sum(_banks(page, banks_at)) % 2**32
        if abs(total - banks) > max(total, banks) * _DIFFERENCE_MOST + 16:
            return False
    return True


def read_statistics(page: bytes, draft: Draft) -> None:
    """Write the page into the draft: its numbers by attribute ("attribute_202"), and per bank."""
    for id, offset, size in _NUMBERS:
        draft.log(LOG, f"attribute_{id}", int.from_bytes(page[offset : offset + size], "little"))
    error_bits, events = _banks(page, _ERROR_BITS_AT), _banks(page, _EVENTS_AT)
    banks = max(len(error_bits), len(events))
    draft.log(LOG, "bank_count", banks)
    for bank in range(banks):
        draft.log(LOG, f"error_bits_bank_{bank}", error_bits[bank] if bank < len(error_bits) else 0)
        draft.log(LOG, f"corrected_read_count_bank_{bank}", events[bank] if bank < len(events) else 0)
    draft.pages.setdefault(PAGE, page)


def with_statistics(dump: Dump) -> Dump:
    """The dump with the content of its page "gp_03"; the page must be of this layout."""
    draft = Draft(dump.source, dump.format)
    read_statistics(dump.pages[PAGE], draft)
    return replace(dump, vendor_logs={**dump.vendor_logs, **draft.vendor_logs})
