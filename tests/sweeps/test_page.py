"""The page of a sweep: one finding over one parameter, means over the seeds, a line for each other combination."""

from pathlib import Path

import pytest

from flashscope.outputs import write_result
from flashscope.records import Finding, Status
from flashscope.reports.plotting.theme import NARROW, WIDE
from flashscope.reports.sweep.chart import sweep_charts
from flashscope.reports.sweep.page import render, sweep_page
from flashscope.sweeps.outcome import Outcome


def outcome(value: float | None, **varied: str) -> Outcome:
    named = {"low": "gc.low_water_blocks", "policy": "gc.policy"}
    found = (Finding("rate_bytes_per_second", "said", value, "bytes/s"),)
    pairs = tuple((named.get(name, name), text) for name, text in varied.items())
    return Outcome("record-1", Status.DONE, "", found, False, "sim:onyx-32", pairs)


def rows_of(outcomes: list[Outcome], count: int) -> list[dict[str, float]]:
    (chart,) = sweep_charts(outcomes, ["rate_bytes_per_second"])
    for layout in (WIDE, NARROW):
        drawn = [layer for layer in chart.draw(layout)["layer"] if layer["mark"]["type"] == "line"]
        assert len(drawn) == count
    return [row for layer in drawn for row in layer["data"]["values"]]


def test_seeds_are_a_mean_with_its_range() -> None:
    outcomes = [outcome(rate * 1e6, low=low, seed=seed) for low, seed, rate in
                (("2", "1", 10), ("2", "2", 30), ("4", "1", 40), ("4", "2", 40))]  # fmt: skip
    rows = rows_of(outcomes, 1)
    assert [(row["x"], row["y"], row["low"], row["high"]) for row in rows] == [(2, 20, 10, 30), (4, 40, 40, 40)]
    (chart,) = sweep_charts(outcomes, ["rate_bytes_per_second"])
    assert chart.title == "Rate: 10 MB/s to 40 MB/s"


def test_each_of_what_else_was_varied_has_its_line() -> None:
    outcomes = [outcome(1e6 * (1 + len(policy) + int(low)), low=low, policy=policy)
                for low in "23" for policy in ("fifo", "greedy")]  # fmt: skip
    assert len(rows_of(outcomes, 2)) == 4


def test_what_has_no_size_is_drawn_as_bars() -> None:
    outcomes = [outcome(1e6, policy="fifo"), outcome(2e6, policy="greedy")]
    (chart,) = sweep_charts(outcomes, ["rate_bytes_per_second"])
    assert any(layer["mark"]["type"] == "bar" for layer in chart.draw(WIDE)["layer"])


@pytest.mark.parametrize("outcomes", [[], [outcome(1e6)], [outcome(None, low="2"), outcome(1e6, low="3")]])
def test_too_little_is_no_chart(outcomes: list[Outcome]) -> None:
    assert sweep_charts(outcomes, ["rate_bytes_per_second"]) == []
    assert "<svg" not in render("stutter", "1 point", outcomes, ["rate_bytes_per_second"])


def test_the_page_names_what_failed(tmp_path: Path) -> None:
    failed = Outcome(
        "record-2", Status.FAILED, "it ended each worker that computed it died", (), False, "sim:k5-64", (("low", "2"),)
    )
    path = write_result(sweep_page("stutter", "1 point", [failed], [], tmp_path / "page.html"))
    assert "it ended each worker that computed it died" in path.read_text()
    assert "1 did not end as they should" in path.read_text()


def test_the_record_of_a_point_stands_below_its_name_and_not_in_a_column_that_is_cut_off() -> None:
    page = render("stutter", "2 points", [outcome(1e6, low="2"), outcome(2e6, low="3")], ["rate_bytes_per_second"])
    row = page.split("<tbody>")[1].split("</tr>")[0]
    assert row.index("record record-1") < row.index("</th>") < row.index("<td")
    assert ">record</th>" not in page


def test_six_lines_of_a_sweep_have_six_colours() -> None:
    policies = ("fifo", "greedy", "d-choices", "windowed", "cost-benefit", "random")
    outcomes = [outcome(1e6 * int(low), low=low, policy=policy) for low in "23" for policy in policies]
    (chart,) = sweep_charts(outcomes, ["rate_bytes_per_second"])
    lines = [layer["mark"] for layer in chart.draw(WIDE)["layer"] if layer["mark"]["type"] == "line"]
    assert len({mark["color"] for mark in lines}) == len(lines) == 6
