"""What follows from several fields, with intervals; nothing is divided by zero, and nothing stated is replaced."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.smart.decoding.health import complete, error_exponent, raw_bit_error_ratio
from flashscope.smart.decoding.raw_flash import raw_flash_bytes
from flashscope.smart.decoding.reading import NO_SMART, Reading
from tests.smart.readings import completed, dump, field, reading

GIB = 2**30
KEYS = [
    "host_written_bytes", "host_read_bytes", "nand_written_bytes", "host_program_page_count",
    "background_program_page_count", "erase_count_average", "erase_count_min", "erase_count_max", "rated_pe_cycles",
    "life_used_percent", "life_left_percent", "reported_life_percent", "error_bits", "corrected_read_count",
    "spare_block_count", "grown_bad_block_count", "spare_left_percent", "power_on_time_hours", "temperature_celsius",
    "error_bits_bank_0", "error_bits_bank_1",
]  # fmt: skip


@pytest.mark.parametrize(
    ("error_bits", "sectors", "ratio", "exponent"),
    [(36_951, 160_699_137, 5.61e-8, 7), (13_243, 4_314_373_168, 7.50e-10, 9)],
    ids=["F001 to F004", "F005 to F008"],
)
def test_the_documents_bit_error_ratios_come_out(error_bits: int, sectors: int, ratio: float, exponent: int) -> None:
    found = completed(error_bits=error_bits, host_read_bytes=sectors * 512)
    rber = found.fields["rber"]
    assert rber.value == pytest.approx(ratio, rel=1.5e-3)  # the figures are printed with two and three digits
    assert rber.value == raw_bit_error_ratio(error_bits, sectors * 512)
    assert rber.low < rber.value < rber.high
    assert found.value("read_error_exponent") == error_exponent(rber.value) == exponent
    assert rber.provenance == "inferred"


def test_a_drives_own_exponent_is_not_replaced() -> None:
    assert completed(error_bits=36_951, host_read_bytes=10**11, read_error_exponent=5).value("read_error_exponent") == 5


def test_reads_of_collection_lower_the_low_end_of_the_bit_error_ratio() -> None:
    few = completed(error_bits=10**6, host_read_bytes=10**12, nand_written_bytes=0).fields["rber"]
    many = completed(error_bits=10**6, host_read_bytes=10**12, nand_written_bytes=9 * 10**12).fields["rber"]
    assert many.value == few.value
    assert many.low == pytest.approx(few.low / 10)
    assert many.high == few.high


def test_write_amplification_by_two_counters_carries_their_coarse_units() -> None:
    host = field("host_written_bytes", 10 * GIB, width=GIB)
    nand = field("nand_written_bytes", 30 * GIB, width=GIB)
    made = reading("phison")
    found = complete(Reading("phison", "", True, 1.0, (), {**made.fields, host.key: host, nand.key: nand}), dump())
    amplification = found.fields["write_amplification"]
    assert amplification.value == 3
    assert (amplification.low, amplification.high) == (30 / 11, 31 / 10)
    assert amplification.provenance == "verified"
    assert amplification.raw is None


def test_write_amplification_by_page_counters_is_their_identity() -> None:
    found = completed("micron-client", host_program_page_count=1000, background_program_page_count=500)
    assert found.value("write_amplification") == 1.5


def test_write_amplification_by_erase_counts_is_a_wide_estimate() -> None:
    # Measured on a real drive of 32 GB: average 453, 5.43 TB from the host, 2.9.
    found = completed(
        "indilinx", dump(user_bytes=32_017_047_552), erase_count_average=453, host_written_bytes=5_433_000_000_000
    )
    amplification = found.fields["write_amplification"]
    assert amplification.value == pytest.approx(2.9, abs=0.1)
    assert amplification.low < 2.7 < 3.8 < amplification.high
    assert amplification.provenance == "inferred"


@pytest.mark.parametrize(
    ("user_bytes", "raw_gib"),
    [(32_017_047_552, 32), (64_023_257_088, 64), (120_034_123_776, 128), (160_041_885_696, 160),
     (250_059_350_016, 256), (256_060_514_304, 256), (500_107_862_016, 512), (1_000_204_886_016, 1024)],
)  # fmt: skip
def test_the_flash_inside_is_guessed_from_the_capacity(user_bytes: int, raw_gib: int) -> None:
    span = raw_flash_bytes(user_bytes)
    assert span.value == raw_gib * GIB
    assert span.low == user_bytes <= span.value <= span.high


def test_life_left_is_worked_out_from_erase_counts_before_any_claim() -> None:
    found = completed(erase_count_average=3799, rated_pe_cycles=10_000, reported_life_percent=63)
    assert found.value("remaining_life_ratio") == pytest.approx(0.6201)
    assert found.fields["remaining_life_ratio"].provenance == "verified"
    past = completed(erase_count_average=14_092, rated_pe_cycles=5000, reported_life_percent=97)
    assert past.value("remaining_life_ratio") == 0


def test_without_erase_counts_the_claim_is_all_there_is() -> None:
    life = completed("phison", life_left_percent=80).fields["remaining_life_ratio"]
    assert life.value == pytest.approx(0.8)
    assert life.provenance == "documented"
    assert "claims" in life.meaning
    assert completed("nvme", endurance_used_percent=200).value("remaining_life_ratio") == 0


def test_evenness_clusters_spare_and_banks() -> None:
    found = completed(
        erase_count_average=453, erase_count_max=716, error_bits=3000, corrected_read_count=2000,
        spare_block_count=90, grown_bad_block_count=10, error_bits_bank_0=300, error_bits_bank_1=100,
    )  # fmt: skip
    assert found.value("erase_count_evenness_ratio") == pytest.approx(453 / 716)
    assert found.value("error_bits_per_event") == 1.5
    assert found.value("spare_left_percent") == 90
    assert found.value("bank_error_spread_ratio") == 1.5


def test_a_reading_without_fields_stays_as_it_is() -> None:
    empty = Reading(NO_SMART, "", None)
    assert complete(empty, dump()) is empty


@given(values=st.dictionaries(st.sampled_from(KEYS), st.integers(0, 2**64 - 1), max_size=len(KEYS)))
def test_whatever_the_counters_say_every_derived_value_lies_in_its_interval(values: dict[str, int]) -> None:
    found = complete(reading("some", **values), dump(user_bytes=values.get("host_read_bytes", 0)))
    for key, one in found.fields.items():
        assert not math.isnan(one.value), key
        assert one.low <= one.value <= one.high, key
        assert key in values or one.raw is None, "a derived field has no raw number"
