"""`flashscope reproduce`: compare the virtual drives with formulas and with published measurements."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import force_option, json_option


@click.group("reproduce")
def command() -> None:
    """Compare the virtual drives with formulas and with published measurements."""


@command.command("laws")
@click.option("--only", multiple=True, metavar="LAW", help="Measure only this law. May be repeated.")
@click.option("--quick", is_flag=True, help="Fewer and smaller measurements: seconds instead of a minute.")
@click.option(
    "--charts",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write one SVG for each law into this directory.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@force_option
@json_option
def laws(only: tuple[str, ...], quick: bool, directory: Path | None, quiet: bool, force: bool, as_json: bool) -> None:
    """Measure virtual drives and compare them with closed formulas.

    Every number is measured now, on drives in which only the mechanism of the law acts. The exit code is 1 when a law
    does not hold.
    """
    import sys

    from flashscope.outputs import Replacing, check_folder, write_results
    from flashscope.reports.plotting.renderer import check_pictures
    from flashscope.reproduce import catalogue
    from flashscope.reproduce.run import run_laws
    from flashscope.runner.progress.choose import choose_progress
    from flashscope.runner.progress.interrupt import Interruption
    from flashscope.runner.progress.progress import StepAhead

    replacing = Replacing(force)
    if directory is not None:
        check_folder(directory, replacing)
        check_pictures()
    chosen = [catalogue.find(name) for name in dict.fromkeys(only)] or list(catalogue.LAWS)
    progress = choose_progress(sys.stderr, silent=quiet or as_json)
    costs = [sum(case.cost for case in law.cases(quick)) for law in chosen]
    progress.run_begins("reproduce laws", [StepAhead(law.name, cost) for law, cost in zip(chosen, costs, strict=True)])
    progress.step_begins(0)
    at = 0

    def advanced(place: int, share_ratio: float) -> None:
        nonlocal at
        while at < place:
            progress.step_ends("done", "")
            at += 1
            progress.step_begins(at)
        progress.advanced(share_ratio, 0, 0)

    status = "stopped"
    try:
        with Interruption() as interruption:
            rows = run_laws(
                chosen,
                quick=quick,
                check=interruption.check,
                advanced=advanced,
            )
        status = "done"
    finally:
        progress.run_ends(status)
    if directory is not None:
        from flashscope.reproduce.charts import chart_files

        written = write_results(chart_files(chosen, rows, directory), replacing)
        click.echo(f"{len(written)} charts written to {directory}", err=True)
    if as_json:
        import json

        from flashscope.records.plain import without_nan

        document = without_nan([row.as_plain() for row in rows])
        click.echo(json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False))
    else:
        from rich.console import Console

        from flashscope.reproduce.table import summary, table_of

        # A file or a pipe has no width; a row is then one line.
        Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(table_of(rows))
        click.echo("\n" + summary(rows))
    if not all(row.holds for row in rows):
        raise SystemExit(1)


@command.command("figures")
@click.option(
    "--only", multiple=True, metavar="NAME", help="Only the figures of this id, drive or experiment. May be repeated."
)
@click.option(
    "--charts",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write a page into this directory, with the documents' charts redrawn beside the published numbers.",
)
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Keep the records of all runs in this SQLite file. Default: they are not kept.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@force_option
@json_option
def figures(
    only: tuple[str, ...], directory: Path | None, store_path: Path | None, quiet: bool, force: bool, as_json: bool
) -> None:
    """Repeat what five documents measured, on models of the same drives, and compare.

    Every number is measured now. Where a document prints no value, the model predicts it. --json prints one object:
    {id: {model, unit, fitted, ...}}.
    """
    import os
    import sys
    import tempfile

    from flashscope.outputs import Precious, Replacing, check_folder, write_results
    from flashscope.reports.plotting.renderer import check_pictures
    from flashscope.reproduce.figures.catalogue import choose
    from flashscope.reproduce.figures.run import run_scenarios
    from flashscope.runner.progress.choose import choose_progress
    from flashscope.runner.progress.interrupt import Interruption
    from flashscope.runner.progress.progress import StepAhead

    replacing = Replacing(force, () if store_path is None else Precious.store(store_path))
    if directory is not None:
        check_folder(directory, replacing)
        check_pictures()
    scenarios = choose(only)
    progress = choose_progress(sys.stderr, silent=quiet or as_json)
    progress.run_begins("reproduce figures", [StepAhead(f"{len(scenarios)} scenarios", 1.0)])
    progress.step_begins(0)
    status = "stopped"
    try:
        with Interruption() as interruption, tempfile.TemporaryDirectory(prefix="flashscope-") as folder:
            results = run_scenarios(
                scenarios,
                store_path or Path(folder) / "figures.sqlite",
                interruption=interruption,
                advanced=lambda share_ratio: progress.advanced(share_ratio, 0, 0),
                workers=os.cpu_count() or 1,
            )
        status = "done"
    finally:
        progress.run_ends(status)
    if directory is not None:
        from flashscope.reproduce.figures.charts import chart_files
        from flashscope.reproduce.figures.page import page_file

        charts = chart_files(results, directory)
        page = page_file(results, [chart.path for chart in charts], directory)
        write_results([*charts, page], replacing)
        click.echo(f"{len(charts)} charts and {page.path.name} in {directory}", err=True)
    if as_json:
        from flashscope.cli.output import print_json

        print_json({result.figure.id: result.as_plain() for result in results})
        return
    from rich.console import Console

    from flashscope.reproduce.figures.table import summary, table_of

    console = Console(width=None if sys.stdout.isatty() else 220, highlight=False)
    console.print(table_of(results))
    console.print()
    console.print(summary(results))
