"""The published figures: every scenario speaks of rows that exist, and each row is spoken of once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.drives.parts.part import fitted_figures
from flashscope.drives.parts.published_figures import Figure, published_figures
from flashscope.outputs import write_result, write_results
from flashscope.reproduce.figures.catalogue import all_scenarios
from flashscope.reproduce.figures.charts import chart_files
from flashscope.reproduce.figures.page import page_file, reasons_known
from flashscope.reproduce.figures.result import Result, score

pytest.importorskip("flashscope._core", reason="the Rust core is not built")


def reproduce(*arguments: str) -> tuple[int, str, str]:
    from flashscope.cli.main import main

    result = CliRunner().invoke(main, ["reproduce", "figures", *arguments])
    return result.exit_code, result.stdout, result.stderr


def figure(number: int, value: float | None) -> Figure:
    return Figure(f"F{number:03}", "onyx-32", "made up", "a condition", "throughput", value, "MB/s", "000")


def test_no_row_is_spoken_of_twice_and_every_one_exists() -> None:
    asked = Counter(row for scenario in all_scenarios() for row in scenario.ids)
    assert [row for row, times in asked.items() if times > 1] == []
    assert set(asked) <= {row.id for row in published_figures()}


def test_what_a_part_was_fitted_to_is_a_published_figure_with_a_value() -> None:
    printed = {row.id for row in published_figures() if row.value is not None}
    assert fitted_figures() <= printed


def test_a_score_counts_what_was_compared_predicted_and_missed() -> None:
    results = [
        Result(figure(1, 100.0), 110.0, False),
        Result(figure(2, 100.0), 50.0, True),
        Result(figure(3, None), 5.0, False),
        Result(figure(4, 10.0), None, False, "the run did not yield it"),
    ]
    of = score(results)
    assert (of.count, of.compared, of.predicted, of.missing) == (4, 2, 1, 1)
    assert of.median_error_ratio == pytest.approx(0.3)
    assert of.close_share_ratio == 0.5


def test_a_chart_is_written_for_each_group_that_has_a_model_value(tmp_path: Path) -> None:
    results = [Result(figure(1, 100.0), 110.0, False), Result(figure(2, None), 20.0, False)]
    (path,) = write_results(chart_files(results, tmp_path))
    assert path.name == "onyx-32-made-up-mb-s.svg"
    assert "1 published values; 1 predicted" in path.read_text()


def test_the_command_prints_model_beside_published_and_json_for_programs() -> None:
    code, output, _ = reproduce("--only", "alignment-law", "--only", "geometry", "--json")
    document = json.loads(output)
    assert code == 0
    assert document["F069"]["model"] == pytest.approx(0.8, rel=0.01)
    assert document["F011"] == {
        "model": 32.0,
        "unit": "GiB",
        "fitted": False,
        "published": 32.0,
        "error_ratio": 0.0,
        "note": "",
    }
    code, output, _ = reproduce("--only", "geometry")
    assert code == 0
    assert "F011" in output
    assert "median error" in output


def test_a_name_that_is_no_row_drive_or_experiment_is_refused_with_what_there_is() -> None:
    code, _, errors = reproduce("--only", "onyx")
    assert code == 2
    assert "onyx-32" in errors


def test_together_the_scenarios_speak_of_every_row() -> None:
    asked = {row for scenario in all_scenarios() for row in scenario.ids}
    assert asked == {row.id for row in published_figures() if row.id.startswith("F")}


def test_the_page_has_scores_misses_with_reasons_and_the_charts(tmp_path: Path) -> None:
    results = [Result(figure(1, 100.0), 110.0, False), Result(figure(2, 100.0), 20.0, False)]
    charts = [chart.path for chart in chart_files(results, tmp_path)]
    page = write_result(page_file(results, charts, tmp_path)).read_text()
    assert "| onyx-32 | 2 | 2 | 0 | 45.0 % | 50 % |" in page
    assert "Why is not known." in page
    assert "F002" in page.split("## Where the model fails")[1]
    assert "![onyx-32-made-up-mb-s](onyx-32-made-up-mb-s.svg)" in page


def test_every_reason_speaks_of_rows_that_exist() -> None:
    rows = {(row.drive, row.experiment) for row in published_figures()}
    assert set(reasons_known()) <= rows
