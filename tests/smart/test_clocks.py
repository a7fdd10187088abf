"""Clocks run by recent windows where there are several readings; a rating is kept apart from an end."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.laws.distributions import student
from flashscope.smart.decoding.clocks import Clock, Series, clocks, earliest, ecc_limit
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.rated_writes import PromisedWrites
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.recent_rates import _STUDENT_T, LIFETIME_WIDENED, rate
from flashscope.smart.readers.path import read_path_dumps
from tests.known import known
from tests.smart.readings import completed

TB = 10**12


def by_key(series: Series, **options: Any) -> dict[str, Clock]:
    return {clock.key: clock for clock in clocks(series, **options)}


def steady(erases: int, *, cycles_a_day: float = 1.0, rated: int = 3000) -> Reading:
    """A drive that always wore alike: so many TB, hours and erases."""
    days = erases / cycles_a_day
    return completed(
        erase_count_average=erases, rated_pe_cycles=rated, host_written_bytes=round(erases * TB),
        power_on_time_hours=round(24 * days), life_left_percent=math.ceil(100 - 100 * erases / rated),
    )  # fmt: skip


def test_a_steady_drive_reaches_its_rating_when_arithmetic_says_so() -> None:
    series = [(86400.0 * day, steady(day)) for day in range(900, 1001, 10)]
    clock = by_key(series)["rated_erase_cycles"]
    assert clock.used_ratio.value == pytest.approx(1 / 3)
    assert (clock.rate_basis, clock.time_basis) == ("recent windows", "calendar")
    assert clock.remaining_time_hours is not None
    assert clock.remaining_host_bytes is not None
    assert clock.remaining_time_hours.value == pytest.approx(2000 * 24)
    assert clock.remaining_host_bytes.value == pytest.approx(2000 * TB)
    assert clock.remaining_time_hours.low <= 2000 * 24 <= clock.remaining_time_hours.high
    assert not clock.rating_reached


def test_recent_windows_count_and_not_the_whole_life() -> None:
    """Ten times faster for the last hundred days: the projection follows."""
    slow = [
        (86400.0 * day, completed(erase_count_average=day // 10, rated_pe_cycles=3000)) for day in range(0, 1000, 50)
    ]
    fast = [
        (86400.0 * (1000 + day), completed(erase_count_average=100 + day, rated_pe_cycles=3000))
        for day in range(0, 150, 10)
    ]
    left = known(by_key(slow + fast)["rated_erase_cycles"].remaining_time_hours)
    assert left.value == pytest.approx((3000 - 240) * 24, rel=0.02)


def test_a_single_reading_knows_only_averages_and_says_so() -> None:
    clock = by_key([(None, steady(1000))])["rated_erase_cycles"]
    assert (clock.rate_basis, clock.time_basis, clock.window_count) == ("lifetime average", "power-on", 0)
    assert any("only averages over the whole life" in doubt for doubt in clock.doubts)
    left = known(clock.remaining_time_hours)
    assert left.value == pytest.approx(2000 * 24, rel=1e-3)
    assert left.low == pytest.approx(left.value / LIFETIME_WIDENED)
    assert left.high == pytest.approx(left.value * LIFETIME_WIDENED)


def test_without_time_or_bytes_nothing_is_projected() -> None:
    clock = by_key([(None, completed(erase_count_average=100, rated_pe_cycles=3000))])["rated_erase_cycles"]
    assert clock.remaining_time_hours is None
    assert clock.remaining_host_bytes is None
    assert "do not show" in clock.doubts[-1]


def test_a_reached_rating_is_no_failure_and_a_contradicted_claim_projects_nothing() -> None:
    worn = completed(
        erase_count_average=14_092, rated_pe_cycles=5000, reported_life_percent=97, power_on_time_hours=18_675,
        host_written_bytes=17 * TB,
    )  # fmt: skip
    found = by_key([(None, worn)])
    cycles, claim = found["rated_erase_cycles"], found["maker_percentage"]
    assert cycles.rating_reached
    assert not cycles.ends_in_failure
    assert "two to ten times" in cycles.meaning_at_end
    assert not claim.rating_reached
    assert claim.remaining_time_hours is None
    assert any("contradict it" in doubt for doubt in claim.doubts)


def test_the_spare_clock_ends_in_read_only_mode() -> None:
    found = by_key([(None, completed("nvme", spare_left_percent=10, spare_threshold_percent=10))])["spare_blocks"]
    assert found.used_ratio.value == 1
    assert found.ends_in_failure
    assert "Copy everything" in found.meaning_at_end
    full = by_key([(None, completed(bad_block_table_full=1))])["spare_blocks"]
    assert full.used_ratio.value == 1
    half = by_key([(None, completed("nvme", spare_left_percent=55, spare_threshold_percent=10))])["spare_blocks"]
    assert half.used_ratio.value == pytest.approx(0.5)


def test_rated_bytes_come_from_a_person_or_the_drive() -> None:
    wrote = completed(host_written_bytes=30 * TB)
    assert by_key([(None, wrote)]) == {}
    clock = by_key([(None, wrote)], rated_written_bytes=150 * TB)["rated_written_bytes"]
    assert clock.used_ratio.value == pytest.approx(0.2)
    own = by_key([(None, completed("ocp", host_written_bytes=30 * TB, endurance_estimate_bytes=300 * TB))])
    assert own["rated_written_bytes"].used_ratio.value == pytest.approx(0.1)
    assert "own estimate" in own["rated_written_bytes"].doubts[0]


def test_a_person_is_believed_before_the_drive_and_the_drive_before_a_data_sheet() -> None:
    sheet = PromisedWrites(600 * TB, "A DRIVE", "A DRIVE data sheet, 2020", "https://a.maker/sheet")
    silent = [(None, completed(host_written_bytes=30 * TB))]
    telling = [(None, completed("ocp", host_written_bytes=30 * TB, endurance_estimate_bytes=300 * TB))]
    looked_up = by_key(silent, promised=sheet)["rated_written_bytes"]
    assert looked_up.used_ratio.value == pytest.approx(0.05)
    assert looked_up.provenance == "documented"
    assert "A DRIVE data sheet, 2020" in looked_up.statement
    assert "looked up" in looked_up.doubts[0]
    told = by_key(telling, promised=sheet)["rated_written_bytes"]
    assert told.used_ratio.value == pytest.approx(0.1)
    assert "by the drive itself" in told.statement
    asked = by_key(telling, promised=sheet, rated_written_bytes=60 * TB)["rated_written_bytes"]
    assert asked.used_ratio.value == pytest.approx(0.5)
    assert "as you stated" in asked.statement
    assert "promise" not in " ".join(asked.doubts)
    assert by_key([(None, completed(power_on_time_hours=1))], promised=sheet) == {}


def test_bit_errors_are_held_against_codes_of_known_strength() -> None:
    limit = ecc_limit()
    assert limit.value == pytest.approx(3.4e-4, rel=0.2)  # the published figure for 15 bits in 512 B
    assert limit.low < limit.value < limit.high
    clock = by_key([(None, completed(error_bits=10**6, host_read_bytes=10**12))])["bit_errors"]
    assert clock.used_ratio.low < clock.used_ratio.value < clock.used_ratio.high
    assert clock.remaining_time_hours is None


def test_disks_have_no_clocks() -> None:
    disk = replace(steady(100), is_flash=False)
    assert clocks([(None, disk)]) == ()
    assert clocks([]) == ()


def test_the_earliest_clock_is_the_one_that_is_up_first() -> None:
    found = clocks([(None, steady(1000))], rated_written_bytes=1100 * TB)
    first = known(earliest(found))
    assert first.key == "rated_written_bytes"
    assert earliest(()) is None


def test_a_counter_that_was_reset_is_counted_from_there() -> None:
    found = known(rate([(0, 500.0), (10, 600.0), (20, 5.0), (30, 15.0), (40, 25.0), (50, 35.0)], step=1.0))
    assert found.span.value == pytest.approx(1.0)
    assert found.window_count == 3


def test_one_window_is_less_sure_than_many() -> None:
    few = known(rate([(0, 10.0), (10, 20.0)], step=1.0))
    assert (few.span.low, few.span.high, few.window_count) == (1 / LIFETIME_WIDENED, LIFETIME_WIDENED, 1)
    many = known(rate([(float(x), 10.0 * x) for x in range(13)], step=1.0))
    # Twelve equal windows: the usual spread of 0.6 alone, for two windows, with 13 degrees of freedom.
    widened = math.exp(2.160 * math.sqrt(2 * 0.6**2 / 13 * (1 + 1 / 12)))
    assert many.span.low == pytest.approx(10 / widened)
    assert many.span.high == pytest.approx(10 * widened)


def test_the_table_of_students_t_is_what_the_distribution_says() -> None:
    assert [round(student(0.975, freedom), 3) for freedom in range(2, 2 + len(_STUDENT_T))] == list(_STUDENT_T)


def test_an_uneven_load_has_a_wide_interval() -> None:
    steady_points = [(10.0 * x, 100.0 * x) for x in range(9)]
    bursts = [0.0, 1000.0, 1001.0, 1500.0, 1502.0, 3000.0, 3010.0, 3011.0, 6000.0]
    uneven = known(rate([(10.0 * x, bursts[x]) for x in range(9)], step=1.0)).span
    even = known(rate(steady_points, step=1.0)).span
    assert uneven.high / uneven.low > 100 * even.high / even.low


def test_the_next_reading_of_real_drives_lies_where_the_clocks_say(samples: Path) -> None:
    """19 in 20 is stated; of some 400 next readings of 26 drives, 92 to 98 in 100 may hold by chance."""
    held = [one for path in sorted((samples / "series").iterdir()) if path.is_dir() for one in next_readings_held(path)]
    print(f"{sum(held)} of {len(held)} next readings lay in the interval, to within one step of their counter")
    assert len(held) > 400
    assert 0.92 <= sum(held) / len(held) <= 0.98


def next_readings_held(folder: Path) -> list[bool]:
    """For each reading after the second and each of two clocks: whether it lies where those before it say."""
    dumps = [dump for path in sorted(folder.iterdir()) for dump in read_path_dumps(path)]
    readings = [read(dump) for dump in dumps]
    held = []
    for key, base_key in product(("host_written_bytes", "used"), ("power_on_time_hours", "host_written_bytes")):
        if key == base_key:
            continue
        points = [point for one in readings if (point := point_of(one, key, base_key)) is not None]
        step = 0.01 if key == "used" else 1.0
        for count in range(2, len(points)):
            (base, value), (next_base, next_value) = points[count - 1], points[count]
            found = rate(points[:count], step=step)
            if found is None or found.basis == "lifetime average" or next_base <= base or value >= 1 > step:
                continue
            grown, passed = next_value - value, next_base - base
            held.append(found.span.low * passed - step <= grown <= found.span.high * passed + step)
    return held


def point_of(reading: Reading, key: str, base_key: str) -> tuple[float, float] | None:
    base = reading.value(base_key)
    left = reading.value("life_left_percent")
    value = reading.value(key) if key != "used" else None if left is None else 1 - left / 100
    return None if base is None or value is None else (base, value)


def test_an_idle_end_slows_the_last_window() -> None:
    busy = [(float(x), 10.0 * x) for x in range(5)]
    idle = known(rate([*busy, (100.0, 40.0)], step=10.0))
    assert idle.span.low < 1.0


@given(
    points=st.lists(st.tuples(st.floats(0, 1e15), st.floats(0, 1e15)), max_size=20),
    step=st.floats(1e-6, 1e6),
)
def test_any_series_gives_a_rate_within_its_interval_or_none(points: list[tuple[float, float]], step: float) -> None:
    found = rate(points, step=step)
    assert found is None or 0 <= found.span.low <= found.span.value <= found.span.high
    assert found == rate(points, step=step), "nothing is drawn at random"


def test_readings_without_a_date_are_set_along_power_on_time() -> None:
    series = [(None, steady(900)), (None, steady(950)), (None, steady(1000))]
    clock = by_key(series)["rated_erase_cycles"]
    assert (clock.rate_basis, clock.time_basis) == ("recent windows", "power-on")
