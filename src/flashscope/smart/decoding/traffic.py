"""How many bytes the host moved: the maker's counter, whose unit may be uncertain, and the Device Statistics.

    counter x each unit it may have   --which fits the statistics?-->    both agree: the statistics' exact number
    ATA Device Statistics (sectors)   --which is possible at all?-->     else the more certain one; both are kept

Device Statistics are standard but not always right. They are not used where they wrapped at 2^32 sectors, where
they repeat the maker's counter in the maker's unit, where there are no more sectors than commands, and where they would
need far more erases than the flash has had.
Not modelled here: logical sectors of 4096 B.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.smart.decoding.reading import Field
from flashscope.smart.dump import Dump

SECTOR_BYTES = 512
WRAP_SECTORS = 1 << 32
ALL_ONES_SECTORS = (1 << 48) - 1  # the drive does not fill the entry
IN_BETWEEN_SECTORS = 1 << 21  # 1 GiB: the two are read one after the other
AGREEMENT_RATIO = 0.01
WRITE_AMPLIFICATIONS = (0.3, 30.0)  # range over the lives of drives, with a margin; early controllers reach 120
FASTEST_BYTES_PER_S = 600e6  # SATA
IDLEST_BYTES_PER_HOUR = 100e3  # least amount written to a drive per hour of power
FEW_HOURS, FEW_COMMANDS = 100, 100
FEW_CYCLES = 3
PLACES = {"host_written_bytes": 0x18, "host_read_bytes": 0x28}
"""Field -> offset of its number of sectors in page 1 of the Device Statistics; the commands stand 8 B further."""


@dataclass(frozen=True)
class Life:
    """The bounds of a drive's traffic: capacity, hours of power, average erase count; None where unknown."""

    user_bytes: int | None
    power_on_time_hours: float | None
    erase_count_average: float | None

    def allows(self, written_bytes: float) -> bool:
        """Whether a drive of this age and wear can have been written that much."""
        hours, cycles = self.power_on_time_hours, self.erase_count_average
        if hours is not None and hours > FEW_HOURS:
            most_bytes = FASTEST_BYTES_PER_S * 3600 * (hours + 1)
            if not IDLEST_BYTES_PER_HOUR * hours <= written_bytes <= most_bytes:
                return False
        if not self.user_bytes or cycles is None or cycles < FEW_CYCLES:
            return True
        least_bytes = cycles * self.user_bytes / WRITE_AMPLIFICATIONS[1]
        return least_bytes <= written_bytes <= self.written_bytes_most()

    def speaks_against(self, written_bytes: float) -> bool:
        """Whether so much is far more than a drive of this age or wear can have been written, by ten times."""
        hours = self.power_on_time_hours
        fastest_bytes = math.inf if hours is None else 10 * FASTEST_BYTES_PER_S * 3600 * (hours + FEW_HOURS)
        return written_bytes > min(fastest_bytes, 10 * self.written_bytes_most())

    def written_bytes_most(self) -> float:
        """Most bytes the flash can have received by its erase count; infinite where that is unknown or small."""
        if not self.user_bytes or self.erase_count_average is None or self.erase_count_average < FEW_CYCLES:
            return math.inf
        return (self.erase_count_average + 1) * self.user_bytes / WRITE_AMPLIFICATIONS[0]


@dataclass(frozen=True)
class Counter:
    """A maker's counter of host bytes. field: in its likeliest unit; count: its number.

    scales: possible bytes per count, likeliest first. step: by how many counts it grows at once.
    """

    field: Field
    count: int
    scales: Sequence[float]
    step: float = 1

    def in_unit(self, scale: float) -> Field:
        """The field in one unit; a count of complete units may be up to one step too low."""
        value = self.count * scale
        return replace(self.field, value=value, low=value, high=value + self._room(scale))

    def agrees(self, told: float, scale: float) -> bool:
        """Whether the counter in one unit agrees with another counter [bytes]."""
        return abs(self.count * scale - told) <= max(scale, self._room(scale), AGREEMENT_RATIO * told)

    def wraps_to(self, sectors: int, scale: float) -> bool:
        """Whether `sectors` equal this counter minus a multiple of 2^32, except for writes between the readings."""
        by_counter = self.count * scale / SECTOR_BYTES
        if sectors >= WRAP_SECTORS or by_counter < WRAP_SECTORS:
            return False
        apart = (sectors - by_counter) % WRAP_SECTORS
        return min(apart, WRAP_SECTORS - apart) <= IN_BETWEEN_SECTORS

    def _room(self, scale: float) -> float:
        return self.step * scale if scale > SECTOR_BYTES else 0


