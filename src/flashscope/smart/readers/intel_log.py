"""Intel's additional health log (CAh) and similar ones (Solidigm, WDC, Samsung, Memblaze, YMTC): raw page, text, JSON.

    byte  0    1..2   3           4   5..10                           11
          id   -      normalized  -   raw (48 bits, or as below)      -

All become vendor_logs["intel_ca"]: `NAME` (raw), `NAME_normalized`; wear levelling as _min, _max, _avg (16 bits each),
throttling as thermal_throttle_status (percent) and _count, media wear in 1/1024 percent.
nand_bytes_written and host_bytes_written count units of 32 MiB, whatever nvme-cli calls them.
"""

from __future__ import annotations

import re
from typing import Any

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.json_text import table, whole
from flashscope.smart.readers.text import whole_number

LOG = "intel_ca"
ITEM_BYTES = 12
WEAR, MEDIA_WEAR, THROTTLE = "wear_leveling", "timed_workload_media_wear", "thermal_throttle_status"
NAME_BY_ID = {
    0xAB: "program_fail_count",
    0xAC: "erase_fail_count",
    0xAD: WEAR,
    0xB8: "end_to_end_error_detection_count",
    0xC7: "crc_error_count",
    0xE2: MEDIA_WEAR,
    0xE3: "timed_workload_host_reads",
    0xE4: "timed_workload_timer",
    0xEA: THROTTLE,
    0xF0: "retry_buffer_overflow_count",
    0xF3: "pll_lock_loss_count",
    0xF4: "nand_bytes_written",
    0xF5: "host_bytes_written",
    0xF6: "host_ctx_wear_used",
    0xF7: "perf_stat_indicator",
    0xF8: "media_bytes_read",
    0xF9: "avail_fw_downgrades",
    0x05: "re_alloc_sectr_cnt",
    0x0D: "soft_ecc_err_rate",
    0xAE: "unexp_power_loss",
    0xE5: "read_commands_in_flight",
    0xE6: "write_commands_in_flight",
    0xE7: "bad_dllp_count",
    0xE8: "receiver_error_count",
    0xEE: "re_sku_count",
    0xFA: "host_read_collision_count",
    0xFB: "host_write_collision_count",
    0xFC: "xor_pass_count",
    0xFD: "xor_fail_count",
    0xFE: "xor_invoked_count",
}
_SOLIDIGM = {
    "soft_ecc_error_rate": "soft_ecc_err_rate",
    "relocatable_sector_count": "re_alloc_sectr_cnt",
    "wear_leveling_count": WEAR,
    "unexpected_power_loss": "unexp_power_loss",
    "e2e_error_detect_count": "end_to_end_error_detection_count",
    "bad_tlp_count": "crc_error_count",
    "media_wear_percentage": MEDIA_WEAR,
    "timed_work_load_host_reads": "timed_workload_host_reads",
    "timed_work_load_timer": "timed_workload_timer",
    "retry_buffer_overflow_counter": "retry_buffer_overflow_count",
    "pll_lock_loss_counter": "pll_lock_loss_count",
    "host_context_wear_used": "host_ctx_wear_used",
    "performance_status_indicator": "perf_stat_indicator",
    "available_fw_downgrades": "avail_fw_downgrades",
}
"""Solidigm's plugin gives other names to the same items."""
_NAMES = frozenset(NAME_BY_ID.values())
_TITLES = ("Intel Smart log", "Solidigm SMART log")
_PARTS = {"pct": THROTTLE, "percentage": THROTTLE, "cnt": "thermal_throttle_count", "count": "thermal_throttle_count"}
_FIRST_IDS = (0xAB, 0xAC, 0xAD)
_WITH_ID = re.compile(r"\s*(0x[0-9a-fA-F]{1,2})\s+(\S+)\s+(\d+)\s+(\d+)\s*")
_OF_SOLIDIGM = re.compile(r"\s*(0x[0-9a-fA-F]{1,2})\s+(\S+)\s+(\d+)\s+(\D+\d.*|\d+%,.*)")
_LEGACY = re.compile(r".*legacy:\s*(\d+)\s*")
_WITHOUT_ID = re.compile(r"\s*(\w+)\s*:\s*(\d+)%\s+(\S.*?)\s*")
_WEAR = re.compile(r"min:\s*(\d+),\s*max:\s*(\d+),\s*avg:\s*(\d+)")
_THROTTLE = re.compile(r"(\d+)%,\s*cnt:\s*(\d+)")
_PERCENT = re.compile(r"(\d+)[.,](\d{1,6})%?")
_UNITS = re.compile(r"(?:sectors:\s*)?([\d.,' ]+?)\s*(?:%|min)?")


def is_intel_page(page: bytes) -> bool:
    """Whether a page begins with the first three items of the log."""
    return len(page) >= 3 * ITEM_BYTES and tuple(page[: 3 * ITEM_BYTES : ITEM_BYTES]) == _FIRST_IDS


def read_intel_page(page: bytes, draft: Draft) -> None:
    """Write the raw page into the draft; it ends at the first item without a number."""
    for start in range(0, len(page) - ITEM_BYTES + 1, ITEM_BYTES):
        item = page[start : start + ITEM_BYTES]
        if not item[0]:
            break
        _item(item[0], item[3], item[5:11], draft)


