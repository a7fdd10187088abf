"""What `smartctl --json` prints, 7.0 to 8.0, of ATA, NVMe and SCSI drives.

Taken: identity, attributes, thresholds, Device Statistics, NVMe health, SCSI counters, numbers of errors and failed
self-tests, Phy events, temperatures, what smartctl calculated itself (vendor_logs["smartctl"]), its exit status in
words. Known and not taken: capabilities, versions, the entries of logs. Any other key with numbers goes to `unread`.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump, Statistic
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.json_attributes import attributes_of
from flashscope.smart.readers.json_text import CUT_OFF, document_of, number, rows, table, whole
from flashscope.smart.readers.nvme_names import FROM_SMARTCTL, KELVIN_OF_0_CELSIUS, NAMES
from flashscope.smart.readers.nvme_records.documents import read_smartctl_records
from flashscope.smart.readers.scsi.json import is_scsi, read_scsi

EXIT_STATUS = {
    0: "smartctl did not understand its command line",
    1: "the drive could not be opened or did not identify itself",
    2: "a SMART command failed or a checksum was wrong",
    3: "the drive says it is failing",
    4: "an attribute is at its threshold",
    5: "an attribute was at its threshold once",
    6: "the error log holds errors",
    7: "the self-test log holds errors",
}
"""The bits of smartctl's exit status in words."""
_READ = {
    "smartctl", "device", "model_name", "scsi_model_name", "model_family", "firmware_version", "scsi_revision",
    "serial_number", "user_capacity", "nvme_total_capacity", "nvme_namespaces", "rotation_rate", "local_time",
    "ata_smart_attributes", "ata_device_statistics", "nvme_smart_health_information_log", "scsi_error_counter_log",
    "scsi_grown_defect_list", "scsi_start_stop_cycle_counter", "scsi_percentage_used_endurance_indicator",
    "scsi_pending_defects", "power_on_time", "power_cycle_count", "temperature", "endurance_used", "spare_available",
    "smart_status", "ata_smart_error_log", "ata_smart_self_test_log", "sata_phy_event_counters", "ata_sct_status",
    "ata_pending_defects_log", "scsi_format_status", "scsi_background_scan", "scsi_environmental_reports",
    "scsi_temperature", "vendor", "product", "revision", "scsi_vendor", "scsi_product", "wwn", "logical_unit_id",
}  # fmt: skip
_KNOWN = {
    "json_format_version", "in_smartctl_database", "logical_block_size", "physical_block_size", "form_factor",
    "trim", "ata_version", "sata_version", "interface_speed", "smart_support", "ata_smart_data", "ata_sct_capabilities",
    "ata_smart_selective_self_test_log", "ata_log_directory", "ata_sct_temperature_history", "ata_sct_erc", "ata_aam",
    "ata_apm", "ata_dsn", "ata_security", "read_lookahead", "write_cache", "ata_additional_product_id", "power_mode",
    "nvme_controller_id", "nvme_ieee_oui_identifier", "nvme_number_of_namespaces", "nvme_pci_vendor", "nvme_version",
    "nvme_unallocated_capacity", "nvme_firmware_update_capabilities", "nvme_optional_admin_commands", "ata_write_cache",
    "nvme_optional_nvm_commands", "nvme_log_page_attributes", "nvme_maximum_data_transfer_pages", "device_type",
    "nvme_composite_temperature_threshold", "nvme_power_states", "nvme_error_information_log", "nvme_self_test_log",
    "nvme_smart_test_log", "scsi_version", "scsi_transport_protocol", "scsi_protection_type",
    "scsi_protection_interval_bytes_per_lb", "temperature_warning", "scsi_lb_provisioning", "zoned_device", "output",
    "ata_wt_cache_reorder", "scsi_timestamp", "seagate_farm_log", "scsi_device_statistics",
}  # fmt: skip
_KNOWN_STARTS = ("scsi_self_test_", "scsi_sas_port_", "scsi_extended_self_test", "scsi_zoned_block", "scsi_protection_")

_SELF_TESTS = ("Short", "Extended", "Conveyance", "Selective")
"""Self-tests that a person can start; makers' own leave entries of no known meaning."""


