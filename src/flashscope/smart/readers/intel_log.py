"""Intel's additional health log (CAh) and similar ones (Solidigm, Memblaze, YMTC): raw page, text and JSON of nvme-cli.

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
}
_NAMES = frozenset(NAME_BY_ID.values())
_FIRST_IDS = (0xAB, 0xAC, 0xAD)
_WITH_ID = re.compile(r"\s*(0x[0-9a-fA-F]{1,2})\s+(\S+)\s+(\d+)\s+(\d+)\s*")
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


def looks_like_intel(document: dict[str, Any]) -> bool:
    """Whether a JSON document is this log."""
    stats = table(document, "Device stats") or document
    return "Intel Smart log" in document or len(stats.keys() & _NAMES) > 2


def read_intel_document(document: dict[str, Any], draft: Draft) -> None:
    """Write the JSON of `nvme intel smart-log-add -o json` into the draft."""
    for name, entry in (table(document, "Device stats") or document).items():
        if not isinstance(entry, dict):
            if name != "Intel Smart log":
                draft.not_read(f"Intel log {name}: {entry!r}")
            continue
        if (normalized := whole(entry.get("normalized"))) is not None:
            draft.log(LOG, f"{name}_normalized", normalized)
        raw = entry.get("raw")
        if isinstance(raw, dict):
            for part, number in raw.items():
                if (value := whole(number)) is not None:
                    names = {"pct": THROTTLE, "cnt": "thermal_throttle_count"}
                    draft.log(LOG, names.get(part, f"{name}_{part}"), value)
        elif name == MEDIA_WEAR and isinstance(raw, (int, float)) and not isinstance(raw, bool) and 0 <= raw < 2**48:
            draft.log(LOG, name, round(raw * 1024))
        elif (value := whole(raw)) is not None:
            draft.log(LOG, name, value)
        else:
            draft.not_read(f"Intel log {name}: {entry!r}")
