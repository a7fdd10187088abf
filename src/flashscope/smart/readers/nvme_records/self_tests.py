"""The self-test log (06h): how many tests failed, and whether the newest finished one did; the newest comes first."""

from __future__ import annotations

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.nvme_records.errors import LOG

_PASSED, _UNUSED = 0x0, 0xF
_FAILED = frozenset({0x6, 0x7})
_FATAL = 0x5


def add_test(draft: Draft, result: int | None) -> None:
    """Take one result: 0 passed, 6 and 7 a segment failed, 5 the test itself broke off, Fh not used, others stopped."""
    if result is None or result == _UNUSED or not 0 <= result < _UNUSED:
        return
    log = draft.vendor_logs.setdefault(LOG, {})
    log["self_test_count"] = log.get("self_test_count", 0) + 1
    log["self_test_failed_count"] = log.get("self_test_failed_count", 0) + (result in _FAILED)
    log["self_test_broken_off_count"] = log.get("self_test_broken_off_count", 0) + (result == _FATAL)
    if result == _PASSED or result in _FAILED:
        log.setdefault("self_test_newest_failed", int(result in _FAILED))
