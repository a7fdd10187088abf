"""`flashscope smart archive`: years of daily rows of a fleet: how often drives fail, and what to do about which."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import force_option, json_option

if TYPE_CHECKING:
    from flashscope.smart.archives.engine import Limits
    from flashscope.smart.archives.reading import Effort, Source


@click.command("archive", epilog="Try: flashscope smart archive data_Q1_2024.zip --keep fleet.duckdb")
@click.argument("paths", metavar="FOLDER|FILE|ZIP...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="DATABASE",
    help="Keep what was read in this file, so that an interrupted run goes on and later days are added. Without it "
    "all is read again each time.",
)
@click.option("--memory", metavar="SIZE", help="The memory that reading may take before it spills. Default: 2 GiB.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="NUMBER",
    help="Number of threads, or of processes. Default: one for each core.",
)
@click.option(
    "--scheduler",
    metavar="tcp://HOST:PORT",
    help="Read the batches on the workers of a Dask cluster, which find the files under the same names.",
)
@click.option(
    "--verdicts/--no-verdicts",
    default=True,
    help="Whether each living drive is judged, which takes about a minute for 200,000 drives. Default: yes.",
)
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT", help="Also write an HTML page.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@click.option("--verbose", "-v", is_flag=True, help="Also say how fast it was read, and with how much memory.")
@force_option
@json_option
def archive(
    paths: tuple[Path, ...],
    keep: Path | None,
    memory: str | None,
    jobs: int | None,
    scheduler: str | None,
    verdicts: bool,
    html: Path | None,
    quiet: bool,
    verbose: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Read a fleet's daily rows as CSV, as Backblaze publishes them, in folders, files and .zip files.

    Each row is a drive on a day: date, serial_number, model, capacity_bytes, failure, smart_ID_normalized and
    smart_ID_raw. Says which living drives need something done and which look like those that failed; for each model
    how many drives fail in a year and how many reach which age, with intervals; what was doubted and left out, and
    which files were not read. With --keep and no path it says again what is kept.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.program.memory_limit import ask_for_room
    from flashscope.cli.result_files import is_piped_out
    from flashscope.cli.smart.archive_text import archive_text, effort_text
    from flashscope.errors import WrongUse
    from flashscope.outputs import HTML, Replacing, check_files
    from flashscope.smart.archives.day_files import find_day_files
    from flashscope.smart.archives.engine import check_engine
    from flashscope.smart.archives.keeper import Keeper
    from flashscope.smart.archives.plan import plan_batches
    from flashscope.smart.archives.reading import read_archive
    from flashscope.smart.archives.summary import archive_json, summarise

    check_engine()
    ask_for_room()
    if not paths and (keep is None or not keep.exists()):
        raise WrongUse("no archive is named", accepted="folders, .csv, .csv.gz or .zip files, or --keep DATABASE")
    is_piped = is_piped_out([html], as_json=as_json)
    replacing = Replacing(force)
    check_files([(html, HTML)] if html is not None else [], replacing)
    limits = _limits(memory, jobs)
    files, not_read = find_day_files(paths) if paths else ([], [])
    with Keeper(keep, limits) as keeper:
        plan = plan_batches(files, keeper.known_files(), keeper.totals().last_day, limits.memory_bytes)
        progress = _Progress(len(plan.batches), plan.size_bytes, silent=quiet or as_json)
        with _source(scheduler, len(plan.batches)) as source:
            effort, failed = read_archive(plan, keeper, limits, source=source, advanced=progress.advanced)
        unread = [*not_read, *plan.not_read, *failed]
        found = summarise(keeper, unread, len(plan.known), verdicts=verdicts, workers=jobs)
    if html is not None:
        from flashscope.reports.archive.page import write_archive_page

        write_archive_page(found, html, replacing)
    if as_json:
        print_json(archive_json(found))
    else:
        click.echo(archive_text(found), err=is_piped)
    if verbose:
        click.echo(effort_text(effort), err=True)
    if not found.totals.drive_count:
        raise click.exceptions.Exit(1)


@contextlib.contextmanager
def _source(scheduler: str | None, batches: int) -> Iterator[Source]:
    """What reads the batches: this process, or a cluster, which is not asked when there is nothing to read."""
    from flashscope.smart.archives.reading import one_by_one

    if scheduler is None or not batches:
        yield one_by_one
        return
    from flashscope.cli.scheduler import opener
    from flashscope.sweeps.archive_batches import on_cluster

    with opener(scheduler, batches)(batches) as cluster:
        yield on_cluster(cluster)


def _limits(memory: str | None, jobs: int | None) -> Limits:
    from flashscope.smart.archives.engine import DEFAULT_MEMORY_BYTES, Limits
    from flashscope.units import parse

    memory_bytes = DEFAULT_MEMORY_BYTES if memory is None else parse(memory, "bytes", key="--memory")
    return Limits(memory_bytes, jobs or 0)


class _Progress:
    """Batches done, days per second and the time left, on standard error, after each batch."""

    def __init__(self, batches: int, size_bytes: int, *, silent: bool) -> None:
        self._batches, self._size_bytes = batches, size_bytes
        self._silent, self._terminal, self._began_s = silent, sys.stderr.isatty(), time.monotonic()

    def advanced(self, done: int, effort: Effort) -> None:
        """Show how far it is."""
        from flashscope.units import counted, format_time

        if self._silent:
            return
        left_s = (time.monotonic() - self._began_s) * (self._size_bytes / max(1, effort.size_bytes) - 1)
        last = done == self._batches
        line = (
            f"{done} of {self._batches} batches, {counted(effort.day_count, 'day')}, "
            f"{effort.day_count / max(effort.took_s, 1e-9):.1f} days a second"
        )
        if not last:
            line += f", about {format_time(left_s * 1e9)} left"
        click.echo(f"\r\x1b[K{line}" if self._terminal else line, err=True, nl=not self._terminal or last)
