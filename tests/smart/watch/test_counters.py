import itertools
from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flashscope.smart.dump import Dump
from flashscope.smart.identity import identify, is_blanked
from flashscope.smart.watching.counters import Point, unwrapped
from flashscope.smart.watching.sample import Value


def values(raws: Sequence[int | None], scale: int = 1, origin: str = "attribute 1") -> list[Value | None]:
    return [
        None if raw is None else Value(raw * scale, "bytes", raw, raw * scale, raw * scale, "documented", origin)
        for raw in raws
    ]


def totals(raws: Sequence[int | None], key: str = "host_written_bytes", scale: int = 1) -> list[object]:
    return [None if point is None else (point.total, point.epoch) for point in unwrapped(values(raws, scale), key)]


def test_growth_counts_from_the_first_reading() -> None:
    assert totals([5, 6, None, 9]) == [(0, 0), (1, 0), None, (4, 0)]


def test_a_bad_reading_is_neither_growth_nor_a_reset() -> None:
    assert totals([5, 6, 900_000, 7]) == [(0, 0), (1, 0), None, (2, 0)]


@pytest.mark.parametrize("bits", [16, 24, 32, 48, 64])
def test_all_ones_are_no_reading(bits: int) -> None:
    assert totals([5, (1 << bits) - 1, 7]) == [(0, 0), None, (2, 0)]


@pytest.mark.parametrize("bits", [32, 48])
def test_a_counter_that_goes_round_has_grown(bits: int) -> None:
    top = 1 << bits
    assert totals([top - 100, top - 6, 12], scale=512) == [(0, 0), (94 * 512, 0), (112 * 512, 0)]


def test_a_counter_of_bytes_may_go_round_between_samples_far_apart() -> None:
    month = [3_100_000_000, 4_100_000_000, 900_000_000]  # 1.0e9 and 1.1e9 sectors in a month each
    points = unwrapped(values(month, 512), "host_written_bytes", [0.0, 30.0, 60.0])
    assert points[-1] == Point(512 * (month[2] + 2**32 - month[0]), 0)
    # At a tenth of that pace it cannot have gone round; nor does a counter of errors.
    assert unwrapped(values(month, 512), "host_written_bytes", [0.0, 300.0, 301.0])[-1] == Point(512 * 10**9, 1)
    assert unwrapped(values(month), "uncorrectable_error_count", [0.0, 30.0, 60.0])[-1] == Point(10**9, 1)


def test_a_unit_that_is_inferred_anew_from_each_dump_is_no_growth_and_no_reset() -> None:
    points = unwrapped([*values([1000], 5), *values([1010], 4), *values([1020], 6)], "host_written_bytes")
    assert points == [Point(0, 0), Point(40, 0), Point(100, 0)]


def test_a_counter_that_restarts_begins_an_epoch_and_nothing_is_made_up() -> None:
    assert totals([4000, 4212, 3, 10]) == [(0, 0), (212, 0), (212, 1), (219, 1)]


def test_an_average_over_blocks_may_dip() -> None:
    assert totals([351, 350, 351, 352], "erase_count_average") == [(0, 0), (0, 0), (0, 0), (1, 0)]


def test_another_decoding_of_the_field_is_no_growth() -> None:
    both = [
        *values([10]),
        *values([10], scale=1000, origin="attribute 2"),
        *values([11], scale=1000, origin="attribute 2"),
    ]
    assert unwrapped(both, "host_written_bytes") == [Point(0, 0), Point(0, 1), Point(1000, 1)]


@given(st.lists(st.integers(0, 2**50) | st.none(), max_size=30))
def test_totals_never_fall_and_epochs_never_go_back(raws: list[int | None]) -> None:
    points = [point for point in unwrapped(values(raws), "host_written_bytes") if point is not None]
    assert all(one.total <= two.total and one.epoch <= two.epoch for one, two in itertools.pairwise(points))


@given(st.lists(st.integers(0, 2**20), max_size=30), st.sampled_from([32, 48]), st.integers(0, 2**20))
def test_a_wrapping_counter_gives_the_same_growth_as_one_that_does_not(
    growths: list[int], bits: int, below_top: int
) -> None:
    top, count, raws = 1 << bits, (1 << bits) - 2 - below_top, []
    for growth in growths:
        count += growth
        raws.append(count % top)
    assume(not any(raw + 1 in {1 << width for width in (16, 24, 32, 48)} for raw in raws))  # all ones: a placeholder
    points = unwrapped(values(raws), "host_written_bytes")
    if raws:
        assert points[-1] is not None
        assert points[-1].total == sum(growths[1:])


def test_identity_by_serial_name_or_hash() -> None:
    by_serial = Dump("", "", model="A  B ", serial=" 12 3 ")
    assert identify(by_serial, "/dev/sda").key == identify(by_serial, "/dev/sdb").key == "A B/12 3"
    by_name = Dump("", "", model="A", serial="REDACTED", wwn="5 002538 e40f1a2b3")
    assert identify(by_name, "/dev/sda").key == "A/wwn-5002538e40f1a2b3"
    blanked = Dump("", "", model="A", serial="REDACTED", wwn="5 002538 ...")
    assert identify(blanked, "/dev/sda").kind == "hash", "the maker's digits alone are no name of one drive"
    by_hash = Dump("", "", model="A", user_bytes=7)
    assert identify(by_hash, "/dev/sda").kind == "hash"
    assert identify(by_hash, "/dev/sda").key != identify(by_hash, "/dev/sdb").key


@pytest.mark.parametrize(
    "serial", ["", "  ", "0000000000", "XXXXXXXX", "[No Information Found]", "<serial>", "N/A", "---"]
)
def test_blanked_serial_numbers_are_no_identity(serial: str) -> None:
    assert is_blanked(serial)


@pytest.mark.parametrize("serial", ["S-1", "X0", "50026B7", "Nordic-1", "00000000000000000001"])
def test_serial_numbers_are_not_called_blanked(serial: str) -> None:
    assert not is_blanked(serial)
