"""The persistent event log (0Dh): how many events of each kind; they outlive power cycles, the error log does not."""

from __future__ import annotations

import re

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.nvme_records.errors import LOG

KINDS = {
    0x01: "health_snapshot", 0x02: "firmware_commit", 0x03: "time_change", 0x04: "power_on", 0x05: "hardware_error",
    0x06: "namespace_change", 0x07: "format_start", 0x08: "format_end", 0x09: "sanitize_start",
    0x0A: "sanitize_end", 0x0B: "set_feature", 0x0C: "telemetry", 0x0D: "too_hot",
}  # fmt: skip
_WORDS = {
    "health": 0x01, "firmware commit": 0x02, "fw commit": 0x02, "time": 0x03, "power": 0x04, "hardware": 0x05,
    "namespace": 0x06, "format nvm start": 0x07, "format nvm compl": 0x08, "sanitize start": 0x09,
    "sanitize compl": 0x0A, "set feature": 0x0B, "telemetry": 0x0C, "thermal": 0x0D,
}  # fmt: skip
_NUMBER = re.compile(r"\(?\b(0x[0-9a-fA-F]{1,2}|\d{1,3})\b\)?")


def kind_of(printed: str) -> int | None:
    """The kind of an event as a program prints it: by its number, else by its words; None when it is neither."""
    if numbers := _NUMBER.findall(printed):
        return int(numbers[-1], 16 if numbers[-1][:2].lower() == "0x" else 10)
    said = printed.lower().replace("_", " ")
    return next((kind for words, kind in _WORDS.items() if words in said), None)


def add_event(draft: Draft, kind: int | None) -> None:
    """Take one event. kind: as the standard numbers it; None: unknown."""
    log = draft.vendor_logs.setdefault(LOG, {})
    log["event_count"] = log.get("event_count", 0) + 1
    if kind in KINDS:
        name = f"event_{KINDS[kind]}_count"
        log[name] = log.get(name, 0) + 1
