"""Drives made up at random: how often the learner is right, silent and wrong. `make test-long` tries fresh seeds."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from flashscope.smart.learning.hypothesis import Hypothesis
from flashscope.smart.learning.learn import learn
from tests.smart.learn.planted import planted

_KEYS = ("erase_count_average", "host_written_bytes")


def judged(seeds: range, *, yardstick: bool, little: bool = False) -> dict[str, Counter[str]]:
    """key -> how many drives were right, none (silent though there is one), and wrong."""
    found: dict[str, Counter[str]] = {key: Counter() for key in _KEYS}
    for seed in seeds:
        drive = planted(seed, yardstick=yardstick, little=little)
        learnt = learn(drive.series)
        erases, host = (learnt.best(key) for key in _KEYS)
        found[_KEYS[0]][_verdict(erases, drive.erase_id, True)] += 1
        unit_right = host is not None and host.scale == drive.host_unit_bytes
        found[_KEYS[1]][_verdict(host, drive.host_id, unit_right)] += 1
    said = ", ".join(f"{key} {dict(counts)}" for key, counts in found.items())
    print(f"seeds {seeds.start} to {seeds.stop - 1}, yardstick {yardstick}, little written {little}: {said}")
    return found


def _verdict(claim: Hypothesis | None, planted_id: int | None, unit_right: bool) -> str:
    if claim is None:
        return "right" if planted_id is None else "none"
    return "right" if claim.attribute == planted_id and unit_right else "wrong"


def test_with_statistics_nearly_all_is_right() -> None:
    for counts in judged(range(5000, 5040), yardstick=True).values():
        assert counts["wrong"] <= 1
        assert counts["right"] >= 36


def test_with_statistics_and_little_written_no_erase_counter_is_claimed() -> None:
    counts = judged(range(5000, 5030), yardstick=True, little=True)["erase_count_average"]
    assert counts["wrong"] == 0


def test_without_statistics_most_erase_counters_are_still_found() -> None:
    counts = judged(range(5000, 5012), yardstick=False)["erase_count_average"]
    assert counts["right"] >= 8
    assert counts["wrong"] <= 1


@pytest.mark.long
def test_fresh_seeds() -> None:
    start = int(time.time())
    for yardstick in (True, False):
        for key, counts in judged(range(start, start + 200), yardstick=yardstick).items():
            allowed = 5 if yardstick else 10 if key == _KEYS[0] else 40
            assert counts["wrong"] <= allowed, (start, key, counts)
        little = judged(range(start, start + 100), yardstick=yardstick, little=True)
        assert little[_KEYS[0]]["wrong"] <= (1 if yardstick else 8), (start, little)
