"""One record's part of the page: its findings, charts, latencies, doubts, and provenance."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flashscope.errors import WrongUse
from flashscope.records import Doubt, Finding, Record, Status, StepRecord
from flashscope.records.build import name_of_build
from flashscope.reports.agreement import Comparison, compare, interval
from flashscope.reports.charts import charts_of
from flashscope.reports.jobs.rows import JobRow, job_rows
from flashscope.reports.jobs.tracks import is_of_jobs, text_of
from flashscope.reports.latency_rows import LatencyRow, latency_rows
from flashscope.reports.numbers import Said, say, say_finding
from flashscope.reports.plotting import beside, vega_lite
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.inline_svg import inline
from flashscope.reports.plotting.renderer import why_no_pictures
from flashscope.reports.plotting.theme import NARROW, WIDE, Layout
from flashscope.reports.summary import headline
from flashscope.runner.jobs_experiment import JobsExperiment


@dataclass(frozen=True)
class Drawn:
    """A chart ready for the page. wide, narrow: SVG elements."""

    id: str
    chart: Chart
    wide: str
    narrow: str


@dataclass(frozen=True)
class FindingView:
    """A finding ready for the page. id: its anchor. evidence: the steps it rests on, in one line."""

    id: str
    finding: Finding
    value: Said
    interval: Said | None
    record_id: str
    evidence: str

    @property
    def exact(self) -> Said:
        """The value with all its digits as the text."""
        return Said(self.value.exact, self.value.exact, self.value.raw)

    @property
    def source(self) -> str:
        """The origin of the numbers, for a reader."""
        return f"record {self.record_id}, {self.evidence}"


@dataclass(frozen=True)
class DoubtView:
    """A doubt, printed once, with the keys of all findings that share it (no keys: it is about the complete run)."""

    doubt: Doubt
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """One experiment's part of the page. build: of flashscope, which made the record.

    jobs, job_text: the table and the text of a job file; empty for an experiment. headline: its main finding, in one
    sentence. chart_elsewhere: the id of a chart that the page shows on its first screen; "" when all are here.
    """

    record: Record
    build: str
    title: str
    question: str
    ended: str
    findings: list[FindingView]
    charts: list[Drawn]
    latency: list[LatencyRow]
    host: list[tuple[str, Said]]
    skipped: list[StepRecord]
    doubts: list[DoubtView]
    comparisons: list[Comparison]
    jobs: list[JobRow]
    job_text: str
    headline: str
    chart_elsewhere: str = ""


def make_section(record: Record, *, first_chart_elsewhere: bool = False) -> Section:
    """All that the page shows of one record. first_chart_elsewhere: the page shows its first chart at another place."""
    of_jobs = is_of_jobs(record)
    charts = charts_of(record)
    moved = charts[:1] if first_chart_elsewhere else []
    title, question = _names(record.experiment, of_jobs=of_jobs)
    return Section(
        record=record,
        build=name_of_build(record.versions),
        title=title,
        question=question,
        ended=_ended(record),
        findings=[_finding(finding, record) for finding in record.findings],
        charts=[drawn(chart, record) for chart in charts[len(moved) :]],
        latency=[] if of_jobs else latency_rows(record),
        host=[_host(name, value) for name, value in record.host.items()],
        skipped=[step for step in record.steps if step.status in (Status.SKIPPED, Status.FAILED, Status.INTERRUPTED)],
        doubts=_doubts(record),
        comparisons=compare(record),
        jobs=job_rows(record) if of_jobs else [],
        job_text=text_of(record),
        headline=headline(record),
        chart_elsewhere=_anchor(record, moved[0]) if moved else "",
    )


def _host(name: str, value: Any) -> tuple[str, Said]:
    """One fact of the machine; a unit at the end of the name is moved to the value."""
    if name.endswith("_bytes") and isinstance(value, int):
        return name.removesuffix("_bytes"), say(value, "bytes")
    return name, Said(str(value), str(value))


def _doubts(record: Record) -> list[DoubtView]:
    """Each different doubt once. Doubts about the drive at the top of the page are not repeated."""
    keys: dict[Doubt, list[str]] = {
        doubt: [] for doubt in record.doubts if doubt.message not in record.drive_facts.warnings
    }
    for finding in record.findings:
        for doubt in finding.doubts:
            keys.setdefault(doubt, []).append(finding.key)
    return [DoubtView(doubt, tuple(named)) for doubt, named in keys.items()]


def _names(experiment: str, *, of_jobs: bool) -> tuple[str, str]:
    """Title and question of an experiment; the experiment of an old record may no longer exist."""
    if of_jobs:
        return f"Job file {experiment}", JobsExperiment.question
    from flashscope.experiments import catalogue

    try:
        found = catalogue.find(experiment)
    except WrongUse:
        return experiment.replace("-", " ").capitalize(), ""
    return found.title, found.question


def _ended(record: Record) -> str:
    """Why a run is not complete; empty when it is."""
    words = {
        Status.RUNNING: "This run has not ended: it is still going on, or the program was killed.",
        Status.INTERRUPTED: "This run was interrupted. What was measured until then is shown.",
        Status.OUT_OF_TIME: "The time of the examination was over. What was measured until then is shown.",
        Status.FAILED: "This run failed. What was measured until then is shown.",
        Status.UNKNOWN: "It is not known here whether this run has ended.",
        Status.SKIPPED: "This experiment was skipped.",
    }
    return f"{words[record.status]} {record.note}".strip() if record.status in words else ""


def _finding(finding: Finding, record: Record) -> FindingView:
    return FindingView(
        id=f"{record.id}-{finding.key}",
        finding=finding,
        value=say_finding(finding),
        interval=interval(finding),
        record_id=record.id,
        evidence=_steps(finding.evidence),
    )


def _steps(names: Sequence[str]) -> str:
    """The names of a few steps, or the first and the last of many (all of them are in the page's JSON)."""
    if len(names) > 4:
        return f"{names[0]} … {names[-1]} ({len(names)} steps)"
    return ", ".join(names) or "no step"


def drawn(chart: Chart, record: Record, layouts: Sequence[Layout] = (WIDE, NARROW)) -> Drawn:
    """A chart of this record in both layouts, with ids that no other chart of the page has."""
    return drawn_as(_anchor(record, chart), chart, layouts)


def ask_charts(record: Record, *, first_chart_elsewhere: bool = False) -> None:
    """Begin to draw the charts that `make_section` will need; nothing outside of `beside.drawing_beside`."""
    if not beside.is_drawing():
        return
    for chart in charts_of(record)[1 if first_chart_elsewhere else 0 :]:
        for layout in (WIDE, NARROW):
            vega_lite.ask_svg(chart.draw(layout))


def ask_charts_early(record: Record) -> None:
    """The same while other experiments still run. What goes wrong here goes wrong again in the page, which says it."""
    with contextlib.suppress(Exception):
        ask_charts(record)


def _anchor(record: Record, chart: Chart) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", f"{record.id}-{chart.name}")


def drawn_as(name: str, chart: Chart, layouts: Sequence[Layout] = (WIDE, NARROW)) -> Drawn:
    """A chart in both layouts under a name of the page; a text instead where no charts can be drawn."""
    missing = why_no_pictures()
    if missing:
        return Drawn(name, chart, f'<p class="missing">{missing}</p>', "")
    wide, narrow = (
        inline(vega_lite.to_svg(chart.draw(layout)), prefix=f"{name}-{layout.name}-", layout=layout)
        for layout in layouts
    )
    return Drawn(name, chart, wide, narrow)
