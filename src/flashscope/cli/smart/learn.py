"""`flashscope smart learn`: what undocumented SMART attributes mean, from dumps of a drive or by writing to one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import DriveOptions, drive_options, effort_options, json_option, run_options, store_option
from flashscope.runner.effort import Effort

if TYPE_CHECKING:
    from flashscope.records import Record
    from flashscope.smart.dump import Dump
    from flashscope.smart.learning.hypothesis import Learnt


@click.command("learn")
@click.argument("sources", nargs=-1, required=True, metavar="DUMP...|FOLDER|ADDRESS")
@click.option("--written", metavar="SIZE", help="How much was written between the first two dumps, such as 10GiB.")
@click.option("--idle", is_flag=True, help="Nothing was written between the dumps, except what --written says.")
@click.option("--capacity", metavar="SIZE", help="The drive's capacity, such as 512GB, where the dumps do not say it.")
@drive_options
@effort_options
@run_options
@store_option
@json_option
def learn(
    sources: tuple[str, ...],
    written: str | None,
    idle: bool,
    capacity: str | None,
    drive_options: DriveOptions,
    quiet: bool,
    yes: bool,
    effort: Effort,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Work out what undocumented SMART attributes mean, and in what unit.

    DUMP is a saved output of smartctl; a FOLDER holds several. All must be of one drive: a series over its life, two
    dumps before and after a known write (--written), or one with Device Statistics. ADDRESS is a drive, such as
    sim:onyx-32; the experiment smart-inference is run on it, which OVERWRITES the drive.
    """
    from flashscope import units
    from flashscope.cli.output import print_json
    from flashscope.cli.smart.learn_text import print_learnt
    from flashscope.errors import WrongUse
    from flashscope.smart.learning.as_json import learnt_json
    from flashscope.smart.learning.learn import learn as learn_series
    from flashscope.smart.learning.sources import series_of

    if any(_is_drive(source) for source in sources):
        if len(sources) > 1 or written or idle or capacity:
            raise WrongUse(
                "a drive was named together with dumps, another drive, --written, --idle or --capacity",
                accepted="one drive alone, which is then overwritten; or dumps of one drive",
            )
        record = _run(sources[0], drive_options, store_path, effort, quiet=quiet or as_json, yes=yes)
        learnt = _learnt_from(record)
        failed = record.status.value != "done"
    else:
        known = None if written is None else int(units.parse(written, "bytes", key="--written"))
        user = None if capacity is None else int(units.parse(capacity, "bytes", key="--capacity"))
        series = series_of(_dumps(sources), written_bytes=known, otherwise_idle=idle, user_bytes=user)
        learnt, failed = learn_series(series), False
    if as_json:
        print_json(learnt_json(learnt))
    else:
        print_learnt(learnt)
    if failed:
        raise SystemExit(1)


def _is_drive(source: str) -> bool:
    return source.startswith(("sim:", "stripe:", "file:", "dir:", "/dev/"))


def _dumps(sources: tuple[str, ...]) -> list[Dump]:
    from flashscope.smart.readers.path import read_path_dumps

    paths: list[Path] = []
    for source in map(Path, sources):
        hidden = source.is_dir() and [one for one in sorted(source.iterdir()) if one.name[:1] != "." and one.is_file()]
        paths += hidden or [source]
    return [dump for path in paths for dump in read_path_dumps(path)]


def _run(
    address: str, options: DriveOptions, store_path: Path | None, effort: Effort, *, quiet: bool, yes: bool
) -> Record:
    from flashscope.cli.running.session import Session
    from flashscope.experiments.smart_inference import SmartInference

    session = Session.of(address, options, store_path)
    (record,) = session.run(lambda _: [SmartInference()], silent=quiet, quiet=quiet, yes=yes, effort=effort)
    return record


def _learnt_from(record: Record) -> Learnt:
    """What is learnt from the experiment's readings, together with the experiment's own verdicts."""
    from flashscope.errors import DriveFailed
    from flashscope.smart.learning.from_run import series_of_run, with_verdicts
    from flashscope.smart.learning.learn import learn as learn_series

    readings, written = [], 0
    for step in record.steps:
        if step.workload is not None:
            written += int(step.workload.totals.get("written_bytes", 0))
        if step.smart is not None:
            readings.append((written, step.smart))
    if len(readings) < 2:
        raise DriveFailed(
            f"the run on {record.drive} gave {len(readings)} SMART readings; at least two are needed to learn from",
            advice=record.note or "see `flashscope report` for the record",
        )
    learnt = learn_series(series_of_run(readings, record.drive_facts.user_bytes))
    return with_verdicts(learnt, [row for one in record.findings for row in one.details.get("attributes", ())])
