"""The laws against an independent Monte Carlo (524,288 pages, 6 drive-fills of warm-up, 8 measured)."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.laws import write_amplification as law

# spare factor, pages per block, (formula, Monte Carlo) of greedy, d = 10, d = 2, FIFO, random victim
TRUTH = [
    (0.05, 32, (7.823, 7.821), (8.413, 8.418), (12.756, 12.764), (10.172, 10.175), (20.000, 19.993)),
    (0.05, 64, (8.850, 8.851), (9.284, 9.285), (13.266, 13.271), (10.172, 10.176), (20.000, 19.992)),
    (0.05, 128, (9.460, 9.467), (9.816, 9.821), (13.587, 13.600), (10.172, 10.177), (20.000, 20.014)),
    (0.05, 256, (9.798, 9.807), (10.114, 10.117), (13.769, 13.795), (10.172, 10.179), (20.000, 20.013)),
    (0.10, 32, (4.508, 4.509), (4.736, 4.735), (6.693, 6.691), (5.179, 5.175), (10.000, 10.008)),
    (0.10, 64, (4.821, 4.822), (5.000, 4.999), (6.852, 6.859), (5.179, 5.175), (10.000, 10.029)),
    (0.10, 128, (4.992, 4.992), (5.148, 5.147), (6.941, 6.933), (5.179, 5.176), (10.000, 10.001)),
    (0.10, 256, (5.083, 5.085), (5.226, 5.229), (6.988, 6.983), (5.179, 5.177), (10.000, 10.006)),
    (0.20, 32, (2.514, 2.515), (2.603, 2.604), (3.490, 3.492), (2.693, 2.692), (5.000, 4.998)),
    (0.20, 64, (2.599, 2.600), (2.675, 2.675), (3.533, 3.530), (2.693, 2.693), (5.000, 5.019)),
    (0.20, 128, (2.645, 2.645), (2.714, 2.715), (3.556, 3.562), (2.693, 2.693), (5.000, 5.003)),
    (0.20, 256, (2.668, 2.669), (2.734, 2.734), (3.568, 3.561), (2.693, 2.693), (5.000, 5.024)),
    (0.28, 32, (1.896, 1.896), (1.955, 1.956), (2.551, 2.552), (1.992, 1.992), (3.571, 3.570)),
    (0.28, 64, (1.942, 1.942), (1.993, 1.994), (2.573, 2.574), (1.992, 1.992), (3.571, 3.571)),
    (0.28, 128, (1.967, 1.968), (2.013, 2.013), (2.585, 2.583), (1.992, 1.992), (3.571, 3.569)),
    (0.28, 256, (1.979, 1.980), (2.023, 2.025), (2.591, 2.597), (1.992, 1.992), (3.571, 3.618)),
]
Pair = tuple[float, float]
"""The reference formula and the Monte Carlo."""

SPARE = st.floats(0.02, 0.6)
PAGES = st.sampled_from([16, 32, 64, 128, 256, 512])


@pytest.mark.parametrize(("spare", "pages", "greedy", "ten", "two", "fifo", "random"), TRUTH)
def test_the_laws_give_the_reference_formula_and_agree_with_monte_carlo(
    spare: float, pages: int, greedy: Pair, ten: Pair, two: Pair, fifo: Pair, random: Pair
) -> None:
    found = [
        (law.greedy(spare, pages), greedy, 0.002),
        (law.d_choices(spare, pages, 10), ten, 0.002),
        (law.d_choices(spare, pages, 2), two, 0.004),
        (law.fifo(spare), fifo, 0.002),
        (law.random_victim(spare), random, 0.015),
    ]
    for value, (formula, simulated), tolerance in found:
        assert value == pytest.approx(formula, abs=0.00051)
        assert value == pytest.approx(simulated, rel=tolerance)


@given(SPARE, PAGES)
def test_the_greedy_answer_solves_the_flow_balance(spare: float, pages: int) -> None:
    valid = pages - pages / law.greedy(spare, pages)
    j = math.ceil(valid - 1e-9)
    harmonic = sum(1 / i for i in range(j + 1, pages + 1)) + ((j - valid) / j if j else 0)
    assert pages * (1 - spare) * harmonic == pytest.approx(pages - valid, rel=1e-9)


@given(SPARE, PAGES)
def test_greedy_rises_with_the_block_size_towards_fifo(spare: float, pages: int) -> None:
    small, large = law.greedy(spare, pages), law.greedy(spare, 4 * pages)
    assert 1 <= small <= large * (1 + 1e-12)
    assert large <= law.fifo(spare) * (1 + 1e-12)


@pytest.mark.parametrize("spare", [0.05, 0.1, 0.28])
def test_the_gap_of_greedy_to_fifo_shrinks_as_one_over_the_block_size(spare: float) -> None:
    gaps = [law.fifo(spare) - law.greedy(spare, pages) for pages in (128, 256, 512, 1024, 2048)]
    for larger, smaller in itertools.pairwise(gaps):
        assert larger / smaller == pytest.approx(2, rel=0.1)


@settings(deadline=None)  # 250 levels, solved one by one
@given(SPARE, PAGES)
def test_d_choices_lies_between_random_and_greedy_and_one_choice_is_random(spare: float, pages: int) -> None:
    assert law.d_choices(spare, pages, 1) == pytest.approx(law.random_victim(spare), rel=1e-6)
    many, two = law.d_choices(spare, pages, 60), law.d_choices(spare, pages, 2)
    assert law.greedy(spare, pages) * (1 - 1e-9) <= many <= two <= law.random_victim(spare)


@pytest.mark.parametrize(("pages", "worst"), [(32, 0.0075), (64, 0.0035), (128, 0.0015), (256, 0.0015)])
def test_the_closed_form_stays_within_its_stated_error_and_gets_better_with_b(pages: int, worst: float) -> None:
    for spare in (0.05, 0.07, 0.1, 0.2, 0.28):
        assert law.greedy_closed_form(spare, pages) == pytest.approx(law.greedy(spare, pages), rel=worst)


# Pools of 2048 blocks of 64 pages, Sf 0.10, with blocks kept free: Monte Carlo and the uncorrected law's error.
@pytest.mark.parametrize(
    ("free_blocks", "simulated"), [(0, 4.831), (7, 4.968), (31, 5.526), (63, 6.517), (127, 10.600)]
)
def test_free_blocks_do_not_count_as_spare(free_blocks: int, simulated: float) -> None:
    spare = law.effective_spare_factor(2048, 0.9 * 2048 * 64, 64, free_blocks=free_blocks)
    assert law.greedy(spare, 64) == pytest.approx(simulated, rel=0.004)
    if free_blocks > 7:
        assert law.greedy(0.10, 64) < 0.9 * simulated


@given(st.floats(0.01, 2))
def test_over_provisioning_and_spare_factor_are_two_names_of_one_thing(overprovisioning: float) -> None:
    spare = law.spare_factor_from_overprovisioning(overprovisioning)
    assert spare / (1 - spare) == pytest.approx(overprovisioning)


def test_values_outside_the_range_of_a_law_are_refused() -> None:
    for spare in (0.0, 1.0, -0.1, math.nan):
        for function in (law.fifo, law.random_victim):
            with pytest.raises(ValueError, match="spare_factor"):
                function(spare)
    with pytest.raises(ValueError, match="pages_per_block"):
        law.greedy(0.1, 0)
    with pytest.raises(ValueError, match="choices"):
        law.d_choices(0.1, 64, 0)
    with pytest.raises(ValueError, match="no spare"):
        law.effective_spare_factor(100, 6400, 64, free_blocks=3)
