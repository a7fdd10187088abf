"""The SMART page: whole in one small file, raw beside decoded, contradictions in sight; and in a real Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flashscope.errors import WrongUse
from flashscope.reports.plotting import sparkline
from flashscope.reports.smart.names import GROUPS, NAMES, in_order, name_of
from flashscope.reports.smart.numbers import between, power_of_ten, said, say_hours, say_interval
from flashscope.reports.smart.page import render, write_smart_page
from flashscope.reports.smart.view import view_smart
from flashscope.smart.decoding.reading import NO_SMART, Reading
from flashscope.smart.dump import Dump
from flashscope.smart.watching.past import Past
from tests.known import known
from tests.reports.browser import Scheme, chromium, opened, running
from tests.smart.readings import attribute, completed, dump, field

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TB = 10**12
WORN = {
    "erase_count_min": 5035, "erase_count_average": 14_092, "erase_count_max": 14_546, "rated_pe_cycles": 5000,
    "reported_life_percent": 97, "initial_bad_block_count": 154, "read_failure_block_count": 6,
    "error_bits": 384_410_997, "corrected_read_count": 203_023_164, "host_read_bytes": 8 * TB,
    "host_written_bytes": 17 * TB, "power_on_time_hours": 18_675, "bad_block_table_full": 0,
    "error_bits_bank_0": 30_403_423, "error_bits_bank_1": 52_664_535,
}  # fmt: skip


def worn() -> tuple[Dump, Reading]:
    at = dump(model="OCZ-VERTEX <b>& so on</b>", attributes=(attribute(213, 77),))
    return at, replace(completed("indilinx", at, **WORN), undecoded=(213,))


def series() -> list[tuple[Dump, Reading]]:
    days = [(86400.0 * day, day) for day in range(0, 300, 20)]
    return [
        (
            at := dump(taken_at_s=time_s, source=f"day {day}"),
            completed(
                "indilinx", at,
                erase_count_average=100 + day, rated_pe_cycles=3000, host_written_bytes=(100 + day) * TB,
                nand_written_bytes=(200 + 2 * day) * TB, power_on_time_hours=24 * (100 + day), spare_left_percent=90,
                life_left_percent=100 - (100 + day) // 30, temperature_celsius=30 + day % 7,
            ),
        )
        for time_s, day in days
    ]  # fmt: skip


def test_the_page_is_one_small_file_that_asks_for_nothing(tmp_path: Path) -> None:
    path = write_smart_page(view_smart(series()), tmp_path / "deep" / "smart.html")
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 300_000
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    assert "http" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_raw_stands_beside_decoded_with_unit_interval_and_provenance() -> None:
    text = render(view_smart([worn()]))
    row = text.split('<tr id="host_written_bytes">')[1].split("</tr>")[0]
    for part in (
        "Written by the host",
        "17\u00a0TB",
        "17000000000000",
        "verified",
        "attribute 200",
        "What host_written",
    ):
        assert part in row, part
    derived = text.split('<tr id="rber">')[1].split("</tr>")[0]
    assert "10⁻⁶" in derived
    assert "inferred" in derived
    assert "from error bits, host read" in derived


def test_contradictions_and_the_verdict_come_first() -> None:
    text = render(view_smart([worn()]))
    assert (
        text.index("works, but watch it")
        < text.index("on how much of its rated life is used")
        < text.index('id="life"')
    )
    assert text.index('id="life"') < text.index('<section id="group-1">')
    assert "Rated erase cycles" in text


def test_what_a_drive_says_of_itself_cannot_break_the_page() -> None:
    text = render(view_smart([worn()]))
    assert "<b>& so on</b>" not in text
    assert "OCZ-VERTEX &lt;b&gt;" in text


def test_groups_are_those_of_the_documents_and_every_field_is_shown_once() -> None:
    view = view_smart([worn()])
    assert [group for group, _, _ in view.groups] == list(GROUPS)
    shown = [row.key for _, _, rows in view.groups for row in rows]
    expected = {key for key in view.data["fields"] if "_bank_" not in key} | {"error_bits_by_bank"}
    assert sorted(shown) == sorted(expected)
    assert view.undecoded == ["attribute 213 (D5h): raw 77"]


def test_the_json_in_the_page_is_that_of_the_command() -> None:
    view = view_smart([worn()])
    text = render(view)
    found = known(re.search(r'id="flashscope-smart">(.*?)</script>', text, re.DOTALL))
    assert json.loads(found[1]) == json.loads(json.dumps(view.data))


def test_several_readings_make_history_in_the_order_they_were_taken() -> None:
    view = view_smart(list(reversed(series())))
    rows = {row.key: row for _, _, rows in view.groups for row in rows}
    history = rows["erase_count_average"].history
    assert [value for _, value in history] == [100 + day for day in range(0, 300, 20)]
    assert render(view).count('<svg class="spark"') >= 8
    assert "recent" in view.sentences[-1] or "present pace" in view.sentences[-1]


def test_transfers_damaged_on_the_way_are_the_cables() -> None:
    at, one = worn()
    assert not any("cable" in sentence for sentence in view_smart([(at, one)]).sentences)
    damaged = replace(one, fields={**one.fields, "link_crc_error_count": field("link_crc_error_count", 1837)})
    (told,) = [sentence for sentence in view_smart([(at, damaged)]).sentences if "cable" in sentence]
    assert told.startswith("1\N{NARROW NO-BREAK SPACE}837 transfers were damaged")


def test_a_single_reading_has_no_history() -> None:
    assert '<svg class="spark"' in render(view_smart([worn()])), "the banks"
    assert '<svg class="spark"' not in render(view_smart([(dump(), completed(power_cycle_count=1))]))


def test_dumps_of_two_drives_are_refused() -> None:
    one, other = (dump(model=name) for name in ("A", "B"))
    with pytest.raises(WrongUse, match="2 drives") as caught:
        view_smart([(one, completed()), (other, completed())])
    assert "fleet" in caught.value.advice
    with pytest.raises(WrongUse):
        view_smart([])


def test_a_drive_that_says_nothing_has_a_page_that_says_so() -> None:
    text = render(view_smart([(dump(model="", remarks=("permission denied",)), Reading(NO_SMART, "", None))]))
    assert "do not show the condition of this drive" in text
    assert "permission denied" in text


def test_every_key_of_the_vocabulary_has_names_and_a_group() -> None:
    for key, name in NAMES.items():
        assert name.full[0].isupper(), key
        assert name.group in GROUPS, key
        assert len(name.short) <= 18, key
    assert len({name.full for key, name in NAMES.items() if key not in ("reported_life_percent",)}) == len(NAMES) - 1
    assert name_of("odd_erase_count").group == name_of("erase_count_min").group
    assert name_of("strange_error_count").full == "Strange error"
    assert in_order(["zzz", "rber", "erase_count_min"]) == ["erase_count_min", "rber", "zzz"]


@pytest.mark.parametrize(
    ("value", "unit", "key", "text"),
    [
        (5.61e-8, "ratio", "rber", "5.61 × 10⁻⁸"), (2.864, "ratio", "write_amplification", "2.86 ×"),
        (10_454, "hours", "", "1.19 years"), (63, "per cent", "", "63 %"), (1, "blocks", "", "1 block"),
        (24, "degrees Celsius", "", "24 °C"), (1, "flag", "", "yes"), (0.62, "ratio", "", "62 %"),
        (5_433_000_000_000, "bytes", "", "5.43 TB"), (7, "pages", "", "7 pages"), (float("inf"), "ratio", "", "any"),
    ],
)  # fmt: skip
def test_numbers_are_said_as_people_say_them(value: float, unit: str, key: str, text: str) -> None:
    assert said(value, unit, key) == text


def test_intervals_are_shown_where_they_say_something() -> None:
    assert say_interval(field("erase_count_average", 453, width=1)) == ""
    assert say_interval(field("host_written_bytes", 2**30, width=2**30)) == "1.07 to 2.15 GB"
    assert between("2 TB", "3 PB") == "2 TB to 3 PB"
    assert power_of_ten(0) == "0"
    assert [say_hours(hours) for hours in (1, 100, 20_000, 1e9)] == [
        "1 h",
        "4.17 days",
        "2.28 years",
        "more than 100 years",
    ]


def test_sparklines_rise_where_values_rise() -> None:
    assert sparkline.blocks([(0, 0), (1, 1)], width=4) == "▁▁▁█"
    assert sparkline.blocks([(0, 5)]) == ""
    drawn = sparkline.svg([(0, 0), (10, 10)], label='a "label"')
    assert 'points="2.0,18.0 94.0,2.0"' in drawn
    assert "&quot;label&quot;" in drawn


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    pytest.importorskip("playwright", reason="playwright is not installed")
    with running() as found:
        yield found


@pytest.fixture(scope="module", params=["worn", "series"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    seen = [worn()] if request.param == "worn" else series()
    return write_smart_page(view_smart(seen), tmp_path_factory.mktemp("page") / "smart.html")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (360, "light"), (1200, "dark"), (1200, "light")])
def test_it_opens_without_a_request_or_a_complaint_and_without_scrolling_sideways(
    browser: Browser, page: Path, width: int, scheme: Scheme
) -> None:
    with opened(browser, page, width=width, scheme=scheme) as seen:
        assert seen.requests == []
        assert seen.complaints == []
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_tap_on_a_name_shows_its_explanation(browser: Browser, page: Path) -> None:
    with opened(browser, page, width=360, touch=True) as seen:
        name = seen.page.locator("#erase_count_average th data")
        name.tap()
        assert "What erase_count_average means." in name.inner_text()


def test_a_past_from_a_store_is_drawn_as_history_and_told() -> None:
    *before, last = series()
    past = Past("/store", tuple(before), 12_345, ("2 older readings left out: it was so",))
    view = view_smart([last], past=past)
    alone, together = view_smart([last]), view_smart(series())
    assert [(row.key, row.history) for *_, rows in view.groups for row in rows] == [
        (row.key, row.history) for *_, rows in together.groups for row in rows
    ]
    assert [row.clock for row in view.clocks] == [row.clock for row in together.clocks]
    assert view.sentences[-2:] == [
        "Its history: 12\u202f345 readings kept by a watch since 1970-01-01, "
        "of which 14, evenly spaced in time, are drawn.",
        "2 older readings left out: it was so.",
    ]
    assert "evenly spaced in time" in render(view)
    assert view.data["history"]["used_count"] == 14
    assert alone.data["history"] is None
    assert not any("history" in sentence for sentence in alone.sentences)


def test_a_data_sheets_promise_is_a_clock_with_its_source() -> None:
    at = dump(model="Samsung SSD 870 EVO 1TB", user_bytes=1_000_204_886_016)
    (row,) = view_smart([(at, completed("samsung", at, host_written_bytes=60 * TB))]).clocks
    assert row.clock.used_ratio.value == pytest.approx(0.1)
    assert "870 EVO data sheet" in row.clock.statement
