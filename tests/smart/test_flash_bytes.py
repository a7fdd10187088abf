"""Bytes written to flash: the unit that fits the drive's other numbers, the part of the flash that is counted, or none.

Each case has the shape of real drives.
"""

from __future__ import annotations

import pytest

from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.table import all_tables
from tests.smart.made_up import nameless

TABLES = {table.name: table for table in all_tables()}
GIB, MIB_32, TB = 2**30, 2**25, 10**12


def of(family: str, numbers: dict[int, int], *, size: int = 240_057_409_536) -> Reading:
    reading = read(nameless(TABLES[family], numbers, user_bytes=size))
    assert reading.family == family
    return reading


def kinds(reading: Reading) -> set[str]:
    return {one.kind for one in reading.contradictions}


@pytest.mark.parametrize(("host_tb", "flash_tb", "erases"), [(20, 31, 112), (0.5, 0.6, 2), (0.5, 3, 11)])
@pytest.mark.parametrize("unit", [512, GIB])
def test_flash_bytes_of_samsung_have_the_unit_that_fits_host_and_erases(
    host_tb: float, flash_tb: float, erases: int, unit: int
) -> None:
    numbers = {177: erases, 241: int(host_tb * TB / 512), 251: int(flash_tb * TB / unit), 9: 9000}
    field = of("samsung", numbers).fields["nand_written_bytes"]
    assert field.value == pytest.approx(flash_tb * TB, rel=0.01)
    assert field.provenance in ("verified", "inferred")


def test_flash_bytes_that_fit_no_unit_are_not_stated() -> None:
    reading = of("samsung", {177: 100, 241: 40 * 10**9, 251: 2**40, 9: 9000})
    assert reading.value("nand_written_bytes") is None
    assert kinds(reading) == {"FlashBytesUnknown"}
    assert "attribute 251" in reading.contradictions[0].message


def test_a_counter_of_zero_says_nothing_when_the_host_wrote() -> None:
    assert of("samsung", {177: 100, 241: 40 * 10**9, 251: 0}).value("nand_written_bytes") is None
    assert of("samsung", {241: 10, 251: 0}).value("nand_written_bytes") == 0
    cached = of("sandisk", {241: 660, 233: 0, 234: 700, 9: 900})
    assert cached.value("nand_written_bytes") == 700 * GIB, "all of it is in the write cache"


@pytest.mark.parametrize(
    ("host", "full", "erases"),
    [(770, 516, 11), (5371, 1830, 72), (3523, 3216, 76), (1249, 736, 20), (889, 590, 10), (3496, 2539, 42)],
)
def test_flash_bytes_without_the_write_cache_get_what_passed_through_it(host: int, full: int, erases: int) -> None:
    """Bytes in GB: erases = full blocks + three or four times those of the cache, as on drives with SLC caches."""
    numbers = {241: host * 10**9 // MIB_32, 245: full * 10**9 // MIB_32, 167: erases, 9: 3000}
    reading = of("silicon-motion", numbers)
    field = reading.fields["nand_written_bytes"]
    assert (host + full) * 0.99e9 <= field.value <= 2 * (host + full) * 1e9
    assert field.low == pytest.approx(max(host, full) * 1e9, rel=0.01)
    assert field.high >= (host + full) * 0.99e9
    assert field.provenance == "inferred"
    assert reading.value("full_cell_nand_written_bytes") == full * 10**9 // MIB_32 * MIB_32
    assert reading.fields["write_amplification"].low >= 0.99
    assert "FlashBelowHost" in kinds(reading)


def test_a_drive_without_write_cache_counts_all_of_its_flash() -> None:
    reading = of("silicon-motion", {241: 10**6, 245: 2 * 10**6, 167: 262, 9: 3000})
    assert reading.value("nand_written_bytes") == 2 * 10**6 * MIB_32
    assert reading.value("write_amplification") == 2
    assert "full_cell_nand_written_bytes" not in reading.fields


def test_flash_bytes_are_the_sum_of_full_cells_and_cache() -> None:
    reading = of("sandisk", {241: 88_208, 233: 18_708, 234: 101_075, 173: 70, 9: 22_200})
    assert reading.value("nand_written_bytes") == (18_708 + 101_075) * GIB
    assert reading.value("full_cell_nand_written_bytes") == 18_708 * GIB
    assert reading.value("slc_nand_written_bytes") == 101_075 * GIB
    assert reading.value("write_amplification") == pytest.approx(1.358, abs=0.001)


def test_a_write_cache_that_took_far_more_than_the_host_wrote_is_left_out() -> None:
    reading = of("sandisk", {241: 4569, 233: 285, 234: 1_167_945, 173: 54, 9: 576})
    assert "slc_nand_written_bytes" not in reading.fields
    assert "FlashFarAboveHost" in kinds(reading)
    field = reading.fields["nand_written_bytes"]
    assert field.low == 4569 * GIB
    assert field.value < 5 * 4569 * GIB


def test_a_number_that_repeats_another_kind_of_counter_is_no_count_of_bytes() -> None:
    reading = of("sandisk", {241: 12_045_988_978, 169: 346, 230: 346, 233: 346, 173: 57, 9: 9677})
    assert "nand_written_bytes" not in reading.fields
    assert "FlashBytesUnknown" in kinds(reading)
    assert "repeats the raw number of attribute" in reading.contradictions[0].message


def test_far_more_erases_than_bytes_widen_the_bytes() -> None:
    reading = of("samsung", {177: 400, 241: 700 * 10**9 // 512, 251: 800 * 10**9 // 512, 9: 9000})
    field = reading.fields["nand_written_bytes"]
    assert field.value == 800 * 10**9 // 512 * 512
    assert field.high > 90 * TB
    assert "FlashBelowErases" in kinds(reading)


@pytest.mark.parametrize(
    ("sectors", "host_pages", "own_pages", "erases", "used", "expected_tb", "within"),
    [
        (12_738_000_000, 398_000_000, 237_000_000, 76, 2, 10.4, 1.01),  # pages of 16 KiB, erases agree
        (13_621_000_000, 231_000_000, 146_000_000, 94, 6, 11.6, 1.1),  # pages of 30 KiB, some of them of the cache
        (54_786_432_663, 22_100_000_000, 32_900_000_000, 1193, 79, 1312, 2),  # far more pages than host bytes
        (120_770_000_000, 185_000_000, 4_469_000_000, 10_381, 346, 2854, 2),  # both went round at 2^32
        (83_940_000_000, 2_656_000_000, 2_404_000_000, 866, 28, 224, 1.7),  # one of the two went round
    ],
)  # fmt: skip
def test_flash_bytes_by_pages_agree_with_the_erases(
    sectors: int, host_pages: int, own_pages: int, erases: int, used: int, expected_tb: float, within: float
) -> None:
    numbers = {246: sectors, 247: host_pages, 248: own_pages, 173: erases, 202: used, 9: 20_000, 180: 2000}
    size = 1_000_204_886_016 if erases == 1193 else 128_035_676_160 if erases == 76 else 250_059_350_016
    field = of("micron-client", numbers, size=size).fields["nand_written_bytes"]
    assert expected_tb / within <= field.value / TB <= expected_tb * within
    assert field.low <= expected_tb * TB * 1.01
    assert field.high >= expected_tb * TB * 0.98


def test_erases_of_a_part_of_the_blocks_give_no_write_amplification() -> None:
    reading = of("samsung", {177: 62, 241: 117_384_692_041, 9: 38_399}, size=250_059_350_016)
    assert reading.value("write_amplification") is None
