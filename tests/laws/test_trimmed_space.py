"""TRIM and unused space: the table of Monte Carlo values, and how blind trims relate to those that hit."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.laws import trimmed_space as law
from flashscope.laws import write_amplification as uniform


@pytest.mark.parametrize(
    ("trims", "in_use", "spare", "greedy", "fifo"),
    [
        (0.05, 0.9471, 0.1189, 4.125, 4.377),
        (0.10, 0.8887, 0.1733, 2.948, 3.072),
        (0.20, 0.7495, 0.3025, 1.819, 1.861),
        (0.30, 0.5705, 0.4686, 1.294, 1.312),
    ],
)
def test_the_law_meets_the_monte_carlo(trims: float, in_use: float, spare: float, greedy: float, fifo: float) -> None:
    assert law.in_use_ratio(trims) == pytest.approx(in_use, rel=0.002)
    left = law.spare_factor_in_use(0.07, law.in_use_ratio(trims))
    assert left == pytest.approx(spare, abs=5e-5)
    assert uniform.greedy(left, 64) == pytest.approx(greedy, rel=0.002)
    assert uniform.fifo(left) == pytest.approx(fifo, rel=0.002)


@given(st.floats(0, 0.49))
def test_blind_trims_that_hit_make_the_wanted_share(trims: float) -> None:
    blind = law.blind_trim_ratio(trims)
    hits = blind * law.in_use_ratio(trims)
    assert hits / (hits + 1 - blind) == pytest.approx(trims)


def test_mean_and_variance_are_those_of_the_chain() -> None:
    chance, addresses, trims = random.Random(1), 400, 0.2
    used, in_use, counts = set(range(addresses)), list(range(addresses)), []
    for step in range(400_000):
        if chance.random() < trims and in_use:
            place = chance.randrange(len(in_use))
            used.discard(in_use[place])
            in_use[place] = in_use[-1]
            in_use.pop()
        elif (address := chance.randrange(addresses)) not in used:
            used.add(address)
            in_use.append(address)
        if step > 20_000:
            counts.append(len(in_use))
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / len(counts)
    assert mean / addresses == pytest.approx(law.in_use_ratio(trims), rel=0.01)
    assert variance == pytest.approx(law.in_use_variance(trims, addresses), rel=0.15)


def test_values_outside_the_range_are_refused() -> None:
    for wrong in (-0.1, 0.5):
        with pytest.raises(ValueError, match="trim_ratio"):
            law.in_use_ratio(wrong)
    with pytest.raises(ValueError, match="used_ratio"):
        law.spare_factor_in_use(0.1, 0)
    with pytest.raises(ValueError, match="spare_factor"):
        law.spare_factor_in_use(0, 0.5)
    with pytest.raises(ValueError, match="addresses"):
        law.in_use_variance(0.1, 0)
