"""`flashscope examine`: the main job. The catalogue of experiments on one drive, then the findings and a report."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import (
    DriveOptions,
    address_argument,
    budget_option,
    charts_option,
    drive_options,
    effort_options,
    force_option,
    glass_option,
    json_option,
    run_options,
    store_option,
)
from flashscope.drives.addresses.address import Address
from flashscope.runner.effort import Effort


@click.command("examine")
@address_argument
@click.option("--only", multiple=True, metavar="NAME", help="Run only this experiment. May be repeated.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Where the HTML report goes. Default: a file in ./reports.",
)
@click.option(
    "--resume", is_flag=True, help="Go on with the examination of this drive that was interrupted, as it was begun."
)
@drive_options
@effort_options
@budget_option
@run_options
@charts_option
@glass_option
@click.option("--verbose", "-v", is_flag=True, help="Print every finding of every experiment, and all advice.")
@force_option
@store_option
@json_option
def command(
    address: str,
    only: tuple[str, ...],
    output: Path | None,
    resume: bool,
    drive_options: DriveOptions,
    quiet: bool,
    yes: bool,
    glass: bool,
    verbose: bool,
    effort: Effort,
    budget: tuple[str, ...],
    charts_directory: Path | None,
    force: bool,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Find out what is inside a drive, and write a report about it.

    Runs every experiment that fits the drive, says on one page what the drive is, and writes one HTML file. A virtual
    drive needs only its address. A real drive is OVERWRITTEN, and needs --write-ok (a file) or --serial (a device).
    It is written three times at most, or a tenth of it with --quick; `flashscope plan` shows what is left out then.
    """
    from flashscope.cli.align.disks import alignment_line
    from flashscope.cli.dossier import keep
    from flashscope.cli.output import print_json, records_json
    from flashscope.cli.result_files import default_report_path, is_piped_out, write_charts, write_report_file
    from flashscope.cli.running.session import Course, Session, overall_status
    from flashscope.cli.texts.examined import examined_text
    from flashscope.dossier.as_json import dossier_json
    from flashscope.dossier.join import make_dossier
    from flashscope.experiments import catalogue
    from flashscope.outputs import HTML, check_file, check_folder
    from flashscope.records import Status
    from flashscope.reports.plotting.beside import drawing_beside
    from flashscope.reports.plotting.renderer import check_pictures
    from flashscope.reports.section import ask_charts_early

    experiments = [catalogue.find(name) for name in dict.fromkeys(only)] or list(catalogue.all_experiments())
    session = Session.of(address, drive_options, store_path, budget if budget or not only else None)
    if not session.address.is_virtual:
        session.facts()  # a wrong address is said before anything about results
    is_piped = is_piped_out([output], as_json=as_json)
    replacing = session.replacing(force=force)
    if output is not None:
        check_file(output, HTML, replacing)
    if charts_directory is not None:
        check_pictures()
    for folder in (charts_directory, Path("reports") if output is None else None):
        if folder is not None:
            check_folder(folder, replacing)
    refused_anyway = not session.address.modifiers and "partition-table" not in session.consent.allow
    if not (quiet or refused_anyway) and (alignment := alignment_line(session.address, session.store_path)):
        click.echo(alignment, err=True)
    with drawing_beside(1 if session.address.is_virtual else 0):
        records = session.run(
            lambda _: experiments,
            silent=quiet or as_json,
            quiet=quiet,
            yes=yes,
            glass=glass,
            effort=effort,
            course=Course.RESUMED if resume else Course.EXAMINATION,
            named=bool(only),
            on_record=ask_charts_early,
        )
        status = overall_status(records)
        dossier = make_dossier(records) if records else None
        report = None
        if status is not Status.INTERRUPTED:
            report = write_report_file(records, output or default_report_path(records), replacing)
            write_charts(records, charts_directory, replacing)
    if as_json:
        print_json(
            {
                "status": status.value,
                "drive": str(session.address),
                "dossier": None if dossier is None else dossier_json(dossier),
                "records": records_json(records),
                "report": None if report is None else str(report),
            }
        )
    else:
        last = _last_line(report, session.address)
        chosen = any(record.examination is not None and record.examination.named for record in records)
        click.echo(
            last if dossier is None else examined_text(dossier, last, verbose=verbose, chosen=chosen), err=is_piped
        )
    if dossier is not None:
        keep(dossier, session.store_path)
    if status is not Status.DONE:
        raise SystemExit(1)


def _last_line(report: Path | None, address: Address) -> str:
    """Where the report lies; of a stopped run, how it goes on."""
    if report is not None:
        return f"Report: {report}"
    return f"Stopped. To go on, the same with --resume. What there is: flashscope dossier {address}"
