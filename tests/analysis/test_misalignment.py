"""The unit from the period of the cost over the start of a span."""

from statistics import mean

import numpy as np
import pytest

from flashscope.analysis.misalignment import Shifted, cost_of_shifts, unit_of
from tests.known import known

KIB = 1024
STARTS = (0, 1, 2, 4, 7, 8, 12, 16, 24, 32, 40, 48, 63, 64, 96, 128)
SIZES = (4 * KIB, 16 * KIB, 32 * KIB, 64 * KIB)


def runs(unit: int | None, size: int, *, noise: float = 0.0, seed: int = 0) -> list[Shifted]:
    """What a drive by formula shows: a page read before each unit that is covered in part, units one after another."""
    draw, found = np.random.default_rng([seed, size]), []
    for start in STARTS:
        time = 100e3 + size * 2.0
        if unit is not None:
            places = [start * 512 + place * size for place in range(max(unit // size, 1))]
            touched = mean([-(-(place + size) // unit) - place // unit for place in places])
            partial = any(place % unit or (place + size) % unit for place in places)
            time = touched * unit * 60.0 * (1.3 if partial else 1.0)
        time *= np.exp(noise * draw.normal())
        found.append(Shifted(size, start * 512, time, time * (1 - noise), time * (1 + noise)))
    return found


def unit_seen(unit: int | None, *, noise: float = 0.0, seed: int = 0) -> int | None:
    costs = [cost_of_shifts(runs(unit, size, noise=noise, seed=seed)) for size in SIZES]
    return unit_of([cost for cost in costs if cost is not None])[0]


@pytest.mark.parametrize("unit_kib", [1, 2, 4, 8, 16, 32, 64, 128, 256])
def test_the_planted_unit_is_found_exactly(unit_kib: int) -> None:
    assert unit_seen(unit_kib * KIB) == unit_kib * KIB


@pytest.mark.parametrize("unit_kib", [4, 16, 64])
def test_noise_of_three_per_cent_does_not_hide_it(unit_kib: int) -> None:
    assert [unit_seen(unit_kib * KIB, noise=0.03, seed=seed) for seed in range(10)] == [unit_kib * KIB] * 10


def test_no_unit_is_named_where_there_is_none() -> None:
    named = [unit_seen(None, noise=0.03, seed=seed) for seed in range(50)]
    assert sum(unit is not None for unit in named) <= 2


def test_the_cost_is_that_of_the_law() -> None:
    cost = known(cost_of_shifts(runs(16 * KIB, 4 * KIB)))
    assert 1 / cost.ratio == pytest.approx(4 / 5, rel=0.01)
    assert cost.low <= cost.ratio <= cost.high


def test_too_few_runs_say_nothing() -> None:
    assert cost_of_shifts(runs(4 * KIB, 4 * KIB)[:3]) is None
    assert unit_of([]) == (None, (0, 0))
