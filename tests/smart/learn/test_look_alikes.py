"""Temperatures, power losses and wear in 1/1024 % are told from erases; scores only lower beliefs, in their order."""

from __future__ import annotations

import random

import pytest

from flashscope.smart.learning.as_json import learnt_json
from flashscope.smart.learning.calibration import curves, score_of
from flashscope.smart.learning.hypothesis import Hypothesis, Learnt
from flashscope.smart.learning.learn import learn
from tests.known import known
from tests.smart.learn.families import laid_out
from tests.smart.learn.histories import history

from .test_learner import GIB, series

USER = 100 * 10**9
FILLS = [0, 3, 7, 12, 16, 23, 27]
WRITTEN = [(50 + fills) * USER for fills in FILLS]


def of(learnt: Learnt, attribute: int) -> Hypothesis:
    return known(next((one for one in learnt.hypotheses if one.attribute == attribute), None))


def test_power_losses_that_grow_with_the_writing_are_no_erases() -> None:
    cycles = [100 + 5 * fills for fills in FILLS]
    learnt = learn(series({12: cycles, 174: [20 + fills for fills in FILLS], 9: FILLS}, WRITTEN))
    assert learnt.best("erase_count_average") is None
    assert of(learnt, 174).key == "unexpected_power_loss_count"


def test_a_count_that_outgrows_the_power_cycles_once_is_no_power_loss() -> None:
    erases = [60 + fills for fills in FILLS]
    learnt = learn(series({12: [500 + time for time in range(len(FILLS))], 173: erases}, WRITTEN))
    assert known(learnt.best("erase_count_average")).attribute == 173
    assert all(one.key != "unexpected_power_loss_count" for one in learnt.hypotheses)


def test_a_temperature_that_only_rises_is_a_temperature() -> None:
    learnt = learn(series({194: [30 + fills for fills in FILLS], 190: [25] * len(FILLS)}, WRITTEN))
    assert learnt.best("erase_count_average") is None
    assert {of(learnt, id).key for id in (190, 194)} == {"temperature_celsius"}


def test_the_lifetime_maximum_above_a_temperature_is_no_erase_count() -> None:
    packed = [(40 + fills) << 32 | 20 << 16 | 30 + fills % 2 for fills in FILLS]
    assert learn(series({194: packed}, WRITTEN)).best("erase_count_average") is None


def test_the_workload_timers_are_looked_up_where_all_three_are_there() -> None:
    wear = [34 * (50 + fills) for fills in FILLS]
    timers = {226: wear, 227: [40 + time for time in range(len(FILLS))], 228: [600 * (9 + fills) for fills in FILLS]}
    learnt = learn(series({225: [one // (32 << 20) for one in WRITTEN], **timers}, WRITTEN))
    told = of(learnt, 226)
    assert (told.key, told.scale, told.unit) == ("timed_wear_percent", 1 / 1024, "1/1024 %")
    assert learnt.best("erase_count_average") is None
    assert {one.attribute for one in learnt.hypotheses}.isdisjoint({227, 228})


def test_wear_in_1024ths_of_a_per_cent_is_told_from_erases_at_any_number() -> None:
    wear = [68 * (50 + fills) for fills in FILLS]
    used = [one // 1024 for one in wear]
    learnt = learn(series({205: wear, 77: used}, WRITTEN))
    assert of(learnt, 205).key == "timed_wear_percent"
    assert learnt.best("erase_count_average") is None


def test_one_drive_has_one_average_erase_count() -> None:
    rng = random.Random(3)
    rows = [60 + fills + rng.randint(0, 1) for fills in FILLS]
    columns = {165: [row * 13 // 10 + 7 for row in rows], 166: [row * 2 // 3 for row in rows], 167: rows}
    written = {241: [one // GIB for one in WRITTEN]}
    learnt = learn(series({**columns, **written}, WRITTEN))
    assert known(learnt.best("erase_count_average")).attribute == 167
    assert sum(one.score for one in learnt.hypotheses if one.key == "erase_count_average") <= 1


@pytest.mark.parametrize("known_bytes", [False, True])
def test_a_score_is_never_above_its_belief_and_keeps_the_order(known_bytes: bool) -> None:
    beliefs = [step / 200 for step in range(201)]
    for key in {key for key, _ in curves()} | {"a key without a curve"}:
        scores = [score_of(key, known_bytes, belief) for belief in beliefs]
        assert all(0 <= score <= belief for score, belief in zip(scores, beliefs, strict=True))
        assert scores == sorted(scores)


def test_what_is_claimed_of_a_virtual_drive_is_true() -> None:
    """A few lives of parts and families that the curves were not fitted to; the page has the measurement."""
    right = told = 0
    for seed, family in enumerate(("samsung-dc", "silicon-motion", "sk-hynix", "jmicron", "sandforce", "toshiba")):
        life = history(("onyx-32", "k5-64", "vertex-30")[seed % 3], 900 + seed, reading_count=6, fills=30)
        drive = laid_out(life, seed, family, yardstick=True)
        for one in learn(drive.series).hypotheses:
            if one.is_claim:
                told += 1
                right += drive.is_true(one.attribute, one.field, one.key, one.scale)
    print(f"{right} of {told} claims are true")
    assert told >= 30
    assert right >= 0.93 * told


def test_a_score_is_stated_only_where_it_holds_for_every_family() -> None:
    def told(score: float) -> object:
        one = Hypothesis(241, "raw-48", "host_written_bytes", "GiB", GIB, score, ("it moved so",))
        return learnt_json(Learnt((one,), (), (), "", (), 3))["hypotheses"][0]["score"]

    assert (told(0.9), told(0.97)) == (0.9, 0.97)
    assert (told(0.8999), told(0.6), told(0.1)) == (None, None, None)
