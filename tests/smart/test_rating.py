"""The rating follows from pairs of numbers, as on the real drives the pairs were read from; or from none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.smart.decoding.rating import USUAL_RATINGS, inferred_rating
from tests.known import known
from tests.smart.readings import completed, reading


@pytest.mark.parametrize(
    ("erases", "used_percent", "rating"),
    [(312, 6, 5000), (502, 10, 5000), (752, 15, 5000), (953, 19, 5000), (293, 9, 3000), (517, 17, 3000)],
)
def test_pairs_of_real_drives_give_their_rating(erases: int, used_percent: int, rating: int) -> None:
    found = known(inferred_rating(reading("micron", erase_count_average=erases, life_used_percent=used_percent)))
    assert found.value == rating
    assert found.low <= rating <= found.high
    assert found.provenance == "inferred"


def test_a_claim_of_life_left_is_turned_round() -> None:
    found = known(inferred_rating(reading(erase_count_average=3799, life_left_percent=63)))
    assert found.value == 10_000


@pytest.mark.parametrize(
    "values",
    [
        {"erase_count_average": 3, "life_used_percent": 0},  # fits every rating
        {"erase_count_average": 0, "life_used_percent": 0},
        {"erase_count_average": 9000, "life_used_percent": 100},  # the claim stops there
        {"erase_count_average": 500},
        {"erase_count_average": 10, "life_used_percent": 60},  # a rating of 16 cycles is no rating
    ],
)
def test_nothing_is_inferred_from_too_little(values: dict[str, float]) -> None:
    assert inferred_rating(reading(**values)) is None


def test_a_stated_rating_stays() -> None:
    assert (
        completed(erase_count_average=953, life_used_percent=19, rated_pe_cycles=4000).value("rated_pe_cycles") == 4000
    )


@given(rating=st.sampled_from(USUAL_RATINGS), share=st.floats(0.03, 0.99))
def test_an_inferred_rating_is_never_a_wrong_usual_one(rating: int, share: float) -> None:
    erases = int(rating * share)
    found = inferred_rating(reading(erase_count_average=erases, life_used_percent=100 * erases // rating))
    assert found is None or found.low <= rating <= found.high
    assert found is None or found.provenance == "assumed" or found.value == rating
