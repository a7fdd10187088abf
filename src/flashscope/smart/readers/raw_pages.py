"""Raw pages as the drive gives them, recognized by their content.

    4096 bytes  OCP logs C2h, C4h, C5h (their GUIDs are at the end)
    512 bytes   ATA SMART data (sum of all bytes is 0 modulo 256), thresholds behind it if they belong to it
                a page of ATA Device Statistics (its header names it)
                NVMe log 02h, OCP log C0h (its GUID), Intel log CAh (its first three items), logs of other makers
                GP log 03h of Indilinx controllers: the firmware's statistics, with errors per bank of flash

A file may hold several pages one behind the other. NVMe's logs of errors, self-tests, endurance groups and events are
read from a file of their own, and only where its content leaves no other choice (`nvme_records/recognise.py`).
"""

from __future__ import annotations

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump, PrintedAttribute, Statistic
from flashscope.smart.readers import indilinx_log, nvme_names
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.intel_log import is_intel_page, read_intel_page
from flashscope.smart.readers.nvme_records.raw import read_record_page
from flashscope.smart.readers.nvme_records.recognise import HEALTH, is_health_or_group, record_of
from flashscope.smart.readers.ocp import is_ocp_page, read_ocp_page
from flashscope.smart.readers.vendor_logs.raw import layout_of_page, read_page

PAGE_BYTES, LONG_PAGE_BYTES = 512, 4096
ATTRIBUTE_COUNT, ATTRIBUTE_BYTES, ATTRIBUTES_AT = 30, 12, 2
_ENOUGH_ATTRIBUTES = 3
_NEWEST_STATISTICS_REVISION = 10
_STATISTICS_PAGES = range(8)
# Sizes of values that are not of four bytes (ACS-4, Device Statistics log): place -> bytes.
_SIZES = {(1, 0x18): 6, (1, 0x20): 6, (1, 0x28): 6, (1, 0x30): 6, (1, 0x38): 6, (7, 0x08): 1} | {
    (5, offset): 1 for offset in (0x08, 0x10, 0x18, 0x20, 0x28, 0x30, 0x38, 0x40, 0x48, 0x58, 0x68)
}
_SIGNED_PAGE = 5


def read_raw_pages(data: bytes, source: str, *, log_id: int | None = None) -> Dump:
    """The dump in raw pages. Raises WrongUse when no page is of a known kind.

    log_id: the number of the NVMe log that the pages are of, where the program that read them says so.
    """
    draft = Draft(source, "raw pages")
    known_id = log_id if log_id is not None else record_of(data)
    if known_id is not None and read_record_page(data, known_id, draft):
        return draft.finished()
    if log_id is None and len(data) == PAGE_BYTES and is_nvme_health(data) and is_health_or_group(data):
        raise _ambiguous(source)
    place = 0
    while len(data) - place >= PAGE_BYTES:
        place += _page(data, place, draft, log_id)
    rest = data[place:]
    if is_intel_page(rest):
        draft.protocol = "NVMe"
        read_intel_page(rest, draft)
    elif indilinx_log.is_statistics(rest):
        indilinx_log.read_statistics(rest, draft)
    elif rest and (layout := layout_of_page(rest, log_id)) is not None:
        read_page(rest, layout, draft)
    elif rest:
        draft.breaks_off(f"{len(rest)} bytes at the end are not a whole page")
        draft.not_read(f"{len(rest)} bytes at {place}: {rest[:16].hex(' ')}")
    if not draft.holds_anything:
        raise WrongUse(
            f"{source} holds {len(data)} bytes that are not a known page; it begins with {data[:16].hex(' ')}",
            accepted="pages of 512 bytes: SMART data, Device Statistics, GP log 03h, NVMe log 02h, OCP C0h, Intel CAh, "
            "logs of Micron, WDC and Samsung; of 4096 bytes: OCP C2h, C4h, C5h; NVMe logs 01h, 06h, 09h, 0Dh alone",
        )
    return draft.finished()


def _ambiguous(source: str) -> WrongUse:
    return WrongUse(
        f"{source} has no temperature: it may be the health log of an NVMe drive (02h) or an endurance group's (09h)",
        accepted="a page whose log is certain",
        advice="read it as text or JSON (nvme smart-log, nvme endurance-log), or as nvme get-log's hex dump, which "
        "says the log-id",
    )


