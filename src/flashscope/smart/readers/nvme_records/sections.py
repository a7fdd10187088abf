"""nvme-cli's text of the records: a heading begins a log, the next one ends it, and no other reader sees its lines."""

from __future__ import annotations

import re
from collections.abc import Callable

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.nvme_records.endurance import NAMES, add_group
from flashscope.smart.readers.nvme_records.errors import add_error, status
from flashscope.smart.readers.nvme_records.events import add_event, kind_of
from flashscope.smart.readers.nvme_records.self_tests import add_test
from flashscope.smart.readers.text import whole_number

_HEADINGS = {
    "Error Log Entries for device": "errors",
    "Device Self Test Log for": "self-tests",
    "Endurance Group Log for": "endurance",
    "Persistent Event Log for": "events",
}
_OTHER_HEADINGS = (
    "Smart Log for", "Additional Smart Log", "SMART Cloud Attributes", "NVME Identify", "NVMe Identify",
    "Vendor Log Page", "Seagate Extended", "CA Log Page", "D0 Smart Log", "SMART Extended Log",
)  # fmt: skip
_FIELD = re.compile(r"([A-Za-z_][\w ()./-]*?)\s*:\s*(.*)")
_HEXADECIMAL_OR_NOT = re.compile(r"(0x[0-9a-fA-F]{1,8}|\d{1,20})\b")
_EVENT = re.compile(r"Event Type(?: Field)?\s*:\s*(.+)", re.IGNORECASE)


def begins_records(text: str) -> bool:
    """Whether a text has a heading of one of the logs."""
    return any(heading in text for heading in _HEADINGS)


class Sections:
    """Takes the lines between a heading of one of the logs and the next heading."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._section = ""
        self._entry: dict[str, int] = {}
        self._readers: dict[str, Callable[[str, str], None]] = {
            "errors": self._error, "self-tests": self._self_test, "endurance": self._group, "events": self._event,
        }  # fmt: skip

    def line(self, line: str) -> bool:
        """Take a line; returns whether it belongs to one of the logs."""
        if begun := next((name for heading, name in _HEADINGS.items() if line.startswith(heading)), ""):
            self.finish()
            self._section = begun
            self._draft.protocol = self._draft.protocol or "NVMe"
            return True
        if line.strip().startswith(_OTHER_HEADINGS) and self._section != "events":
            self.finish()
        if not self._section:
            return False
        if match := _FIELD.fullmatch(line.strip()):
            self._readers[self._section](match[1].strip(), match[2].strip())
        return True

    def finish(self) -> None:
        """The last entry of a log is complete."""
        self._end_entry()
        self._section = ""

    def _end_entry(self) -> None:
        entry, self._entry = self._entry, {}
        if self._section == "errors" and "error_count" in entry and "status_field" in entry:
            kind, code = status(entry["status_field"], with_phase="phase_tag" not in entry)
            add_error(self._draft, entry["error_count"], kind, code)
        elif self._section == "endurance" and "percent_used" in entry and entry.keys() & {"avl_spare"}:
            add_group(self._draft, entry)

    def _error(self, label: str, value: str) -> None:
        if label == "error_count":
            self._end_entry()
        if label in ("error_count", "status_field", "phase_tag") and (match := _HEXADECIMAL_OR_NOT.match(value)):
            self._entry.setdefault(label, int(match[1], 0) if match[1][:2] == "0x" else int(match[1]))

    def _self_test(self, label: str, value: str) -> None:
        if label == "Operation Result" and (match := _HEXADECIMAL_OR_NOT.match(value)):
            add_test(self._draft, int(match[1], 16))

    def _group(self, label: str, value: str) -> None:
        number = whole_number(value.removesuffix("%").strip())
        if label in NAMES and number is not None and number >= 0:
            self._entry.setdefault(label, number)

    def _event(self, label: str, value: str) -> None:
        if _EVENT.fullmatch(f"{label}: {value}"):
            add_event(self._draft, kind_of(value))
