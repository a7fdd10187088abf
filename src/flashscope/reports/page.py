"""What the page shows, computed from records: the template only places it.

records --> Page
             +- summary, facts, findings, comparisons, glass, inside
             +- sections (one for each record): charts, latency, steps, doubts, provenance
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flashscope import units
from flashscope.dossier.judge.judge import judge
from flashscope.errors import WrongUse
from flashscope.records import Record
from flashscope.reports.data import findings_data
from flashscope.reports.glass_view import GlassView, view_glass
from flashscope.reports.inside import build_inside
from flashscope.reports.numbers import Said, plain, say
from flashscope.reports.renderer import why_no_pictures
from flashscope.reports.section import Drawn, Section, drawn, make_section
from flashscope.reports.summary import drive_kind, drive_name, summarise


@dataclass(frozen=True)
class Page:
    """The complete report."""

    name: str
    kind: str
    date: str
    summary: str
    virtual: bool
    facts: list[tuple[str, Said]]
    warnings: list[str]
    sections: list[Section]
    glass: GlassView
    inside: list[Drawn]
    inside_record: Record | None
    data: dict[str, Any]

    @property
    def has_truth(self) -> bool:
        """True when findings could be compared with the inside: those of a virtual drive, but not of a job file."""
        return self.virtual and not all(section.jobs for section in self.sections)

    @property
    def compared(self) -> bool:
        """True when any finding has a true value to compare with."""
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
    records = judge(sorted(records, key=lambda record: record.created_utc)).records
    first = records[0]
    # The drive is shown in its state after the last run.
    opened = next((record for record in reversed(records) if record.inside is not None), None)
    return Page(
        name=drive_name(first),
        kind=drive_kind(first),
        date=first.created_utc[:10],
        summary=summarise(records),
        virtual=first.drive_facts.in_virtual_time,
        facts=_facts(first),
        warnings=[*first.drive_facts.warnings, *filter(None, [why_no_pictures()])],
        sections=[make_section(record) for record in records],
        glass=view_glass(records),
        inside=[drawn(chart, opened) for chart in build_inside(opened)] if opened else [],
        inside_record=opened,
        data={"flashscope_report": 1, "records": [findings_data(record) for record in records]},
    )


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
