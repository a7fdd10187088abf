"""Numbers that cannot be: an interval out of order, or endless, or one that reaches what its quantity cannot be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, every, numbers_of, withdrawn
from flashscope.records import Record

SIGNED = {"parallel_gain_ratio", "sector_emulation_gain_ratio", "rber_growth_per_cycle", "performance_change"}
"""Differences: below 0 when it became slower, or fewer."""
MAY_BE_NOTHING = {
    "rber": "no wrong bit in what was read",
    "recovery_idle_ns": "nothing had to recover",
    "trim_helps_after_ns": "it helps at once",
    "idle_gap_for_full_burst_ns": "the bursts before were fast, too",
    "flash_bytes_per_host_byte_zeros": "zeros need not reach flash",
    "data_integrity": "no block came back changed",
    "crash_recovery": "no power was lost",
    "error_bits": "no wrong bit in what was read",
    "erase_count_spread": "all blocks were erased as often",
    "failing_share_at_rating": "no drive failed before its rating",
    "functional_failures_at_rating": "no drive failed before its rating",
    "grown_bad_blocks": "no block went bad",
    "rber_at_end": "no wrong bit in what was read",
    "retention": "nothing was lost without power",
    "retention_at_rating": "nothing was lost without power",
    "retention_off_power": "nothing was lost without power",
    "wear_rate": "the counter has not moved",
    "hitches_writes_per_hour": "none was seen",
    "hitches_mixed_per_hour": "none was seen",
    "hitches_reads_per_hour": "none was seen",
    "idle_fill_delay_ns": "it may begin at once",
    "slow_fill_level_ratio": "the first of the levels that were written",
}
"""Quantities that may be 0, with what that means."""


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        if found.finding.value is not None:
            yield from (withdrawn(found, reason) for reason in _wrong(found))


def _wrong(found: Told) -> Iterator[str]:
    """The first reason why these numbers cannot be."""
    numbers = numbers_of(found.finding)
    said = " to ".join(f"{each:.4g}" for each in dict.fromkeys(numbers))
    key = found.finding.key
    if any(not math.isfinite(each) for each in numbers):
        yield f"its interval has no end ({said})"
    elif numbers != sorted(numbers):
        yield f"its value does not lie in its interval ({said})"
    elif numbers and numbers[0] < 0 and key not in SIGNED:
        yield f"its interval reaches below 0 ({said}), which it cannot be: it was measured too coarsely for a value"
    elif numbers and numbers[0] == 0 and key not in MAY_BE_NOTHING and key not in SIGNED:
        yield f"its interval reaches 0 ({said}), which it cannot be: it was measured too coarsely for a value"


RULE = Rule(
    "possible-numbers",
    "An interval is finite and in order, and does not reach 0 or less where the quantity is more than 0.",
    _objections,
)
