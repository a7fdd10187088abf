"""The OCP Datacenter health log (C0h): raw page, `nvme ocp smart-add-log` as JSON of both shapes and as text.

All become vendor_logs["ocp_c0"] under the names of JSON version 2 ("physical_media_units_written", in bytes).
Layout: OCP Datacenter NVMe SSD Specification; the page is recognized by its GUID.
Not read here: texts in the log (firmware build names).
"""

from __future__ import annotations

from typing import Any

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.json_text import whole
from flashscope.smart.readers.text import whole_number

LOG = "ocp_c0"
PAGE_BYTES = 512
GUID = bytes.fromhex("c5af1028eabff2a49c4f6f7cc914d5af")
GUID_AT = 496
VERSION_AT = 494
# (name, offset in bytes, size in bytes, version of the log that has it)
LAYOUT: tuple[tuple[str, int, int, int], ...] = (
    ("physical_media_units_written", 0, 16, 0),
    ("physical_media_units_read", 16, 16, 0),
    ("bad_user_nand_blocks_raw", 32, 6, 0),
    ("bad_user_nand_blocks_normalized", 38, 2, 0),
    ("bad_system_nand_blocks_raw", 40, 6, 0),
    ("bad_system_nand_blocks_normalized", 46, 2, 0),
    ("xor_recovery_count", 48, 8, 0),
    ("uncorrectable_read_errors", 56, 8, 0),
    ("soft_ecc_error_count", 64, 8, 0),
    ("end_to_end_detected_errors", 72, 4, 0),
    ("end_to_end_corrected_errors", 76, 4, 0),
    ("system_data_percent_used", 80, 1, 0),
    ("refresh_count", 81, 7, 0),
    ("max_user_data_erase_count", 88, 4, 0),
    ("min_user_data_erase_count", 92, 4, 0),
    ("thermal_throttling_events", 96, 1, 0),
    ("current_throttling_status", 97, 1, 0),
    ("errata_version_field", 98, 1, 2),
    ("point_version_field", 99, 2, 2),
    ("minor_version_field", 101, 2, 2),
    ("major_version_field", 103, 1, 2),
    ("pcie_correctable_errors", 104, 8, 0),
    ("incomplete_shutdowns", 112, 4, 0),
    ("percent_free_blocks", 120, 1, 0),
    ("capacitor_health", 128, 2, 0),
    ("nvme_base_errata_version", 130, 1, 2),
    ("nvme_command_set_errata_version", 131, 1, 4),
    ("nvme_over_pcie_errata_version", 132, 1, 5),
    ("nvme_mi_errata_version", 133, 1, 5),
    ("unaligned_io", 136, 8, 0),
    ("security_version_number", 144, 8, 0),
    ("nuse_namespace_utilization", 152, 8, 0),
    ("plp_start_count", 160, 16, 0),
    ("endurance_estimate", 176, 16, 0),
    ("pcie_link_retraining_count", 192, 8, 2),
    ("power_state_change_count", 200, 8, 2),
    ("lowest_permitted_firmware_revision", 208, 8, 4),
    ("total_media_dies", 216, 2, 4),
    ("total_die_failure_tolerance", 218, 2, 4),
    ("media_dies_offline", 220, 2, 4),
    ("max_temperature_recorded", 222, 1, 4),
    ("nand_avg_erase_count", 224, 8, 4),
    ("command_timeouts", 232, 4, 4),
    ("sys_area_program_fail_count_raw", 236, 4, 4),
    ("sys_area_program_fail_count_normalized", 240, 1, 4),
    ("sys_area_uncorrectable_read_count_raw", 244, 4, 4),
    ("sys_area_uncorrectable_read_count_normalized", 248, 1, 4),
    ("sys_area_erase_fail_count_raw", 252, 4, 4),
    ("sys_area_erase_fail_count_normalized", 256, 1, 4),
    ("max_peak_power_capability", 260, 2, 4),
    ("current_max_avg_power", 262, 2, 4),
    ("lifetime_power_consumed", 264, 6, 4),
    ("log_page_version", VERSION_AT, 2, 0),
)
# Labels of JSON version 1 and of the text that differ from the names above.
_OTHER_NAMES = {
    "uncorrectable_read_error_count": "uncorrectable_read_errors",
    "refresh_counts": "refresh_count",
    "max_user_data_erase_counts": "max_user_data_erase_count",
    "min_user_data_erase_counts": "min_user_data_erase_count",
    "number_of_thermal_throttling_events": "thermal_throttling_events",
    "pcie_correctable_error_count": "pcie_correctable_errors",
    "unaligned_i_o": "unaligned_io",
    "raw_bad_user_nand_block_count": "bad_user_nand_blocks_raw",
    "normalized_bad_user_nand_block_count": "bad_user_nand_blocks_normalized",
    "raw_bad_system_nand_block_count": "bad_system_nand_blocks_raw",
    "normalized_bad_system_nand_block_count": "bad_system_nand_blocks_normalized",
    "ssd_end_to_end_detected_counts": "end_to_end_detected_errors",
    "ssd_end_to_end_corrected_errors": "end_to_end_corrected_errors",
    "system_data_life_used": "system_data_percent_used",
    "maximum_user_data_erase_count": "max_user_data_erase_count",
    "minimum_user_data_erase_count": "min_user_data_erase_count",
    "thermal_throttling_count": "thermal_throttling_events",
    "thermal_throttling_status": "current_throttling_status",
    "free_blocks": "percent_free_blocks",
    "nuse": "nuse_namespace_utilization",
    "total_nuse": "nuse_namespace_utilization",
}
_NAMES = frozenset(name for name, _, _, _ in LAYOUT) | {
    "form_factor", "die_in_use_badnandblock_raw", "die_in_use_badnandblock_normal",
}  # fmt: skip
_TEXTS = {"log_page_guid", "dssd_firmware_revision", "dssd_firmware_build_uuid", "dssd_firmware_build_label"}
_ENOUGH_NAMES = 2


