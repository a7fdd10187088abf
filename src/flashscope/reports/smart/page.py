"""The SMART page: one drive's readings as one HTML file that needs nothing but a browser.

readings -> smart/view.py (what is shown) -> smart/page.html.jinja + style.css + smart.css + hover.js -> one file
"""

from __future__ import annotations

from pathlib import Path

from flashscope.outputs import HTML, OWN_FILES, Replacing, ResultFile, write_result
from flashscope.reports.numbers import bound
from flashscope.reports.smart.view import SmartView
from flashscope.smart.decoding.reading import PROVENANCES


def write_smart_page(view: SmartView, path: Path, replacing: Replacing = OWN_FILES) -> Path:
    """Write the page of one drive; returns the path.

    The file appears complete or not at all. Raises WrongUse when no result may go there, or it cannot be written.
    """
    return write_result(ResultFile(path, HTML, render(view).encode()), replacing)


def render(view: SmartView) -> str:
    """The page as HTML text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"bound": bound, "capitalize_first": lambda text: text[:1].upper() + text[1:]}
    here = Path(__file__).parent
    above = here.parent
    return environment.get_template("smart/page.html.jinja").render(
        view=view,
        provenances=PROVENANCES,
        style=(above / "style.css").read_text(encoding="utf-8") + (here / "smart.css").read_text(encoding="utf-8"),
        script=(above / "hover.js").read_text(encoding="utf-8"),
    )
