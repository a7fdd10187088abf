from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flashscope.errors import WrongUse
from flashscope.records import Doubt, Labels, Record, StepRecord
from flashscope.reports.charts import charts_of
from flashscope.reports.charts.fill_and_recovery import mark_bars
from flashscope.reports.export import export_charts
from flashscope.reports.glass.inside import build_inside
from flashscope.reports.numbers import say_finding
from flashscope.reports.plotting import vega_lite
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.downsample import envelope
from flashscope.reports.plotting.inline_svg import inline
from flashscope.reports.plotting.theme import CSS_VARIABLES, NARROW, WIDE, Layout
from tests.reports import planted


def texts(chart: Chart, layout: Layout = WIDE) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", vega_lite.to_svg(chart.draw(layout)))


def test_the_title_of_a_rate_chart_is_the_answer() -> None:
    assert [chart.title for chart in charts_of(planted.falling())] == ["Falls to 200 MB/s after 130 GB"]


def test_the_title_names_the_worst_rate_of_its_own_chart() -> None:
    record = planted.falling()
    details = dict(record.findings[0].details)
    fast, slow = details["plateaus"]
    worst = slow | {"from_bytes": slow["to_bytes"], "to_bytes": 2 * slow["to_bytes"], "rate_bytes_per_second": 96.3e6}
    record.findings[0] = replace(record.findings[0], details=details | {"plateaus": [fast, slow, worst]})
    assert charts_of(record)[0].title == "Falls to 200 MB/s after 130 GB, later to 96.3 MB/s"


def test_the_title_claims_nothing_that_the_judge_withdrew() -> None:
    record = planted.falling()
    doubt = Doubt("Judge:TooNoisy", "other programs used the processors", "")
    record.findings[0] = replace(record.findings[0], value=None, low=None, high=None, doubts=(doubt,))
    assert charts_of(record)[0].title == "The first 264 GB of writing; whether the rate falls cannot be told"


def test_the_many_steps_of_a_disk_are_one_decline_in_the_title() -> None:
    record = planted.falling()
    details = dict(record.findings[0].details)
    details["change_points"] = [
        {"bytes": place * planted.GB, "low": place, "high": place} for place in range(20, 80, 10)
    ]
    record.findings[0] = replace(record.findings[0], details=details)
    assert charts_of(record)[0].title == "Falls little by little from 400 MB/s to 200 MB/s"


def test_a_flat_drive_is_said_to_hold_its_rate() -> None:
    record = planted.falling()
    flat = {"detection_limit_ratio": 0.03, "plateaus": [record.findings[0].details["plateaus"][0]], "change_points": []}
    record.findings = [replace(record.findings[0], value=None, low=None, high=None, details=flat)]
    assert charts_of(record)[0].title == "Holds 400 MB/s over 264 GB: no fall"


def test_too_few_samples_are_never_called_a_flat_drive() -> None:
    record = planted.falling(rows=12)
    blind = {"detection_limit_ratio": 1.0, "plateaus": record.findings[0].details["plateaus"][:1]}
    record.findings = [replace(record.findings[0], value=None, low=None, high=None, details=blind)]
    assert charts_of(record)[0].title.startswith("No answer from 11 samples")
    assert say_finding(record.findings[0]).text == "not found"


def test_a_run_without_a_finding_shows_what_was_measured_and_claims_nothing() -> None:
    (chart,) = charts_of(planted.falling(findings=[]))
    assert chart.title.startswith("Not concluded")
    assert "Blue" not in chart.caption


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=lambda layout: layout.name)
def test_findings_are_labelled_in_the_chart(layout: Layout) -> None:
    drawn = texts(charts_of(planted.falling())[0], layout)
    assert {"400 MB/s", "200 MB/s", "MB/s", "GB written"} <= set(drawn)
    assert any("130 GB" in text for text in drawn)
    assert any(text.startswith("drive full once") for text in drawn)
    matrix = texts(charts_of(planted.small_writes())[0], layout)
    assert {"aligned", "unaligned", "unit 4 KiB", "writes per second", "size of each write"} <= set(matrix)
    counter, amplification = charts_of(planted.wearing())
    assert "+1 per 16.2 GB" in texts(counter, layout)
    assert "8.03 × (7.8 to 8.3 ×)" in texts(amplification, layout)


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=lambda layout: layout.name)
@pytest.mark.parametrize("index", range(6))
def test_no_text_of_a_chart_reaches_beyond_its_frame(layout: Layout, index: int) -> None:
    records = planted.everything()
    charts = [chart for record in records for chart in charts_of(record)] + build_inside(records[0])
    assert len(charts) == 6
    spec = charts[index].draw(layout)
    svg = vega_lite.to_svg(spec)
    # With "fit" autosize, the drawing keeps the width it was given, whatever its labels need.
    assert f'width="{layout.width_px}"' in svg


def test_the_scale_of_small_writes_is_linear_from_zero_until_decades_matter() -> None:
    def scale(record: Record) -> str:
        return str(charts_of(record)[0].draw(WIDE)["layer"][-1]["encoding"]["y"]["scale"]["type"])

    assert scale(planted.small_writes(fast=8000)) == "linear"
    assert scale(planted.small_writes(fast=80_000)) == "log"