def canonical_name(label: str) -> str:
    """The name that belongs to a label of any shape ("Refresh counts" -> "refresh_count")."""
    words = "".join(
        sign if sign.isalnum() else " " for sign in label.lower().replace("noralized", "normalized")
    ).split()
    name = "_".join(words)
    return _OTHER_NAMES.get(name, name)


def looks_like_ocp(document: dict[str, Any]) -> bool:
    """Whether a JSON document is an OCP health log."""
    names = known_names(document)
    return "physical_media_units_written" in names or len(names - {"endurance_estimate"}) > _ENOUGH_NAMES


def known_names(document: dict[str, Any]) -> set[str]:
    """The names of the OCP log's fields that a document has."""
    return {canonical_name(key) for key in _halves_joined(document)} & _NAMES


def is_ocp_line(line: str) -> bool:
    """Whether a line of text has the name of a field of the OCP log."""
    return canonical_name(split_label(line.strip())[0]) in _NAMES


def read_ocp_document(document: dict[str, Any], draft: Draft) -> None:
    """Write the JSON of `nvme ocp smart-add-log` (either shape) into the draft."""
    for key, entry in _halves_joined(document).items():
        name = canonical_name(key)
        if name in _TEXTS:
            continue
        if isinstance(entry, dict) and {"hi", "lo"} <= entry.keys():
            high, low = whole(entry["hi"]), whole(entry["lo"])
            value = None if high is None or low is None else high << 64 | low
        else:
            value = whole(entry)
        if value is not None and value >= 0:
            draft.log(LOG, name, value)
            if name not in _NAMES:
                draft.remark(f"the OCP log has a field {key!r} that is not in its specification up to version 6")
        else:
            draft.not_read(f"OCP {key}: {entry!r}")


def _halves_joined(document: dict[str, Any]) -> dict[str, Any]:
    """The document with "NAME_hi" and "NAME_lo", as flattened copies have them, joined to one entry."""
    joined: dict[str, Any] = {}
    for key, entry in document.items():
        name, half = key[:-3], key[-2:]
        if key[-3:] in ("_hi", "_lo", ".hi", ".lo") and f"{key[:-2]}{'lo' if half == 'hi' else 'hi'}" in document:
            joined.setdefault(name, {})[half] = entry
        else:
            joined[key] = entry
    return joined


def read_ocp_line(line: str, draft: Draft) -> bool:
    """Write a line of the text form into the draft; returns whether it was one."""
    label, numbers = split_label(line)
    name = canonical_name(label)
    if name in _TEXTS:
        return True
    if name not in _NAMES:
        return False
    values = [whole_number(word) for word in numbers]
    if len(values) == 2 and values[0] is not None and values[1] is not None:
        draft.log(LOG, name, values[0] << 64 | values[1])
        return True
    if len(values) == 1 and values[0] is not None:
        draft.log(LOG, name, values[0])
        return True
    return False


def split_label(line: str) -> tuple[str, list[str]]:
    """The label of a line and the numbers that end it."""
    words = line.split()
    place = len(words)
    while place > 1 and whole_number(words[place - 1]) is not None:
        place -= 1
    return " ".join(words[:place]).rstrip(" :-"), words[place:]


def is_ocp_page(page: bytes) -> bool:
    """Whether 512 bytes are log C0h of the OCP specification: its GUID is at the end."""
    return len(page) >= PAGE_BYTES and page[GUID_AT:PAGE_BYTES] == GUID


def read_ocp_page(page: bytes, draft: Draft) -> None:
    """Write the raw page into the draft; fields of a later version than the page's are not taken."""
    version = int.from_bytes(page[VERSION_AT : VERSION_AT + 2], "little")
    for name, offset, size, since in LAYOUT:
        if version >= since:
            draft.log(LOG, name, int.from_bytes(page[offset : offset + size], "little"))
