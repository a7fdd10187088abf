"""The records as JSON: nvme-cli's documents, and the parts of smartctl's."""

from __future__ import annotations

from typing import Any

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.json_text import number, rows, table, whole
from flashscope.smart.readers.nvme_records.endurance import NAMES, add_group, looks_like_group
from flashscope.smart.readers.nvme_records.errors import add_error, status
from flashscope.smart.readers.nvme_records.events import add_event, kind_of
from flashscope.smart.readers.nvme_records.self_tests import add_test

_ERRORS, _TESTS, _EVENTS = "errors", "List of Valid Reports", "list_of_event_entries"


def looks_like_records(document: dict[str, Any]) -> bool:
    """Whether a JSON document of nvme-cli is one of the records."""
    errors = rows(document.get(_ERRORS))
    return (
        (bool(errors) and "error_count" in errors[0])
        or isinstance(document.get(_TESTS), list)
        or isinstance(document.get(_EVENTS), list)
        or looks_like_group(document)
    )


def read_records(document: dict[str, Any], draft: Draft) -> None:
    """Write a document of nvme-cli into the draft."""
    for entry in rows(document.get(_ERRORS)):
        field = number(entry, "status_field")
        kind, code = (None, None) if field is None else status(field, with_phase="phase_tag" not in entry)
        add_error(draft, number(entry, "error_count") or 0, kind, code)
    for entry in rows(document.get(_TESTS)):
        add_test(draft, _first(entry, "Self test result", "self_test_result", "Operation Result"))
    for entry in rows(document.get(_EVENTS)):
        told = entry.get("event_type")
        add_event(draft, told if isinstance(told, int) else kind_of(str(told)))
    if looks_like_group(document):
        found = {name: value for name in NAMES if (value := whole(document.get(name))) is not None and value >= 0}
        add_group(draft, found)


def read_smartctl_records(document: dict[str, Any], draft: Draft) -> None:
    """Write the records in a document of smartctl into the draft."""
    for entry in rows(table(document, "nvme_error_information_log").get("table")):
        told = table(entry, "status_field")
        add_error(
            draft, number(entry, "error_count") or 0, number(told, "status_code_type"), number(told, "status_code")
        )
    for entry in rows(table(document, "nvme_self_test_log").get("table")):
        add_test(draft, number(entry, "self_test_result", "value"))


def _first(entry: dict[str, Any], *keys: str) -> int | None:
    return next((value for key in keys if (value := whole(entry.get(key))) is not None), None)
