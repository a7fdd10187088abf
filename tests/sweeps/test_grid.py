"""From options to points: the product, whatever the order; wrong ones are taught before anything runs."""

import random
import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.sweeps.grid import Grid, parse_seeds
from flashscope.sweeps.point import Point

SETTINGS = ["gc.low_water_blocks=2,4,3", "timing.read_latency=60us,50 us"]


def identities(parts: list[str], settings: list[str], seeds: str | None) -> list[str]:
    return [
        point.identity
        for point in Grid.of(parts, settings, seeds).points(lambda address, parts: Point("stutter", address, parts))
    ]


def test_the_points_are_the_product() -> None:
    grid = Grid.of(["onyx-32,k5-64"], SETTINGS, "1..2")
    points = grid.points(lambda address, parts: Point("stutter", address, parts))
    assert grid.count == len(points) == 2 * 3 * 2 * 2
    assert grid.said() == "24 points: 2 drives x 3 gc.low_water_blocks x 2 timing.read_latency x 2 seeds"
    varied = [tuple(text for _, text in point.varied) for point in points]
    assert varied == list(product(("sim:k5-64", "sim:onyx-32"), ("2", "3", "4"), ("50 us", "60us"), ("1", "2"))), (
        "by name and by size"
    )


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_any_order_of_the_options_gives_the_same_points_in_the_same_order(chance: random.Random) -> None:
    parts, keys = ["onyx-32", "sim:vertex-30"], [list(one.split("=")) for one in SETTINGS]
    seeds = ["3", "1", "7..8"]
    for one in (parts, keys, seeds):
        chance.shuffle(one)
    for one in keys:
        values = one[1].split(",")
        chance.shuffle(values)
        one[1] = ",".join(values)
    shuffled = identities(parts, ["=".join(one) for one in keys], ",".join(seeds))
    assert shuffled == identities(["onyx-32,vertex-30"], SETTINGS, "1,3,7,8")


@given(st.sets(st.integers(0, 2**64 - 1), min_size=1, max_size=20))
def test_seeds_come_by_size(seeds: set[int]) -> None:
    listed = ",".join(map(str, seeds))
    assert [seed for one in parse_seeds(listed) for seed in one] == sorted(seeds)


@given(st.integers(0, 2**64 - 1), st.integers(0, 50))
def test_a_range_holds_both_its_ends(first: int, more: int) -> None:
    last = min(first + more, 2**64 - 1)
    (found,) = parse_seeds(f"{first}..{last}")
    assert (found[0], found[-1]) == (first, last)


def test_one_drive_written_in_two_ways_is_one_point() -> None:
    plain, told, in_bytes = (
        identities([part], [], None)
        for part in ("onyx-32", "sim:onyx-32?gc.low_water_blocks=4&seed=0", "sim:onyx-32?mapping.unit=16384 B")
    )
    assert plain == told == in_bytes


@pytest.mark.parametrize(
    ("parts", "settings_", "seeds", "lesson"),
    [
        (["onyx-31"], [], None, 'did you mean "onyx-32"'),
        (["onyx-32,"], [], None, "--part has an empty entry"),
        (["onyx-32,sim:onyx-32"], [], None, "twice"),
        (["file:a.img"], [], None, "file:a.img is not a virtual drive"),
        (["onyx-32"], ["gc.low_water_blocks"], None, "KEY=VALUE,VALUE"),
        (["onyx-32"], ["gc.low_water_blocks="], None, "--set gc.low_water_blocks is empty"),
        (["onyx-32"], ["gc.low_water_blocks=2,,3"], None, "has an empty entry"),
        (["onyx-32"], ["gc.low_watr_blocks=2"], None, "gc.low_water_blocks"),
        (["onyx-32"], ["gc.low_water_blocks=0"], None, "out of bounds"),
        (["onyx-32"], ["gc.low_water_blocks=9"], None, "gc.high_water_blocks"),
        (["onyx-32"], ["timing.read_latency=50"], None, "give it a unit"),
        (["onyx-32"], ["timing.read_latency=50us,0.05 ms"], None, "twice"),
        (["onyx-32"], ["gc.policy=fifo", "gc.policy=greedy"], None, "once, with all values"),
        (["sim:onyx-32?gc.policy=fifo"], ["gc.policy=greedy"], None, "set it once"),
        (["sim:onyx-32?seed=4"], [], "1..3", "give it once"),
        (["onyx-32"], [], "10..1", "1..10"),
        (["onyx-32"], [], "", "--seeds is empty"),
        (["onyx-32"], [], "1..3,2", "twice"),
        (["onyx-32"], [], "-1", "--seeds has '-1'"),
        (["onyx-32"], [], str(2**64), "--seeds has 18446744073709551616"),
    ],
)
def test_what_makes_no_sense_is_taught(parts: list[str], settings_: list[str], seeds: str | None, lesson: str) -> None:
    with pytest.raises(WrongUse) as refused:
        identities(parts, settings_, seeds)
    assert re.search(re.escape(lesson), str(refused.value)), str(refused.value)


def test_very_many_points_have_to_be_meant() -> None:
    grid = Grid.of(["onyx-32"], [], f"0..{2**64 - 1}")
    with pytest.raises(WrongUse, match="18446744073709551616 points"):
        grid.check_count(yes=False)
    grid.check_count(yes=True)
    Grid.of(["onyx-32"], [], "1..100000").check_count(yes=False)
