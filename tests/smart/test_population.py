"""1500 drives that nobody chose: each is named, and no number is silently wrong by more than a factor of two.

Whatever a dump counts twice is held against itself (`bounds.py`). Where the dumps are not at hand, drives made from
every family's table stand for them.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import NO_SMART, UNKNOWN, Reading
from flashscope.smart.decoding.table import FamilyTable, all_tables
from flashscope.smart.dump import Dump
from flashscope.smart.readers.path import read_path
from tests.smart.bounds import DOUBTS, Check, checks
from tests.smart.made_up import nameless, words

POPULATION = Path(__file__).parents[3] / "shared" / "smart-population"
LEAST_NAMED_RATIO = 0.98
MOST_SILENTLY_WRONG_RATIO = 1 / 500
LEAST_FLASH_RIGHT_RATIO = 0.99
MOST_CPU_SECONDS_EACH = 0.01
TEN_GB = 10**10

PRINTED = {
    "Samsung based": {
        "samsung", "samsung-old", "samsung-hp", "samsung-dell-client", "hp-client", "lenovo-client", "dell-server"
    },
    "Intel 53x": {"intel-sandforce"},
    "Intel 520": {"intel-sandforce"},
    "Intel 33": {"intel-sandforce"},
    "Intel 54": {"silicon-motion-intel"},
    "Intel S": {"intel-dc"},
    "Intel 730": {"intel-dc", "intel-dell", "dell-server"},
    "Dell Certified Intel": {"intel-dell"},
    "Micron 5": {"micron-dc", "dell-server"},
    "Kingston SSDNow UV": {"kingston-uv"},
    "WD Blue": {"sandisk"},
    "SanDisk based": {"sandisk", "sandisk-embedded", "hp-client", "samsung-hp"},
    "Marvell based SanDisk": {"sandisk", "hp-client", "lenovo-client"},
    "Sandisk SATA Cloudspeed": {"sandisk-cloudspeed-2"},
    "Indilinx Barefoot based": {"indilinx"},
    "Indilinx Barefoot_2": {"indilinx-barefoot-2"},
    "Indilinx Barefoot 3": {"indilinx-barefoot-3"},
    "Seagate Nytro": {"seagate"},
    "Apple SD": {"apple"},
    "Innodisk 1IE3": {"innodisk"},
    "SK hynix": {"sk-hynix"},
    "Silicon Motion based OEM": {"silicon-motion", "silicon-motion-early", "superdom"},
    "Supermicro SATA DOM": {"superdom"},
    "Toshiba HK4R": {"toshiba-hk"},
    "Toshiba HG6": {"toshiba-hg6", "toshiba-hg"},
    "Plextor M3/M5 ": {"plextor"},
    "Plextor M3/M5/M6": {"plextor", "liteon"},
}  # fmt: skip
"""Beginnings of names in the printing program's database, and the families whose attributes such drives may have."""


@dataclass(frozen=True)
class Drive:
    """One dump and what was read from it."""

    path: Path
    dump: Dump
    reading: Reading


@pytest.fixture(scope="module")
def population() -> list[Drive]:
    if not POPULATION.exists():
        pytest.skip(f"{POPULATION} is not there, so no population of real dumps can be read")
    found = []
    for path in sorted(one for one in POPULATION.rglob("*") if one.is_file()):
        try:
            dump = read_path(path)
        except WrongUse:
            continue
        reading = read(dump)
        if reading.is_flash:
            found.append(Drive(path, dump, reading))
    assert len(found) > 1400
    return found


def test_nearly_all_drives_are_named(population: list[Drive]) -> None:
    nameless_ones = [one.dump.model for one in population if one.reading.family in (UNKNOWN, NO_SMART)]
    assert len(nameless_ones) <= (1 - LEAST_NAMED_RATIO) * len(population), nameless_ones


def test_no_drive_is_named_against_the_printing_programs_own_database(population: list[Drive]) -> None:
    wrong, compared = [], 0
    for one in population:
        known = next((names for start, names in PRINTED.items() if one.dump.family_printed.startswith(start)), None)
        if known is not None and one.reading.family != UNKNOWN:
            compared += 1
            if one.reading.family not in known:
                wrong.append((one.dump.model, one.dump.firmware, one.dump.family_printed, one.reading.family))
    assert compared > 600
    assert not wrong


def test_no_number_of_bytes_is_silently_wrong(population: list[Drive]) -> None:
    made = [(one, check) for one in population for check in checks(one.reading, one.dump)]
    counts = Counter(check.what for _, check in made)
    assert counts["host bytes, Device Statistics"] > 900
    assert counts["flash bytes, host bytes"] > 700
    assert counts["flash bytes, erases"] > 250
    wrong = {one.path: check.words for one, check in made if check.is_silently_wrong}
    assert len(wrong) <= MOST_SILENTLY_WRONG_RATIO * len(population), wrong


