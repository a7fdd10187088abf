"""The report: all findings on one drive as one HTML file that needs nothing but a browser.

records -> page.py (what is shown) -> page.html.jinja (front, sections, glass) + style.css + hover.js -> one file
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flashscope import units
from flashscope.outputs import HTML, OWN_FILES, Replacing, ResultFile, write_result
from flashscope.records import Record
from flashscope.reports.front.property_rows import FIRST_ROWS
from flashscope.reports.jobs.rows import HEADINGS
from flashscope.reports.numbers import bound, named
from flashscope.reports.page import make_page

FIRST_GROUPS = 2
"""So many groups of experiments show their experiments, folded each; the others are folded whole."""


def write_report(records: Sequence[Record], path: Path, replacing: Replacing = OWN_FILES) -> Path:
    """Write the report of one drive's records; returns the path.

    The file appears complete or not at all; missing directories are made. Raises WrongUse when there are no
    records, when they are of several drives, when no result may go there, or when it cannot be written.
    """
    return write_result(report_file(records, path), replacing)


def report_file(records: Sequence[Record], path: Path) -> ResultFile:
    """What `write_report` writes. Raises WrongUse as `render`."""
    return ResultFile(path, HTML, render(records).encode())


def render(records: Sequence[Record]) -> str:
    """The report as HTML text. Raises WrongUse for no records, or records of several drives."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"bound": bound, "named": named, "percent": units.format_percent}
    page = make_page(records)
    here = Path(__file__).parent
    return environment.get_template("page.html.jinja").render(
        page=page,
        data=page.data,
        first_rows=FIRST_ROWS,
        first_groups=FIRST_GROUPS,
        job_headings=HEADINGS,
        style="".join((here / name).read_text(encoding="utf-8") for name in ("style.css", "front/front.css")),
        script=(here / "hover.js").read_text(encoding="utf-8"),
    )
