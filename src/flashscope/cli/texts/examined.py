"""What an examination found: the front page of its dossier, or with --verbose every finding and all advice, too.

A few experiments by name get their findings in full where these fit: whoever names them has their questions.
"""

from __future__ import annotations

import textwrap

from flashscope.cli.texts.dossier import MOST_LINES, USUAL_COLUMNS, front_page, wrapped
from flashscope.cli.texts.findings import findings_text
from flashscope.cli.texts.terminal_width import terminal_columns
from flashscope.dossier.dossier import Dossier
from flashscope.reports.summary import summarise

_IN_FULL = 3  # experiments, whose findings fit on a screen


def examined_text(dossier: Dossier, report: str = "", *, verbose: bool = False, chosen: bool = False) -> str:
    """What `examine` ends with. report: the line that says where the report lies. chosen: experiments were named."""
    in_full = "\n".join([findings_text(dossier.records), *(["", report] if report else [])])
    few = len(dossier.records) <= _IN_FULL and len(in_full.splitlines()) <= MOST_LINES
    if chosen and few and not verbose:
        return in_full
    return dossier_text(dossier, report, verbose=verbose)


def dossier_text(dossier: Dossier, report: str = "", *, verbose: bool = False) -> str:
    """The front page, or with verbose everything."""
    columns = terminal_columns() or USUAL_COLUMNS
    return _everything(dossier, columns, report) if verbose else front_page(dossier, columns, report)


def _everything(dossier: Dossier, columns: int, report: str) -> str:
    """All there is: every finding as judged, then the whole front page with the advice."""
    advice = [line for each in dossier.advice for line in wrapped(f"{each.text} {each.reason}", columns, bullet="- ")]
    return "\n\n".join(
        part
        for part in (
            findings_text(dossier.records),
            "\n".join(textwrap.wrap(summarise(dossier.records), columns)),
            front_page(dossier, columns, most_lines=None),
            "\n".join(["Advice", *advice]) if advice else "",
            report,
        )
        if part
    )
