"""`flashscope report`: the report of records that are in the store, again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import force_option, json_option, store_option

if TYPE_CHECKING:
    from flashscope.records import Record
    from flashscope.store.store import Store


@click.command("report")
@click.argument("references", metavar="[RECORD]...", nargs=-1)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Where the HTML report goes. Default: a file in ./reports.",
)
@click.option(
    "--charts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write every chart as a file of its own into this directory.",
)
@click.option(
    "--format", "formats", default="svg,png", show_default=True, help="Formats of the charts: svg, png or both."
)
@force_option
@store_option
@json_option
def command(
    references: tuple[str, ...],
    output: Path | None,
    charts: Path | None,
    formats: str,
    force: bool,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Write the HTML report of records again.

    RECORD is an id, a beginning of an id that fits only one record, or "last". Without a RECORD, the report takes the
    newest record of each experiment on the drive that was used last.
    """
    from flashscope.cli.output import print_json, records_json
    from flashscope.cli.result_files import (
        default_report_path,
        is_piped_out,
        replacing_beside,
        tell_missing_pictures,
    )
    from flashscope.cli.texts.damaged import tell_damaged
    from flashscope.errors import WrongUse
    from flashscope.outputs import check_files, check_folder, write_results
    from flashscope.outputs.forms import HTML
    from flashscope.reports.plotting.renderer import check_pictures
    from flashscope.reports.report import report_file
    from flashscope.store.damage import suspected
    from flashscope.store.store import Store, default_store_path

    chosen = tuple(dict.fromkeys(part.strip() for part in formats.split(",") if part.strip()))
    if not chosen or not set(chosen) <= {"svg", "png"}:
        raise WrongUse(f"--format is {formats!r}", accepted="svg, png, or svg,png")
    is_piped = is_piped_out([output], as_json=as_json)
    replacing = replacing_beside(force=force, store_path=store_path or default_store_path())
    if output is not None:
        check_files([(output, HTML)], replacing)
    if charts is not None:
        check_folder(charts, replacing)
        check_pictures()
    with Store.open(store_path, create=False) as store:
        records = [store.load(reference) for reference in references] or _newest(store)
    tell_damaged(store)
    with suspected(store.path, store.without_checksum):
        results = [report_file(records, output or default_report_path(records))]
        if charts is not None:
            from flashscope.reports.export import chart_files

            results += chart_files(records, charts, formats=chosen)
    path, *exported = write_results(results, replacing)
    tell_missing_pictures()
    if as_json:
        names = [str(chart) for chart in exported]
        print_json({"records": records_json(records), "report": str(path), "charts": names})
        return
    for chart in exported:
        click.echo(f"Chart: {chart}", err=is_piped)
    click.echo(f"Report: {path}", err=is_piped)


def _newest(store: Store) -> list[Record]:
    """Of the drive that was run last, the newest record of each experiment that is not damaged, oldest first."""
    newest: dict[str, Record] = {}
    drive = None
    for summary in reversed(store.list()):
        if drive not in (None, summary.drive) or summary.experiment in newest:
            continue
        record = store.load_sound(summary.id)
        if record is not None:
            drive, newest[summary.experiment] = record.drive, record
    if not newest:
        for damaged in store.damaged.values():
            raise damaged
        store.resolve("last")  # says that there is none
    return sorted(newest.values(), key=lambda record: record.id)
