"""Rates and stalls: worked examples, limits, and that no rate is negative or free."""

from collections.abc import Callable

import pytest

from flashscope.laws import stalls, throughput
from flashscope.laws.write_amplification import greedy

MLC = {"read_ns": 50_000, "program_ns": 900_000, "erase_ns": 2_000_000, "transfer_ns": 4096 / 40e6 * 1e9}


@pytest.mark.parametrize(("spare", "rate"), [(0.07, 2460), (0.10, 3470), (0.20, 6780)])
def test_steady_random_writes_meet_the_worked_example(spare: float, rate: int) -> None:
    assert throughput.random_write_rate(20, greedy(spare, 256), 256, **MLC) == pytest.approx(rate, rel=0.002)


def test_a_fresh_drive_only_programs() -> None:
    fresh = throughput.random_write_rate(20, 1.0, 256, **MLC | {"erase_ns": 0})
    assert fresh == pytest.approx(20e9 / (900_000 + 102_400))
    assert throughput.random_write_rate(20, 1.0, 256, **MLC) == pytest.approx(19_800, rel=0.002)


def test_the_narrower_of_dies_and_buses_sets_the_sequential_rate() -> None:
    assert throughput.sequential_write_rate(8, 1, 4096, 900_000, 40e6) == pytest.approx(8 * 4096e9 / 1_002_400)
    assert throughput.sequential_write_rate(8, 100, 4096, 900_000, 40e6) == 8 * 40e6
    assert throughput.command_rate(20_000) == 50_000


def test_a_copy_within_a_drive_is_slower_than_its_slower_half() -> None:
    assert throughput.copy_rate(250, 70) == pytest.approx(54.7, abs=0.05)


def test_a_stall_grows_with_what_is_moved() -> None:
    times = {"read_ns": 50, "program_ns": 900, "erase_ns": 2000, "transfer_ns": 100}
    assert stalls.collection_stall_ns(0, **times) == 2000
    assert stalls.collection_stall_ns(10, **times) == 2000 + 10 * (50 + 900 + 200)
    assert stalls.host_pages_per_collection(4.0, 64) == 16


def test_a_buffer_takes_the_difference_until_it_is_full() -> None:
    assert stalls.burst_s(32 << 20, 200 << 20, 40 << 20) == pytest.approx(0.2)
    assert stalls.fast_cells_cliff_s(60e9, 2.5e9, 0.5e9) == pytest.approx(30)
    assert stalls.rate_while_folding(2.0, 0.5) == pytest.approx(0.4)
    times = {"read_ns": 20e3, "program_ns": 900e3, "erase_ns": 1e6, "transfer_ns": 100e3}
    assert stalls.fold_rate(4, **times) == pytest.approx(4 / (4 * 1.12e-3 + 1e-3))


def test_values_outside_the_range_are_refused() -> None:
    wrong: list[Callable[[], float]] = [
        lambda: throughput.random_write_rate(1, 0.9, 64, **MLC),
        lambda: throughput.sequential_write_rate(1, 1, 0, 1, 1),
        lambda: throughput.copy_rate(0, 1),
        lambda: stalls.collection_stall_ns(-1, read_ns=1, program_ns=1, erase_ns=1, transfer_ns=1),
        lambda: stalls.host_pages_per_collection(0.5, 64),
        lambda: stalls.burst_s(1, 1, 1),
        lambda: stalls.rate_while_folding(0, 1),
        lambda: stalls.fold_rate(0, read_ns=1, program_ns=1, erase_ns=1, transfer_ns=1),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="found"):
            call()
