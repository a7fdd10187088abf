"""The page of a sweep: one finding over one parameter as a chart, and all points as a table; one HTML file.

outcomes --chart.py--> chart
    +------------------------------> sweep/page.html.jinja + style.css + hover.js --> one file
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flashscope.outputs import HTML, ResultFile
from flashscope.records import Status
from flashscope.reports.agreement import interval
from flashscope.reports.numbers import Said, bound, say_finding
from flashscope.reports.section import drawn_as
from flashscope.reports.sweep.chart import sweep_charts, titled
from flashscope.sweeps.outcome import Outcome, varied_names

_ROWS_SHOWN = 2000


@dataclass(frozen=True)
class Cell:
    """A finding of a point for the page. bounds: its interval, None when it has none."""

    said: Said
    bounds: Said | None


def sweep_page(what: str, said: str, outcomes: Sequence[Outcome], findings: Sequence[str], path: Path) -> ResultFile:
    """The page of a sweep, to be written to a path.

    what: the experiment. said: the number of points and how they are made. findings: keys for table and charts.
    """
    return ResultFile(path, HTML, render(what, said, outcomes, findings).encode())


def render(what: str, said: str, outcomes: Sequence[Outcome], findings: Sequence[str]) -> str:
    """The page as HTML text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"bound": bound, "titled": titled}
    names = varied_names(outcomes) or ["part"]
    rows = [(one, _varied(one, names), [_cell(one, key) for key in findings]) for one in outcomes[:_ROWS_SHOWN]]
    here = Path(__file__).parents[1]
    return environment.get_template("sweep/page.html.jinja").render(
        what=what,
        said=said,
        names=names,
        findings=findings,
        rows=rows,
        more=max(0, len(outcomes) - _ROWS_SHOWN),
        failed=[one for one in outcomes if one.status is not Status.DONE],
        charts=[drawn_as(chart.name, chart) for chart in sweep_charts(outcomes, findings)],
        style=(here / "style.css").read_text(encoding="utf-8"),
        script=(here / "hover.js").read_text(encoding="utf-8"),
    )


def _varied(outcome: Outcome, names: Sequence[str]) -> list[str]:
    varied = dict(outcome.varied)
    return [varied.get(name, outcome.address if name == "part" else "") for name in names]


def _cell(outcome: Outcome, key: str) -> Cell | None:
    found = outcome.finding(key)
    return None if found is None else Cell(say_finding(found), interval(found))
