"""Where a report goes, and writing it there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from flashscope.errors import FlashscopeError, WrongUse
from flashscope.records import Record


def check_writable(path: Path) -> None:
    """See, before hours of measuring, that a report can be written. Raises WrongUse when it cannot."""
    existing = next(parent for parent in path.absolute().parents if parent.exists())
    if path.is_dir():
        raise WrongUse(f"{path} is a directory", accepted="the path of an HTML file", advice="name a file in it")
    target = path if path.exists() else existing
    if not existing.is_dir() or not os.access(target, os.W_OK):
        raise WrongUse(
            f"the report {path} cannot be written: {target} may not be written to",
            advice="name another file with --output",
        )


def default_report_path(records: Sequence[Record]) -> Path:
    """reports/<record id>.html for one record; for several, reports/<drive>-<time of the first>.html."""
    first = records[0]
    if len(records) == 1:
        return Path("reports") / f"{first.id}.html"
    date, time, *rest = first.id.removesuffix(f"-{first.experiment}").split("-")
    return Path("reports") / ("-".join([*rest, date, time]) + ".html")


def write_report_file(records: Sequence[Record], path: Path) -> Path:
    """Write the report of records that were measured just now; returns its path.

    Raises FlashscopeError (exit 1, for something was run) when the place has become unwritable meanwhile.
    """
    from flashscope.reports.dossier import write_report

    try:
        return write_report(records, path)
    except WrongUse as error:
        ids = " ".join(record.id for record in records)
        raise FlashscopeError(
            error.what, advice=f"the records are safe; try: flashscope report {ids} --output PATH"
        ) from error


def write_charts(records: Sequence[Record], directory: Path | None) -> list[Path]:
    """Every chart of records that were measured just now, as SVG files in a directory; their paths.

    directory: None when none was asked for; nothing is written then.
    """
    if directory is None:
        return []
    from flashscope.reports.export import export_charts

    return export_charts(records, directory, formats=("svg",), by_experiment=True)
