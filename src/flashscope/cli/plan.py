"""`flashscope plan`: how much a run would write and wear, and how long it would take. Writes nothing."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import (
    DriveOptions,
    address_argument,
    budget_option,
    drive_options,
    effort_options,
    json_option,
    store_option,
)
from flashscope.runner.effort import Effort


@click.command("plan")
@address_argument
@click.argument("job_file", metavar="[JOBFILE.fio]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--only", "--experiment", "only", multiple=True, metavar="NAME", help="Plan only this experiment. May be repeated."
)
@drive_options
@effort_options
@budget_option
@store_option
@json_option
def command(
    address: str,
    job_file: Path | None,
    only: tuple[str, ...],
    drive_options: DriveOptions,
    effort: Effort,
    budget: tuple[str, ...],
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Say how much a run would write and wear, how long it would take, and why it would be refused. Writes nothing.

    Without a job file or --only, it shows the plan of `flashscope examine`.
    """
    from flashscope.cli.align.disks import alignment_line
    from flashscope.cli.output import print_json
    from flashscope.cli.running.experiment_choice import read_job_file
    from flashscope.cli.running.session import Session
    from flashscope.cli.texts.plan import plan_text
    from flashscope.drives.open import refusals
    from flashscope.errors import WrongUse
    from flashscope.experiments import catalogue
    from flashscope.records.drive_facts import DriveFacts
    from flashscope.records.plain import plain
    from flashscope.runner.experiment import Experiment

    if job_file is not None and only:
        raise WrongUse("plan takes a job file or --only, not both")
    named = [catalogue.find(name) for name in dict.fromkeys(only)] or list(catalogue.all_experiments())

    def choose(facts: DriveFacts) -> list[Experiment]:
        return named if job_file is None else [read_job_file(job_file, facts)]

    session = Session.of(address, drive_options, store_path, budget if budget or not (only or job_file) else None)
    plan = session.plan(choose, effort)
    refused = refusals(
        session.address, destructive=plan.destructive, consent=session.consent, store_path=session.store_path
    )
    alignment = alignment_line(session.address, session.store_path)
    if as_json:
        document = plain(plan) | {"total": plain(plan.total), "destructive": plan.destructive}
        print_json(document | {"refusals": plain(refused), "alignment": alignment})
        return
    click.echo(plan_text(plan))
    if alignment and not any(alignment in each.found for each in refused):
        click.echo(f"  {alignment}")
    if refused:
        click.echo("\n  As typed, the run would be refused:")
        for refusal in refused:
            click.echo(f"    {refusal.rule}: {refusal.found}\n      lifted by: {refusal.lift}")
