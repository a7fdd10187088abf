"""What `smartctl --json` prints of SCSI and SAS drives, 7.0 to 8.0 -> vendor_logs["scsi"], as the text is read."""

from __future__ import annotations

import re
from typing import Any

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.json_text import number, table, whole
from flashscope.smart.readers.scsi import names
from flashscope.smart.readers.scsi.controller import note_volume
from flashscope.smart.readers.scsi.names import (
    FAILED_TESTS,
    JSON_PLACES,
    KINDS,
    LOG,
    PHY_ERRORS,
    START_STOP,
    Scans,
    Tests,
    tell_powered,
)

_SELF_TEST = re.compile(r"scsi_self_test_(\d{1,3})")
_SAS_PORT = re.compile(r"scsi_sas_port_\d{1,3}")
_SAID_ONCE = {**JSON_PLACES, "non_medium_error_count": ("scsi_non_medium_error_count",)}
_PLACES = (("temperature_trip_celsius", ("temperature", "drive_trip")),
           ("temperature_trip_celsius", ("scsi_temperature", "drive_trip")))  # fmt: skip
_ENVIRONMENT = {
    "current": "environment_temperature_celsius",
    "lifetime_maximum": "lifetime_maximum_temperature_celsius",
    "lifetime_minimum": "lifetime_minimum_temperature_celsius",
}


def is_scsi(document: dict[str, Any]) -> bool:
    """Whether a document that smartctl printed is of a SCSI drive."""
    return table(document, "device").get("protocol") == "SCSI" or any(key.startswith("scsi_") for key in document)


def read_scsi(document: dict[str, Any], draft: Draft) -> None:
    """Write what a document tells of a SCSI drive into the draft."""
    _counters(document, draft)
    for key in START_STOP:
        _tell(draft, key, number(document, "scsi_start_stop_cycle_counter", key))
    for name, path in _SAID_ONCE.items():
        _tell(draft, name, number(document, *path))
    _scans(table(document, "scsi_background_scan"), draft)
    tests = Tests(draft)
    for _, entry in sorted((int(match[1]), key) for key in document if (match := _SELF_TEST.fullmatch(key))):
        result = number(document, entry, "result", "value")
        tests.add("failed" if result in FAILED_TESTS else "completed" if result == 0 else "")
    for port in (key for key in document if _SAS_PORT.fullmatch(key)):
        for phy in (entry for entry in table(document, port).values() if isinstance(entry, dict)):
            for name in PHY_ERRORS:
                if (value := number(phy, name)) is not None and value >= 0:
                    names.add_phy_errors(draft, name, value)
    if draft.protocol == "SCSI":
        _state(document, draft)


def _tell(draft: Draft, name: str, value: int | None) -> None:
    if value is None:
        return
    if value < 0 and not name.endswith("_celsius"):
        draft.not_read(f"{name}: {value}")
    else:
        draft.log(LOG, name, value)


def _counters(document: dict[str, Any], draft: Draft) -> None:
    for kind, counters in table(document, "scsi_error_counter_log").items():
        for key, entry in counters.items() if isinstance(counters, dict) else ():
            value = processed_bytes(entry) if key == "gigabytes_processed" else whole(entry)
            name = "processed_bytes" if key == "gigabytes_processed" else key
            if value is None or value < 0 or kind not in KINDS:
                draft.not_read(f"scsi_error_counter_log {kind} {key}: {entry!r}")
            else:
                draft.log(LOG, f"{kind}_{name}", value)


def processed_bytes(entry: Any) -> int | None:
    """Units of 10^9 bytes, printed with three decimals -> bytes; None when it is no such number."""
    giga, _, thousandths = str(entry).replace(",", ".").partition(".")
    if not (giga.isdigit() and giga.isascii() and len(giga) < 16 and len(thousandths) <= 3):
        return None
    digits = thousandths.ljust(3, "0")
    return int(giga + digits) * 10**6 if digits.isdigit() and digits.isascii() else None


def _scans(log: dict[str, Any], draft: Draft) -> None:
    scans = Scans(draft)
    for key, row in log.items():
        if key.startswith("result_") and isinstance(row, dict):
            scans.add(number(row, "reassign_status", "value"))


def _state(document: dict[str, Any], draft: Draft) -> None:
    """Health, time with power on, temperatures."""
    hours, minutes = number(document, "power_on_time", "hours"), number(document, "power_on_time", "minutes")
    if hours is not None and not (
        hours >= 0 and 0 <= (minutes or 0) < 60 and tell_powered(draft, hours * 60 + (minutes or 0))
    ):
        draft.not_read(f"power_on_time: {hours} hours, {minutes} minutes")
    reports = table(document, "scsi_environmental_reports")
    sensor = next((entry for key, entry in reports.items() if key.startswith("temperature_")), None)
    for key, name in _ENVIRONMENT.items():
        _tell(draft, name, number(sensor, key) if isinstance(sensor, dict) else None)
    _tell(draft, "temperature_celsius", number(document, "temperature", "current"))
    for name, path in _PLACES:
        if name not in draft.vendor_logs.get(LOG, {}):
            _tell(draft, name, number(document, *path))
    passed, sense = table(document, "smart_status").get("passed"), table(document, "smart_status", "scsi")
    if isinstance(passed, bool):
        words = sense.get("ie_string") if isinstance(sense.get("ie_string"), str) else "failed"
        names.tell_health(draft, passed, number(sense, "asc"), number(sense, "ascq"), str(words))
    note_volume(draft, without_smart=table(document, "smart_support").get("available") is False)
