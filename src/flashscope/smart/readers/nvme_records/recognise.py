"""Which of NVMe's logs a bare page is: only where its content leaves no other choice.

    01h   entries of 64 bytes, two at least, whose numbers fall by one; reserved bytes are 0; then nothing
    06h   exactly 564 bytes: twenty results of possible kinds, the unused ones last, power-on hours that do not rise
    09h   no temperature, a capacity of a gigabyte or more where the health log counts errors, reserved bytes are 0
    0Dh   its own number in its first byte, and as many events as it says, of known kinds, one behind the other

A health log (02h) without a temperature looks like an endurance group's log (09h) of an older version of the standard,
which has no capacity: such a page is neither.
"""

from __future__ import annotations

import itertools

ERRORS, HEALTH, SELF_TESTS, ENDURANCE, EVENTS = 0x01, 0x02, 0x06, 0x09, 0x0D
ERROR_BYTES = 64
TESTS_AT, TEST_BYTES, TEST_COUNT = 4, 28, 20
HEAD_BYTES, EVENT_HEAD_LEAST = 512, 24
_RESERVED_OF_ERROR = slice(42, 64)
_UNUSED, _RESULTS, _TEST_KINDS = 0xF, range(10), (0, 1, 2, 3, 0xE)
_EVENT_KINDS = frozenset((*range(1, 0x0F), 0xDE, 0xDF))
_LEAST_CAPACITY_BYTES = 10**9
_COLDEST_KELVIN = 200


def record_of(data: bytes) -> int | None:
    """The number of the log that bare bytes are; None where they are none of these, or may be something else."""
    for log_id, fits in ((EVENTS, _are_events), (SELF_TESTS, _are_self_tests), (ERRORS, _are_errors)):
        if fits(data):
            return log_id
    return ENDURANCE if len(data) == HEAD_BYTES and _is_group(data) else None


def is_health_or_group(page: bytes) -> bool:
    """Whether a page without a temperature may be the health log as well as an endurance group's."""
    return _number(page, 1, 2) == 0 and not any(page[176:232]) and not _has_capacity(page)


def _are_events(data: bytes) -> bool:
    if len(data) <= HEAD_BYTES or data[0] != EVENTS:
        return False
    place, count = HEAD_BYTES, _number(data, 4, 4)
    for _ in range(min(count, len(data))):
        if place + EVENT_HEAD_LEAST > len(data) or data[place] not in _EVENT_KINDS:
            return False
        place += data[place + 2] + 3 + _number(data, place + 22, 2)
    return count > 0 and place <= len(data) and not any(data[place:])


def _are_self_tests(data: bytes) -> bool:
    if len(data) != TESTS_AT + TEST_COUNT * TEST_BYTES or data[0] > 0xF or data[1] > 100 or any(data[2:4]):
        return False
    rows = [data[start : start + TEST_BYTES] for start in range(TESTS_AT, len(data), TEST_BYTES)]
    used = [row for row in rows if row[0] & 0xF != _UNUSED]
    hours = [_number(row, 4, 8) for row in used]
    return (
        bool(used)
        and rows[: len(used)] == used
        and all(row[0] & 0xF in _RESULTS and row[0] >> 4 in _TEST_KINDS and row[2] <= 0xF for row in used)
        and any(row[0] >> 4 for row in used)
        and hours == sorted(hours, reverse=True)
    )


def _are_errors(data: bytes) -> bool:
    if len(data) % ERROR_BYTES:
        return False
    rows = [data[start : start + ERROR_BYTES] for start in range(0, len(data), ERROR_BYTES)]
    numbers = [number for row in rows if (number := _number(row, 0, 8))]
    return (
        len(numbers) >= 2
        and all(one == other + 1 for one, other in itertools.pairwise(numbers))
        and all(_number(row, 0, 8) for row in rows[: len(numbers)])
        and not any(any(row[_RESERVED_OF_ERROR]) for row in rows)
        and not any(any(row) for row in rows[len(numbers) :])
    )


def _is_group(page: bytes) -> bool:
    return (
        _number(page, 1, 2) < _COLDEST_KELVIN
        and page[3] <= 100
        and page[4] <= 100
        and not any(page[8:32])
        and not any(page[192:])
        and _has_capacity(page)
    )


def _has_capacity(page: bytes) -> bool:
    """Whether the total capacity of a group stands where the health log counts errors of the medium."""
    capacity, free = _number(page, 160, 16), _number(page, 176, 16)
    return capacity >= _LEAST_CAPACITY_BYTES and free <= capacity < 1 << 64


def _number(data: bytes, place: int, size: int) -> int:
    return int.from_bytes(data[place : place + size], "little")
