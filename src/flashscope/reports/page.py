"""What the page shows, worked out from records: the template only places it.

records --> Page
             +- summary, facts, findings, comparisons, inside
             +- sections (one for each record): charts, latency, steps, doubts, provenance
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from flashscope import units
from flashscope.errors import WrongUse
from flashscope.records import Doubt, Finding, Histogram, Record, Status, StepRecord
from flashscope.reports import vega_lite
from flashscope.reports.agreement import Comparison, compare, interval
from flashscope.reports.chart import Chart
from flashscope.reports.charts import charts_of
from flashscope.reports.charts.inside import build_inside
from flashscope.reports.inline_svg import inline
from flashscope.reports.numbers import Said, plain, say, say_finding
from flashscope.reports.summary import drive_kind, drive_name, summarise
from flashscope.reports.theme import NARROW, WIDE

_LATENCY_ROWS_MAX = 20  # workload steps; more are told together with those of like name


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
        """Where the numbers come from, for a reader."""
        return f"record {self.record_id}, {self.evidence}"


@dataclass(frozen=True)
class LatencyRow:
    """Latency of one kind of request in one step; each number as said and exactly."""

    step: str
    requests: Said
    times: tuple[Said, ...]  # p50, p99, p99.9, max


@dataclass(frozen=True)
class Section:
    """One experiment's part of the page."""

    record: Record
    title: str
    question: str
    ended: str
    findings: list[FindingView]
    charts: list[Drawn]
    latency: list[LatencyRow]
    host: list[tuple[str, Said]]
    skipped: list[StepRecord]
    doubts: list[Doubt]
    comparisons: list[Comparison]


@dataclass(frozen=True)
class Page:
    """The whole dossier."""

    name: str
    kind: str
    date: str
    summary: str
    virtual: bool
    facts: list[tuple[str, Said]]
    warnings: list[str]
    sections: list[Section]
    inside: list[Drawn]
    inside_record: Record | None
    data: dict[str, Any]

    @property
    def compared(self) -> bool:
        """True when any finding has a truth beside it."""
        return any(section.comparisons for section in self.sections)


def make_page(records: Sequence[Record]) -> Page:
    """The page of one drive's records, oldest first. Raises WrongUse for no records, or records of several drives."""
    if not records:
        raise WrongUse("there are no records to report", advice="run an experiment first: flashscope examine")
    drives = sorted({record.drive for record in records})
    if len(drives) > 1:
        raise WrongUse(
            f"these records are of {len(drives)} drives: {', '.join(drives)}",
            accepted="records of one drive",
            advice="make one report for each drive",
        )
    records = sorted(records, key=lambda record: record.created_utc)
    first = records[0]
    # The drive is shown as the last run left it.
    opened = next((record for record in reversed(records) if record.inside is not None), None)
    return Page(
        name=drive_name(first),
        kind=drive_kind(first),
        date=first.created_utc[:10],
        summary=summarise(records),
        virtual=first.drive_facts.get("kind") == "virtual",
        facts=_facts(first),
        warnings=[str(warning) for warning in first.drive_facts.get("warnings", ())],
        sections=[_section(record) for record in records],
        inside=[_drawn(chart, opened) for chart in build_inside(opened)] if opened else [],
        inside_record=opened,
        data={"flashscope_report": 1, "records": [_data(record) for record in records]},
    )


def _facts(record: Record) -> list[tuple[str, Said]]:
    facts = record.drive_facts
    named = [
        ("Kind", drive_kind(record)),
        ("Address", record.drive),
        ("Firmware", facts.get("firmware")),
        ("Serial number", facts.get("serial")),
    ]
    shown = [(label, Said(str(value), str(value))) for label, value in named if value]
    if facts.get("user_bytes"):
        shown.append(("Capacity", say(int(facts["user_bytes"]), "bytes")))
    if facts.get("raw_bytes"):
        flash = int(facts["raw_bytes"])
        shown.append(("Flash inside", Said(units.format_bytes_binary(flash), f"{plain(flash)} bytes")))
    if facts.get("sector_bytes"):
        shown.append(("Sector", Said(f"{facts['sector_bytes']} B", f"{facts['sector_bytes']} bytes")))
    if facts.get("rated_pe_cycles"):
        cycles = int(facts["rated_pe_cycles"])
        shown.append(("Rated life", Said(f"{plain(cycles)} erases a block", f"{cycles} erase cycles")))
    return shown


