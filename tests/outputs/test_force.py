"""A file that flashscope did not make is replaced only with --force; its own are known by their marks."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from flashscope.records import Record
from flashscope.store.store import Store

from .conftest import Laboratory, refused


def test_somebody_elses_file_is_kept_until_force_says_otherwise(lab: Laboratory) -> None:
    notes = lab.folder / "notes.html"
    for content in (b"my notes", b"<html><p>written with flashscope</p></html>", b""):
        notes.write_bytes(content)
        before = lab.seen()
        refused(lab.report(notes), "is not an HTML page that flashscope made", "--force")
        assert lab.seen() == before
    assert lab.report(notes, "--force").exit_code == 0
    assert notes.read_bytes().rstrip().endswith(b"</html>")


def test_its_own_report_is_replaced_without_force(lab: Laboratory) -> None:
    for _ in range(2):
        done = lab.report("page.html", "--charts", "charts", "--format", "svg")
        assert done.exit_code == 0, done.output
    assert len(list((lab.folder / "charts").iterdir())) > 1


def test_a_report_and_charts_are_written_all_or_none(lab: Laboratory) -> None:
    assert lab.report("first.html", "--charts", "charts", "--format", "svg").exit_code == 0
    *_, chart = sorted((lab.folder / "charts").iterdir())
    chart.write_text("a drawing of mine")
    before = lab.seen()
    refused(lab.report("second.html", "--charts", "charts", "--format", "svg"), f"{chart.name} exists")
    assert lab.seen() == before
    assert lab.report("second.html", "--charts", "charts", "--format", "svg", "--force").exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        ("examine", "sim:onyx-32", "--quick", "--only", "stutter", "-o"),
        ("endure", "sim:onyx-32", "-o"),
        ("sweep", "stutter", "--part", "onyx-32", "--csv"),
        ("sweep", "stutter", "--part", "onyx-32", "-o"),
    ],
)
def test_hours_of_measuring_are_not_begun_for_a_place_that_will_be_refused(
    lab: Laboratory, command: tuple[str, ...]
) -> None:
    (lab.folder / "notes").write_text("mine")
    before = lab.seen()
    refused(lab.call(*command, "notes", "--store", "new.sqlite"), "--force")
    assert lab.seen() == before


def test_a_directory_for_charts_that_cannot_be_one_is_told_before_the_run(lab: Laboratory) -> None:
    (lab.folder / "file").write_text("mine")
    before = lab.seen()
    for command in (
        ("run", "sim:onyx-32", "--experiment", "stutter", "--store", "new.sqlite"),
        ("examine", "sim:onyx-32", "--only", "stutter", "--store", "new.sqlite"),
        ("reproduce", "laws"),
        ("reproduce", "figures"),
    ):
        refused(lab.call(*command, "--charts", "file/charts"), "is not a directory")
    assert lab.seen() == before


def test_a_file_that_appears_during_a_run_is_kept_and_the_record_too(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flashscope.cli.running.session import Session

    run = Session.run

    def run_and_appear(self: Session, *arguments: Any, **options: Any) -> list[Record]:
        records = run(self, *arguments, **options)
        Path("page.html").write_text("mine")
        return records

    monkeypatch.setattr(Session, "run", run_and_appear)
    done = lab.call(
        "examine", "sim:onyx-32", "--quick", "--only", "sustained-sequential-write",
        "--store", lab.store, "-o", "page.html", "--quiet",
    )  # fmt: skip
    assert done.exit_code == 1, done.output
    assert "the records are in the store" in done.output
    assert Path("page.html").read_text() == "mine"
    with Store(lab.store) as store:
        assert len(store.list()) == 2


def test_two_results_do_not_go_to_one_file(lab: Laboratory) -> None:
    refused(lab.call("sweep", "stutter", "--part", "onyx-32", "--csv", "one", "-o", "./one"), "two results")


def test_metrics_replace_their_own_file_and_no_other(lab: Laboratory) -> None:
    path = lab.folder / "flash.prom"
    watch = ("smart", "watch", "sim:onyx-32", "--once", "--textfile", path)
    for _ in range(2):
        assert lab.call(*watch).exit_code == 0
    path.write_text("node_metrics 1\n")
    before = lab.seen()
    refused(lab.call(*watch), "is not a file of metrics that flashscope made")
    assert lab.seen() == before
    assert lab.call(*watch, "--force").exit_code == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
