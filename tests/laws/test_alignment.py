import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.laws import alignment

POWERS = st.integers(0, 8).map(lambda k: 512 << k)
KIB = 1024


@given(st.integers(1, 64), POWERS, POWERS)
def test_the_exact_count_is_the_closed_form_when_the_grid_divides_both(
    request_sectors: int, unit: int, grid: int
) -> None:
    grid = min(grid, unit)
    request = request_sectors * grid
    assert alignment.touched_units(request, unit, grid).total == pytest.approx(1 + (request - grid) / unit)


@given(st.integers(1, 100), POWERS, st.integers(1, 16), st.integers(0, 2**32))
def test_the_exact_count_agrees_with_counting_sectors_of_random_requests(
    sectors: int, unit: int, grid_sectors: int, seed: int
) -> None:
    draw, places, size, grid = random.Random(seed), 4000, sectors * 512, grid_sectors * 512
    totals = 0
    for _ in range(places):
        start = draw.randrange(10**6) * grid
        totals += (start + size - 1) // unit - start // unit + 1
    expected = alignment.touched_units(size, unit, grid).total
    # The count of one request varies by less than one unit, so 4000 of them are good to 0.04 (five sigma).
    assert totals / places == pytest.approx(expected, abs=0.05)


def test_whole_units_need_no_reading_and_partial_ones_do() -> None:
    aligned = alignment.touched_units(4 * KIB, 4 * KIB, 4 * KIB)
    assert (aligned.whole, aligned.partial, aligned.any_partial_ratio) == (1, 0, 0)
    any_sector = alignment.touched_units(4 * KIB, 4 * KIB, 512)
    assert (any_sector.whole, any_sector.partial, any_sector.any_partial_ratio) == (1 / 8, 14 / 8, 7 / 8)
    assert alignment.programmed_per_host_byte(512, 4 * KIB, 512) == 8


@pytest.mark.parametrize(("unit_kib", "ratio"), [(8, 2 / 3), (16, 4 / 5), (32, 8 / 9), (64, 16 / 17)])
def test_a_shifted_4_kib_write_runs_at_u_over_u_plus_s_and_the_ratio_gives_the_unit_back(
    unit_kib: int, ratio: float
) -> None:
    assert alignment.misaligned_rate_ratio(4 * KIB, unit_kib * KIB) == pytest.approx(ratio)
    assert alignment.unit_from_rate_ratio(4 * KIB, ratio) == pytest.approx(unit_kib * KIB)


@pytest.mark.parametrize(("unit_kib", "ratio"), [(4, 0.533), (8, 0.696), (16, 0.821), (32, 0.901), (64, 0.948)])
def test_writes_on_any_sector_are_as_fast_as_the_published_ratios(unit_kib: int, ratio: float) -> None:
    assert 1 / alignment.touched_units(4 * KIB, unit_kib * KIB, 512).total == pytest.approx(ratio, abs=0.0006)


@pytest.mark.parametrize("unit_kib", [8, 16, 32, 64])
def test_from_sector_63_the_law_of_any_start_is_the_one_for_small_writes_whatever_the_times(unit_kib: int) -> None:
    wanted = alignment.misaligned_rate_ratio(4 * KIB, unit_kib * KIB)
    for modify_ns in (900, 950, 2000):
        found = alignment.offset_rate_ratio(4 * KIB, unit_kib * KIB, 63 * 512, 900, modify_ns)
        assert found == pytest.approx(wanted)


def test_from_sector_63_writes_of_a_unit_follow_the_law_for_whole_units() -> None:
    wanted = alignment.shifted_whole_unit_rate_ratio(900, 950)
    assert alignment.offset_rate_ratio(16 * KIB, 16 * KIB, 63 * 512, 900, 950) == pytest.approx(wanted)


@given(st.integers(0, 4), st.integers(0, 6), st.integers(0, 10**4), st.integers(0, 5000))
def test_a_start_that_the_request_divides_costs_nothing_and_no_start_gains(
    small: int, large: int, sectors: int, reading_ns: int
) -> None:
    request, unit = 4 * KIB << small, 4 * KIB << large
    at_grid = alignment.offset_rate_ratio(request, unit, sectors * request, 900, 900 + reading_ns)
    assert at_grid == pytest.approx(1)
    assert alignment.offset_rate_ratio(request, unit, sectors * 512, 900, 900 + reading_ns) <= 1 + 1e-12


@given(st.integers(0, 4), st.integers(1, 10**4))
def test_large_writes_change_two_units_and_cover_the_rest(power: int, sectors: int) -> None:
    unit, count = 4 * KIB, 2 << power
    if sectors % 8 == 0:
        sectors += 1
    found = alignment.offset_rate_ratio(count * unit, unit, sectors * 512, 900, 950)
    assert found == pytest.approx(count * 900 / ((count - 1) * 900 + 2 * 950))


def test_merges_hide_a_wrong_start_and_without_misses_the_law_is_that_of_pages() -> None:
    drive = alignment.MergedBlocks(900, 950, 950, 2000, 64, 1.0)
    aligned_ns, moved_ns = 900 + 64 * 950 + 4000, 2 * 950 + (1 + 1 / 64) * (64 * 950 + 4000)
    found = alignment.merged_offset_rate_ratio(4 * KIB, 4 * KIB, 63 * 512, drive)
    assert found == pytest.approx(aligned_ns / moved_ns)
    never = alignment.MergedBlocks(900, 950, 950, 2000, 64, 0.0)
    assert alignment.merged_offset_rate_ratio(4 * KIB, 4 * KIB, 63 * 512, never) == pytest.approx(
        alignment.offset_rate_ratio(4 * KIB, 4 * KIB, 63 * 512, 900, 950)
    )


def test_sizes_for_which_a_law_does_not_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        alignment.touched_units(4096, 4096, 512, -512)
    with pytest.raises(ValueError, match="positive"):
        alignment.touched_units(0, 4096, 512)
    with pytest.raises(ValueError, match="between"):
        alignment.misaligned_rate_ratio(4096, 4096)
    with pytest.raises(ValueError, match="rate_ratio"):
        alignment.unit_from_rate_ratio(4096, 0.4)


def test_writes_below_a_unit_and_shifted_ones_of_its_size_pay_for_the_reading() -> None:
    assert alignment.sub_unit_rate_ratio(900, 950) == pytest.approx(18 / 19)
    assert alignment.shifted_whole_unit_rate_ratio(900, 950) == pytest.approx(9 / 19)
    for wrong in ((0, 1), (2, 1)):
        with pytest.raises(ValueError, match="program_ns"):
            alignment.sub_unit_rate_ratio(*wrong)
