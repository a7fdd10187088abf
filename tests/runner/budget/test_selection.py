"""Which experiments take part: properties that hold for any candidates and any budget."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.runner.budget.budget import Budget
from flashscope.runner.budget.offers import Candidate, Offer
from flashscope.runner.budget.selection import select
from flashscope.runner.effort import Effort, Extent

EVERYTHING = Budget()
PROPERTIES = ("mapping_unit", "write_buffer", "cache", "parallelism", "trim")


def offer(written: int, seconds: float, extent: Extent = Extent.QUICK) -> Offer:
    return Offer(Effort(extent, most_bytes=written), written, seconds)


def offers_of(sizes: list[tuple[int, int]]) -> tuple[Offer, ...]:
    return tuple(offer(written, seconds) for written, seconds in sorted(sizes))


sizes = st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 1000)), min_size=1, max_size=4)
one = st.builds(lambda told, of: (frozenset(told), offers_of(of)), st.sets(st.sampled_from(PROPERTIES)), sizes)
candidates = st.lists(one, max_size=8).map(
    lambda each: [Candidate(f"experiment-{number}", *told) for number, told in enumerate(each)]
)
budgets = st.builds(Budget, st.integers(0, 5000), st.integers(0, 5000))


FEW = settings(max_examples=40, deadline=None)


@FEW
@given(candidates, budgets)
def test_all_together_cost_no_more_than_the_budget_and_each_one_takes_part_or_is_named(
    of: list[Candidate], budget: Budget
) -> None:
    chosen = select(of, budget)
    assert budget.allows(chosen.bytes_to_write, chosen.time_s)
    assert list(chosen.taken) == [each.name for each in of if each.name in chosen.taken]
    assert list(chosen.left_out) == [each.name for each in of if each.name not in chosen.taken]
    assert all("take about" in why for why in chosen.left_out.values())
    assert select(of, budget) == chosen


@FEW
@given(candidates)
def test_without_limits_all_take_part_and_go_as_far_as_they_can(of: list[Candidate]) -> None:
    assert dict(select(of, EVERYTHING).taken) == {each.name: each.offers[-1] for each in of}


@FEW
@given(candidates, budgets)
def test_nothing_that_says_something_is_left_out_while_its_cheapest_run_would_fit(
    of: list[Candidate], budget: Budget
) -> None:
    chosen = select(of, budget)
    left = budget.less(chosen.bytes_to_write, chosen.time_s)
    told = set().union(*(each.tells for each in of if each.name in chosen.taken))
    for each in of:
        if each.name in chosen.left_out and each.tells - told:
            assert not left.allows(each.cheapest.bytes_to_write, each.cheapest.time_s)


def test_a_benchmark_program_is_left_out_before_what_tells_something_of_its_own() -> None:
    told = Candidate("queue-depth", frozenset({"parallelism"}), (offer(10, 10),))
    rates = Candidate("sustained", frozenset({"cache", "sequential_rate"}), (offer(10, 10),))
    program = Candidate("crystaldiskmark-8", frozenset(), (offer(1, 5),))
    chosen = select([program, told, rates], Budget(40, 20))
    assert set(chosen.taken) == {"queue-depth", "sustained"}
    assert "others tell the same" in chosen.left_out["crystaldiskmark-8"]


def test_a_second_witness_of_a_property_comes_before_a_third() -> None:
    first, second, third = (
        Candidate(name, frozenset({"cache"}), (offer(1, cost),)) for name, cost in zip("abc", (1, 2, 3), strict=True)
    )
    assert set(select([third, second, first], Budget(10, 5)).taken) == {"a", "b"}


def test_the_reason_names_what_stays_unknown_and_what_it_would_have_cost() -> None:
    wear = Candidate("smart-inference", frozenset({"wear_counter"}), (offer(10**12, 7200),))
    chosen = select([wear], Budget(10**11, 600))
    assert chosen.left_out["smart-inference"] == (
        "even its smallest run would write up to 1 TB and take about 2 h, "
        "which the rest of the budget (100 GB, 10 min) has no room for; not told: wear counter"
    )


@pytest.mark.parametrize("budget", [Budget(500, math.inf), Budget(math.inf, 500)])
def test_one_limit_is_enough(budget: Budget) -> None:
    small = Candidate("a", frozenset({"cache"}), (offer(100, 100), offer(1000, 1000, Extent.STANDARD)))
    assert select([small], budget).taken["a"] == small.offers[0]
