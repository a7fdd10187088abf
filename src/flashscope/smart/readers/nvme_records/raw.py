"""The records as raw pages: only where the program that read them names the log, since nothing in the page does.

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
from flashscope.smart.readers.nvme_records.self_tests import add_test

ERRORS, SELF_TESTS, ENDURANCE, EVENTS = 0x01, 0x06, 0x09, 0x0D
_ERROR_BYTES = 64
_TESTS_AT, _TEST_BYTES, _TEST_COUNT = 4, 28, 20
_HEAD_BYTES, _EVENT_HEAD_LEAST = 512, 24
_EVENTS_MOST = 100_000


def read_record_page(data: bytes, log_id: int, draft: Draft) -> bool:
    """Write a raw log into the draft; returns whether it is one of the records."""
    if log_id == ERRORS and len(data) >= _ERROR_BYTES:
        for start in range(0, len(data) - _ERROR_BYTES + 1, _ERROR_BYTES):
            kind, code = status(_number(data, start + 12, 2), with_phase=True)
            add_error(draft, _number(data, start, 8), kind, code)
    elif log_id == SELF_TESTS and len(data) >= _TESTS_AT + _TEST_BYTES:
        ends = min(len(data), _TESTS_AT + _TEST_COUNT * _TEST_BYTES)
        for start in range(_TESTS_AT, ends - _TEST_BYTES + 1, _TEST_BYTES):
            add_test(draft, data[start] & 0xF)
    elif log_id == ENDURANCE and len(data) >= _HEAD_BYTES:
        add_group(draft, {name: _number(data, place, size) for name, place, size in LAYOUT})
    elif log_id == EVENTS and len(data) >= _HEAD_BYTES and data[0] == EVENTS:
        _events(data, draft)
    else:
        return False
    draft.protocol = draft.protocol or "NVMe"
    return True


def _events(data: bytes, draft: Draft) -> None:
    place, left = _HEAD_BYTES, min(_number(data, 4, 4), _EVENTS_MOST)
    while left and place + _EVENT_HEAD_LEAST <= len(data):
        step = data[place + 2] + 3 + _number(data, place + 22, 2)
        if not data[place] or place + step > len(data):
            break
        add_event(draft, data[place])
        place, left = place + step, left - 1
    if left:
        draft.remark(f"{left} events of the persistent event log are missing: the page ends before them")


def _number(data: bytes, place: int, size: int) -> int:
    return int.from_bytes(data[place : place + size], "little")
