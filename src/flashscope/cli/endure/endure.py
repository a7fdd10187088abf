"""`flashscope endure`: wear a drive out and keep every record; of virtual drives also many at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flashscope.cli.options import (
    DriveOptions,
    drive_options,
    force_option,
    json_option,
    run_options,
    store_option,
)
from flashscope.errors import WrongUse

if TYPE_CHECKING:
    from flashscope.cli.running.session import Session
    from flashscope.records import Record

_ONLY_VIRTUAL = ("drives", "lots", "workers", "scheduler", "anew")
_SHARED = ("until", "workload", "static_percent")


@click.command("endure")
@click.argument("address", metavar="ADDRESS", required=False)
@click.option(
    "--until", metavar="WHEN", help='Wear until death (default), rating, "3000 cycles", or an amount such as 50TB.'
)
@click.option(
    "--workload", metavar="WHAT",
    help="sequential (default), random or mixed. Real: also jesd219, several with commas, or JOBS.fio.",
)  # fmt: skip
@click.option("--static", "static_percent", type=click.IntRange(0, 90), metavar="PERCENT",
              help="Share of the space that is written once and then never again.")  # fmt: skip
@click.option(
    "--drives",
    type=click.IntRange(1, 10_000),
    metavar="NUMBER",
    help="Virtual: number of drives to wear out. Default: 1.",
)
@click.option(
    "--lots",
    type=click.IntRange(1, 1000),
    metavar="NUMBER",
    help="Virtual: number of lots that they come from. Default: 1.",
)
@click.option("--workers", type=click.IntRange(1, 1024), metavar="NUMBER",
              help="Virtual: drives worn out at once. Default: the number of cores.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Virtual, with --drives: run on a Dask cluster, tcp://HOST:PORT or local.")  # fmt: skip
@click.option("--anew", is_flag=True, default=None, help="Virtual, with --drives: compute all lives again.")
@click.option("--resume", is_flag=True, help="Real: go on with this drive's run that was interrupted or that rests.")
@click.option(
    "--end-rest",
    is_flag=True,
    help="Real, with --resume: end a rest without power before its date, and read the drive.",
)
@click.option("--set-aside", "set_aside_run", metavar="RUN",
              help="Real: rename the ledger of a run that is damaged or given up; nothing is removed.")  # fmt: skip
@click.option("--budget", metavar="AMOUNT", help="Real: write at most this much, such as 50TB; every write counts.")
@click.option("--compressible", "compressible_percent", type=click.IntRange(0, 95), metavar="PERCENT",
              help="Real: share of each block that is filled with zeros.")  # fmt: skip
@click.option(
    "--checkpoint-every", metavar="AMOUNT", help="Real: an amount, a time or cycles. Default: the drive's capacity."
)
@click.option("--verify", type=click.Choice(["full", "sampled", "none"]),
              help="Real: how much to verify at checkpoints. Default: sampled.")  # fmt: skip
@click.option("--block", metavar="SIZE", help="Real: size of the blocks that are stamped and verified. Default: 4KiB.")
@click.option(
    "--hold-days",
    type=click.FloatRange(0, 3650),
    metavar="DAYS",
    help="Real: at the end, rest without power for so many days.",
)
@click.option("--temperature-above", type=click.FloatRange(1, 150), metavar="CELSIUS",
              help="Real: pause when the drive is this hot.")  # fmt: skip
@click.option("--rated-written", metavar="AMOUNT", help="Real: the host writes that the maker promises (TBW).")
@click.option("--figures/--no-figures", default=None,
              help="Real: measure performance shortly at checkpoints. Default: yes.")  # fmt: skip
@click.option("--confirm-total", metavar="AMOUNT",
              help="Real: confirm the total to be written here, instead of typing it when asked.")  # fmt: skip
@drive_options
@run_options
@click.option(
    "-o", "--output", "report_path", metavar="PATH", type=click.Path(path_type=Path), help="Write an HTML report."
)
@force_option
@store_option
@json_option
def command(
    address: str | None,
    drive_options: DriveOptions,
    resume: bool,
    end_rest: bool,
    set_aside_run: str | None,
    quiet: bool,
    yes: bool,
    report_path: Path | None,
    force: bool,
    store_path: Path | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Wear a drive out until it dies, reaches its rating or was written so much; then say which data survived.

    A virtual drive dies in seconds: between two events its wear is added without simulating the writes. On a real
    drive blocks are verified during the run. After a kill, an unplugged drive or a power cut, --resume goes on.
    """
    from flashscope.cli.output import print_json, records_json
    from flashscope.cli.result_files import is_piped_out, write_report_file
    from flashscope.cli.running.session import Session
    from flashscope.cli.texts.findings import findings_text
    from flashscope.outputs import HTML, check_file
    from flashscope.records import Status

    if set_aside_run is not None:
        beside = {"an address": address, "--resume": resume or None, **asked}
        given = [_flag(name) for name, value in beside.items() if value is not None]
        _set_aside(set_aside_run, store_path, given, as_json=as_json)
        return
    if address is None:
        raise click.MissingParameter(param_hint="'ADDRESS'", param_type="argument")
    session = Session.of(address, drive_options, store_path)
    is_piped = is_piped_out([report_path], as_json=as_json)
    replacing = session.replacing(force=force)
    if report_path is not None:
        check_file(report_path, HTML, replacing)
    if session.address.is_virtual:
        only_real = [name for name in asked if name not in (*_SHARED, *_ONLY_VIRTUAL)]
        flags = {"resume": resume or None, "end_rest": end_rest or None}
        _refuse(asked | flags, [*only_real, *flags], "a real drive")
        record = _wear_virtual(session, asked, silent=quiet or as_json)
    else:
        _refuse(asked, _ONLY_VIRTUAL, "virtual drives")
        record = _wear_real(session, asked, resume=resume, end_rest=end_rest, yes=yes, quiet=quiet, silent=as_json)
    if report_path is not None:
        write_report_file([record], report_path, replacing)
    if as_json:
        print_json({"status": record.status.value, "record": records_json([record])[0]})
    else:
        click.echo(findings_text([record]), err=is_piped)
        if report_path is not None:
            click.echo(f"report: {report_path}", err=is_piped)
    if record.status is not Status.DONE:
        raise SystemExit(1)