def test_flash_bytes_are_right_on_99_percent(population: list[Drive]) -> None:
    flash = [check for one in population for check in checks(one.reading, one.dump) if check.what.startswith("flash")]
    wrong = [check.words for check in flash if not check.right]
    assert len(wrong) <= (1 - LEAST_FLASH_RIGHT_RATIO) * len(flash), wrong


def test_host_bytes_hold_when_the_device_statistics_are_taken_away(population: list[Drive]) -> None:
    """What the unit is found from without a second counter: hours and erases."""
    compared, wrong, unsure = 0, [], 0
    for one in population:
        true = one.reading.fields.get("host_written_bytes")
        doubted = {found.kind for found in one.reading.contradictions} & DOUBTS
        if true is None or not one.dump.statistic(1, 0x18) or doubted - {"StatisticsDisbelieved"}:
            continue
        alone = read(replace(one.dump, statistics=())).fields.get("host_written_bytes")
        if alone is None or true.value < TEN_GB:
            continue
        compared += 1
        if not alone.low / 2 <= true.value <= alone.high * 2:
            wrong.append((one.dump.model, true.value, alone.low, alone.high))
        elif not true.value / 2 <= alone.value <= true.value * 2:
            unsure += 1
    assert compared > 850
    assert len(wrong) <= MOST_SILENTLY_WRONG_RATIO * compared, wrong
    assert unsure <= 2 * MOST_SILENTLY_WRONG_RATIO * compared


def test_a_reading_takes_little_of_the_processor(population: list[Drive]) -> None:
    before_s = time.process_time()
    for one in population[::10]:
        read(one.dump)
    assert time.process_time() - before_s < MOST_CPU_SECONDS_EACH * len(population[::10])


WRITTEN_BYTES, ERASES, HOURS = 20 * 10**12, 200, 9000


def _made(table: FamilyTable, scales: dict[str, float]) -> Dump:
    """A drive of a family that wrote 20 TB, with its counters in these units and erases that fit."""
    amounts = {"host_written_bytes": WRITTEN_BYTES, "nand_written_bytes": 2 * WRITTEN_BYTES}
    numbers = {row.id: int(amounts[row.key] / scales[row.key]) for row in reversed(table.rows) if row.key in scales}
    for row in reversed(table.rows):
        packed = row.layout.startswith("raw-16")
        if row.key == "erase_count_average" and row.id not in numbers and (packed or row.layout == "raw-48"):
            numbers[row.id] = words(ERASES, ERASES, ERASES) if packed else ERASES
    return nameless(table, numbers | {9: HOURS}, user_bytes=240_057_409_536)


OF_BYTES = ("host_written_bytes", "nand_written_bytes")
COUNTING = [one for one in all_tables() if any(row.key in OF_BYTES and row.layout == "raw-48" for row in one.rows)]


@pytest.mark.parametrize("table", [one for one in COUNTING if one.is_flash], ids=lambda table: table.name)
def test_every_unit_that_a_family_may_have_is_found_or_doubted(table: FamilyTable) -> None:
    """Of each family and unit: the host wrote 20 TB, the flash took 40; each is read so, or its interval is wide."""
    rows = {row.key: row for row in reversed(table.rows) if row.key in OF_BYTES}
    units = rows["host_written_bytes"].scales if "host_written_bytes" in rows else (512,)
    for unit in units:
        scales = {key: unit if unit in row.scales else row.scales[0] for key, row in rows.items()}
        dump = _made(table, scales)
        reading = read(dump)
        if reading.family != table.name:
            continue  # nameless drives of two families may be alike
        made: list[Check] = list(checks(reading, dump))
        assert not [check.words for check in made if check.is_silently_wrong], unit
        for key, amount in zip(OF_BYTES, (WRITTEN_BYTES, 2 * WRITTEN_BYTES), strict=True):
            field = reading.fields.get(key)
            if field is not None and key in rows:
                assert field.low <= 2 * amount, (key, unit, field)
                assert field.high >= amount / 2, (key, unit, field)


@pytest.mark.parametrize(
    ("part", "family"), [("PX-64M3__E00DF482A638", "plextor"), ("THNSNJ128GCSU__13A729A44398", "toshiba-hg6")]
)
def test_families_that_lie_close_to_another_are_named(population: list[Drive], part: str, family: str) -> None:
    (drive,) = [one for one in population if part in one.path.name]
    assert drive.reading.family == family
    told = drive.dump.statistic(1, 0x18)
    if told is not None:
        assert drive.reading.value("host_written_bytes") == pytest.approx(told * 512, rel=0.01)
