"""A command's results: their places are checked before hours of measuring, and written when the run is over."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.errors import FlashscopeError, WrongUse
from flashscope.outputs import Precious, Replacing, own_descriptor

if TYPE_CHECKING:
    from flashscope.drives.addresses.address import Address
    from flashscope.records import Record

_STANDARD_OUTPUT = 1


def replacing_beside(*, force: bool, store_path: Path, address: Address | None = None) -> Replacing:
    """What results may replace beside a run: never its store, nor the drive it is on or the file under that."""
    target = () if address is None else tuple(_target(address))
    return Replacing(force, (*Precious.store(store_path), *target))


def _target(address: Address) -> Iterator[Precious]:
    from flashscope.drives.guard.target import kind_of, path_of
    from flashscope.drives.system.reader import read_system

    if address.scheme not in ("file", "device"):
        return
    path = path_of(address)
    yield Precious(f"the drive of this run, {address}", path)
    if kind_of(path) != "block device":
        return
    view = read_system()
    number = os.stat(path).st_rdev
    name = view.named_by_number(f"{os.major(number)}:{os.minor(number)}")
    for below in view.below(name) if name else ():
        block = view.blocks.get(below)
        if block is not None and block.backing_identity is not None:
            yield Precious(
                f"the file under the drive of this run, {address}", Path(block.backing_file), block.backing_identity
            )


def is_piped_out(paths: Sequence[Path | None], *, as_json: bool) -> bool:
    """Whether a result goes to standard output; what a person reads goes to standard error then.

    Raises WrongUse when two results do, or one beside --json.
    """
    count = sum(path is not None and own_descriptor(path) == _STANDARD_OUTPUT for path in paths)
    if count + as_json > 1:
        raise WrongUse(
            "two results would go to standard output and be mixed there",
            accepted="at most one result on standard output",
            advice="name a file",
        )
    return bool(count)


def default_report_path(records: Sequence[Record]) -> Path:
    """reports/<record id>.html for one record; for several, reports/<drive>-<time of the first>.html."""
    first = records[0]
    if len(records) == 1:
        return Path("reports") / f"{first.id}.html"
    date, time, *rest = first.id.removesuffix(f"-{first.experiment}").split("-")
    return Path("reports") / ("-".join([*rest, date, time]) + ".html")


@contextmanager
def kept_all_the_same(advice: str) -> Iterator[None]:
    """Results of a run are written. A place that has become unwritable meanwhile is exit 1, for something was run.

    advice: how the results can be had all the same.
    """
    try:
        yield
    except WrongUse as error:
        raise FlashscopeError(error.what, accepted=error.accepted, advice=advice) from error


def write_report_file(records: Sequence[Record], path: Path, replacing: Replacing) -> Path:
    """Write the report of records that were measured just now; returns its path.

    Raises FlashscopeError (exit 1) when the place has become unwritable meanwhile.
    """
    from flashscope.reports.report import write_report

    with kept_all_the_same(
        f"the records are in the store; to write the report: flashscope report {_ids(records)} --output PATH"
    ):
        written = write_report(records, path, replacing)
    tell_missing_pictures()
    return written


def tell_missing_pictures() -> None:
    """Say on standard error that a page was written without its charts, and why; nothing when it has them."""
    from flashscope.reports.plotting.renderer import why_no_pictures

    if why_no_pictures():
        click.echo(f"flashscope: warning: {why_no_pictures()}", err=True)


def write_charts(records: Sequence[Record], directory: Path | None, replacing: Replacing) -> list[Path]:
    """Every chart of records that were measured just now, as SVG files in a directory; their paths.

    directory: None when none was asked for; nothing is written then. Raises FlashscopeError (exit 1) as above.
    """
    if directory is None:
        return []
    from flashscope.reports.export import export_charts

    with kept_all_the_same(
        f"the records are in the store; to write the charts: flashscope report {_ids(records)} --charts DIR"
    ):
        return export_charts(records, directory, ("svg",), replacing, by_experiment=True)


def _ids(records: Sequence[Record]) -> str:
    return " ".join(record.id for record in records)
