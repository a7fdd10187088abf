"""`flashscope run`: one job file, or one experiment, on one drive; prints what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import (
    DriveOptions,
    address_argument,
    charts_option,
    drive_options,
    effort_options,
    force_option,
    glass_option,
    json_option,
    run_options,
    store_option,
)
from flashscope.runner.effort import Effort

if TYPE_CHECKING:
    from flashscope.records import Record


@click.command("run")
@address_argument
@click.argument("job_file", metavar="[JOBFILE.fio]", required=False, type=click.Path(path_type=Path))
@click.option("--experiment", metavar="NAME", help="Run this experiment instead of a job file.")
@drive_options
@effort_options
@run_options
@charts_option
@glass_option
@force_option
@store_option
@json_option
def command(
    address: str,
    job_file: Path | None,
    experiment: str | None,
    drive_options: DriveOptions,
    quiet: bool,
    yes: bool,
    glass: bool,
    effort: Effort,
    charts_directory: Path | None,
    force: bool,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Run a job file, or one experiment, and keep a record.

    The job file is in fio's language. On a virtual drive it runs in virtual time, on a file or a block device by fio.
    """
    from flashscope.cli.output import print_json, records_json
    from flashscope.cli.result_files import write_charts
    from flashscope.cli.running.experiment_choice import read_job_file
    from flashscope.cli.running.session import Session, overall_status
    from flashscope.cli.texts.findings import findings_text
    from flashscope.cli.texts.workload import workloads_json, workloads_text
    from flashscope.errors import WrongUse
    from flashscope.experiments import catalogue
    from flashscope.outputs import check_folder
    from flashscope.records import Status
    from flashscope.records.drive_facts import DriveFacts
    from flashscope.reports.plotting.renderer import check_pictures
    from flashscope.runner.experiment import Experiment

    if (job_file is None) == (experiment is None):
        raise WrongUse("run takes either a job file or --experiment NAME", advice="see `flashscope list experiments`")
    chosen = None if experiment is None else catalogue.find(experiment)

    def choose(facts: DriveFacts) -> list[Experiment]:
        return [chosen] if chosen is not None else [read_job_file(job_file or Path(), facts)]

    session = Session.of(address, drive_options, store_path)
    replacing = session.replacing(force=force)
    if charts_directory is not None:
        check_folder(charts_directory, replacing)
        check_pictures()
    (record,) = session.run(choose, silent=quiet or as_json, quiet=quiet, yes=yes, glass=glass, effort=effort)
    status = overall_status([record])
    write_charts([record], charts_directory, replacing)
    if as_json:
        print_json({"status": status.value, "record": records_json([record])[0], "workloads": workloads_json(record)})
    else:
        # An experiment may have hundreds of workloads, which its findings sum up; a job file's only repeat the table.
        click.echo(findings_text([record]) if chosen is not None else f"{workloads_text(record)}\n\n{_kept(record)}")
    if status is not Status.DONE:
        raise SystemExit(1)


def _kept(record: Record) -> str:
    """Where the numbers are kept, what is doubtful about them, and how to see them over time."""
    doubts = dict.fromkeys(doubt.message for doubt in record.doubts)
    lines = [f"{record.experiment}: {record.status.value}, record {record.id}"]
    lines += [f"  {line}" for line in record.note.splitlines()] if record.status.value != "done" else []
    lines += [f"  note: {message}" for message in doubts]
    return "\n".join([*lines, f"over time, as a page: flashscope report {record.id}"])
