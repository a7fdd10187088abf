"""Endurance group logs (09h), each of a part of the flash: warnings joined, the worst share, sums of bytes.

Bytes are counted in units of 10^9, rounded up; 0 stands for "not reported".
"""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.nvme_records.errors import LOG

# (name, place, size): NVM Express base specification, Endurance Group Information.
LAYOUT: tuple[tuple[str, int, int], ...] = (
    ("critical_warning", 0, 1),
    ("avl_spare", 3, 1),
    ("avl_spare_threshold", 4, 1),
    ("percent_used", 5, 1),
    ("endurance_estimate", 32, 16),
    ("data_units_read", 48, 16),
    ("data_units_written", 64, 16),
    ("media_units_written", 80, 16),
    ("host_read_cmds", 96, 16),
    ("host_write_cmds", 112, 16),
    ("media_data_integrity_err", 128, 16),
    ("num_err_info_log_entries", 144, 16),
)
NAMES = frozenset(name for name, _, _ in LAYOUT)
_OWN = frozenset({"avl_spare", "media_units_written", "media_data_integrity_err", "avl_spare_threshold"})
_SUMS = ("data_units_read", "data_units_written", "media_units_written", "media_data_integrity_err",
         "endurance_estimate")  # fmt: skip


def looks_like_group(names: Mapping[str, object]) -> bool:
    """Whether these are the names of an endurance group's log."""
    return len(names.keys() & _OWN) > 1


def add_group(draft: Draft, group: Mapping[str, int]) -> None:
    """Take the numbers of one group, by nvme-cli's names."""
    log = draft.vendor_logs.setdefault(LOG, {})
    log["endurance_group_count"] = log.get("endurance_group_count", 0) + 1
    if (warning := group.get("critical_warning")) is not None:
        log["group_critical_warning"] = log.get("group_critical_warning", 0) | warning
    for name, worse in (("percent_used", max), ("avl_spare", min), ("avl_spare_threshold", max)):
        if (value := group.get(name)) is not None and value < 256:
            log[f"group_{name}"] = worse(log.get(f"group_{name}", value), value)
    for name in _SUMS:
        if (value := group.get(name)) is not None:
            log[f"group_{name}"] = log.get(f"group_{name}", 0) + value
