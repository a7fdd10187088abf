"""One life: all claims are held against each other, and a difference is watched where it changes what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.smart.decoding.as_json import reading_json
from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.health import complete
from flashscope.smart.decoding.life import Life, life_of
from flashscope.smart.decoding.rated_writes import PromisedWrites
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.verdict import GOOD, WATCH, judge
from flashscope.smart.fleets.measures import life_used_percent
from tests.known import known
from tests.smart.readings import completed, dump, field, reading

TB = 10**12
PROMISE = PromisedWrites(72 * TB, "a drive", "a data sheet, 2013", "https://a.page/of/it")


def life(found: Reading, promised: PromisedWrites | None = None) -> Life:
    return known(life_of(found, promised))


def level(found: Reading) -> str:
    return judge(found, clocks([(None, found)]), dump()).level


def with_provenance(found: Reading, key: str, provenance: str) -> Reading:
    made = replace(field(key, known(found.value(key))), provenance=provenance)
    return replace(found, fields={**found.fields, key: made})


def test_small_differences_widen_the_interval_and_change_no_verdict() -> None:
    found = completed("some", life_used_percent=13, endurance_used_percent=27, erase_count_average=199)
    told = life(found).left
    assert (told.low, told.high) == pytest.approx((0.73, 0.87))
    assert [one.kind for one in found.contradictions] == ["LifeDisagrees"]
    assert level(found) == GOOD
    assert "between 73 % and 87 %" in judge(found, (), dump()).statement


def test_a_difference_about_whether_it_is_nearly_over_is_watched() -> None:
    found = completed("some", life_used_percent=55, endurance_used_percent=95)
    verdict = judge(found, clocks([(None, found)]), dump())
    assert verdict.level == WATCH
    assert "differ" in verdict.reasons[0]


@pytest.mark.parametrize(
    ("values", "left", "why"),
    [
        ({"endurance_used_percent": 0, "life_left_percent": 8}, 0.08, "where a new drive's does"),
        ({"erase_count_average": 8934, "life_used_percent": 297, "endurance_used_percent": 3}, 0.0, "and none is"),
        ({"erase_count_average": 111, "endurance_used_percent": 11, "reported_life_percent": 12}, 0.89, "and none is"),
        ({"endurance_used_percent": 20, "reported_life_percent": 20}, 0.8, "counts what is left"),
        ({"erase_count_average": 65, "rated_pe_cycles": 236, "life_used_percent": 5}, 0.95, "no flash is rated"),
        (
            {"erase_count_average": 941, "rated_pe_cycles": 5050, "life_left_percent": 82,
             "endurance_used_percent": 47},
            0.81, "others agree against it",
        ),
    ],
    ids=["stuck at new", "fantastic rating", "rating of 126 cycles", "turned round", "rating of 236", "outvoted"],
)  # fmt: skip
def test_claims_that_cannot_be_true_are_set_aside_with_the_reason(
    values: dict[str, float], left: float, why: str
) -> None:
    found = completed("some", **values)
    told = life(found)
    assert told.left.value == pytest.approx(left, abs=0.006)
    (aside,) = [claim for claim in told.claims if claim.set_aside]
    assert why in aside.set_aside
    assert known(found.value("remaining_life_ratio")) == pytest.approx(left, abs=0.02)
    assert any(aside.set_aside in one.message for one in found.contradictions)


def test_a_rating_that_cannot_be_true_drives_no_clock() -> None:
    found = completed("some", erase_count_average=65, rated_pe_cycles=236, life_used_percent=5)
    assert [clock.key for clock in clocks([(None, found)])] == ["maker_percentage"]


def test_a_drive_past_its_rating_says_so_everywhere() -> None:
    found = completed("some", erase_count_average=8934, life_used_percent=297, endurance_used_percent=3)
    verdict = judge(found, clocks([(None, found)]), dump())
    assert (verdict.level, verdict.causes) == (WATCH, ("life",))
    assert "297 % used" in verdict.reasons[0]
    (clock,) = clocks([(None, found)])
    assert (clock.key, clock.rating_reached, clock.used_ratio.value) == ("maker_percentage", True, 2.97)
    assert life_used_percent({key: one.value for key, one in found.fields.items()}) == 297
    assert known(reading_json(found, (), dump())["life"])["left_ratio"]["value"] == 0


def test_a_percentage_that_has_stopped_gives_way_to_one_that_counts_on() -> None:
    told = life(completed("samsung", life_left_percent=1, endurance_used_percent=142, erase_count_average=2445))
    assert told.used.value == pytest.approx(1.42)
    stopped = life(completed("samsung", life_left_percent=1, erase_count_average=2445))
    assert stopped.used.high == float("inf")
    assert "rated_pe_cycles" not in completed("samsung", life_left_percent=1, erase_count_average=2445).fields


def test_a_promise_widens_the_interval_towards_the_end_and_never_away_from_it() -> None:
    worn = completed("some", life_used_percent=30, host_written_bytes=75 * TB)
    assert life(worn, PROMISE).left.low == 0
    assert life(worn, PROMISE).left.value == pytest.approx(0.7)
    idle = completed("some", life_used_percent=30, host_written_bytes=TB)
    assert life(idle, PROMISE).left == life(idle).left


def test_a_drive_that_is_hardly_erased_is_not_called_worn_out_by_a_number_turned_round() -> None:
    made = reading("phison", reported_life_percent=2, erase_count_average=3)
    assert life_of(made) is None
    told = reading("phison", reported_life_percent=2, erase_count_average=3, endurance_used_percent=1)
    assert life(told).left.value == pytest.approx(0.99)


def test_a_guess_that_no_flash_allows_leaves_nothing_said() -> None:
    made = with_provenance(
        reading("some", life_used_percent=139, erase_count_average=54), "life_used_percent", "assumed"
    )
    assert life_of(made) is None
    assert clocks([(None, made)]) == ()
    (one,) = complete(made, dump()).contradictions
    assert "nothing is said of how much of its rated life" in one.message
    assert one.believed == ""


def test_the_same_life_stands_in_the_page_the_fleet_and_the_json() -> None:
    found = completed("some", erase_count_average=953, life_used_percent=19)
    document = reading_json(found, (), dump())
    left = known(found.value("remaining_life_ratio"))
    assert document["life"]["left_ratio"]["value"] == pytest.approx(left)
    assert life_used_percent({key: one.value for key, one in found.fields.items()}) == pytest.approx(100 * (1 - left))
    assert f"{100 * left:.0f} %" in judge(found, (), dump()).statement
