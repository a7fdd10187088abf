"""A year of the largest public archive, in shape and size: 100 million rows of 215 columns.

The days are made while they are read, a batch at a time, since all of them would take 44 GB. Rows are made as one array
of bytes, in which only the day, the mark of failure and three counters change.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from flashscope.smart.archives.day_files import find_day_files
from flashscope.smart.archives.engine import Limits
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.plan import plan_batches
from flashscope.smart.archives.reading import memory_bytes, read_archive
from flashscope.smart.archives.summary import summarise
from flashscope.smart.archives.survival import DAYS_PER_YEAR
from tests.known import known
from tests.smart.archives.made_archive import day

DAYS = 365
DRIVES = 284_000
MODELS = 60
FAILING_PER_YEAR = 0.015
LIMITS = Limits(2 << 30, 2)
MEMORY_BYTES = 4 << 30
_BATCH_DAYS = 15

_FILLED = {1: 9, 3: 1, 4: 2, 5: 2, 7: 10, 9: 6, 10: 1, 12: 2, 187: 2, 188: 2, 190: 2, 192: 3, 193: 6, 194: 2, 195: 9,
           197: 2, 198: 2, 199: 2, 240: 6, 241: 12, 242: 12}  # fmt: skip
"""Attributes that the drives have, with the digits of their raw numbers; all others are empty, as in a real file."""
_IDS = sorted({*range(1, 19), *range(22, 25), 27, 71, 82, 90, *range(160, 203), *range(206, 213), 218, 220,
               *range(222, 227), *range(230, 236), *range(240, 249), 250, 251, 252, 254, 255})  # fmt: skip
_GROWING = {9: 24, 240: 24, 241: 9_000_000}
"""Attribute -> what it grows by in a day."""


class Year:
    """Day after day of the fleet. Each drive enters at some day and age; some fail, each on a day of its own."""

    def __init__(self) -> None:
        random = np.random.default_rng(18)
        self.enters = np.where(random.random(DRIVES) < 0.05, random.integers(1, DAYS, DRIVES), 0)
        self.fails = self.enters + random.exponential(DAYS / FAILING_PER_YEAR, DRIVES).astype(np.int64)
        days_before = random.integers(0, 1_700, DRIVES)
        self.counters = {id: days_before * grown for id, grown in _GROWING.items()}
        facts = "date,serial_number,model,capacity_bytes,failure,datacenter,cluster_id,vault_id,pod_id,pod_slot_num"
        names = [f"smart_{id}_{kind}" for id in _IDS for kind in ("normalized", "raw")]
        self.header = ",".join([facts, "is_legacy_format", *names]).encode() + b"\n"
        line = "YYYY-MM-DD,ZA00000000,ST12000NM0000,12000138625024,0,sac0,0,1011,5,,False"
        self.places: dict[int, tuple[int, int]] = {}
        for id in _IDS:
            digits = _FILLED.get(id, 0)
            line += ",100," if digits else ",,"
            self.places[id] = (len(line), digits)
            line += "0" * digits
        self.rows = np.tile(np.frombuffer(f"{line}\n".encode(), dtype=np.uint8), (DRIVES, 1))
        self._write(line.index("ZA") + 2, 8, np.arange(DRIVES))
        self._write(line.index("NM0000") + 2, 4, np.arange(DRIVES) % MODELS)
        self.failure_place = line.index(",0,sac0") + 1
        for id in (1, 7, 193, 195, 242):
            self._write(*self.places[id], random.integers(0, 10 ** _FILLED[id] - 1, DRIVES))

    def _write(self, start: int, digits: int, numbers: NDArray[np.int64]) -> None:
        for place in range(digits):
            self.rows[:, start + digits - 1 - place] = 48 + numbers // 10**place % 10

    def write(self, folder: Path, index: int) -> int:
        """The file of a day. Returns its rows."""
        self.rows[:, :10] = np.frombuffer(day(index).isoformat().encode(), dtype=np.uint8)
        for id, grown in _GROWING.items():
            self._write(*self.places[id], self.counters[id] + grown * index)
        self.rows[:, self.failure_place] = 48 + (self.fails == index)
        there = (self.enters <= index) & (index <= self.fails)
        with (folder / f"{day(index).isoformat()}.csv").open("wb") as file:
            file.write(self.header)
            file.write(self.rows[there].tobytes())
        return int(np.sum(there))


@pytest.mark.long
def test_a_year_of_a_hundred_million_rows_is_summarised_within_four_gib(tmp_path: Path) -> None:
    year = Year()
    row_count, took_s = 0, 0.0
    with Keeper(tmp_path / "kept.duckdb", LIMITS) as keeper:
        for start in range(0, DAYS, _BATCH_DAYS):
            folder = tmp_path / f"days from {start}"
            folder.mkdir()
            row_count += sum(year.write(folder, index) for index in range(start, min(DAYS, start + _BATCH_DAYS)))
            files, not_read = find_day_files([folder])
            assert not not_read
            plan = plan_batches(files, keeper.known_files(), keeper.totals().last_day, LIMITS.memory_bytes)
            effort, failed = read_archive(plan, keeper, LIMITS)
            assert not failed
            took_s += effort.took_s
            shutil.rmtree(folder)
            print(
                f"{keeper.totals().last_day}: {row_count} rows, {took_s:.0f} s, {memory_bytes() >> 20} MiB", flush=True
            )
        told = summarise(keeper)
    assert row_count > 99_000_000
    assert (told.totals.row_count, told.totals.drive_count) == (row_count, int(np.sum(year.enters < DAYS)))
    assert not told.doubts
    assert sum(one.lives.failure_count for one in told.models) == int(np.sum(year.fails < DAYS))
    rates = [known(one.rate) for one in told.models]
    true = DAYS_PER_YEAR * (1 - np.exp(-FAILING_PER_YEAR / DAYS))
    held = sum(rate.low <= true <= rate.high for rate in rates)
    assert held >= 0.85 * MODELS
    assert all(one.lives.by_power_on_time for one in told.models)
    assert memory_bytes() < MEMORY_BYTES
