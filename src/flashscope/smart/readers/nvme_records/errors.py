"""The error log (01h): how many entries it has, and how many of them tell of the medium or of the drive's inside.

A status is 15 bits: the kind of status in bits 8 to 10, the code below. Entries of other kinds are refusals of commands
that the drive does not know; they are no faults.
"""

from __future__ import annotations

from flashscope.smart.readers.draft import Draft

LOG = "nvme_records"
_GENERIC, _MEDIUM = 0, 2
_INTERNAL = 0x06
_OF_THE_MEDIUM = range(0x80, 0x85)  # write fault, unrecovered read, checks of guard, application tag and reference tag
_MOST = 1 << 16


def add_error(draft: Draft, error_count: int, kind: int | None, code: int | None) -> None:
    """Take one entry. error_count: its number; 0: the entry is not used. kind, code: of its status; None if unknown."""
    log = draft.vendor_logs.setdefault(LOG, {})
    of_medium = kind == _MEDIUM and code in _OF_THE_MEDIUM
    for name, counts in (
        ("error_entry_count", error_count > 0),
        ("error_of_medium_count", error_count > 0 and of_medium),
        ("error_inside_count", error_count > 0 and kind == _GENERIC and code == _INTERNAL),
    ):
        log[name] = log.get(name, 0) + counts


def status(field: int, *, with_phase: bool) -> tuple[int | None, int | None]:
    """Kind and code of a status field. with_phase: its lowest bit is the phase tag."""
    if not 0 <= field < _MOST:
        return None, None
    number = field >> 1 if with_phase else field
    return number >> 8 & 7, number & 0xFF