def read_smartctl_json(data: str | dict[str, Any], source: str, *, whole_text: bool = True) -> Dump:
    """The dump in what `smartctl --json` printed, or in the document it holds.

    Raises WrongUse when it is neither, or when smartctl says that the drive may not be opened.
    whole_text: False when the document is the complete part of one that was cut off.
    """
    document: Any = data
    if isinstance(data, str):
        found = document_of(data)
        document, whole_text = found if found else (None, True)
    if not isinstance(document, dict) or not looks_like_smartctl(document):
        raise WrongUse(
            f"{source} is not the JSON of smartctl", accepted="the output of smartctl --json -x or --json -a"
        )
    draft = Draft(source, "smartctl JSON")
    if not whole_text:
        draft.breaks_off(CUT_OFF)
    messages = _messages(document)
    for message in messages:
        if "permission denied" in message.lower():
            raise WrongUse(message, accepted="a drive that may be opened", advice="run as root, or with sudo")
    _identity(document, draft)
    _attributes(document, draft)
    _statistics(document, draft)
    _nvme(document, draft)
    read_scsi(document, draft)
    read_smartctl_records(document, draft)
    _worked_out(document, draft)
    _logs(document, draft)
    _exit_status(document, draft, messages)
    for key, entry in document.items():
        if key not in _READ and key not in _KNOWN and not key.startswith(_KNOWN_STARTS) and _has_number(entry):
            draft.not_read(f"{key}: {json.dumps(entry)[:200]}")
    return draft.finished()


def looks_like_smartctl(document: dict[str, Any]) -> bool:
    """Whether a document is one that smartctl prints (or the complete part of one)."""
    return (
        "smartctl" in document
        or "ata_smart_attributes" in document
        or "nvme_smart_health_information_log" in document
        or ("device" in document and ("smart_status" in document or is_scsi(document)))
    )


def _messages(document: dict[str, Any]) -> list[str]:
    return [str(message.get("string", "")) for message in rows(table(document, "smartctl").get("messages"))]


def _identity(document: dict[str, Any], draft: Draft) -> None:
    draft.protocol = _text(table(document, "device"), "protocol") or ("SCSI" if is_scsi(document) else "")
    draft.model = _text(document, "model_name") or _text(document, "scsi_model_name")
    for prefix in ("scsi_", ""):
        if not draft.model:
            draft.model = f"{_text(document, f'{prefix}vendor')} {_text(document, f'{prefix}product')}".strip()
    draft.firmware = next(
        (text for key in ("firmware_version", "scsi_revision", "revision") if (text := _text(document, key))), ""
    )
    draft.serial = _text(document, "serial_number")
    draft.family_printed = _text(document, "model_family")
    namespaces = rows(document.get("nvme_namespaces"))
    for capacity in (
        number(document, "user_capacity", "bytes"),
        number(document, "nvme_total_capacity"),
        number(namespaces[0], "size", "bytes") if namespaces else None,
    ):
        if capacity and draft.user_bytes is None:
            draft.user_bytes = capacity
    draft.rotation_rpm = number(document, "rotation_rate")
    draft.wwn = _world_wide_name(document)
    taken_at = number(document, "local_time", "time_t")
    draft.taken_at_s = None if taken_at is None or abs(taken_at) > 1 << 40 else float(taken_at)


def _world_wide_name(document: dict[str, Any]) -> str:
    """The world wide name as smartctl's text prints it; of NVMe drives the EUI-64 of the first namespace."""
    if parts := _whole_parts(table(document, "wwn"), ("naa", "oui", "id")):
        return f"{parts[0]:x} {parts[1]:06x} {parts[2]:09x}"
    namespaces = rows(document.get("nvme_namespaces"))
    if namespaces and (parts := _whole_parts(table(namespaces[0], "eui64"), ("oui", "ext_id"))):
        return f"{parts[0]:06x} {parts[1]:010x}"
    return _text(document, "logical_unit_id")


def _whole_parts(name: dict[str, Any], keys: tuple[str, ...]) -> list[int]:
    """The numbers under these keys; empty when one is missing, below 0, or all are 0."""
    parts = [part for key in keys if (part := number(name, key)) is not None and part >= 0]
    return parts if len(parts) == len(keys) and any(parts) else []


def _text(document: dict[str, Any], key: str) -> str:
    entry = document.get(key)
    return entry.strip() if isinstance(entry, str) else ""


def _attributes(document: dict[str, Any], draft: Draft) -> None:
    arguments = table(document, "smartctl").get("argv")
    ignored = isinstance(arguments, list) and _presets_ignored([str(argument) for argument in arguments])
    attributes, problems = attributes_of(
        rows(table(document, "ata_smart_attributes").get("table")), presets_ignored=ignored
    )
    for attribute, printed in attributes:
        draft.attribute(attribute, printed)
    for why, row in problems:
        draft.remark(why)
        draft.not_read(json.dumps(row))


def _presets_ignored(arguments: list[str]) -> bool:
    return "--presets=ignore" in arguments or any(
        pair in (("-P", "ignore"), ("--presets", "ignore")) for pair in itertools.pairwise(arguments)
    )


