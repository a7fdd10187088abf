"""Findings are judged wherever they are shown, and the store keeps them as they were made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from flashscope.cli.output import records_json
from flashscope.cli.texts.findings import findings_text
from flashscope.records import Record
from flashscope.reports.comparison.side_by_side import compare_records
from flashscope.reports.page import make_page
from flashscope.store.store import Store
from flashscope.sweeps.outcome import Outcome, to_csv
from tests.dossier.judge.planted import finding, record
from tests.facts import file_facts

TOLD = finding("compresses", "yes", statement="It compresses.")
RUN: Record = replace(
    record("compressibility", TOLD, facts=file_facts(1 << 30)), created_utc="2026-01-01T00:00:00.000Z"
)
REASON = "Withdrawn: it is a file on ext4; what it measures is the host's."


def test_the_terminal_shows_judged_findings() -> None:
    assert REASON in findings_text([RUN])
    assert "It compresses." not in findings_text([RUN])


def test_json_has_judged_findings_and_what_was_objected_to() -> None:
    (shown,) = records_json([RUN])
    assert shown["findings"][0]["value"] is None
    (objection,) = shown["objections"]
    assert (objection["key"], objection["ruling"], objection["rule"]) == ("compresses", "withdrawn", "no-flash-there")


def test_the_report_and_the_comparison_show_judged_findings() -> None:
    (section,) = make_page([RUN]).sections
    assert REASON in repr(section.findings[0])
    (row,) = compare_records(RUN, replace(RUN, id="again")).findings
    assert "yes" not in repr(row)


def test_the_points_of_a_sweep_show_judged_findings() -> None:
    outcome = Outcome.of_record(RUN, was_there=True)
    assert REASON in outcome.findings[0].statement
    assert "yes" not in to_csv([outcome])


def test_the_store_keeps_them_as_they_were_made(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(RUN)
        store.finish(RUN)
        findings_text([RUN])
        assert store.load(RUN.id).findings == [TOLD]