def _page(data: bytes, place: int, draft: Draft, log_id: int | None) -> int:
    """Read the page at `place`; returns its number of bytes."""
    page, longer = data[place : place + PAGE_BYTES], data[place : place + LONG_PAGE_BYTES]
    if len(longer) == LONG_PAGE_BYTES and (layout := layout_of_page(longer, log_id)) is not None and layout.is_long:
        read_page(longer, layout, draft)
        return LONG_PAGE_BYTES
    if is_ocp_page(page):
        draft.protocol = "NVMe"
        read_ocp_page(page, draft)
    elif is_intel_page(page):
        draft.protocol = "NVMe"
        read_intel_page(page, draft)
    elif is_statistics(page):
        draft.protocol = "ATA"
        read_statistics(page, draft)
    elif is_attributes(page):
        draft.protocol = "ATA"
        following = data[place + PAGE_BYTES : place + 2 * PAGE_BYTES]
        thresholds = _thresholds(page, following)
        read_attributes(page, thresholds or {}, draft)
        return PAGE_BYTES if thresholds is None else 2 * PAGE_BYTES
    elif indilinx_log.is_statistics(page):
        draft.protocol = "ATA"
        indilinx_log.read_statistics(page, draft)
    elif is_nvme_health(page) and (log_id == HEALTH or not is_health_or_group(page)):
        draft.protocol = "NVMe"
        for name, offset, size in nvme_names.LAYOUT:
            value = int.from_bytes(page[offset : offset + size], "little")
            if value or not name.startswith("temperature_sensor"):
                draft.health(name, value)
    elif any(page) and (layout := layout_of_page(page, log_id)) is not None:
        read_page(page, layout, draft)
    elif any(page):
        draft.not_read(f"a page of no known kind at byte {place}: {page[:16].hex(' ')}")
    return PAGE_BYTES


def _entries(page: bytes) -> list[bytes]:
    """The twelve bytes of each attribute that is there."""
    starts = range(ATTRIBUTES_AT, ATTRIBUTES_AT + ATTRIBUTE_COUNT * ATTRIBUTE_BYTES, ATTRIBUTE_BYTES)
    return [page[start : start + ATTRIBUTE_BYTES] for start in starts if page[start]]


def is_attributes(page: bytes) -> bool:
    """Whether a page is ATA SMART data: different attribute numbers, few reserved bits set, a correct sum."""
    entries = _entries(page)
    ids = [entry[0] for entry in entries]
    if len(page) != PAGE_BYTES or len(ids) < _ENOUGH_ATTRIBUTES or len(set(ids)) != len(ids) or 255 in ids:
        return False
    # The high byte of the flags and the last byte are reserved; a few drives use them.
    strange = sum(bool(entry[2] or entry[11]) for entry in entries)
    return strange * 4 <= len(entries) and (sum(page) % 256 == 0 or (ids == sorted(ids) and not strange))


def read_attributes(page: bytes, thresholds: dict[int, int], draft: Draft) -> None:
    """Write the attributes of a page of SMART data into the draft. thresholds: by attribute id."""
    if sum(page) % 256:
        draft.remark("the checksum of the SMART data is wrong")
    for entry in _entries(page):
        flags = int.from_bytes(entry[1:3], "little")
        attribute = SmartAttribute(entry[0], flags, entry[3], entry[4], entry[5:11])
        raw_text = str(int.from_bytes(attribute.raw, "little"))
        draft.attribute(attribute, PrintedAttribute(thresholds.get(entry[0]), raw_text, pre_failure=bool(flags & 1)))


def _thresholds(page: bytes, following: bytes) -> dict[int, int] | None:
    """The thresholds in the page behind the SMART data: it names the same attributes; None when it does not."""
    if len(following) != PAGE_BYTES or sum(following) % 256:
        return None
    entries = _entries(following)
    if not entries or any(any(entry[2:]) for entry in entries):
        return None
    ids = {entry[0] for entry in _entries(page)}
    return {entry[0]: entry[1] for entry in entries} if ids >= {entry[0] for entry in entries} else None


def is_statistics(page: bytes) -> bool:
    """Whether a page is one of the Device Statistics log: revision, page number, statistics flagged as supported."""
    if len(page) != PAGE_BYTES or page[3:8].count(0) != 5:
        return False
    revision, number = int.from_bytes(page[:2], "little"), page[2]
    if not 0 < revision <= _NEWEST_STATISTICS_REVISION or number not in _STATISTICS_PAGES:
        return False
    if number == 0:
        count = page[8]
        listed = page[9 : 9 + count]
        return 0 < count < 32 and listed[0] == 0 and list(listed) == sorted(set(listed)) and not any(page[9 + count :])
    words = [page[start : start + 8] for start in range(8, PAGE_BYTES, 8)]
    # The top byte holds flags: supported, valid, normalized, DSN, condition; no value without "supported".
    return any(word[7] & 0x80 for word in words) and all(word[7] & 0x80 or not any(word) for word in words)


def read_statistics(page: bytes, draft: Draft) -> None:
    """Write a page of the Device Statistics log into the draft."""
    number = page[2]
    for offset in range(8, PAGE_BYTES, 8) if number else ():
        word = page[offset : offset + 8]
        if not word[7] & 0x80:
            continue
        size = _SIZES.get((number, offset), 4)
        value = int.from_bytes(word[:size], "little", signed=number == _SIGNED_PAGE and size == 1)
        draft.statistics.append(Statistic(number, offset, value if word[7] & 0x40 else None, bool(word[7] & 0x20)))


def is_nvme_health(page: bytes) -> bool:
    """Whether a page is NVMe log 02h: reserved bytes are zero, its temperature and percentages are possible."""
    kelvin = int.from_bytes(page[1:3], "little")
    return (
        len(page) == PAGE_BYTES
        and not any(page[7:32])
        and not any(page[232:])
        and (kelvin == 0 or 200 < kelvin < 450)
        and page[3] <= 100
        and page[4] <= 100
        and any(page[32:192])
    )
