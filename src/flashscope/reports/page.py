"""What the page shows, computed from records: the template only places it.

records --> Page
             +- front: of two experiments and more (front/): verdict, numbers, chart, drawing, properties
             +- groups of sections (one section for each record): findings, charts, latency, doubts, provenance
             +- comparisons with the inside, glass, inside

The page of a single experiment or of job files has no front; it begins with its summary, and nothing is folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from flashscope import units
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.join import make_dossier
from flashscope.dossier.judge.judge import judge
from flashscope.errors import WrongUse
from flashscope.records import Record
from flashscope.reports.agreement import Comparison, score
from flashscope.reports.data import findings_data
from flashscope.reports.front.front_page import FrontPage, chart_record, make_front_page
from flashscope.reports.glass.inside import build_inside
from flashscope.reports.glass.view import GlassView, view_glass
from flashscope.reports.jobs.tracks import is_of_jobs
from flashscope.reports.numbers import Said, plain, say
from flashscope.reports.order import by_kind, place_of
from flashscope.reports.plotting.renderer import why_no_pictures
from flashscope.reports.section import Drawn, Section, ask_charts, drawn, make_section
from flashscope.reports.summary import drive_kind, drive_name, summarise


@dataclass(frozen=True)
class Page:
    """The complete report. groups: sections under the name of their group, in the order of the page."""

    name: str
    kind: str
    date: str
    summary: str
    virtual: bool
    facts: list[tuple[str, Said]]
    warnings: list[str]
    front: FrontPage | None
    groups: list[tuple[str, list[Section]]]
    glass: GlassView
    inside: list[Drawn]
    inside_record: Record | None
    data: dict[str, Any]

    @property
    def sections(self) -> list[Section]:
        """All sections, in the order of the page."""
        return [section for _, sections in self.groups for section in sections]

    @property
    def has_truth(self) -> bool:
        """True when findings could be compared with the inside: those of a virtual drive, but not of a job file."""
        return self.virtual and not all(section.jobs for section in self.sections)

    @property
    def comparisons(self) -> list[Comparison]:
        """All findings beside their true values, in the order of the page."""
        return [row for section in self.sections for row in section.comparisons]

    @property
    def disagreeing(self) -> list[Comparison]:
        """Those that are wrong."""
        return [row for row in self.comparisons if row.agrees is False]

    @property
    def others(self) -> list[Comparison]:
        """Those that are right, and those that claim nothing."""
        return [row for row in self.comparisons if row.agrees is not False]

    @property
    def agreement(self) -> str:
        """How many agree, in a sentence; "" when nothing could be compared."""
        return score([section.record for section in self.sections])


def make_page(records: Sequence[Record]) -> Page:
    """The page of one drive's records. Raises WrongUse for no records, or records of several drives."""
    _check(records)
    has_front = len({record.experiment for record in records if not is_of_jobs(record)}) > 1
    dossier = make_dossier(records) if has_front else None
    shown = dossier.records if dossier else judge(sorted(records, key=lambda record: record.created_utc)).records
    _ask_charts(shown, dossier)
    groups = _groups(shown, dossier)
    first = shown[0]
    # The drive is shown in its state after the last run.
    opened = next((record for record in reversed(shown) if record.inside is not None), None)
    return Page(
        name=drive_name(first),
        kind=drive_kind(first),
        date=first.created_utc[:10],
        summary="" if dossier else summarise(shown),
        virtual=first.drive_facts.in_virtual_time,
        facts=_facts(first),
        warnings=[*first.drive_facts.warnings, *filter(None, [why_no_pictures(), _set_apart(dossier)])],
        front=make_front_page(dossier, [section for _, sections in groups for section in sections])
        if dossier
        else None,
        groups=groups,
        glass=view_glass(shown),
        inside=[drawn(chart, opened) for chart in build_inside(opened)] if opened else [],
        inside_record=opened,
        data={"flashscope_report": 1, "records": [findings_data(record) for record in shown]},
    )


def _check(records: Sequence[Record]) -> None:
    if not records:
        raise WrongUse("there are no records to report", advice="run an experiment first: flashscope examine")
    drives = sorted({record.drive for record in records})
    if len(drives) > 1:
        raise WrongUse(
            f"these records are of {len(drives)} drives: {', '.join(drives)}",
            accepted="records of one drive",
            advice="make one report for each drive",
        )


def _ask_charts(records: Sequence[Record], dossier: Dossier | None) -> None:
    """Have all charts drawn by other processes, if there are any, while the page is made."""
    of_chart = None if dossier is None else chart_record(dossier)
    for record in records:
        ask_charts(record, first_chart_elsewhere=record is of_chart)


def _groups(records: Sequence[Record], dossier: Dossier | None) -> list[tuple[str, list[Section]]]:
    """The sections in their groups; a page without a front has one group without a name."""
    if dossier is None:
        return [("", [make_section(record) for record in records])]
    of_chart = chart_record(dossier)
    return [
        (name, [make_section(record, first_chart_elsewhere=record is of_chart) for record in members])
        for name, members in groupby(
            by_kind(records, dossier.kind), key=lambda record: place_of(record, dossier.kind).group
        )
    ]


def _set_apart(dossier: Dossier | None) -> str:
    """Which records the page leaves out, and why."""
    if dossier is None or not dossier.set_apart:
        return ""
    ids = ", ".join(record.id for record in dossier.set_apart)
    return f"Made by other builds of flashscope, so that they are not joined with these; report them apart: {ids}."


def _facts(record: Record) -> list[tuple[str, Said]]:
    facts = record.drive_facts
    named = [
        ("Kind", drive_kind(record)),
        ("Address", record.drive),
        ("Firmware", facts.firmware),
        ("Serial number", facts.serial),
    ]
    shown = [(label, Said(str(value), str(value))) for label, value in named if value]
    if facts.user_bytes:
        shown.append(("Capacity", say(facts.user_bytes, "bytes")))
    if facts.raw_bytes:
        flash = facts.raw_bytes
        shown.append(("Flash inside", Said(units.format_bytes_binary(flash), f"{plain(flash)} bytes")))
    if facts.sector_bytes:
        shown.append(("Sector", Said(f"{facts.sector_bytes} B", f"{facts.sector_bytes} bytes")))
    if facts.rated_pe_cycles:
        cycles = facts.rated_pe_cycles
        shown.append(("Rated life", Said(f"{plain(cycles)} erases a block", f"{cycles} erase cycles")))
    return shown
