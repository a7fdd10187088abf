"""The learner's parts on small series written for them, and on anything at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump, Statistic
from flashscope.smart.learning.as_json import learnt_json
from flashscope.smart.learning.counters import Counter, counter, misfit_ratio
from flashscope.smart.learning.identities import life_identities
from flashscope.smart.learning.learn import learn
from flashscope.smart.learning.observation import Moment, Observation, Series, Yardstick
from flashscope.smart.learning.packing import counters_of
from flashscope.smart.learning.sources import series_of
from flashscope.smart.learning.units import UNITS, Unit, nearest
from tests.known import known

GIB = 1 << 30


def series(columns: dict[int, list[int]], written: list[int] | None = None, user_bytes: int = 100 * 10**9) -> Series:
    count = len(next(iter(columns.values())))
    moments = tuple(Moment(100.0 * time, None, None if written is None else written[time]) for time in range(count))
    observations = tuple(
        Observation(time, id, name, number)
        for id, column in columns.items()
        for time, raw in enumerate(column)
        for name, number in (("raw-48", raw), ("value", 100), ("worst", 100), ("flags", 0x32))
    )
    return Series(moments, observations, user_bytes, None if written is None else Yardstick("the test's writing"))


def dump(attributes: dict[int, int], *, sectors: int | None = None, model: str = "A", hours: int = 10) -> Dump:
    rows = {9: hours, **attributes}
    return Dump(
        source="made",
        format="made",
        model=model,
        user_bytes=100 * 10**9,
        attributes=tuple(SmartAttribute(id, 0x32, 100, 100, raw.to_bytes(6, "little")) for id, raw in rows.items()),
        statistics=() if sectors is None else (Statistic(1, 0x18, sectors),),
    )


def test_a_counter_that_wraps_is_carried_on() -> None:
    wrapped = counter(1, "raw-48", [4_294_967_000, 100])
    assert wrapped.steps == (396,)
    assert counter(1, "raw-48", [500, 100]).falls_count == 1


def test_misfit_is_zero_for_a_rounded_share_and_large_for_a_stranger() -> None:
    assert misfit_ratio([3, 0, 7], [3.4, 0.2, 6.6]) == 0
    assert misfit_ratio([100, 0], [0.0, 5.0]) > 1.9


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_unit_snaps_to_itself(unit: Unit) -> None:
    assert nearest(unit.size_bytes * 1.01, 0.02) == unit


def test_three_words_are_split_and_a_large_counter_is_not() -> None:
    words = [(70 + step << 32) | (40 + step << 16) | (55 + step) for step in range(6)]
    sectors = [44_957_634_609 + step * 5_000_123_457 for step in range(6)]
    found = {(one.id, one.layout) for one in counters_of(series({173: words, 241: sectors})) if one.layout != "value"}
    assert found == {(173, "raw-16-word-0"), (173, "raw-16-word-1"), (173, "raw-16-word-2"), (241, "raw-48")}


def test_hours_with_milliseconds_above_them_are_split() -> None:
    hours = [(milli << 32) | (1000 + 30 * step) for step, milli in enumerate((60000, 31, 45001, 7, 52000))]
    found = {one.layout: one for one in counters_of(series({9: hours})) if one.layout != "value"}
    assert found["raw-32"].steps == (30, 30, 30, 30)


def test_the_law_of_life_and_rating_is_found() -> None:
    erases = Counter(208, "raw-48", (700, 900, 1300, 2100))
    left = Counter(209, "raw-48", tuple(100 - 100 * one // 5000 for one in erases.values))
    rated = Counter(205, "raw-48", (5000,) * 4)
    (law, *_) = [one for one in life_identities([erases, left, rated]) if one.wear is erases]
    assert (law.rated, law.counts_left, law.values_count) == (5000, True, 4)
    assert law.rated_counter is rated


def test_host_writes_and_erases_of_a_measured_drive_are_named_with_reasons() -> None:
    written = [step * 60 * 10**9 for step in range(1, 15)]
    erases = [int(one * 1.3 / 110e9) for one in written]
    noise = [30, 32, 31, 35, 29, 30, 33, 34, 30, 28, 30, 31, 36, 30]
    learnt = learn(series({241: [one // GIB for one in written], 173: erases, 77: noise, 5: [0] * 14}, written))
    host, average = learnt.best("host_written_bytes"), learnt.best("erase_count_average")
    assert host is not None
    assert average is not None
    assert (host.attribute, host.unit, average.attribute) == (241, "1 GiB", 173)
    reasons = {one.attribute: one.reason for one in learnt.rejected}
    assert "up and down" in reasons[77]
    assert "never moved" in reasons[5]
    assert any("per fill of the drive" in one for one in average.evidence)


def test_what_moves_while_nothing_is_written_is_rejected() -> None:
    before, after = dump({173: 10, 241: 100}), dump({173: 14, 241: 100})
    learnt = learn(series_of([before, after], otherwise_idle=True))
    assert not any(one.is_claim for one in learnt.hypotheses if one.attribute != 9)
    assert {one.attribute: one.reason for one in learnt.rejected}[173].startswith("moved though nothing was written")


def test_one_dump_is_learnt_by_its_statistics() -> None:
    learnt = learn(series_of([dump({241: 1234}, sectors=1234 * GIB // 512 + 77)]))
    host = known(learnt.best("host_written_bytes"))
    assert (host.attribute, host.unit) == (241, "1 GiB")
    assert learnt.best("erase_count_average") is None


def test_one_dump_without_statistics_claims_nothing_and_says_what_is_missing() -> None:
    learnt = learn(series_of([dump({241: 1234, 173: 50})]))
    assert learnt.best("host_written_bytes") is None
    assert len(learnt.missing) >= 2


@pytest.mark.parametrize(
    ("dumps", "written"),
    [([], None), ([dump({5: 0})], 10), ([dump({5: 0}, model="A"), dump({5: 0}, model="B")], None)],
    ids=["none", "one around a write", "two drives"],
)
def test_wrong_use_is_told(dumps: list[Dump], written: int | None) -> None:
    with pytest.raises(WrongUse):
        series_of(dumps, written_bytes=written)


_NUMBERS = st.one_of(st.integers(0, 300), st.integers(0, 2**48 - 1), st.sampled_from([0xFFFFFFFF, 2**48 - 1]))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda count: st.tuples(
            st.dictionaries(st.integers(1, 255), st.lists(_NUMBERS, min_size=count, max_size=count), min_size=1),
            st.one_of(st.none(), st.lists(st.integers(0, 2**60), min_size=count, max_size=count)),
        )
    )
)
def test_any_numbers_are_judged_without_a_fault(drawn: tuple[dict[int, list[int]], list[int] | None]) -> None:
    learnt = learn(series(*drawn))
    assert all(0 <= one.score <= 1 for one in learnt.hypotheses)
    json.dumps(learnt_json(learnt), allow_nan=False)
