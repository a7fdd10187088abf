"""`flashscope reproduce laws` through the real command line, on the real core, in small."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.errors import Interrupted
from flashscope.reproduce import catalogue
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, Law, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.reproduce.run import run_laws

KEYS = {"law", "condition", "expected", "measured", "gap_ratio", "tolerance_ratio", "holds"}
QUICK = (
    "fifo", "trim", "alignment", "units-touched", "queue-depth", "throughput-caps", "collection-stall", "stripes",
    "temperature", "uncorrectable-errors",
)  # fmt: skip
"""One of each family that takes well under a second when quick."""


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["reproduce", "laws", *arguments])


def law_of(measure: Callable[[OpenDrive], Iterable[Row]], name: str = "planted") -> Law:
    return Law(name, "planted by a test", "greedy", lambda quick: [Case(name, 1.0, measure)])


def test_json_is_a_list_of_rows_and_nothing_else() -> None:
    result = call("--quick", "--json", *(word for name in QUICK for word in ("--only", name)))
    rows = json.loads(result.stdout)
    assert result.exit_code == 0, [row for row in rows if not row["holds"]]
    assert result.stderr == ""
    assert all(set(row) == KEYS for row in rows)
    assert list(dict.fromkeys(row["law"] for row in rows)) == list(QUICK), "in the order of the catalogue"
    for row in rows:
        assert row["gap_ratio"] == pytest.approx(row["measured"] / row["expected"] - 1)
        assert row["holds"] == (abs(row["gap_ratio"]) <= row["tolerance_ratio"])


def test_the_table_names_every_condition_and_says_how_many_hold() -> None:
    result = call("--quick", "--only", "copy")
    assert result.exit_code == 0
    assert "[bytes copied/s]" in result.stdout
    assert result.stdout.rstrip().endswith("1 of 1 rows hold")
    assert "reproduce laws: done" in result.stderr


@pytest.mark.parametrize("name", ["gredy", "Greedy", ""])
def test_a_name_that_cannot_be_measured_is_wrong_use_and_lists_those_that_can(name: str) -> None:
    result = call("--only", name, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert all(law.name in result.stderr for law in catalogue.LAWS)


def test_a_law_that_does_not_hold_is_printed_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(_: OpenDrive) -> Iterator[Row]:
        yield Row("planted", "far too slow", 100.0, 90.0, 0.01)

    monkeypatch.setattr(catalogue, "LAWS", (law_of(measure),))
    result = call()
    assert result.exit_code == 1
    assert "NO" in result.stdout
    assert "0 of 1 rows hold; not those of planted" in result.stdout


def test_a_drive_that_the_core_refuses_does_not_hold_and_is_null_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        open_drive(BenchConfiguration(gc={"perpetual_motion": True}))
        yield Row("planted", "never reached", 1.0, 1.0, 1.0)

    monkeypatch.setattr(catalogue, "LAWS", (law_of(measure),))
    result = call("--json")
    (row,) = json.loads(result.stdout, parse_constant=pytest.fail)
    assert result.exit_code == 1
    assert row["measured"] is None
    assert "perpetual_motion" in row["condition"]


def test_charts_are_written_one_for_each_law(tmp_path: Path) -> None:
    result = call("--quick", "--only", "copy", "--only", "little", "--charts", str(tmp_path / "charts"), "--json")
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "charts").iterdir()) == ["copy.svg", "little.svg"]
    assert "The law holds; the largest gap is" in (tmp_path / "charts" / "copy.svg").read_text()


def test_rows_are_the_same_whatever_finishes_first() -> None:
    laws = [catalogue.find(name) for name in ("units-touched", "queue-depth", "alignment")]
    once = run_laws(laws, quick=True, workers=1)
    assert run_laws(laws, quick=True, workers=3) == once


def test_progress_names_the_law_that_is_measured_and_never_goes_back() -> None:
    seen: list[tuple[int, float]] = []
    laws = [catalogue.find(name) for name in ("units-touched", "queue-depth", "alignment")]
    run_laws(laws, quick=True, advanced=lambda place, share_ratio: seen.append((place, share_ratio)))
    assert [place for place, _ in seen] == sorted(place for place, _ in seen)
    assert all(0 <= share <= 1 for _, share in seen)
    assert seen[-1] == (2, 1.0)


def test_a_run_can_be_stopped() -> None:
    looks = iter(range(2))

    def check() -> None:
        if next(looks, None) is None:
            raise Interrupted("enough")

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(BenchConfiguration(blocks=2048))
        while True:
            drive.write_randomly(1.0)

    with pytest.raises(Interrupted, match="enough"):
        run_laws([law_of(measure)], check=check)


def test_a_fault_in_a_measurement_is_a_fault_and_not_a_row() -> None:
    def measure(_: OpenDrive) -> Iterator[Row]:
        raise AssertionError("we are wrong")
        yield

    with pytest.raises(AssertionError, match="we are wrong"):
        run_laws([law_of(measure)])


def test_what_was_not_measured_does_not_hold() -> None:
    assert not Row("law", "nothing came", 1.0, math.nan, 1.0).holds
    assert Row("law", "exactly at the limit", 8.0, 8.0 * 1.125, 0.125).holds
    assert not Row("law", "just beyond", 8.0, 9.0, 0.1249).holds
