"""The front page, computed from a dossier: the template only places it.

dossier --> verdict, six tiles, drawing, advice | properties, what is not known, what was withdrawn or doubted
records --> the chart of the long write
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.dossier.dossier import Advice, Dossier
from flashscope.dossier.judge.objection import Ruling
from flashscope.records import Record, Status
from flashscope.reports.charts import charts_of
from flashscope.reports.front.box import Box
from flashscope.reports.front.drawing import draw_inside
from flashscope.reports.front.property_rows import PropertyRow, property_rows
from flashscope.reports.front.tiles import Tile, make_tiles
from flashscope.reports.order import by_kind
from flashscope.reports.plotting.theme import FRONT, NARROW
from flashscope.reports.section import Drawn, Section, drawn

_SHOWN_FIRST = "sustained-sequential-write"


@dataclass(frozen=True)
class Objected:
    """A finding that the judge objects to. title: of its experiment. href: where it stands on the page, or ""."""

    key: str
    title: str
    href: str


@dataclass(frozen=True)
class ObjectionView:
    """What the judge said, once for all findings that it said it of."""

    ruling: Ruling
    reason: str
    findings: tuple[Objected, ...]


@dataclass(frozen=True)
class FrontPage:
    """verdict: sentences. chart: of the long write, or the first that there is; None without any.

    chart_of: id of the record that it is of. unfinished: names of runs that did not end, with how they ended.
    """

    verdict: tuple[str, ...]
    kind: str
    tiles: tuple[Tile, ...]
    chart: Drawn | None
    chart_of: str
    drawing: tuple[Box, ...]
    advice: tuple[Advice, ...]
    known: list[PropertyRow]
    unknown: list[PropertyRow]
    objections: list[ObjectionView]
    unfinished: list[str]

    @property
    def titles(self) -> dict[str, str]:
        """The names of the properties that have a row, by key."""
        return {row.told.key: row.told.title for row in (*self.known, *self.unknown)}

    @property
    def unknown_by_reason(self) -> dict[str, list[PropertyRow]]:
        """What is not known, by the reason why, in the order of the properties."""
        rows: dict[str, list[PropertyRow]] = {}
        for row in self.unknown:
            rows.setdefault(row.told.why, []).append(row)
        return rows

    @property
    def objected(self) -> str:
        """How many findings the judge objects to: "17 withdrawn, 4 doubted"."""
        counts = {
            ruling: sum(len(each.findings) for each in self.objections if each.ruling is ruling) for ruling in Ruling
        }
        return ", ".join(f"{count} {ruling}" for ruling, count in counts.items() if count)


def make_front_page(dossier: Dossier, sections: Sequence[Section]) -> FrontPage:
    """The front page of a dossier. sections: of the same records; links lead into them."""
    anchors = {view.id for section in sections for view in section.findings}
    rows = property_rows(dossier, anchors)
    of_chart = chart_record(dossier)
    return FrontPage(
        verdict=dossier.verdict,
        kind=dossier.kind,
        tiles=make_tiles(dossier),
        chart=drawn(charts_of(of_chart)[0], of_chart, (FRONT, NARROW)) if of_chart else None,
        chart_of=of_chart.id if of_chart else "",
        drawing=draw_inside(dossier),
        advice=dossier.advice,
        known=[row for row in rows if row.told.is_known],
        unknown=[row for row in rows if not row.told.is_known],
        objections=_objections(dossier, sections, anchors),
        unfinished=[f"{record.experiment} ({record.status})" for record in dossier.records if not _is_whole(record)],
    )


def chart_record(dossier: Dossier) -> Record | None:
    """The record whose first chart is on the first screen."""
    newest = sorted(by_kind(dossier.records, dossier.kind), key=lambda record: record.experiment != _SHOWN_FIRST)
    return next((record for record in newest if charts_of(record)), None)


def _is_whole(record: Record) -> bool:
    return record.status in (Status.DONE, Status.SKIPPED)


def _objections(dossier: Dossier, sections: Sequence[Section], anchors: set[str]) -> list[ObjectionView]:
    """What was withdrawn first."""
    titles = {section.record.id: section.title for section in sections}
    said: dict[tuple[Ruling, str], list[Objected]] = {}
    for each in sorted(dossier.objections, key=lambda each: each.ruling is not Ruling.WITHDRAWN):
        anchor = f"{each.record_id}-{each.key}"
        href = f"#{anchor}" if anchor in anchors else ""
        objected = Objected(each.key, titles.get(each.record_id, each.record_id), href)
        said.setdefault((each.ruling, each.reason), []).append(objected)
    return [ObjectionView(ruling, reason, tuple(findings)) for (ruling, reason), findings in said.items()]
