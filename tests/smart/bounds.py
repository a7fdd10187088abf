"""What one reading can be checked against without knowing the drive: each number against another of its counters.

A check says whether the number's interval reaches within a factor of two of what the other counter allows, and the
doubt that stands beside it when it does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flashscope.smart.decoding.contradictions import COMPRESSING_FAMILIES
from flashscope.smart.decoding.raw_flash import raw_flash_bytes
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.dump import Dump

ALL_ONES = (1 << 48) - 1
FEW_CYCLES = 5
CACHE_BITS_MOST = 4
DOUBTS = {"StatisticsDisbelieved", "HostBytesDisagree", "FlashBelowErases", "FlashFarAboveHost", "FasterThanTheLink"}
"""Kinds of contradiction that say of a number of bytes that it is doubtful."""


@dataclass(frozen=True)
class Check:
    """what: the two numbers. right: whether they agree within a factor of two. doubted: whether the reading says so."""

    what: str
    right: bool
    doubted: bool
    words: str

    @property
    def is_silently_wrong(self) -> bool:
        """Off by more than two with no doubt beside it."""
        return not self.right and not self.doubted


def checks(reading: Reading, dump: Dump) -> Iterator[Check]:
    """All checks that this reading allows."""
    host, flash = reading.fields.get("host_written_bytes"), reading.fields.get("nand_written_bytes")
    hours, erases = reading.fields.get("power_on_time_hours"), reading.fields.get("erase_count_average")
    compresses = reading.family.startswith(COMPRESSING_FAMILIES)
    doubted = bool({one.kind for one in reading.contradictions} & DOUBTS)
    sectors = dump.statistic(1, 0x18)
    if host and sectors and sectors < ALL_ONES:
        yield _check("host bytes, Device Statistics", host, sectors * 512, sectors * 512, doubted)
    if host and hours and hours.value > 10:
        yield _check("host bytes, hours at the link's rate", host, 0, 600e6 * 3600 * (hours.value + 1), doubted)
    if host and flash and not compresses:
        yield _check("flash bytes, host bytes", flash, 1.9 * host.low, math.inf, doubted)
    if erases and erases.value >= FEW_CYCLES and dump.user_bytes:
        by_erases = erases.value * raw_flash_bytes(dump.user_bytes).value
        cache_apart = "slc_nand_written_bytes" in reading.fields or "full_cell_nand_written_bytes" in reading.fields
        if flash and not cache_apart:
            yield _check("flash bytes, erases", flash, by_erases / CACHE_BITS_MOST, 3 * by_erases, doubted)
        if host and not compresses and not cache_apart:
            yield _check("host bytes, erases", host, by_erases / 100, 3 * by_erases, doubted)


def _check(what: str, field: Field, least: float, most: float, doubted: bool) -> Check:
    right = field.high >= least / 2 and field.low <= most * 2
    wide = field.provenance == "assumed" and field.high > 2 * max(field.low, 1)
    words = f"{what}: {field.value:.4g} [{field.low:.4g} to {field.high:.4g}], allowed {least:.4g} to {most:.4g}"
    return Check(what, right, doubted or wide, words)