def believed(key: str, counter: Counter, dump: Dump, life: Life, *, distrusted: bool = False) -> list[Field]:
    """The fields of one direction: the number that is used under `key`, the others under other keys.

    key: "host_written_bytes" or "host_read_bytes". distrusted: the statistics were wrong in the other direction.
    """
    offset = PLACES[key]
    sectors, commands = dump.statistic(1, offset), dump.statistic(1, offset + 8)
    if sectors is None or sectors >= ALL_ONES_SECTORS or (sectors <= 0 and counter.count > 0):
        return _by_itself(key, counter, life)
    told = statistics_field(key, sectors)
    one_per_command = bool(commands and commands > FEW_COMMANDS and sectors <= commands)
    for scale in counter.scales:
        if counter.agrees(told.value, scale) and not (one_per_command and scale == SECTOR_BYTES):
            vendor = replace(counter.in_unit(scale), key=f"{key}_vendor")
            return [replace(told, provenance="verified"), vendor]
    for scale in counter.scales:
        if counter.wraps_to(sectors, scale):
            meaning = "told by the Device Statistics, which have wrapped at 2^32 sectors"
            statistics = replace(told, key=f"{key}_statistics", meaning=meaning, provenance="inferred")
            return [replace(counter.in_unit(scale), provenance="verified"), statistics]
    alone = _by_itself(key, counter, life)
    doubt = "which are wrong for writes too" if distrusted else ""
    if sectors == counter.count and SECTOR_BYTES not in counter.scales and alone:
        doubt = "which repeat the maker's counter in its own unit"
    elif one_per_command:
        doubt = "where no more sectors than commands are counted"
    elif key == "host_written_bytes" and told.value > life.written_bytes_most():
        doubt = "by which the flash would have been erased far more often than it was"
    if doubt and alone:
        meaning = f"told by the Device Statistics, {doubt}"
        return [*alone, replace(told, key=f"{key}_statistics", meaning=meaning, provenance="assumed")]
    return [told, *(replace(one, key=f"{key}_vendor", provenance="assumed") for one in alone)]


def statistics_field(key: str, sectors: int) -> Field:
    """The field that the Device Statistics make of a number of sectors."""
    what = "written" if key == "host_written_bytes" else "read"
    value = sectors * SECTOR_BYTES
    origin = f"Device Statistics 01h:{PLACES[key]:03X}h"
    return Field(key, value, "bytes", f"{what} by the host", "documented", value, value, sectors, origin)


def _by_itself(key: str, counter: Counter, life: Life) -> list[Field]:
    """The counter alone, without statistics: in the only possible unit, or in the likeliest with a wide interval.

    No field where the drive's hours and erases allow none of the units.
    """
    scales, count = counter.scales, counter.count
    writes = key == "host_written_bytes"
    possible = [scale for scale in scales if not writes or life.allows(count * scale)]
    if not possible and life.speaks_against(count * min(scales)):
        return []
    if len(scales) == 1:
        return [counter.in_unit(scales[0])]
    if len(possible) == 1:
        return [replace(counter.in_unit(possible[0]), provenance="inferred")]
    left = possible or list(scales)
    meaning = f"{counter.field.meaning}; the unit is assumed, and the interval holds all that it may be"
    chosen = replace(counter.in_unit(left[0]), provenance="assumed", meaning=meaning)
    high = (count + counter.step) * max(left)
    if writes:
        high = max(chosen.high, min(high, life.written_bytes_most()))
    return [replace(chosen, low=count * min(left), high=high)]
