"""Options that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from flashscope.errors import WrongUse
from flashscope.runner.effort import Effort, Extent

Command = TypeVar("Command", bound=Callable[..., Any])

address_argument = click.argument("address", metavar="ADDRESS")

store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="The SQLite file that keeps the records. Default: reports/records.sqlite where it exists, else "
    "flashscope/records.sqlite in the state directory.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")

force_option = click.option(
    "--force",
    is_flag=True,
    help="Let results replace files that flashscope did not make. The rules about the drive stay.",
)

glass_option = click.option(
    "--glass", is_flag=True, help="For a virtual drive: also record what happens inside it, for the report."
)


def _limit_memory(_: click.Context, __: click.Parameter, text: str | None) -> None:
    if text is None:
        return
    from flashscope.drives.system.free_memory import limit_memory
    from flashscope.units import parse

    limit_memory(int(parse(text, "bytes", key="--memory")))


memory_option = click.option(
    "--memory",
    metavar="SIZE",
    expose_value=False,
    callback=_limit_memory,
    help="The memory that virtual drives may take, such as 2GiB. Default: what is free.",
)


@dataclass(frozen=True)
class DriveOptions:
    """What was said about the drive: its seed, and the consent to write (`drives/guard/consent.py`)."""

    seed: int | None
    size: str | None
    write_ok: bool
    serial: str | None
    allow: tuple[str, ...]


_DRIVE_OPTIONS = (
    click.option(
        "--seed",
        type=click.IntRange(0, 2**64 - 1),
        metavar="NUMBER",
        help="Seed of all random numbers in a virtual drive and its workloads. Default: 0.",
    ),
    click.option("--size", metavar="SIZE", help="Make the file with this size, such as 1GiB, when there is none."),
    click.option(
        "--write-ok", is_flag=True, help="Allow this file, or the space in this directory, to be overwritten."
    ),
    click.option("--serial", metavar="NUMBER", help="The block device's serial number: allows it to be overwritten."),
    click.option("--allow", multiple=True, metavar="RULE", help="Set aside one rule of the guard. May be repeated."),
)


def drive_options(command: Command) -> Callable[..., Any]:
    """Add the drive's options to a command, which gets them as one DriveOptions named `drive_options`."""

    @wraps(command)
    def with_options(*args: Any, **kwargs: Any) -> Any:
        taken = {field.name: kwargs.pop(field.name) for field in fields(DriveOptions)}
        return command(*args, drive_options=DriveOptions(**taken), **kwargs)

    wrapped: Callable[..., Any] = with_options
    for option in reversed(_DRIVE_OPTIONS):
        wrapped = option(wrapped)
    return memory_option(wrapped)


def run_options(command: Command) -> Callable[..., Any]:
    """Add --quiet and --yes to a command that runs something."""
    quiet = click.option("--quiet", "-q", is_flag=True, help="Show no progress and no plan on standard error.")
    yes = click.option(
        "--yes",
        is_flag=True,
        help="Write to a block device without asking; needed without a terminal.",
    )
    return quiet(yes(command))


charts_option = click.option(
    "--charts",
    "charts_directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write every chart as an SVG file of its own into this directory.",
)


budget_option = click.option(
    "--budget",
    multiple=True,
    metavar="AMOUNT",
    help="Write or take at most this: 500GB, 2fills, 20min. The experiments that tell most for it are run.",
)


def effort_options(command: Command) -> Callable[..., Any]:
    """Add --quick, --full and --read-only to a command, which gets them as one Effort named `effort`.

    Raises WrongUse when both --quick and --full are given.
    """

    @wraps(command)
    def with_effort(*args: Any, quick: bool, full: bool, read_only: bool, **kwargs: Any) -> Any:
        if quick and full:
            raise WrongUse("--quick and --full were both given", accepted="one of them, or neither")
        extent = Extent.QUICK if quick else Extent.FULL if full else Extent.STANDARD
        return command(*args, effort=Effort(extent, read_only), **kwargs)

    options = (
        click.option("--quick", is_flag=True, help="Fewer repeats and shorter runs. The report says what stays open."),
        click.option("--full", is_flag=True, help="Every measurement that the sources of an experiment made."),
        click.option("--read-only", is_flag=True, help="Write nothing. The report says what cannot be found that way."),
    )
    wrapped: Callable[..., Any] = with_effort
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped
