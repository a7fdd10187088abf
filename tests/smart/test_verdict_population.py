"""Verdicts on drives that nobody chose: 1,500 dumps of a public archive, and those that were once judged wrongly.

Nobody labelled them, so what is tested is what can be checked: the drive's own word, the causes of an alarm, one life.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.life import life_of
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, UNKNOWN, WATCH, Verdict, judge
from flashscope.smart.dump import Dump
from flashscope.smart.fleets.measures import life_used_percent
from flashscope.smart.readers.read import read_dump
from tests.known import known

POPULATION = Path(__file__).parents[3] / "shared" / "smart-population"
_OWN_WORD = re.compile(r"self-assessment test result: FAILED|\"passed\": ?false")


@dataclass(frozen=True)
class Judged:
    dump: Dump
    reading: Reading
    verdict: Verdict
    text: str


def judged(path: Path) -> Judged:
    data = path.read_bytes()
    dump = read_dump(data, path.name)
    reading = read(dump)
    verdict = judge(reading, clocks([(None, reading)], promised=promised_writes(dump)), dump)
    return Judged(dump, reading, verdict, data.decode("utf-8", "replace"))


@pytest.fixture(scope="module")
def population() -> dict[str, Judged]:
    if not POPULATION.exists():
        pytest.skip(f"{POPULATION} is not there, so no verdict on real drives can be checked")
    return {path.name: judged(path) for path in sorted(POPULATION.glob("*.txt"))}


@pytest.fixture(scope="module")
def named() -> Callable[[str], Judged]:
    if not POPULATION.exists():
        pytest.skip(f"{POPULATION} is not there, so no drive that was once judged wrongly can be checked")
    return lambda part: judged(next((POPULATION / "named").glob(f"*{part}*")))


def test_every_failed_self_assessment_is_copy_now(population: dict[str, Judged]) -> None:
    failed = [one for one in population.values() if _OWN_WORD.search(one.text)]
    assert len(failed) >= 5
    assert {one.verdict.level for one in failed} == {COPY_NOW}


def test_every_copy_now_has_the_drives_own_word_or_a_threshold(population: dict[str, Judged]) -> None:
    alarms = {name: one.verdict for name, one in population.items() if one.verdict.level == COPY_NOW}
    sure = {"self_assessment", "threshold", "read_only", "unreliable"}
    assert {name: one.causes for name, one in alarms.items() if sure.isdisjoint(one.causes)} == {}
    assert len(alarms) <= 10


def test_few_drives_are_watched_and_each_with_a_cause(population: dict[str, Judged]) -> None:
    watched = [one.verdict for one in population.values() if one.verdict.level == WATCH]
    assert len(watched) < 0.06 * len(population)
    assert all(one.causes and one.reasons for one in watched)


def test_a_life_that_disagrees_is_watched_only_where_little_may_be_left(population: dict[str, Judged]) -> None:
    for name, one in population.items():
        life = life_of(one.reading, promised_writes(one.dump))
        if life is None or "life" not in one.verdict.causes:
            continue
        believed = [claim for claim in life.claims if not claim.set_aside]
        assert min(1 - claim.used.value for claim in believed) < 0.1, name


def test_one_life_stands_in_the_headline_the_fleet_and_the_field(population: dict[str, Judged]) -> None:
    compared = 0
    for name, one in population.items():
        left = one.reading.fields.get("remaining_life_ratio")
        life = life_of(one.reading, promised_writes(one.dump))
        if left is None or one.reading.is_flash is False:
            continue
        compared += 1
        assert left.value == pytest.approx(known(life).left.value), name
        assert left.low <= left.value <= left.high
        fleet = life_used_percent({key: field.value for key, field in one.reading.fields.items()})
        assert max(0.0, 100 - known(fleet)) == pytest.approx(100 * left.value, abs=1e-6), name
        if one.verdict.level == GOOD:
            assert f"about {100 * left.value:.0f} % of its rated life" in one.verdict.statement, name
    assert compared > 1000


@pytest.mark.parametrize(
    ("part", "level"),
    [
        ("SanDisk_SSD_U100_24GB", GOOD), ("SanDisk_SSD_i100_8GB", GOOD), ("SanDisk_SSD_P4_16GB", GOOD),
        ("Foresee_E2M2_64GB", UNKNOWN), ("megaraid_vd_0", UNKNOWN), ("unsupported_0", UNKNOWN),
        ("SDSSDH2256G", GOOD), ("X600_2.5", GOOD), ("SU760_256GB", GOOD), ("SU750_1TB", GOOD),
        ("CT240BX500SSD1", GOOD), ("Electra_6G", GOOD), ("CTFDDAC064MAG", GOOD), ("GOODRAM___8CDBE", WATCH),
    ],
)  # fmt: skip
def test_drives_that_were_once_judged_wrongly(named: Callable[[str], Judged], part: str, level: str) -> None:
    found = named(part)
    assert found.verdict.level == level, found.verdict.reasons
    assert not found.dump.cut
    assert "smartctl -x --json" not in found.verdict.advice


@pytest.mark.parametrize(
    ("part", "left_percent"),
    [("SM1024F", 8), ("SM0512F", 52), ("M500SSD1__A6092", 0), ("M500SSD1__EB71D", 0), ("MX100SSD1", 0)],
)
def test_lives_that_were_once_told_in_two_ways(named: Callable[[str], Judged], part: str, left_percent: int) -> None:
    found = named(part)
    assert 100 * known(found.reading.value("remaining_life_ratio")) == pytest.approx(left_percent, abs=1)
    if left_percent < 10:
        assert "life" in found.verdict.causes
