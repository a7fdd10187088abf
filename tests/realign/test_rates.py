"""How long a repair takes, from rates that are known."""

from __future__ import annotations

import pytest

from flashscope.realign.rates import Rates

MOVED = 300_000_000


@pytest.mark.parametrize(
    ("rates", "seconds"),
    [
        (Rates(), 0.0),
        (Rates(read=300e6), 4.0),  # read three times and written once
        (Rates(read=300e6, write=30e6), 13.0),
        (Rates(read=300e6, write=30e6, limit=10e6), 31.0),  # reading beforehand is not limited
        (Rates(read=300e6, write=30e6, limit=1e9), 13.0),
    ],
)
def test_the_time_of_a_repair(rates: Rates, seconds: float) -> None:
    assert rates.expected_s(MOVED) == pytest.approx(seconds)
