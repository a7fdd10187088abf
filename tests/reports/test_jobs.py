"""The report of a job file: what each job did, over time and in all, with its text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.records import Record
from flashscope.records.export import exported
from flashscope.reports.charts import charts_of
from flashscope.reports.jobs.rows import HEADINGS, job_rows
from flashscope.reports.plotting.theme import WIDE
from flashscope.reports.report import render
from flashscope.store.store import Store
from tests.known import known
from tests.reports.of_every_experiment import job_result, of_jobs


@pytest.fixture
def two() -> Record:
    return of_jobs(job_result("database", {"read": 900.0, "write": 300.0}), job_result("backup", {"write": 2000.0}))


def test_the_table_has_each_job_and_their_sum_with_rates_and_latencies(two: Record) -> None:
    rows = {row.name: dict(zip(HEADINGS, (said.text for said in row.cells), strict=True)) for row in job_rows(two)}
    assert list(rows) == ["database, read", "database, write", "backup, write", "all of all at once, write"]
    assert rows["backup, write"]["rate"] == "8.19 MB/s"
    assert rows["backup, write"]["requests/s"] == "2000"
    assert rows["all of all at once, write"]["requests/s"] == "2300"
    assert rows["database, read"]["p99"].endswith("µs")
    assert rows["database, read"]["p99.9"].endswith("ms")
    assert rows["database, read"]["max"] == "21 ms"


def test_the_charts_show_rates_requests_and_latencies_over_time_their_distribution_and_the_jobs(two: Record) -> None:
    names = [chart.name for chart in charts_of(two)]
    assert names == [
        "job-0-rate",
        "job-0-requests",
        "job-0-latency-read-0",
        "job-0-latency-write-0",
        "job-0-distribution",
        "job-0-compared",
        "job-0-latency-write-1",
        "job-0-latency-write-2",
    ]


def test_the_page_holds_the_job_file_and_no_complaint_about_findings(two: Record) -> None:
    page = render([two])
    assert "[backup]" in page
    assert "Job file mixed" in page
    assert "One job file on" in page
    assert "Inferred against truth" not in page
    assert page.count("<figure") == 8


def test_a_job_with_a_quote_in_its_name_is_drawn_like_any_other() -> None:
    record = of_jobs(job_result('it\'s "his"', {"read": 10.0}), job_result("b\\", {"read": 20.0}))
    assert render([record]).count("<figure") == 7


def test_jobs_are_kept_in_the_store_as_they_are(two: Record, tmp_path: Path) -> None:
    with Store(tmp_path / "records.sqlite") as store:
        store.begin(replace(two, steps=[]))
        store.save_step(two.id, two.steps[0])
        store.finish(two)
        (step,) = store.load(two.id).steps
    assert step.workload is not None
    assert two.steps[0].workload is not None
    for kept, made in zip(step.workload.jobs, two.steps[0].workload.jobs, strict=True):
        assert (kept.name, kept.latency) == (made.name, made.latency)
        assert {name: column.values.tolist() for name, column in kept.series.columns.items()} == {
            name: column.values.tolist() for name, column in made.series.columns.items()
        }


def test_jobs_are_exported_with_the_rest(two: Record) -> None:
    jobs = exported(two)["steps"][0]["workload"]["jobs"]
    assert [job["name"] for job in jobs] == ["", "database", "backup"]
    assert jobs[2]["series"]["write_latency_ns_p99"]["unit"] == "ns"
    assert list(jobs[1]["latency"]) == ["read", "write"]


def test_a_job_file_called_like_an_experiment_keeps_its_own_charts(two: Record) -> None:
    assert len(charts_of(replace(two, experiment="stutter"))) == 8


def test_an_interval_without_a_latency_is_a_gap_and_not_a_latency_of_nothing() -> None:
    job = job_result("", {"read": 100.0})
    for name, column in job.series.columns.items():
        if "_latency_ns_" in name:
            column.values[7] = 0
    record = of_jobs(job)
    workload = known(record.steps[0].workload)
    record.steps[0].workload = replace(workload, jobs=(job,))
    chart = next(chart for chart in charts_of(record) if "latency" in chart.name)
    lines = [layer for layer in chart.draw(WIDE)["layer"] if layer["mark"]["type"] == "line"]
    assert len(lines) == 4
    assert min(row["y"] for layer in lines for row in layer["data"]["values"]) > 90_000
