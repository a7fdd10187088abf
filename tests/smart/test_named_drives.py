"""Drives whose numbers were once read in a wrong unit or for something else, each by its real dump."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.readers.path import read_path
from tests.known import known
from tests.smart.test_population import POPULATION

GIB, TB = 2**30, 10**12


@pytest.fixture(scope="module")
def named() -> Callable[[str], Reading]:
    folder = POPULATION / "named"
    if not folder.exists():
        pytest.skip(f"{folder} is not there, so the dumps of these drives cannot be read")

    def reading_of(part: str) -> Reading:
        found = sorted(folder.glob(f"*{part}*"))
        assert found, part
        return read(read_path(found[0]))

    return reading_of


def kinds(reading: Reading) -> set[str]:
    return {one.kind for one in reading.contradictions}


@pytest.mark.parametrize("part", ["MZ7L3240HCHQ", "MZ7LH1T9HMLT", "MZ7LH480HAHQ", "null-SAMSUNG_MZ7L3480HCHQ"])
def test_flash_bytes_of_samsung_drives_for_servers_count_sectors(named: Callable[[str], Reading], part: str) -> None:
    reading = named(part)
    flash, host = reading.fields["nand_written_bytes"], reading.fields["host_written_bytes"]
    assert flash.value == known(flash.raw) * 512
    assert host.value < flash.value < 4 * host.value


def test_a_maxiotek_drive_counts_gib(named: Callable[[str], Reading]) -> None:
    reading = named("KingSpec_NT-256_2242")
    assert reading.family == "maxio"
    assert reading.value("host_written_bytes_vendor") == 18_493 * GIB
    assert reading.value("host_written_bytes") == pytest.approx(18_493 * GIB, rel=0.001)


def test_life_of_a_phison_drive_is_its_raw_number(named: Callable[[str], Reading]) -> None:
    assert named("KINGSTON_SKC400S371T").value("life_left_percent") == 74


@pytest.mark.parametrize("part", ["SNVP325S2256GB", "SNVP325S2512GB", "THNS064GG2BNAA", "THNSNC128GCSJ"])
def test_toshiba_drives_with_a_value_byte_of_100_are_not_used_up(named: Callable[[str], Reading], part: str) -> None:
    reading = named(part)
    assert reading.value("life_left_percent") is None
    assert reading.value("remaining_life_ratio") is None
    assert "LifeNotFilledIn" in kinds(reading)


@pytest.mark.parametrize("part", ["ADATA_SU750_1TB", "ADATA_SU760_256GB"])
def test_a_highest_erase_count_of_the_cache_is_no_rating(named: Callable[[str], Reading], part: str) -> None:
    reading = named(part)
    rating = reading.fields.get("rated_pe_cycles")
    assert rating is None or rating.attribute_id != 168
    assert "RatingRepeats" in kinds(reading)


@pytest.mark.parametrize("part", ["MMCRE28G5MXP", "PM800_2.5", "PM800_TH_64GB"])
def test_233_of_early_samsung_drives_counts_no_sectors(named: Callable[[str], Reading], part: str) -> None:
    reading = named(part)
    assert reading.family == "samsung-old"
    assert reading.value("host_written_bytes") is None


def test_233_of_a_sandisk_ultra_plus_is_no_flash(named: Callable[[str], Reading]) -> None:
    reading = named("SDSSDH2256G")
    assert reading.value("nand_written_bytes") is None
    assert reading.value("host_written_bytes") == 12_045_988_978 * 512
    assert "FlashBytesUnknown" in kinds(reading)


@pytest.mark.parametrize("part", ["ASU800SS-256GT-2", "SU635_480GB", "PNY_250GB", "FTM50N325H"])
def test_245_of_silicon_motion_drives_leaves_the_write_cache_out(named: Callable[[str], Reading], part: str) -> None:
    reading = named(part)
    host, flash = reading.fields["host_written_bytes"], reading.fields["nand_written_bytes"]
    full = reading.fields["full_cell_nand_written_bytes"]
    assert full.attribute_id == 245
    assert flash.low >= host.low
    assert flash.low <= host.value + full.value <= flash.high * 1.001
    assert reading.fields["write_amplification"].low >= 0.999


@pytest.mark.parametrize(("part", "left"), [("SM1024F", 8), ("SM0512F", 52)])
def test_an_apple_drive_has_the_life_of_its_value_byte(named: Callable[[str], Reading], part: str, left: int) -> None:
    reading = named(part)
    assert reading.value("life_left_percent") == left
    assert reading.fields["remaining_life_ratio"].value == pytest.approx(left / 100, abs=0.01)


def test_a_sandisk_x600_with_dells_attributes_is_no_apacer(named: Callable[[str], Reading]) -> None:
    reading = named("X600_2.5")
    assert reading.family == "dell-client"
    assert reading.value("erase_count_average") == 51
    assert reading.value("life_left_percent") == 93


def test_the_errors_of_an_intel_520_are_those_of_the_statistics(named: Callable[[str], Reading]) -> None:
    reading = named("SSDSC2CW120A3")
    assert reading.value("uncorrectable_error_count") == 0
    assert "ErrorsPacked" in kinds(reading)


def test_the_timers_of_an_intel_s3520_never_ran(named: Callable[[str], Reading]) -> None:
    reading = named("S3520_Series_SSDs-SSDSCKJB240G7R")
    assert not {"timed_wear_percent", "timed_read_percent", "timed_workload_minutes"} & reading.fields.keys()
    assert "TimerImpossible" in kinds(reading)


def test_wear_by_the_timer_of_an_intel_drive_is_in_1024ths_of_a_per_cent() -> None:
    if not POPULATION.exists():
        pytest.skip(f"{POPULATION} is not there, so the dumps of these drives cannot be read")
    found = 0
    for path in sorted(Path(POPULATION).glob("SSD__Intel__SSDSC2__SSDSC2B*"))[:40]:
        wear = read(read_path(path)).fields.get("timed_wear_percent")
        if wear is not None and wear.raw:
            assert wear.value == wear.raw / 1024
            assert wear.value <= 100
            found += 1
    assert found > 3