def _item(id: int, normalized: int, raw: bytes, draft: Draft) -> None:
    name = NAME_BY_ID.get(id)
    if name is None:
        name = f"item_{id:02x}h"
        draft.remark(f"log CAh has an item {id:02X}h whose meaning is not known")
    draft.log(LOG, f"{name}_normalized", normalized)
    if name == WEAR:
        for index, end in enumerate(("min", "max", "avg")):
            draft.log(LOG, f"{name}_{end}", int.from_bytes(raw[2 * index : 2 * index + 2], "little"))
    elif name == THROTTLE:
        draft.log(LOG, name, raw[0])
        draft.log(LOG, "thermal_throttle_count", int.from_bytes(raw[1:5], "little"))
    else:
        draft.log(LOG, name, int.from_bytes(raw, "little"))


def read_intel_line(line: str, draft: Draft) -> bool:
    """Write a line of the text form (old or new) into the draft; returns whether it was one."""
    if match := _WITH_ID.fullmatch(line):
        number = int(match[4])
        if number >> 48 or int(match[3]) > 255:
            return False
        _item(int(match[1], 16), int(match[3]), number.to_bytes(6, "little"), draft)
        return True
    if match := _OF_SOLIDIGM.fullmatch(line):
        return _packed_line(NAME_BY_ID.get(int(match[1], 16), ""), int(match[3]), match[4], draft)
    if not (match := _WITHOUT_ID.fullmatch(line)) or match[1] not in _NAMES:
        return False
    name, value = match[1], match[3]
    if name == WEAR:
        if not (wear := _WEAR.fullmatch(value)):
            return False
        for end, number_text in zip(("min", "max", "avg"), wear.groups(), strict=True):
            draft.log(LOG, f"{name}_{end}", int(number_text))
    elif name == THROTTLE:
        if not (throttle := _THROTTLE.fullmatch(value)):
            return False
        draft.log(LOG, name, int(throttle[1]))
        draft.log(LOG, "thermal_throttle_count", int(throttle[2]))
    elif name == MEDIA_WEAR and (percent := _PERCENT.fullmatch(value)):
        draft.log(LOG, name, round(float(f"{percent[1]}.{percent[2]}") * 1024))
    else:
        units = _UNITS.fullmatch(value)
        count = whole_number(units[1]) if units else None
        if count is None:
            return False
        draft.log(LOG, name, count)
    draft.log(LOG, f"{name}_normalized", int(match[2]))
    return True


def _packed_line(name: str, normalized: int, value: str, draft: Draft) -> bool:
    """Write an item of which Solidigm's plugin prints the parts; returns whether it was one."""
    value = value.strip()
    if normalized > 255:
        return False
    if name == WEAR and (wear := _WEAR.fullmatch(value)):
        for end, number_text in zip(("min", "max", "avg"), wear.groups(), strict=True):
            draft.log(LOG, f"{name}_{end}", int(number_text))
    elif name == THROTTLE and (throttle := _THROTTLE.fullmatch(value)):
        draft.log(LOG, name, int(throttle[1]))
        draft.log(LOG, "thermal_throttle_count", int(throttle[2]))
    elif legacy := _LEGACY.fullmatch(value):
        draft.log(LOG, name or "pll_lock_loss_count", int(legacy[1]))
    else:
        return False
    draft.log(LOG, f"{name}_normalized", normalized)
    return True


def looks_like_intel(document: dict[str, Any]) -> bool:
    """Whether a JSON document is this log."""
    stats = table(document, "Device stats") or document
    named = {key.removesuffix(" raw").removesuffix(" normalized") for key in stats}
    titled = any(title in document for title in _TITLES)
    return titled or len(named & (_NAMES | _SOLIDIGM.keys())) > 2


def read_intel_document(document: dict[str, Any], draft: Draft) -> None:
    """Write the JSON of `nvme intel smart-log-add -o json` into the draft."""
    for key, entry in (table(document, "Device stats") or document).items():
        name = _SOLIDIGM.get(key, key)
        if not isinstance(entry, dict):
            if key not in _TITLES and not _flat(key, entry, draft):
                draft.not_read(f"Intel log {key}: {entry!r}")
            continue
        if (normalized := whole(entry.get("normalized"))) is not None:
            draft.log(LOG, f"{name}_normalized", normalized)
        raw = entry.get("raw")
        if raw is None and "legacy" in entry:
            raw = entry["legacy"]
        elif raw is None:
            raw = {part: number for part, number in entry.items() if part in _PARTS or part in ("min", "max", "avg")}
        if isinstance(raw, dict):
            for part, number in raw.items():
                if (value := whole(number)) is not None:
                    draft.log(LOG, _PARTS.get(part, f"{name}_{part}"), value)
        elif name == MEDIA_WEAR and isinstance(raw, (int, float)) and not isinstance(raw, bool) and 0 <= raw < 2**48:
            draft.log(LOG, name, round(raw * 1024))
        elif (value := whole(raw)) is not None:
            draft.log(LOG, name, value)
        else:
            draft.not_read(f"Intel log {key}: {entry!r}")


def _flat(key: str, entry: object, draft: Draft) -> bool:
    """Write an entry of WDC's JSON ("wear_leveling min": 3) into the draft; returns whether it was one."""
    name, _, part = key.partition(" ")
    if name == "thermal_throttle_cnt":
        name, part = "thermal_throttle_count", "raw"
    if name not in _NAMES and name != "thermal_throttle_count":
        return False
    if name == MEDIA_WEAR and part == "raw" and isinstance(entry, (int, float)) and 0 <= entry < 2**38:
        draft.log(LOG, name, round(entry * 1024))
        return True
    value = whole(entry)
    if value is None or value < 0:
        return False
    draft.log(LOG, name if part in ("raw", "") else f"{name}_{part}", value)
    return True
