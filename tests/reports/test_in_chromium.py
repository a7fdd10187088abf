"""The report in a real Chromium. Left out, with the reason printed, where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flashscope.reports.report import write_report
from tests.reports import planted
from tests.reports.browser import Scheme, chromium, opened, running
from tests.reports.test_front import examined

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_LABELS = (Path(__file__).parent / "labels.js").read_text().partition("\n")[2]

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = planted.everything(model="A MODEL NAME OF A LENGTH THAT NO PHONE HAS ROOM FOR 1234567890")
    return write_report(records, tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a complete examination."""
    return write_report(examined(), tmp_path_factory.mktemp("front") / "report.html")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    pytest.importorskip("playwright", reason="playwright is not installed")
    with running() as browser:
        yield browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 700, 1200])
def test_it_opens_without_a_request_or_a_complaint_and_without_scrolling_sideways(
    browser: Browser, report: Path, width: int, scheme: Scheme
) -> None:
    with opened(browser, report, width=width, scheme=scheme) as seen:
        assert seen.requests == []
        assert seen.complaints == []
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_screen_holds_verdict_numbers_and_on_a_laptop_chart_and_drawing(
    browser: Browser, front: Path, width: int, height: int
) -> None:
    parts = [".verdict", *(f".tiles li:nth-child({number})" for number in range(1, 7))]
    parts += ["#first-screen svg.wide", ".drawing"] if width > 1000 else []
    with opened(browser, front, width=width, height=height) as seen:
        for part in parts:
            box = seen.page.locator(part).first.bounding_box()
            assert box is not None, part
            assert box["x"] >= 0, part
            assert box["x"] + box["width"] <= width, part
            assert box["y"] + box["height"] <= height, part
        tall = seen.page.evaluate("document.documentElement.scrollHeight")
        assert tall <= (3500 if width > 1000 else 6000)


@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize("page", ["report", "front"])
def test_no_label_of_a_chart_lies_on_another_or_beyond_the_edge(
    browser: Browser, page: str, width: int, request: pytest.FixtureRequest
) -> None:
    with opened(browser, request.getfixturevalue(page), width=width) as seen:
        assert seen.page.evaluate(_LABELS) == []


def test_a_link_into_a_folded_part_unfolds_it(browser: Browser, front: Path) -> None:
    with opened(browser, front, width=1000) as seen:
        row = seen.page.locator("#property-mapping_unit")
        row.locator("summary").click()
        row.locator("details a").first.click()
        target = seen.page.evaluate("location.hash")
        assert seen.page.locator(f"[id='{target[1:]}']").is_visible()
        assert seen.complaints == []


def test_paper_shows_what_is_folded(browser: Browser, front: Path) -> None:
    with opened(browser, front, width=800) as seen:
        assert not seen.page.locator(".experiment .findings").first.is_visible()
        seen.page.pdf(format="A4")
        assert seen.page.evaluate("[...document.querySelectorAll('details')].every(details => details.open)")


def test_each_width_shows_one_drawing_of_each_chart_with_text_that_can_be_read(browser: Browser, report: Path) -> None:
    for width in (360, 1200):
        with opened(browser, report, width=width) as seen:
            shown = seen.page.evaluate(
                """[...document.querySelectorAll('.plot')].map(plot => {
                    const svgs = [...plot.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width);
                    const box = svgs[0].getBoundingClientRect();
                    const texts = [...svgs[0].querySelectorAll('text')].map(text => text.getBoundingClientRect());
                    return {
                      drawings: svgs.length,
                      smallest: Math.min(...texts.filter(text => text.height).map(text => text.height)),
                      left: Math.min(...texts.map(text => text.left)) - box.left,
                      right: Math.max(...texts.map(text => text.right)) - box.right,
                    };
                })"""
            )
        assert len(shown) == 6
        for plot in shown:
            assert plot["drawings"] == 1
            assert plot["smallest"] > 11
            assert plot["left"] > -4
            assert plot["right"] < 8


def test_dark_and_light_differ_in_page_and_charts(browser: Browser, report: Path) -> None:
    pictures, colours = [], []
    for scheme in ("light", "dark"):
        with opened(browser, report, width=1000, scheme=scheme) as seen:
            pictures.append(seen.page.locator("svg.wide").first.screenshot())
            colours.append(seen.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert pictures[0] != pictures[1]
    assert colours[0] != colours[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_as_accessibility_asks(browser: Browser, report: Path, scheme: Scheme) -> None:
    with opened(browser, report, width=1000, scheme=scheme) as seen:
        ratios = seen.page.evaluate(
            """() => {
                const style = getComputedStyle(document.documentElement);
                const light = hex => {
                  const parts = hex.trim().match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16) / 255)
                    .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
                  return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
                };
                const ratio = (one, two) => {
                  const [a, b] = [one, two].map(name => light(style.getPropertyValue(name))).sort((x, y) => y - x);
                  return (a + .05) / (b + .05);
                };
                const texts = ["--ink", "--muted", "--accent", "--good", "--bad"];
                return texts.flatMap(text => ["--surface", "--raised"].map(
                  ground => [text, ground, ratio(text, ground)]));
            }"""
        )
    assert [row for row in ratios if row[2] < 4.5] == []


def test_the_pointer_and_the_arrow_keys_show_exact_values(browser: Browser, report: Path) -> None:
    with opened(browser, report, width=1000) as seen:
        plot = seen.page.locator(".plot").first
        plot.hover(position={"x": 200, "y": 150})
        assert "MB/s at" in plot.locator(".tip").inner_text()
        before = plot.locator(".tip").inner_text()
        plot.focus()
        seen.page.keyboard.press("ArrowRight")
        assert plot.locator(".tip").inner_text() not in ("", before)
        seen.page.keyboard.press("Escape")
        assert plot.locator(".tip").inner_text() == ""
        assert seen.complaints == []


def test_a_tap_on_a_number_shows_its_exact_value_and_another_puts_it_back(browser: Browser, report: Path) -> None:
    with opened(browser, report, width=360, touch=True) as seen:
        number = seen.page.locator(".properties data").first
        said = number.inner_text()
        number.tap()
        assert "bytes" in number.inner_text()
        assert "record" in number.inner_text()
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
        number.tap()
        assert number.inner_text() == said


def test_it_prints_on_paper(browser: Browser, report: Path) -> None:
    with opened(browser, report, width=360, scheme="dark") as seen:
        paper = seen.page.pdf(format="A4", print_background=False)
        assert paper.startswith(b"%PDF")
        assert seen.complaints == []
        seen.page.emulate_media(media="print")
        wide, narrow = (
            seen.page.locator(f"svg.{name}").first.evaluate("element => getComputedStyle(element).display")
            for name in ("wide", "narrow")
        )
        assert (wide, narrow) == ("block", "none")
        assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
