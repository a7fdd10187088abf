"""`flashscope smart fleet`: thousands of dumps at once: a table by model, and the drives that stand out."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import force_option, json_option

if TYPE_CHECKING:
    from flashscope.smart.fleets.summary import Fleet

_out = click.Path(dir_okay=False, path_type=Path)
_COLUMNS = {
    "life_used_percent": "life used",
    "write_amplification": "WAF",
    "erase_count_average": "erases",
    "erase_count_max": "at most",
    "spare_left_percent": "spare left",
    "grown_bad_block_count": "bad blocks",
    "uncorrectable_error_count": "errors",
    "power_on_time_hours": "powered on",
}
"""Measures on the terminal and their short headings; the page and --json have all."""
_MODEL_LETTERS = 32
_MODELS_SHOWN = 60
_OUTLIERS_SHOWN = 40
_UNREADABLE_SHOWN = 20
_TO_DO_SHOWN = 60


@click.command("fleet")
@click.argument("paths", metavar="FOLDER|FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--parquet", type=_out, metavar="OUT", help="Also write every drive's numbers as Parquet (needs pyarrow)."
)
@click.option("--sqlite", type=_out, metavar="OUT", help="Also write every drive's numbers as an SQLite table.")
@click.option("--html", type=_out, metavar="OUT", help="Also write an HTML page.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="NUMBER",
    help="Number of processes that read. Default: one for each core.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@force_option
@json_option
def fleet(
    paths: tuple[Path, ...],
    parquet: Path | None,
    sqlite: Path | None,
    html: Path | None,
    jobs: int | None,
    quiet: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Read folders of SMART dumps: which drives need something done, and how drives of one model compare.

    Shows the drives to be copied now and those to be watched, with the reasons, the most urgent first; then for each
    model the number of drives, the medians of life used, write amplification, erase counts, spare,
    errors and power-on time, and the drives that stand out, with the reason. Files that cannot be read are listed
    with the reason.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.program.memory_limit import ask_for_room
    from flashscope.cli.result_files import is_piped_out
    from flashscope.outputs import HTML, PARQUET, SQLITE, Replacing, check_files, check_table
    from flashscope.smart.fleets import keep
    from flashscope.smart.fleets.files import fleet_files
    from flashscope.smart.fleets.parallel import read_fleet
    from flashscope.smart.fleets.summary import fleet_json, summarise

    ask_for_room()
    if parquet is not None:
        keep.check_parquet()  # before minutes of reading
    is_piped = is_piped_out([parquet, sqlite, html], as_json=as_json)
    replacing = Replacing(force)
    asked = [(path, form) for path, form in ((parquet, PARQUET), (sqlite, SQLITE), (html, HTML)) if path is not None]
    check_files(asked, replacing)
    if sqlite is not None:
        check_table(sqlite, keep.TABLE, replacing)
    files = fleet_files(paths)
    progress = _Progress(len(files), silent=quiet or as_json)
    members = read_fleet(files, workers=jobs, advanced=progress.advanced)
    progress.ends()
    found = summarise(members)
    if parquet is not None:
        keep.write_parquet(members, parquet, replacing)
    if sqlite is not None:
        keep.write_sqlite(members, sqlite, replacing)
    if html is not None:
        from flashscope.reports.smart.fleet_page import write_fleet_page

        write_fleet_page(found, html, replacing)
    if as_json:
        print_json(fleet_json(found))
    else:
        click.echo(fleet_text(found), err=is_piped)
    if not found.drive_count:
        raise click.exceptions.Exit(1)


def fleet_text(found: Fleet) -> str:
    """A fleet for a terminal."""
    from flashscope.reports.smart.fleet_page import fleet_summary
    from flashscope.smart.fleets.measures import MEASURES
    from flashscope.smart.fleets.outliers import said

    shown = found.models[:_MODELS_SHOWN]
    measures = [one for one in MEASURES if one.key in _COLUMNS and any(one.key in model.spreads for model in shown)]
    rows = [["model", "drives", *(_COLUMNS[measure.key] for measure in measures)]]
    for model in shown:
        cells = [
            said(model.spreads[measure.key].median, measure.unit).removesuffix(" cycles")
            if measure.key in model.spreads
            else ""
            for measure in measures
        ]
        rows.append([model.model[:_MODEL_LETTERS], str(model.drive_count), *cells])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [fleet_summary(found), *to_do_lines(found)]
    if shown:
        lines += ["", "medians by model"]
    for row in rows if shown else ():
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    lines += _more(len(found.models), _MODELS_SHOWN)
    standing = [(model, one) for model in found.models for one in model.outliers]
    if standing:
        lines += ["", "drives that stand out"]
        lines += [
            f"  {model.model} {one.serial or one.path}: {one.reason}" for model, one in standing[:_OUTLIERS_SHOWN]
        ]
        lines += _more(len(standing), _OUTLIERS_SHOWN)
    if found.unreadable:
        lines += ["", "not read"]
        lines += [f"  {member.path}: {member.reason}" for member in found.unreadable[:_UNREADABLE_SHOWN]]
        lines += _more(len(found.unreadable), _UNREADABLE_SHOWN)
    return "\n".join(lines).encode("utf-8", "replace").decode()


def to_do_lines(found: Fleet) -> list[str]:
    """What to do, the most urgent first: a drive, its reasons, and the advice where it differs from the one before."""
    lines, last = [], ("", "")
    for one in found.to_do[:_TO_DO_SHOWN]:
        if one.level != last[0]:
            lines += ["", f"{one.level} ({found.verdict_counts.get(one.level, 0)})"]
        lines.append(f"  {one.model} {one.serial or one.path}: {'; '.join(one.reasons)}")
        if one.advice != last[1]:
            lines.append(f"    To do: {one.advice}")
        last = (one.level, one.advice)
    return lines + _more(len(found.to_do), _TO_DO_SHOWN)


def _more(count: int, shown: int) -> list[str]:
    return [f"  ... and {count - shown} more (--json has all)"] if count > shown else []


class _Progress:
    """Files done, files a second and the time left, on standard error: one moving line, or a line every ten seconds."""

    def __init__(self, total: int, *, silent: bool) -> None:
        from flashscope.runner.progress.remaining import RemainingTime

        self._total, self._silent, self._terminal = total, silent, sys.stderr.isatty()
        self._began_s = self._said_s = time.monotonic()
        self._remaining = RemainingTime(total, self._began_s)
        self._every_s = 0.2 if self._terminal else 10.0

    def advanced(self, done: int) -> None:
        """Note how many files are done, and show it when it is time."""
        from flashscope.runner.progress.remaining import say_remaining

        now_s = time.monotonic()
        left_s = self._remaining.update(done, now_s)
        if self._silent or now_s - self._said_s < self._every_s:
            return
        self._said_s = now_s
        line = f"{done} of {self._total} files, {done / (now_s - self._began_s):.0f} a second, {say_remaining(left_s)}"
        click.echo(f"\r\x1b[K{line}" if self._terminal else line, err=True, nl=not self._terminal)

    def ends(self) -> None:
        """All files are done."""
        if self._silent:
            return
        took_s = time.monotonic() - self._began_s
        line = f"{self._total} files in {took_s:.1f} s"
        click.echo(f"\r\x1b[K{line}" if self._terminal else line, err=True)
