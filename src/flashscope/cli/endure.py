"""`flashscope endure`: wear a drive out and keep every record; of virtual drives also many at once."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import DriveOptions, address_argument, json_option, store_option

_PATTERNS = ("sequential", "random", "mixed")


@click.command("endure")
@address_argument
@click.option("--until", metavar="WHEN", default="death", show_default=True, help="death, rating, cycles or an amount.")
@click.option(
    "--workload", type=click.Choice(_PATTERNS), default="sequential", show_default=True, help="What wears it."
)
@click.option("--static", "static_percent", type=click.IntRange(0, 90), default=0, metavar="PERCENT",
              help="Share of the space written once and never again.")  # fmt: skip
@click.option("--drives", type=click.IntRange(1, 10_000), default=1, show_default=True, help="Drives worn out.")
@click.option("--lots", type=click.IntRange(1, 1000), default=1, show_default=True, help="Lots they come from.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of a virtual drive.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Drives worn at once; as many as there are cores.")
@click.option("-o", "--output", "report_path", metavar="PATH", type=click.Path(path_type=Path), help="Write a report.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@store_option
@json_option
def command(
    address: str,
    until: str,
    workload: str,
    static_percent: int,
    drives: int,
    lots: int,
    seed: int | None,
    workers: int | None,
    report_path: Path | None,
    quiet: bool,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Wear a drive until it dies, reaches its rating, or has taken so much; then say what is left of its data.

    A virtual drive dies in seconds: what happens between two events is put on without the writing.
    """
    from flashscope.cli.endure_virtual import EndureOptions, endure_one, endure_population
    from flashscope.cli.findings_text import findings_text
    from flashscope.cli.output import print_json, record_json
    from flashscope.cli.report_file import check_writable, write_report_file
    from flashscope.cli.session import Session
    from flashscope.drives.simulated import SimulatedDrive
    from flashscope.errors import WrongUse
    from flashscope.records import Status

    session = Session.of(address, DriveOptions(seed=seed, size=None, write_ok=False, serial=None, allow=()), store_path)
    if not session.address.is_virtual:
        raise WrongUse(
            f"{address} is a real drive, and endurance runs of real drives are not built yet",
            accepted="a virtual drive, such as sim:onyx-32",
            advice="`flashscope run --experiment rber-against-erase-count` measures a real one without wearing it out",
        )
    if lots > drives:
        raise WrongUse(f"{lots} lots of {drives} drives", accepted="at least one drive of each lot")
    drive = session.open_virtual()
    if not isinstance(drive, SimulatedDrive) or drive.part.kind != "ssd":
        raise WrongUse(f"{address} does not wear out", accepted="a solid-state drive alone, such as sim:onyx-32")
    if report_path is not None:
        check_writable(report_path)
    options = EndureOptions.of(drive, until, workload, static_percent / 100, drives, lots, workers)
    silent = quiet or as_json
    run = endure_one if drives == 1 else endure_population
    record = run(drive, options, session.store_path, silent=silent)
    if report_path is not None:
        write_report_file([record], report_path)
    if as_json:
        print_json({"status": record.status.value, "record": record_json(record)})
    else:
        click.echo(findings_text([record]))
        if report_path is not None:
            click.echo(f"report: {report_path}")
    if record.status is not Status.DONE:
        raise SystemExit(1)
