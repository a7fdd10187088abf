"""The findings about which a virtual drive can state nothing, and why; every other finding has a truth, if a wide one.

A truth never comes from what an experiment measured: only from the configuration, the geometry and the counters.
"""

from __future__ import annotations

import re

_HISTORY = "it depends on what the run itself wrote before, and how far the drive had got with its own work"
_FOLLOWS = "it follows from two other findings, each of which has a truth"
_HOST = "it is the time of a modelled host and its file system with a drive, which no setting of the drive states"
_PROGRAM = "it is a figure by the formula of a program, from rates that have a truth"

UNTOLD: dict[str, str] = {
    "aged_ratio_.*": _HISTORY,
    "beside_ratio_rand_read_512k": _HISTORY,
    "collapse_ratio_.*": _HISTORY,
    "copy_duration(_512|_4096)?_s": _HOST,
    "(parallel|serial)_duration_s": _HOST,
    "parallel_gain_ratio": _HOST,
    "sector_emulation_gain_ratio": _HOST,
    "error_bits_per_error_read": "the configuration states how bits go wrong, not how many fall into one read",
    "figures_follow": _HISTORY,
    "hitches_.*_per_hour": _HISTORY,
    "idle_recovery_gain": _FOLLOWS,
    "idle_recovery_rate_bytes_per_second": _HISTORY,
    "largest_full_rate_file_bytes": _HISTORY,
    "(read|write)_size_for_full_rate_bytes": "it is where a curve bends, which several settings decide together",
    "rate_ratio": _FOLLOWS,
    "read_wait_.*_ratio": _HISTORY,
    "recovery_idle_ns": _HISTORY,
    "score_(read|write|total)": _PROGRAM,
    "slow_fill_level_ratio": _HISTORY,
    "small_write_cost_ratio": _HISTORY,
    "stripe_longest_freeze_ns": _HISTORY,
    "write_ratio_after_.*": _FOLLOWS,
}
"""Pattern of the whole key -> the reason, which ends "no truth, because ..."."""


def why_no_truth(key: str) -> str:
    """Why a virtual drive states nothing about that finding; "" where it can."""
    return next((why for pattern, why in UNTOLD.items() if re.fullmatch(pattern, key)), "")
