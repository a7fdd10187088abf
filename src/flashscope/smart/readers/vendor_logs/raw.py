"""Raw pages of vendor logs. Most have no name in them, so a page is compared with what each layout demands of it.

A page is read when exactly one layout is possible: reserved bytes are 0, shares lie between 1 and 100, the lowest erase
count is not above the highest. Where the program that wrote the page named the log's number, only its layouts count.
"""

from __future__ import annotations

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.vendor_logs.layouts import Layout, RawMarks, layouts

_WORD = 4


def layout_of_page(page: bytes, log_id: int | None = None) -> Layout | None:
    """The layout of a raw page; None when none fits, or several do. log_id: the number of the log, where known."""
    fitting = [
        layout
        for layout in layouts()
        if layout.raw is not None and (layout.raw.guid or _may_be(layout.raw, log_id))
        if _fits(page, layout.raw)
    ]
    named = [layout for layout in fitting if layout.raw is not None and layout.raw.guid]
    if named:
        return named[0]
    return fitting[0] if len(fitting) == 1 else None


def _may_be(marks: RawMarks, log_id: int | None) -> bool:
    return marks.id == log_id if log_id is not None else not marks.by_id


def _fits(page: bytes, marks: RawMarks) -> bool:
    if len(page) < marks.length_bytes:
        return False
    if marks.guid:
        return page[marks.length_bytes - len(marks.guid) : marks.length_bytes] == marks.guid
    return (
        all(not any(page[first:end]) for first, end in marks.zero)
        and all(_number(page, place, size) for place, size in marks.some)
        and all(low <= _number(page, place, size) <= high for place, size, low, high in marks.within)
        and all(_rises(page, places) for places in marks.ordered)
    )


def _rises(page: bytes, places: tuple[int, ...]) -> bool:
    numbers = [_number(page, place, _WORD) for place in places]
    return numbers == sorted(numbers)


def _number(page: bytes, place: int, size: int) -> int:
    return int.from_bytes(page[place : place + size], "little")


def read_page(page: bytes, layout: Layout, draft: Draft) -> None:
    """Write the numbers of a raw page into the draft."""
    draft.protocol = draft.protocol or "NVMe"
    for entry in layout.entries:
        if entry.size and entry.at + entry.size <= len(page):
            draft.log(layout.log, entry.name, entry.part(_number(page, entry.at, entry.size)))
