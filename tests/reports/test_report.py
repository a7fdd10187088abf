from __future__ import annotations

import json
import math
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records import Doubt, Finding, Status
from flashscope.reports.report import render, write_report
from flashscope.reports.summary import summarise
from tests.known import known
from tests.reports import planted

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "line", "rect"}


class Reader(HTMLParser):
    """Reads a page as a strict person would: every tag closed in order, every id once."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.fetched: list[str] = []
        self.targets: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, told in attrs:
            value = told or ""
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
                (self.targets if value.startswith("#") else self.fetched).append(value)
            self.targets += re.findall(r"url\((#[^)]*)\)", value)
        if tag not in VOID or (tag in ("path", "line", "rect") and not known(self.get_starttag_text()).endswith("/>")):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag and tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another tag"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)

    @property
    def words(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.text))


@pytest.fixture(scope="module")
def page() -> str:
    return render(planted.everything())


def test_the_page_is_well_formed_and_each_id_is_there_once(page: str) -> None:
    reader = Reader(page)
    assert len(reader.ids) == len(set(reader.ids))


def test_each_link_within_the_page_leads_somewhere(page: str) -> None:
    reader = Reader(page)
    assert {target.removeprefix("#") for target in reader.targets} <= set(reader.ids)


def test_the_page_asks_for_nothing_from_outside(page: str) -> None:
    reader = Reader(page)
    assert reader.fetched == ["data:,"]
    assert "@import" not in page
    assert re.findall(r"https?://|//cdn", page) == []


def test_the_page_is_small(page: str) -> None:
    assert len(page.encode()) < 400_000


def test_each_finding_names_its_record_its_steps_and_its_exact_value(page: str) -> None:
    for record in planted.everything():
        for finding in record.findings:
            entry = known(re.search(rf'<li id="{record.id}-{finding.key}">.*?</li>', page, re.S))
            assert f"record {record.id}" in entry[0]
            assert finding.evidence[0] in entry[0]
            assert f'value="{finding.value!r}"' in entry[0]


def test_each_number_of_the_list_of_findings_has_its_name_below(page: str) -> None:
    numbers = re.findall(r'<div class="value[^"]*">(.*?)</div>', page, flags=re.DOTALL)
    assert numbers
    for number in numbers:
        assert re.search(r'<span class="key">[a-z][^<]+</span>', number) or "no finding" in number, number


def test_the_page_carries_its_findings_for_programs(page: str) -> None:
    text = known(re.search(r'<script type="application/json" id="flashscope-data">(.*?)</script>', page, re.S))
    data = json.loads(text[1])
    findings = {finding["key"]: finding for record in data["records"] for finding in record["findings"]}
    assert findings["rate_fall"]["value"] == 130 * planted.GB
    assert findings["rate_fall"]["truth"] == 131 * planted.GB
    assert len(findings["erase_count_attribute"]["evidence"]) == len(planted.wearing().findings[0].evidence)


def test_a_value_that_is_no_number_does_not_break_the_data_for_programs() -> None:
    finding = Finding("write_amplification_random", "It cannot be told.", math.nan, "ratio", math.nan, math.inf)
    text = known(re.search(r"flashscope-data\">(.*?)</script>", render([planted.wearing(findings=[finding])]), re.S))
    assert json.loads(text[1], parse_constant=pytest.fail)["records"][0]["findings"][0]["value"] is None


def test_inferred_and_truth_stand_side_by_side_and_disagreement_is_said(page: str) -> None:
    words = Reader(page).words
    assert re.search(r"rate fall\s*130.GB\s*128 to 132.GB\s*131.GB\s*yes", words)
    assert re.search(r"mapping unit\s*4.KiB\s*8.KiB\s*no, off by 50 %", words)
    assert "2 of 3 findings agree" in words


def test_a_virtual_drive_is_called_virtual_and_a_real_one_never(page: str) -> None:
    assert "virtual drive" in Reader(page).words
    real = Reader(render(planted.everything(kind="block device", truth={}, inside=None))).words
    assert "virtual" not in real
    assert "block device" in real
    assert "Inferred against truth" not in real


def test_doubts_and_skipped_steps_are_shown_with_advice_and_reason(page: str) -> None:
    words = Reader(page).words
    assert "NotFresh: the drive was not erased first" in words
    assert "secure-erase it and run this again" in words
    assert "skipped: this drive cannot be erased" in words


def test_latency_percentiles_and_the_maximum_are_in_the_table(page: str) -> None:
    row = known(re.search(r'<th scope="row">sequential write</th>.*?</tr>', page, re.S))
    texts = re.findall(r">([^<>]+)</data>", row[0])
    assert texts == ["1000", "2.01\u00a0ms", "2.01\u00a0ms", "69.7\u00a0ms", "180\u00a0ms"]
    assert "180\u202f123\u202f456 ns" in row[0]


def test_a_doubt_that_several_findings_share_is_said_once() -> None:
    record = planted.falling()
    record.findings.append(replace(record.findings[0], key="rate_ratio"))
    words = Reader(render([record])).words
    assert words.count("the drive was not erased first") == 1
    assert "Concerns: rate fall, rate ratio." in words
    assert "One doubt is written" in words


@pytest.mark.parametrize("status", [Status.INTERRUPTED, Status.FAILED, Status.RUNNING])
def test_a_run_that_did_not_end_well_is_shown_as_such(status: Status) -> None:
    words = Reader(render([planted.falling(status=status, note="step 'sequential write': cable pulled")])).words
    assert f"Not finished: sustained-sequential-write ({status})" in words
    assert "cable pulled" in words


def test_of_one_thing_the_summary_says_one_sentence_and_prefers_what_was_found() -> None:
    untold = Finding("mapping_unit_bytes", "Could not tell the mapping unit.", None, "bytes")
    told = [Finding("mapping_unit_bytes", f"The unit is {said}.", 8192, "bytes") for said in ("8 KiB", "8 KiB, too")]
    others = [Finding("rate_fall", f"No fall, {number}.", None, "bytes") for number in range(9)]
    said = summarise([replace(planted.falling(), findings=[each]) for each in (untold, *told, *others)])
    assert "The unit is 8 KiB. No fall, 0." in said
    assert "Could not tell" not in said
    assert "too" not in said.split("unit is")[1]
    assert "No fall, 1." not in said


@pytest.mark.parametrize("experiment", ["sustained-sequential-write", "small-write-matrix", "smart-inference"])
def test_a_run_that_measured_nothing_still_gives_a_page(experiment: str) -> None:
    record = planted.record(experiment, status=Status.INTERRUPTED)
    assert "no finding" in Reader(render([record])).words


def test_an_experiment_that_is_not_known_any_more_still_gives_a_page() -> None:
    words = Reader(render([planted.record("forgotten-test", findings=[Finding("x", "It was so.", 3, "count")])])).words
    assert "Forgotten test" in words
    assert "It was so." in words


def test_hostile_names_are_text_and_never_markup() -> None:
    evil = '<script>alert("x")</script>'
    doubt = Doubt(evil, evil, evil)
    finding = Finding("rate_fall", evil, 5, "bytes", evidence=(evil,), doubts=(doubt,))
    records = [planted.falling(model=evil, note=evil, command=evil, findings=[finding], host={evil: evil})]
    records[0].status = Status.FAILED
    page = render(records)
    Reader(page)
    assert "<script>alert" not in page
    assert evil in Reader(page).words


def test_records_of_two_drives_are_refused() -> None:
    with pytest.raises(WrongUse, match="2 drives"):
        render([planted.falling(), planted.falling(drive="sim:another")])


def test_no_records_are_refused() -> None:
    with pytest.raises(WrongUse, match="no records"):
        render([])


def test_the_same_records_give_the_same_page(page: str) -> None:
    assert render(planted.everything()) == page


def test_missing_directories_are_made_and_the_report_is_readable(tmp_path: Path) -> None:
    path = write_report([planted.falling()], tmp_path / "a" / "b" / "report.html")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert path.stat().st_mode & 0o400
    assert [entry.name for entry in path.parent.iterdir()] == ["report.html"]


def test_a_place_that_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(WrongUse, match="cannot be written"):
        write_report([planted.falling()], tmp_path / "file" / "report.html")
    (tmp_path / "taken.html").mkdir()
    with pytest.raises(WrongUse, match="is a directory"):
        write_report([planted.falling()], tmp_path / "taken.html")
    assert sorted(os.listdir(tmp_path)) == ["file", "taken.html"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_full_disk_leaves_the_old_report_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_report([planted.falling()], tmp_path / "report.html")
    old = path.read_text()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WrongUse, match="No space left"):
        write_report([planted.falling()], path)
    assert path.read_text() == old
    assert list(tmp_path.iterdir()) == [path]


def test_the_templates_are_part_of_the_package() -> None:
    import flashscope.reports

    here = Path(flashscope.reports.__file__).parent
    assert {"page.html.jinja", "style.css", "hover.js"} <= {path.name for path in here.iterdir()}