def test_amplification_steps_are_the_planted_ones() -> None:
    amplification = charts_of(planted.wearing())[1]
    points = amplification.draw(WIDE)["layer"][-1]["data"]["values"]
    assert len(points) >= 4
    # Readings are 1 GB apart and a stretch has at least 16 of them, so each is known to 1 in 16.
    assert all(abs(point["y"] / 8 - 1) < 1 / 15 for point in points)


def test_an_envelope_keeps_each_peak_and_each_stall() -> None:
    value = np.full(1000, 100.0)
    value[333], value[777] = 3.0, 900.0
    drawn = envelope(np.arange(1000.0), value, np.ones(1000), 50)
    assert (len(drawn.mean), drawn.rows_per_bin) == (50, 20)
    assert (drawn.low.min(), drawn.high.max()) == (3.0, 900.0)
    assert np.average(drawn.mean) == pytest.approx(value.mean())


def test_a_short_series_is_drawn_as_it_is() -> None:
    drawn = envelope(np.arange(7.0), np.arange(7.0), np.ones(7), 50)
    assert drawn.rows_per_bin == 1
    assert drawn.mean.tolist() == drawn.low.tolist() == drawn.high.tolist() == list(range(7))


def test_the_caption_says_how_many_samples_a_point_stands_for() -> None:
    assert "mean of 5 samples" in charts_of(planted.falling(rows=1000))[0].caption
    assert "samples" not in charts_of(planted.falling(rows=100))[0].caption


def test_inside_shows_blocks_in_use_only() -> None:
    erases, valid = build_inside(planted.falling())
    assert erases.title == "Erase counts run from 3 to 5, 4 on average"
    assert valid.title == "Blocks hold 0 to 256 valid slots, 178 on average"
    assert build_inside(planted.falling(inside=None)) == []


def test_an_inlined_chart_keeps_its_numbers_and_gives_its_colours_to_the_page() -> None:
    svg = vega_lite.to_svg(charts_of(planted.wearing())[0].draw(WIDE))
    inlined = inline(svg, prefix="a-", layout=WIDE)
    kept = re.findall(r"<text[^>]*>([^<]*)</text>", inlined)
    assert kept == re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    points = [line for group in re.findall(r'data-points="([^"]*)"', inlined) for line in group.split("&#10;")]
    assert [line.split(" ", 2)[2] for line in points] == re.findall(r'aria-label="([^"]*)"', svg)
    assert not any(f'"{colour}"'.lower() in inlined.lower() for colour in CSS_VARIABLES)
    assert re.search(r"#[0-9A-Fa-f]{6}", inlined) is None


def test_all_chart_colours_have_their_variable_in_both_palettes_and_on_paper() -> None:
    from pathlib import Path

    import flashscope.reports

    style = (Path(flashscope.reports.__file__).parent / "style.css").read_text()
    light, dark, paper = (block for block in re.findall(r":root \{(.*?)\}", style, re.S))
    for variable in CSS_VARIABLES.values():
        assert all(f"{variable}:" in block for block in (light, dark, paper))


def test_charts_are_exported_as_svg_and_as_png_on_white_with_twice_the_pixels(tmp_path: Path) -> None:
    paths = export_charts([planted.falling(inside=None)], tmp_path / "charts")
    assert [path.suffix for path in paths] == [".svg", ".png"]
    svg, png = paths[0].read_text(), paths[1].read_bytes()
    assert "Falls to 200 MB/s after 130 GB" in svg
    assert "PLANTED 120, virtual drive, 2026-01-02" in svg
    assert "var(--" not in svg
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 2 * WIDE.width_px


def test_an_unknown_format_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="gif"):
        export_charts([planted.falling()], tmp_path / "charts", formats=("svg", "gif"))
    assert not (tmp_path / "charts").exists()


def test_marks_stand_in_the_order_in_which_they_were_made_whatever_the_store_made_of_it() -> None:
    steps = [
        StepRecord(index, f"{condition}: a pass", "workload", labels=Labels.of("pass", condition=condition))
        for index, condition in enumerate(("new", "half full", "full"))
    ]
    record = replace(planted.falling(), steps=steps)
    by_name = {"full": {"rate": 1e6}, "half full": {"rate": 2e6}, "new": {"rate": 3e6}}
    assert [words for words, *_ in mark_bars(record, by_name, "rate")] == ["new", "half full", "full"]
    assert [words for words, *_ in mark_bars(replace(record, steps=[]), by_name, "rate")] == list(by_name)


def test_a_fall_names_the_rate_that_follows_it_and_not_the_last_one() -> None:
    """A disk is fast again when writing begins anew at its outer edge."""
    record = planted.falling()
    plateaus = record.findings[0].details["plateaus"]
    again = {"from_bytes": 264 * planted.GB, "to_bytes": 270 * planted.GB, "rate_bytes_per_second": 4e8, "low": 39e7}
    details = record.findings[0].details | {"plateaus": [*plateaus, again | {"high": 41e7}]}
    record.findings = [replace(record.findings[0], details=details)]
    assert charts_of(record)[0].title == "Falls to 200 MB/s after 130 GB"


def test_neighbouring_changes_have_no_labels_that_meet() -> None:
    record = planted.falling()
    changes = [{"bytes": place * planted.GB, "low": place * 1e9, "high": place * 1e9} for place in (180, 190, 200, 210)]
    record.findings = [replace(record.findings[0], details=record.findings[0].details | {"change_points": changes})]
    assert len([text for text in texts(charts_of(record)[0]) if text.startswith("changes after")]) == 2, "and its halo"