def _section(record: Record) -> Section:
    title, question = _names(record.experiment)
    return Section(
        record=record,
        title=title,
        question=question,
        ended=_ended(record),
        findings=[_finding(finding, record) for finding in record.findings],
        charts=[_drawn(chart, record) for chart in charts_of(record)],
        latency=_latency(record),
        host=[_host(name, value) for name, value in record.host.items()],
        skipped=[step for step in record.steps if step.status in (Status.SKIPPED, Status.FAILED, Status.INTERRUPTED)],
        doubts=record.doubts,
        comparisons=compare(record),
    )


def _host(name: str, value: Any) -> tuple[str, Said]:
    """One fact of the machine; a name that ends in its unit loses it to the value."""
    if name.endswith("_bytes") and isinstance(value, int):
        return name.removesuffix("_bytes"), say(value, "bytes")
    return name, Said(str(value), str(value))


def _names(experiment: str) -> tuple[str, str]:
    """Title and question of an experiment; a record may outlive the experiment that made it."""
    from flashscope.experiments import catalogue

    try:
        found = catalogue.find(experiment)
    except WrongUse:
        return experiment.replace("-", " ").capitalize(), ""
    return found.title, found.question


def _ended(record: Record) -> str:
    """Why a run is not whole; empty when it is."""
    words = {
        Status.RUNNING: "This run has no end: it is still going on, or the program was stopped hard.",
        Status.INTERRUPTED: "This run was interrupted. What was measured until then is shown.",
        Status.FAILED: "This run failed. What was measured until then is shown.",
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
    """The names of a few steps, or the first and the last of many (all of them stand in the page's JSON)."""
    if len(names) > 4:
        return f"{names[0]} … {names[-1]} ({len(names)} steps)"
    return ", ".join(names) or "no step"


def _drawn(chart: Chart, record: Record) -> Drawn:
    name = f"{record.id}-{chart.name}"
    wide, narrow = (
        inline(vega_lite.to_svg(chart.draw(layout)), prefix=f"{name}-{layout.name}-", classes=f"chart {layout.name}")
        for layout in (WIDE, NARROW)
    )
    return Drawn(name, chart, wide, narrow)


def _latency(record: Record) -> list[LatencyRow]:
    """A row for each step and kind of request; steps of one name but for their numbers together when they are many."""
    rows: dict[tuple[str, str], list[Histogram]] = {}
    many = sum(1 for step in record.steps if step.workload) > _LATENCY_ROWS_MAX
    for step in record.steps:
        for kind, histogram in (step.workload.latency if step.workload else {}).items():
            if histogram.total:
                name = step.name.rstrip("0123456789. ") if many else step.name
                rows.setdefault((name, kind), []).append(histogram)
    kinds = {kind for _, kind in rows}
    return [
        _latency_row(
            name
            + (f", {kind}" if len(kinds) > 1 else "")
            + (f" ({len(histograms)} steps)" if len(histograms) > 1 else ""),
            reduce(Histogram.merged, histograms),
        )
        for (name, kind), histograms in rows.items()
    ]


def _latency_row(step: str, histogram: Histogram) -> LatencyRow:
    times = [*(histogram.percentile_ns(share) for share in (0.5, 0.99, 0.999)), histogram.max_ns]
    return LatencyRow(step, say(histogram.total, "count"), tuple(say(value, "ns") for value in times))


def _data(record: Record) -> dict[str, Any]:
    """What a program may want of a record: its findings, raw, and how it came to be."""
    return {
        "id": record.id,
        "experiment": record.experiment,
        "drive": record.drive,
        "status": str(record.status),
        "created_utc": record.created_utc,
        "seed": record.seed,
        "command": record.command,
        "versions": record.versions,
        "configuration_hash": record.configuration_hash,
        "findings": [
            {
                "key": finding.key,
                "statement": finding.statement,
                "value": finding.value,
                "unit": finding.unit,
                "low": finding.low,
                "high": finding.high,
                "confidence_ratio": finding.confidence_ratio,
                "evidence": list(finding.evidence),
                "doubts": [{"kind": doubt.kind, "message": doubt.message} for doubt in finding.doubts],
                "truth": record.truth.get(finding.key),
            }
            for finding in record.findings
        ],
    }


def named(key: str) -> str:
    """A finding's key for a reader: "first_rate_bytes_per_second" -> "first rate"."""
    without_unit = key if key.endswith("_host_bytes") else key.removesuffix("_bytes_per_second").removesuffix("_bytes")
    return without_unit.replace("_", " ")


def finite(value: Any) -> Any:
    """The value with every number JSON does not know (NaN, infinity) as null, arrays as lists."""
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if hasattr(value, "tolist"):
        return finite(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
