"""Dies at work, waits, stripes: published values, limits and a simulation."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.laws import parallelism, queueing, stripes

COUNTS = st.integers(1, 200)


@pytest.mark.parametrize(
    ("dies", "depth", "snapshot", "constant"), [(10, 8, 5.70, 5.42), (10, 32, 9.66, 8.60), (32, 32, 20.41, 18.95)]
)
def test_dies_at_work_meet_the_table(dies: int, depth: int, snapshot: float, constant: float) -> None:
    # The table prints two digits behind the point, the first row from n + q without the 1/2.
    assert parallelism.dies_hit_at_once(dies, depth) == pytest.approx(snapshot, abs=0.01)
    assert parallelism.busy_dies(dies, depth) == pytest.approx(constant, abs=0.02)


@given(COUNTS, COUNTS)
def test_no_more_dies_work_than_there_are_or_than_are_asked(dies: int, depth: int) -> None:
    exponential = parallelism.busy_dies_exponential(dies, depth)
    constant = parallelism.busy_dies(dies, depth)
    assert exponential <= constant + 1e-9
    assert constant <= min(dies, depth) + 1e-9
    assert parallelism.busy_dies(dies, 1) == pytest.approx(1)
    assert parallelism.busy_dies(depth, dies) == pytest.approx(constant), "symmetric in dies and depth"


def test_exponential_service_is_the_closed_network_simulated() -> None:
    chance, dies, depth = random.Random(2), 6, 9
    queues = [0] * dies
    for _ in range(depth):
        queues[chance.randrange(dies)] += 1
    busy_time = time = 0.0
    for _ in range(200_000):
        busy = [die for die in range(dies) if queues[die]]
        wait = chance.expovariate(len(busy))
        time += wait
        busy_time += wait * len(busy)
        queues[chance.choice(busy)] -= 1
        queues[chance.randrange(dies)] += 1
    assert busy_time / time == pytest.approx(parallelism.busy_dies_exponential(dies, depth), rel=0.01)


def test_waits_of_open_arrivals_meet_a_simulation() -> None:
    chance, service, load = random.Random(3), 1.0, 0.7
    arrival = free_at = waited = 0.0
    requests = 400_000
    for _ in range(requests):
        arrival += chance.expovariate(load / service)
        start = max(arrival, free_at)
        waited += start - arrival
        free_at = start + service
    assert waited / requests == pytest.approx(queueing.wait_constant_service(service, load), rel=0.03)
    assert queueing.wait_exponential_service(service, load) == 2 * queueing.wait_constant_service(service, load)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_the_distribution_of_waits_has_the_mean_of_the_law_and_no_wait_as_often_as_the_server_is_free(
    load: float,
) -> None:
    assert queueing.wait_within_ratio(2.0, load, 0.0) == pytest.approx(1 - load)
    assert queueing.wait_within_ratio(2.0, load, -1.0) == 0
    shares = [queueing.wait_within_ratio(2.0, load, 0.05 * step) for step in range(400)]
    assert all(0 <= before <= after <= 1 for before, after in pairwise(shares))
    assert stripes.slowest_wait(1, 2.0, load) == pytest.approx(queueing.wait_constant_service(2.0, load), rel=1e-6)


def test_the_distribution_of_waits_meets_a_simulation() -> None:
    chance, load, requests = random.Random(5), 0.6, 300_000
    waits, arrival, free_at = [], 0.0, 0.0
    for _ in range(requests):
        arrival += chance.expovariate(load)
        start = max(arrival, free_at)
        waits.append(start - arrival)
        free_at = start + 1.0
    for within in (0.3, 1.0, 2.5):
        share = sum(wait <= within for wait in waits) / requests
        assert queueing.wait_within_ratio(1.0, load, within) == pytest.approx(share, abs=0.005)
    several = [max(chance.choice(waits) for _ in range(4)) for _ in range(100_000)]
    assert sum(several) / len(several) == pytest.approx(stripes.slowest_wait(4, 1.0, load), rel=0.02)


def test_the_slowest_of_busy_drives_nears_the_harmonic_numbers_as_they_fill_up() -> None:
    ratios = [stripes.slowest_wait(4, 1.0, load) / stripes.slowest_wait(1, 1.0, load) for load in (0.3, 0.6, 0.9)]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] == pytest.approx(stripes.slowest_of(4), rel=0.05)


def test_little_is_a_product() -> None:
    assert queueing.outstanding(20_000, 1.6e-3) == pytest.approx(32)


@pytest.mark.parametrize(
    ("drives", "gains"),
    [(2, {1: 1.0, 2: 1.44, 4: 1.73, 8: 1.87, 32: 1.97}), (4, {1: 1, 2: 1.73, 4: 2.58, 8: 3.24, 32: 3.81})],
)
def test_stripes_meet_the_table(drives: int, gains: dict[int, float]) -> None:
    for depth, gain in gains.items():
        assert stripes.random_gain(drives, depth) == pytest.approx(gain, abs=0.006)


@given(st.integers(1, 40))
def test_two_equal_servers_in_step_leave_one_in_q_unused(outstanding: int) -> None:
    assert parallelism.busy_dies_in_step(2, outstanding) == pytest.approx(2 - 1 / outstanding)


@given(st.integers(1, 6), st.integers(1, 12))
def test_the_closed_form_is_close_below_the_exact_chain(dies: int, depth: int) -> None:
    exact, closed = parallelism.busy_dies_in_step(dies, depth), parallelism.busy_dies(dies, depth)
    assert closed - 1e-9 <= exact <= 1.045 * closed
    assert exact <= min(dies, depth) + 1e-9
    assert stripes.random_gain_in_step(dies, depth) == exact


def test_the_exact_chain_is_the_queues_simulated_in_step() -> None:
    chance, dies, depth, rounds = random.Random(7), 4, 9, 60_000
    queues, busy = [depth, 0, 0, 0], 0
    for _ in range(rounds):
        ended = [die for die in range(dies) if queues[die]]
        busy += len(ended)
        for die in ended:
            queues[die] -= 1
        for _ in ended:
            queues[chance.randrange(dies)] += 1
    assert busy / rounds == pytest.approx(parallelism.busy_dies_in_step(dies, depth), rel=0.005)


def test_stripes_copy_and_wear_in_proportion() -> None:
    assert stripes.copy_rate(3, 250.0, 70.0) == pytest.approx(3 * 54.6875)
    assert stripes.wear_ratio(4) == 0.25


def test_stripes_share_a_link_and_wait_for_the_slowest() -> None:
    assert stripes.sequential_rate(3, 250.0, 600.0) == 600
    assert stripes.sequential_rate(2, 250.0, 600.0) == 500
    assert [round(stripes.slowest_of(count), 2) for count in (1, 2, 4, 8)] == [1.0, 1.5, 2.08, 2.72]
    assert stripes.none_stalled_ratio(4, 0.1) == pytest.approx(0.6561)


def test_values_outside_the_range_are_refused() -> None:
    wrong: list[Callable[[], float]] = [
        lambda: parallelism.busy_dies(0, 1),
        lambda: parallelism.dies_hit_at_once(1, 0),
        lambda: queueing.outstanding(-1, 1),
        lambda: queueing.wait_constant_service(0, 0.5),
        lambda: queueing.wait_constant_service(1, 1),
        lambda: stripes.sequential_rate(0, 1, 1),
        lambda: stripes.slowest_of(0),
        lambda: stripes.slowest_wait(0, 1, 0.5),
        lambda: stripes.copy_rate(0, 1, 1),
        lambda: stripes.wear_ratio(0),
        lambda: parallelism.busy_dies_in_step(1, 0),
        lambda: queueing.wait_within_ratio(1, 1, 1),
        lambda: stripes.none_stalled_ratio(1, 1.1),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="found"):
            call()
