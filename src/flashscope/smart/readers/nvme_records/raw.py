"""The records as raw pages, where the log is known: the program that read them names it, or `recognise.py` is certain.

01h   entries of 64 bytes: number in bytes 0 to 7, status in 12 and 13
06h   4 bytes, then twenty results of 28 bytes; the low half of the first byte is the result
09h   endurance.LAYOUT
0Dh   a head of 512 bytes, then events: kind in byte 0, length of the head less 3 in byte 2, of the rest in 22 and 23
"""

from __future__ import annotations

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.nvme_records.endurance import LAYOUT, add_group
from flashscope.smart.readers.nvme_records.errors import add_error, status
from flashscope.smart.readers.nvme_records.events import add_event
from flashscope.smart.readers.nvme_records.recognise import (
    ENDURANCE,
    ERROR_BYTES,
    ERRORS,
    EVENT_HEAD_LEAST,
    EVENTS,
    HEAD_BYTES,
    SELF_TESTS,
    TEST_BYTES,
    TEST_COUNT,
    TESTS_AT,
)
from flashscope.smart.readers.nvme_records.self_tests import add_test

_EVENTS_MOST = 100_000


def read_record_page(data: bytes, log_id: int, draft: Draft) -> bool:
    """Write a raw log into the draft; returns whether it is one of the records."""
    if log_id == ERRORS and len(data) >= ERROR_BYTES:
        for start in range(0, len(data) - ERROR_BYTES + 1, ERROR_BYTES):
            kind, code = status(_number(data, start + 12, 2), with_phase=True)
            add_error(draft, _number(data, start, 8), kind, code)
    elif log_id == SELF_TESTS and len(data) >= TESTS_AT + TEST_BYTES:
        ends = min(len(data), TESTS_AT + TEST_COUNT * TEST_BYTES)
        for start in range(TESTS_AT, ends - TEST_BYTES + 1, TEST_BYTES):
            add_test(draft, data[start] & 0xF)
    elif log_id == ENDURANCE and len(data) >= HEAD_BYTES:
        add_group(draft, {name: _number(data, place, size) for name, place, size in LAYOUT})
    elif log_id == EVENTS and len(data) >= HEAD_BYTES and data[0] == EVENTS:
        _events(data, draft)
    else:
        return False
    draft.protocol = draft.protocol or "NVMe"
    return True


def _events(data: bytes, draft: Draft) -> None:
    place, left = HEAD_BYTES, min(_number(data, 4, 4), _EVENTS_MOST)
    while left and place + EVENT_HEAD_LEAST <= len(data):
        step = data[place + 2] + 3 + _number(data, place + 22, 2)
        if not data[place] or place + step > len(data):
            break
        add_event(draft, data[place])
        place, left = place + step, left - 1
    if left:
        draft.remark(f"{left} events of the persistent event log are missing: the page ends before them")


def _number(data: bytes, place: int, size: int) -> int:
    return int.from_bytes(data[place : place + size], "little")
