"""What a finding can say at all: bounds of its unit, which hold for every drive and every experiment.

    interval    low <= value <= high, all finite
    rates, times, durations     above 0        a drive that was measured did something
    sizes                       above 0, and nothing that lies on the drive is larger than it
    requests at once            1 to the deepest queue that was asked for
    write amplification         1 or more, as the data that is written cannot be compressed

A few quantities are differences and may be negative, or count what may not have happened: they are named below.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from flashscope.records import Finding, Record

SIGNED = {"parallel_gain_ratio", "sector_emulation_gain_ratio", "rber_growth_per_cycle"}
"""Differences: below 0 when it became slower, or fewer."""
MAY_BE_NOTHING = {
    "rber": "no wrong bit in what was read",
    "recovery_idle_ns": "nothing had to recover",
    "trim_helps_after_ns": "it helps at once",
    "idle_gap_for_full_burst_ns": "the bursts before were fast, too",
    "flash_bytes_per_host_byte_zeros": "zeros need not reach flash",
    "hitches_writes_per_hour": "none was seen",
    "hitches_mixed_per_hour": "none was seen",
    "hitches_reads_per_hour": "none was seen",
    "idle_fill_delay_ns": "it may begin at once",
    "slow_fill_level_ratio": "the first of the levels that were written",
}
_ON_THE_DRIVE = {
    "write_buffer_bytes",
    "hybrid_cache_bytes",
    "largest_full_rate_file_bytes",
    "hybrid_cache_largest_request_bytes",
    "mapping_unit_bytes",
}


def impossible(record: Record) -> list[str]:
    """Each finding of the record that says what cannot be, with the reason."""
    said = [(finding.key, why) for finding in record.findings for why in _wrong(finding, record)]
    return [f"{record.experiment} {key}: {why}" for key, why in said]


def _wrong(finding: Finding, record: Record) -> Iterator[str]:
    numbers = [each for each in (finding.low, finding.value, finding.high) if isinstance(each, int | float)]
    said = " ".join(f"{each:.6g}" for each in numbers)
    if any(not math.isfinite(each) for each in numbers):
        yield f"{said} is not finite"
    if numbers != sorted(numbers):
        yield f"{said} is not in order"
    if not numbers or finding.value is None:
        return
    least = numbers[0]
    if least < 0 and finding.key not in SIGNED:
        yield f"{said} reaches below 0"
    if least == 0 and finding.key not in MAY_BE_NOTHING | dict.fromkeys(SIGNED, ""):
        yield f"{said} reaches 0"
    yield from _beyond(finding, record, numbers, said)


def _beyond(finding: Finding, record: Record, numbers: list[float], said: str) -> Iterator[str]:
    if finding.key in _ON_THE_DRIVE and numbers[-1] > record.drive_facts.user_bytes:
        yield f"{said} is more than the drive has"
    if finding.key == "write_amplification_random" and numbers[0] < 1:
        yield f"{said}: less reaches the flash than was written"
    if finding.unit == "requests" and (numbers[0] < 1 or numbers[-1] > _deepest(record)):
        yield f"{said}: {_deepest(record)} were asked for at once"
    link = _link_bytes_per_second(record)
    if finding.unit == "bytes/s" and link and numbers[-1] > 1.01 * link:
        yield f"{said} is more than the link carries, {link:.6g}"
    gain = re.search(r"([0-9.]+) times", finding.statement) if finding.key.startswith("useful_member_count") else None
    if gain is not None and float(gain[1]) > 1.03 * len(record.drive_facts.members):
        yield finding.statement


def _deepest(record: Record) -> int:
    jobs = [job for step in record.steps for job in step.parameters.get("jobs", ())]
    return max((int(job["queue_depth"]) for job in jobs), default=1)


def _link_bytes_per_second(record: Record) -> float:
    link = (record.configuration.get("part") or {}).get("link", {})
    return float(link.get("bytes_per_second", 0)) * (2 if link.get("full_duplex") else 1)