def _set_aside(run: str, store_path: Path | None, given: list[str], *, as_json: bool) -> None:
    from flashscope.cli.output import print_json
    from flashscope.endurance.real.setting_aside import set_aside
    from flashscope.store.store import default_store_path

    if given:
        raise WrongUse(
            f"--set-aside does not go with {', '.join(given)}",
            accepted="flashscope endure --set-aside RUN [--store PATH]",
        )
    done = set_aside(store_path or default_store_path(), run)
    if as_json:
        print_json({"run": done.run, "now": str(done.now), "what": list(done.what)})
        return
    click.echo(f"{done.run} is set aside, and nothing was removed:")
    for line in (*done.what, f"now at {done.now}"):
        click.echo(f"  {line}")


def _refuse(asked: dict[str, Any], names: list[str] | tuple[str, ...], belongs_to: str) -> None:
    given = [name for name in names if asked[name] is not None]
    if given:
        raise WrongUse(f"{', '.join(_flag(name) for name in given)} is for {belongs_to} only", advice="leave it out")


def _flag(name: str) -> str:
    """A parameter's name as it is typed."""
    return name if name[0] == "-" or " " in name else f"--{name.replace('_percent', '').replace('_', '-')}"


def _wear_virtual(session: Session, asked: dict[str, Any], *, silent: bool) -> Record:
    from flashscope.cli.endure.virtual import EndureOptions, endure_one, endure_population
    from flashscope.drives.virtual.simulated import SimulatedDrive
    from flashscope.runner.progress.long_calls import long_calls_told

    drives, lots = asked["drives"] or 1, asked["lots"] or 1
    if lots > drives:
        raise WrongUse(f"{lots} lots of {drives} drives", accepted="at least one drive of each lot")
    if asked["scheduler"] is not None and drives == 1:
        raise WrongUse("--scheduler is for many drives", accepted="--drives NUMBER of 2 or more beside it")
    with long_calls_told(silent=silent):
        drive = session.open_virtual()
    if not isinstance(drive, SimulatedDrive) or drive.part.kind != "ssd":
        raise WrongUse(
            f"{session.address} does not wear out", accepted="a solid-state drive alone, such as sim:onyx-32"
        )
    options = EndureOptions.of(
        drive,
        asked["until"] or "death",
        asked["workload"] or "sequential",
        (asked["static_percent"] or 0) / 100,
        drives,
        lots,
        asked["workers"],
        asked["scheduler"],
        anew=bool(asked["anew"]),
    )
    run = endure_one if drives == 1 else endure_population
    with long_calls_told(silent=silent):
        return run(drive, options, session.store_path, silent=silent)


def _wear_real(
    session: Session, asked: dict[str, Any], *, resume: bool, end_rest: bool, yes: bool, quiet: bool, silent: bool
) -> Record:
    from flashscope.cli.endure.real import EndureRealOptions, endure_real

    told = {name: value for name, value in asked.items() if name not in _ONLY_VIRTUAL}
    options = EndureRealOptions(**told, yes=yes, quiet=quiet, silent=silent)
    return endure_real(session, options, resume=resume, end_rest=end_rest)
