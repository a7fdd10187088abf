"""What a person sees at 80 columns, and what a pipe gets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli import list_parts
from flashscope.cli.main import main
from flashscope.cli.texts import examined as examined_text
from flashscope.cli.texts import workload as workload_text
from flashscope.cli.texts.comparison import compare_text
from flashscope.cli.texts.terminal_width import fitted_to
from flashscope.dossier.join import make_dossier
from flashscope.drives.parts.part import list_parts as names_of_parts
from flashscope.drives.parts.part import load_part
from flashscope.reports.comparison.side_by_side import compare_records
from tests.reports import planted
from tests.reports.of_every_experiment import job_result, of_jobs, sampled


def call(*arguments: str) -> str:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_pipe_gets_one_whole_line_for_each_part() -> None:
    lines = call("list", "parts").splitlines()
    assert [line.split()[0] for line in lines] == list(names_of_parts())
    for line in lines:
        assert line.endswith(load_part(line.split()[0]).title)


def test_a_terminal_gets_one_line_for_each_part_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_parts, "terminal_columns", lambda: 80)
    lines = call("list", "parts").splitlines()
    assert [line.split()[0] for line in lines] == list(names_of_parts())
    assert max(map(len, lines)) <= 80


def test_a_line_is_cut_after_a_word() -> None:
    assert fitted_to("one two three", 9) == "one two…"
    assert fitted_to("one two three", 13) == "one two three"
    assert fitted_to("one two three", None) == "one two three"


@pytest.mark.parametrize("columns", [None, 60, 80, 132])
def test_an_examination_ends_in_25_lines_that_fit(columns: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examined_text, "terminal_columns", lambda: columns)
    said = examined_text.examined_text(make_dossier([*planted.everything(), *sampled()]), "Report: r.html")
    assert len(said.splitlines()) <= 25
    assert max(map(len, said.splitlines())) <= (columns or 80)
    assert said.splitlines()[-1] == "Report: r.html"
    assert "Mapping unit" in said


def test_all_findings_and_the_agreement_with_the_truth_are_said_on_request() -> None:
    dossier = make_dossier([*planted.everything(), *sampled()])
    said = examined_text.examined_text(dossier, verbose=True)
    assert all(finding.statement in said for record in dossier.records for finding in record.findings)
    assert "findings agree" in said.replace("\n", " ")


def test_few_experiments_that_were_named_are_told_in_full() -> None:
    dossier = make_dossier([planted.falling()])
    assert "plan longer writes with the lower rate" in examined_text.examined_text(dossier, chosen=True)
    assert "plan longer writes with the lower rate" not in examined_text.examined_text(dossier)


def test_the_table_of_a_job_file_fits_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workload_text, "terminal_columns", lambda: 80)
    jobs = [
        job_result("a-job-with-a-very-long-name", {"read": 123_456.0, "write": 20.0}),
        job_result("b", {"write": 90.0}),
    ]
    text = workload_text.workloads_text(of_jobs(*jobs))
    assert max(map(len, text.splitlines())) <= 80
    headings = next(line for line in text.splitlines() if line.lstrip().startswith("write")).split()
    assert headings == ["write", "rate", "requests/s", "p50", "p90", "p99", "p99.9", "max"]
    assert "  all " in text


def test_a_comparison_names_findings_in_words() -> None:
    first = planted.falling()
    second = replace(first, id="second", findings=[replace(first.findings[0], key="gathering_wait_ns", unit="ns")])
    text = compare_text(second, second, compare_records(second, second))
    assert "gathering wait: " in text
    assert "gathering_wait_ns" not in text


def test_a_virtual_drive_keeps_each_job_over_time(tmp_path: Path) -> None:
    pytest.importorskip("flashscope._core", reason="the Rust core is not built")
    from flashscope.store.store import Store

    job_file, store_path = tmp_path / "two.fio", tmp_path / "records.sqlite"
    job_file.write_text("[global]\nbs=4k\nsize=16m\n[reader]\nrw=randread\n[writer]\nrw=randwrite\niodepth=4\n")
    said = call("run", "sim:onyx-32", str(job_file), "--store", str(store_path))
    assert "reader" in said
    assert "flashscope report" in said
    with Store(store_path, create=False) as store:
        record = store.load("last")
    result = next(step.workload for step in record.steps if step.workload)
    assert [job.name for job in result.jobs] == ["", "reader", "writer"]
    whole, reader, writer = result.jobs
    assert len(whole.series) > 100, "fine enough to see what happened"
    for kind, job in (("read", reader), ("write", writer)):
        assert int(job.series[f"{kind}_requests"].sum()) == result.totals[f"{kind}_requests"] == 4096
        assert job.latency[kind] == result.latency[kind] == whole.latency[kind]
        assert int(whole.series[f"{kind}_latency_ns_max"].max()) == result.latency[kind].max_ns
        half = whole.series[f"{kind}_latency_ns_p50"]
        assert (half <= whole.series[f"{kind}_latency_ns_p99"]).all()
    assert whole.series["elapsed_ns"][-1] == result.duration_ns
    assert [finding.key for finding in record.findings] == ["read_rate", "write_rate"]