def _statistics(document: dict[str, Any], draft: Draft) -> None:
    for page in rows(table(document, "ata_device_statistics").get("pages")):
        for entry in rows(page.get("table")):
            page_number, offset_bytes = number(page, "number"), number(entry, "offset")
            if page_number is None or offset_bytes is None:
                draft.not_read(f"a device statistic without a place: {json.dumps(entry)}")
                continue
            valid = table(entry, "flags").get("valid") is not False
            draft.statistics.append(
                Statistic(
                    page_number,
                    offset_bytes,
                    number(entry, "value") if valid else None,
                    table(entry, "flags").get("normalized") is True,
                    _text(entry, "name"),
                )
            )


def _nvme(document: dict[str, Any], draft: Draft) -> None:
    log = table(document, "nvme_smart_health_information_log")
    for key, entry in log.items():
        name = FROM_SMARTCTL.get(key, key)
        if key == "temperature_sensors" and isinstance(entry, list):
            for sensor, celsius in enumerate(entry, 1):
                if (value := whole(celsius)) is not None and sensor <= 8:
                    draft.health(f"temperature_sensor_{sensor}", value + KELVIN_OF_0_CELSIUS)
        elif name in NAMES:
            value = number(log, key)
            if value is None or (value < 0 and name != "temperature"):
                draft.not_read(f"NVMe health {key}: {entry!r}")
            else:
                draft.health(name, value + (KELVIN_OF_0_CELSIUS if name.startswith("temperature") else 0))
        elif not key.endswith(("_s", "_le", "_n")) and key != "nsid":
            draft.not_read(f"NVMe health {key}: {json.dumps(entry)}")


def _worked_out(document: dict[str, Any], draft: Draft) -> None:
    """What smartctl calculated from the logs."""
    for name, path in {
        "power_on_time_hours": ("power_on_time", "hours"),
        "power_on_time_minutes_more": ("power_on_time", "minutes"),
        "power_cycle_count": ("power_cycle_count",),
        "temperature_celsius": ("temperature", "current"),
        "endurance_used_percent": ("endurance_used", "current_percent"),
        "spare_available_percent": ("spare_available", "current_percent"),
        "spare_threshold_percent": ("spare_available", "threshold_percent"),
    }.items():
        if (value := number(document, *path)) is not None:
            draft.log("smartctl", name, value)
    passed = table(document, "smart_status").get("passed")
    if isinstance(passed, bool) and draft.protocol != "SCSI":
        draft.log("smartctl", "smart_passed", int(passed))


def _logs(document: dict[str, Any], draft: Draft) -> None:
    for log, key, name in (
        ("ata_smart_error_log", "count", "ata_error_count"),
        ("ata_smart_self_test_log", "error_count_total", "self_test_failed_count"),
    ):
        counts = [number(part, key) for part in table(document, log).values()]
        if known := [count for count in counts if count is not None]:
            draft.log("smartctl", name, max(known))
    for part in table(document, "ata_smart_self_test_log").values():
        for entry in rows(part.get("table") if isinstance(part, dict) else None):
            passed = table(entry, "status").get("passed")
            if isinstance(passed, bool) and _text(table(entry, "type"), "string").startswith(_SELF_TESTS):
                newest = draft.vendor_logs.setdefault("smartctl", {})
                newest.setdefault("self_test_newest_failed", int(not passed))
    if (pending := number(document, "ata_pending_defects_log", "count")) is not None:
        draft.log("smartctl", "pending_defect_count", pending)
    for event in rows(table(document, "sata_phy_event_counters").get("table")):
        id, value = number(event, "id"), number(event, "value")
        if id is not None and value is not None:
            draft.log("sata_phy", f"event_{id:04x}h", value)
    for key, entry in table(document, "ata_sct_status", "temperature").items():
        if (value := whole(entry)) is not None:
            name = "temperature_celsius" if key == "current" else key
            for end in ("min", "max"):
                if key in (f"power_cycle_{end}", f"lifetime_{end}"):
                    name = f"{key.removesuffix(f'_{end}')}_temperature_{end}_celsius"
            draft.log("sct", name, value)


def _exit_status(document: dict[str, Any], draft: Draft, messages: list[str]) -> None:
    status = number(document, "smartctl", "exit_status") or 0
    for bit, words in EXIT_STATUS.items():
        if status >> bit & 1:
            draft.remark(words)
    for message in messages:
        draft.remark(f"smartctl: {message}")


def _has_number(entry: Any) -> bool:
    """Whether there is a number anywhere in `entry`."""
    waiting, seen = [entry], 0
    while waiting and seen < 1000:
        seen += 1
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, (int, float)) and not isinstance(one, bool):
            return True
    return False
