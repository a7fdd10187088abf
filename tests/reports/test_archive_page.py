"""The page of an archive: what it says, and how it looks in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from flashscope.cli.smart.archive import archive
from flashscope.reports.archive.charts import archive_charts
from flashscope.reports.archive.page import render
from flashscope.smart.archives.summary import Archive
from tests.reports.browser import chromium, opened, running
from tests.smart.archives.made_archive import HEALTHY_DISK, Row, read_alone, row, write_day

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_LABELS = (Path(__file__).parent / "labels.js").read_text().partition("\n")[2]
_MODELS = ("ST12000NM0008", "A MODEL NAME OF A LENGTH THAT NO PHONE HAS ROOM FOR", "HGST HUH721212ALE604", "RARE <&>")


def made(folder: Path, days: int = 80, drives: int = 480) -> Path:
    """Days of a fleet: one model fails often and shows it before, one seldom, one never, and one is rare."""
    random = np.random.default_rng(18)
    models = [_MODELS[3] if one < 3 else _MODELS[one % 3] for one in range(drives)]
    often = {_MODELS[0]: 0.004, _MODELS[1]: 0.0006}
    fails = [int(random.geometric(often[one])) if one in often else days for one in models]
    ages = random.integers(0, 250, drives)
    for index in range(days):
        rows: list[Row] = []
        for one in range(drives):
            if fails[one] < index:
                continue
            bad = 40 * (fails[one] == index and one % 4 > 0) + 8 * (one == 9 and index > 60)
            numbers = {
                "r9": 24 * (int(ages[one]) + index),
                "r5": bad,
                "r197": bad,
                "r199": one % 5,
                "r194": 30 + one % 9,
            }
            failed = int(fails[one] == index)
            rows.append(row(index, f"S{one:04}", models[one], failed, **{**HEALTHY_DISK, **numbers}))
        if index == 5:
            rows.append(row(index, "S0001", _MODELS[3], r9="1.5"))
        write_day(folder, index, rows)
    (folder / "words.csv").write_text("words <b>\nmore\n")
    return folder


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    return read_alone(made(tmp_path_factory.mktemp("days")), verdicts=True)


@pytest.fixture(scope="module")
def page(told: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "archive.html"
    path.write_text(render(told))
    return path


def test_each_part_is_there_and_its_numbers_are_those_of_the_archive(told: Archive, page: Path) -> None:
    text = page.read_text().replace("\u00a0", " ")
    for heading in (
        "What to do first", "Living drives that look like failed ones", "Failures in a year",
        "How many reach which age", "Attributes of living and of failed drives", "Too little is known", "Left out",
        "Not read",
    ):  # fmt: skip
        assert f"<h2>{heading}</h2>" in text
    assert "480 drives of 4 models from 2024-01-01 to 2024-03-20" in text
    assert "RARE &lt;&amp;&gt;" in text
    assert "RARE <" not in text
    assert "numbers with a fraction, or too large to be exact" in text
    assert "words.csv" in text
    failures = sum(one.lives.failure_count for one in told.models)
    assert f"of which {failures} failed" in text


def test_each_chart_says_its_answer_and_its_axes_have_units(told: Archive) -> None:
    from flashscope.reports.plotting.theme import WIDE

    charts = {one.name: one for one in archive_charts(told)}
    assert f"{_MODELS[0]} fails more often than" in charts["failures"].title
    assert "reach" in charts["survival-1"].title
    assert "above 0 on" in charts["attributes"].title
    for name, chart in charts.items():
        drawn = str(chart.draw(WIDE))
        assert "[%" in drawn, name
        assert ("[years]" in drawn) is name.startswith("survival"), name
    domains = {
        str([layer["encoding"][axis]["scale"]["domain"] for axis in "xy" for layer in chart.draw(WIDE)["layer"][:1]])
        for name, chart in charts.items()
        if name.startswith("survival")
    }
    assert len(domains) == 1


def test_an_archive_of_nothing_and_one_without_failures_have_a_page(tmp_path: Path) -> None:
    assert "No row of any drive was read" in render(read_alone(made_nothing(tmp_path / "none")))
    for index in range(120):
        write_day(tmp_path / "good", index, [row(index, f"S{one}", r9=24 * index) for one in range(90)])
    text = render(read_alone(tmp_path / "good"))
    assert "of which none failed" in text
    assert "0 % of ACME X1 fail in a year" in text
    assert "Nothing: every row that was read could be true." in text


def made_nothing(folder: Path) -> Path:
    folder.mkdir()
    (folder / "words.csv").write_text("words\nmore\n")
    return folder


def test_the_command_writes_the_page_and_replaces_nothing_of_others(tmp_path: Path) -> None:
    write_day(tmp_path / "days", 0, [row(0, r9=24)])
    out = tmp_path / "archive.html"
    told = CliRunner().invoke(archive, [str(tmp_path / "days"), "--html", str(out), "--json"])
    assert told.exit_code == 0, told.output
    assert "1 drive of 1 model" in out.read_text()
    out.write_text("somebody's own")
    told = CliRunner().invoke(archive, [str(tmp_path / "days"), "--html", str(out)])
    assert told.exit_code != 0
    assert out.read_text() == "somebody's own"
    assert CliRunner().invoke(archive, [str(tmp_path / "days"), "--html", str(out), "--force"]).exit_code == 0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    pytest.importorskip("playwright", reason="playwright is not installed")
    with running() as browser:
        yield browser


@pytest.mark.parametrize("width", [360, 1280])
def test_it_opens_without_complaint_sideways_scrolling_or_labels_that_overlap(
    browser: Browser, page: Path, width: int
) -> None:
    with opened(browser, page, width=width) as seen:
        assert seen.requests == []
        assert seen.complaints == []
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.page.evaluate(_LABELS) == []
