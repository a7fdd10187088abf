"""`flashscope sweep`: one experiment over parts, parameters and seeds; points in the store are not computed again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import effort_options, force_option, json_option, memory_option, store_option
from flashscope.errors import WrongUse
from flashscope.runner.effort import Effort

if TYPE_CHECKING:
    from flashscope.sweeps.grid import Grid
    from flashscope.sweeps.outcome import Outcome
    from flashscope.sweeps.point import Point


@click.command("sweep")
@click.argument("what", metavar="EXPERIMENT")
@click.option("--part", "parts", multiple=True, required=True, metavar="PART,...",
              help="Virtual drives, by part or address; several with commas. May be repeated.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE,...",
              help="A key of the part and its values, such as gc.low_water_blocks=2,3,4. May be repeated.")  # fmt: skip
@click.option("--seeds", metavar="LIST", help="The seeds, such as 1..10 or 3,7,9. Default: the address's seed, or 0.")
@click.option("--until", metavar="WHEN", help="With endure: the same as for `flashscope endure`. Default: death.")
@click.option("--workload", metavar="WHAT", help="With endure: sequential (default), random or mixed.")
@click.option("--static", "static_percent", type=click.IntRange(0, 90), metavar="PERCENT",
              help="With endure: share of the space that is written once and then never again.")  # fmt: skip
@effort_options
@click.option(
    "--scheduler", metavar="ADDRESS", help="Address of an existing Dask cluster, tcp://HOST:PORT. Default: a local one."
)
@click.option("--workers", type=click.IntRange(1, 1024), metavar="NUMBER",
              help="Worker processes of the local cluster. Default: as many as cores and memory allow.")  # fmt: skip
@click.option("--finding", "findings", multiple=True, metavar="KEY",
              help="A finding to show. Default: the first few that are numbers. May be repeated.")  # fmt: skip
@click.option("--anew", is_flag=True, help="Compute all points again, also those that are in the store.")
@click.option("--yes", is_flag=True, help="Start a sweep of more than 100000 points.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH",
              help="Also write all findings as a CSV file, one row each.")  # fmt: skip
@click.option("-o", "--output", "page_path", type=click.Path(path_type=Path), metavar="PATH",
              help="Also write a page with a chart and the table.")  # fmt: skip
@force_option
@memory_option
@store_option
@json_option
def command(
    what: str,
    parts: tuple[str, ...],
    settings: tuple[str, ...],
    seeds: str | None,
    until: str | None,
    workload: str | None,
    static_percent: int | None,
    effort: Effort,
    scheduler: str | None,
    workers: int | None,
    findings: tuple[str, ...],
    anew: bool,
    yes: bool,
    quiet: bool,
    csv_path: Path | None,
    page_path: Path | None,
    force: bool,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Run one experiment over parts, parameters and seeds.

    EXPERIMENT is the name of an experiment, or "endure", which wears each drive out. Every point is kept as a record as
    soon as it is computed. The same command, given again, computes only what is missing, also after Ctrl-C, a kill or a
    lost worker.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.result_files import is_piped_out, kept_all_the_same, replacing_beside
    from flashscope.cli.sweep.points import Asked, make_points
    from flashscope.cli.sweep.text import sweep_text
    from flashscope.outputs import CSV, HTML, ResultFile, check_files, write_results
    from flashscope.records import Status
    from flashscope.store.store import default_store_path
    from flashscope.sweeps.grid import Grid
    from flashscope.sweeps.outcome import chosen_findings, to_csv

    if scheduler is not None and workers is not None:
        raise WrongUse(
            "--workers is for a local cluster, and --scheduler names another one", accepted="one of the two options"
        )
    is_piped = is_piped_out([csv_path, page_path], as_json=as_json)
    replacing = replacing_beside(force=force, store_path=store_path or default_store_path())
    asked = [(path, form) for path, form in ((csv_path, CSV), (page_path, HTML)) if path is not None]
    check_files(asked, replacing)
    grid = Grid.of(parts, settings, seeds)
    grid.check_count(yes=yes)
    points = make_points(grid, Asked(what, effort, until, workload, static_percent))
    outcomes = _run(points, grid, scheduler, workers, store_path, anew=anew, silent=quiet or as_json)
    shown = chosen_findings(outcomes, findings)
    results = [] if csv_path is None else [ResultFile(csv_path, CSV, to_csv(outcomes).encode())]
    if page_path is not None:
        from flashscope.reports.sweep.page import sweep_page

        results.append(sweep_page(what, grid.said(), outcomes, shown, page_path))
    with kept_all_the_same("the points are in the store; the same command with another place computes none anew"):
        write_results(results, replacing)
    done = len(outcomes) == len(points) and all(one.status is Status.DONE for one in outcomes)
    if as_json:
        print_json(
            {
                "experiment": what,
                "points": len(points),
                "there": sum(one.was_there for one in outcomes),
                "failed": sum(one.status is Status.FAILED for one in outcomes),
                "missing": len(points) - len(outcomes),
                "outcomes": [one.to_json() for one in outcomes],
            }
        )
    else:
        click.echo(sweep_text(what, len(points), outcomes, shown), err=is_piped)
        for name, written in (("CSV", csv_path), ("Page", page_path)):
            if written is not None:
                click.echo(f"{name}: {written}", err=is_piped)
    if not done:
        raise SystemExit(1)


def _run(
    points: list[Point],
    grid: Grid,
    scheduler: str | None,
    workers: int | None,
    store_path: Path | None,
    *,
    anew: bool,
    silent: bool,
) -> list[Outcome]:
    import sys

    from flashscope.cli.program.command_line import command_line
    from flashscope.cli.program.memory_limit import check_memory
    from flashscope.cli.scheduler import LOCAL, opener
    from flashscope.drives.virtual.room import memory_needed
    from flashscope.runner.progress.choose import choose_progress
    from flashscope.runner.progress.interrupt import Interruption
    from flashscope.runner.workers import workers_for
    from flashscope.store.store import Store
    from flashscope.sweeps.sweep import sweep

    def say(line: str) -> None:
        if not silent:
            click.echo(line, err=True)

    several = {tuple(map(id, point.parts)): point for point in points}.values()  # seeds share their parts
    needed = max(memory_needed(point.parts, aged=point.address.aged_state is not None) for point in several)
    at_once = workers or workers_for(len(points), needed)
    if scheduler is None:
        check_memory(min(at_once, len(points)), needed, say)
    open_cluster = opener(scheduler or LOCAL, at_once)
    say(grid.said())
    with Store.open(store_path) as store, Interruption(_say_stopping) as interruption:
        return sweep(
            points, store, open_cluster, command=command_line(),
            progress=choose_progress(sys.stderr, silent=silent), interruption=interruption, say=say, anew=anew,
        )  # fmt: skip


def _say_stopping() -> None:
    click.echo("stopping; the points that ended are kept, and the same command goes on from there", err=True)
