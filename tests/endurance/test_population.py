"""Many drives: the same whoever works on them, and findings that keep to what a sample can tell."""

from typing import Any

import pytest

from flashscope.endurance.goal import Goal
from flashscope.endurance.life import Conditions
from flashscope.endurance.load import WearLoad
from flashscope.endurance.population import Row, findings_of_population, wear_population
from flashscope.endurance.variation import Spread, drives_of_lots

CONDITIONS = Conditions(WearLoad(), Goal("death"), checkpoint_cycles=15, read_bytes=1 << 20)


def worn(small: dict[str, Any], workers: int, count: int = 6) -> list[Row]:
    rows: dict[int, Row] = {}
    wear_population(
        drives_of_lots(count, 3, 5, Spread()), small, CONDITIONS,
        workers=workers, check=lambda: None, on_row=lambda row, took_s: rows.update({row.number: row}),
    )  # fmt: skip
    return [rows[number] for number in sorted(rows)]


def test_lives_do_not_depend_on_how_many_are_worn_at_once(small: dict[str, Any]) -> None:
    one, several = worn(small, 1), worn(small, 3)
    assert one == several
    assert len({row.host_written_bytes for row in one}) == len(one), "drives differ"
    assert worn(small, 2, 3) == one[:3], "how many there are changes none"


def test_drives_of_a_lot_are_more_alike_than_lots() -> None:
    drives = drives_of_lots(3000, 30, 1, Spread())
    lots = [[drive.life_factor for drive in drives if drive.lot == lot] for lot in range(30)]
    means = [sum(lot) / len(lot) for lot in lots]
    overall = sum(means) / len(means)
    between = (sum((mean - overall) ** 2 for mean in means) / len(means)) ** 0.5
    within = (
        sum((sum((x - mean) ** 2 for x in lot) / len(lot)) ** 0.5 for lot, mean in zip(lots, means, strict=True)) / 30
    )
    assert within == pytest.approx(0.04, rel=0.1)
    assert between == pytest.approx(0.10, rel=0.4)


def test_a_person_who_stops_it_stops_all(small: dict[str, Any]) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wear_population(
            drives_of_lots(4, 1, 1, Spread()), small, CONDITIONS, workers=2, check=stop, on_row=lambda *_: None
        )


def row(number: int, failed: bool, before_rating: bool = False, written: int = 10**13) -> Row:
    return Row(number, number % 3, 0, 1.0, 1.0, "read-only" if failed else "reached", failed, before_rating,
               written, 100.0, 7, 10**15, 1e-7, 0, 1e-20)  # fmt: skip


def test_31_drives_without_a_failure_are_accepted_and_30_are_not() -> None:
    for count, accepted in ((31, True), (30, False)):
        found = {
            one.key: one for one in findings_of_population([row(n, False) for n in range(count)], 3, 100, Spread())
        }
        acceptance = found["functional_failures_at_rating"]
        assert acceptance.details["accepted"] is accepted
        assert found["life_weibull_scale"].value is None, "nothing failed: no distribution"


def test_drives_that_took_too_little_show_no_error_rate() -> None:
    acceptance = findings_of_population([row(n, False, written=10**12) for n in range(31)], 3, 100, Spread())[0]
    assert not acceptance.details["accepted"]
    assert "So little was written" in acceptance.statement


def test_too_few_lots_are_a_doubt_and_no_acceptance() -> None:
    found = findings_of_population([row(n, True, written=10**12 + n * 10**10) for n in range(31)], 1, 100, Spread())
    assert found[0].doubts[0].kind == "FewLots"
    assert not found[0].details["accepted"]
    scale = next(one for one in found if one.key == "life_weibull_scale")
    assert scale.low is not None
    assert scale.high is not None
    assert scale.low < float(scale.value or 0) < scale.high
