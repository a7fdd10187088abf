"""SMART at a checkpoint: the reading, or why there is none. A missing reading alone never ends a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field

from flashscope.errors import FlashscopeError
from flashscope.records import SmartSnapshot
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.life_claims import ERASES, life_claims
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.dump import Dump
from flashscope.smart.readers.snapshot import snapshot_of

ReadDump = Callable[[], Dump]

KEPT = (
    *("host_written_bytes", "nand_written_bytes", "erase_count_average", "erase_count_min", "erase_count_max"),
    *("rated_pe_cycles", "grown_bad_block_count", "reallocated_sector_count", "spare_left_percent"),
    *("uncorrectable_error_count", "program_failure_block_count", "erase_failure_block_count", "rber"),
    *("write_amplification", "temperature_celsius", "power_on_time_hours", "critical_warning", "write_protect_flag"),
    *("read_only", "unexpected_power_loss_count", "power_cycle_count"),
)
"""Fields of a reading that a checkpoint keeps as numbers; the snapshot holds all of it."""
_READ_ONLY_BIT = 3  # of NVMe's critical warning


@dataclass(frozen=True)
class SmartLook:
    """snapshot: all of it, None without an answer. numbers: by field key. failure: why there is no answer."""

    snapshot: SmartSnapshot | None = None
    numbers: dict[str, float] = field(default_factory=dict)
    failure: str = ""

    @property
    def says_read_only(self) -> bool:
        """The drive reports that it takes no more writes."""
        flags = self.numbers.get("write_protect_flag", 0) or self.numbers.get("read_only", 0)
        return bool(flags) or bool(int(self.numbers.get("critical_warning", 0)) >> _READ_ONLY_BIT & 1)


def look(read_dump: ReadDump | None, elapsed_ns: int) -> SmartLook:
    """Read SMART. read_dump: None for a drive without SMART. elapsed_ns: since the run began."""
    if read_dump is None:
        return SmartLook(failure="this drive has no SMART")
    try:
        dump = read_dump()
        snapshot, reading = snapshot_of(dump, elapsed_ns), read(dump)
    except FlashscopeError as error:
        return SmartLook(failure=error.what)
    return SmartLook(dataclasses.replace(snapshot, elapsed_ns=elapsed_ns), _numbers(reading))


def _numbers(reading: Reading) -> dict[str, float]:
    found = {key: float(reading.fields[key].value) for key in KEPT if key in reading.fields}
    claims = [claim for claim in life_claims(reading) if claim.key != ERASES]
    if claim := next((one for one in claims if not one.set_aside), next(iter(claims), None)):
        found["life_used_percent"] = float(100 * claim.used.value)
    return found
