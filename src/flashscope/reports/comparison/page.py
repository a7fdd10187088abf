"""The page of two compared records: what moving a partition gained as a chart and in words, and all findings.

records --partition_gain.py, side_by_side.py--> comparison/page.html.jinja + style.css + hover.js --> one HTML file

Steps are not listed here: `flashscope compare` prints those that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from flashscope.outputs import HTML, ResultFile
from flashscope.records import Record
from flashscope.reports.comparison.partition_gain import Gain, gain_at_size, gain_title, partition_gain, sentence
from flashscope.reports.comparison.side_by_side import FindingRow, SideBySide
from flashscope.reports.comparison.starts import starts_chart
from flashscope.reports.numbers import bound, named, say
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import Layout, Spec
from flashscope.reports.section import drawn_as
from flashscope.units import format_bytes_binary, format_number, format_rate

VERDICTS = {True: "differs", False: "no difference seen", None: "neither found it"}
_MB = 1e6


def compare_page(first: Record, second: Record, comparison: SideBySide, path: Path) -> ResultFile:
    """The page of two records, to be written to a path."""
    return ResultFile(path, HTML, render(first, second, comparison).encode())


def render(first: Record, second: Record, comparison: SideBySide) -> str:
    """The page as HTML text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"bound": bound}
    gains = partition_gain(first, second)
    here = Path(__file__).parents[1]
    return environment.get_template("comparison/page.html.jinja").render(
        title=gain_title(gains) or f"{first.experiment}, twice",
        first=first,
        second=second,
        gain=[sentence(gain) for gain in gains],
        charts=[drawn_as(chart.name, chart) for chart in _charts(first, second, gains)],
        findings=[_row(row) for row in comparison.findings],
        style=(here / "style.css").read_text(encoding="utf-8"),
        script=(here / "hover.js").read_text(encoding="utf-8"),
    )


def _row(row: FindingRow) -> tuple[str, str, str, str]:
    before, after = (say(value, row.unit, key=row.key).text for value in (row.first, row.second))
    return named(row.key), before, after, VERDICTS[row.differs]


def _charts(first: Record, second: Record, gains: Sequence[Gain]) -> list[Chart]:
    starts = starts_chart(first, second) if gains else None
    return [*([_chart(gains)] if gains else []), *([starts] if starts else [])]


def _chart(gains: Sequence[Gain]) -> Chart:
    said = "; ".join(sentence(gain) for gain in gains)
    return Chart(
        name="gain",
        title="; ".join(gain_at_size(gain) for gain in gains),
        caption="Random writes from where the partition begins, by their size. Upper bar: first record; lower: second.",
        description=said,
        draw=partial(_draw, gains),
    )


def _draw(gains: Sequence[Gain], layout: Layout) -> Spec:
    bars = []
    for gain in gains:
        for second, rate in ((False, gain.first), (True, gain.second)):
            exact = f"{format_number(rate / gain.request_bytes)} writes a second"
            bars.append(Bar(format_bytes_binary(gain.request_bytes), rate / _MB, format_rate(rate), exact, second))
    return draw_bars(bars, "written, MB/s", layout)
