"""The options of a repair, which `align` takes beside those of judging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from flashscope import units
from flashscope.drives.guard.consent import Consent
from flashscope.errors import WrongUse

_VERBS = ("plan", "apply", "resume", "undo")
_OF_ALIGN = ("sector_bytes", "as_json")  # typed of judging and of a repair alike
_USUAL_BOUNDARY = "1MiB"
_LEAST_BOUNDARY_BYTES = 4096


@dataclass(frozen=True)
class RepairOptions:
    """What was typed of a repair; see the options' help.

    sector_bytes: in which the table of an image counts; None as the image shows it. as_json: for programs. Both belong
    to all of `align`, which adds them.
    """

    plan: bool
    apply: bool
    resume: bool
    undo: bool
    boundary: str | None
    only: tuple[int, ...]
    journal: Path | None
    rate: str | None
    overwrite_gaps: bool
    overwrite_table: bool
    write_ok: bool
    serial: str | None
    allow: tuple[str, ...]
    yes: bool
    quiet: bool
    sector_bytes: int | None = None
    as_json: bool = False

    @property
    def consent(self) -> Consent:
        """What the owner agreed to."""
        return Consent(self.write_ok, self.serial, None, frozenset(self.allow))

    @property
    def boundary_bytes(self) -> int:
        """Starts become multiples of it [bytes]. Raises WrongUse for one at which 4 KiB units would be straddled."""
        typed = self.boundary or _USUAL_BOUNDARY
        boundary = int(units.parse(typed, "bytes", key="--to"))
        if boundary % _LEAST_BOUNDARY_BYTES or boundary == 0:
            raise WrongUse(
                f"--to is {typed}, which no drive with units of 4 KiB is aligned to",
                accepted="a multiple of 4 KiB, such as 1MiB",
                advice="nothing was written; 1 MiB, the default, suits every drive",
            )
        return boundary

    @property
    def rate_bytes_per_second(self) -> float:
        """The most that is moved in a second [bytes/s], 0 for no limit. Raises WrongUse."""
        if self.rate is None:
            return 0.0
        rate = float(units.parse(self.rate, "rate", key="--rate"))
        if rate <= 0:
            raise WrongUse(f"--rate is {self.rate}", accepted="a rate above 0, such as 50MB/s")
        return rate

    @property
    def verb(self) -> str:
        """The one verb that was given, empty for none.

        Raises WrongUse when there are several, or options of a repair without one.
        """
        given = [name for name in _VERBS if getattr(self, name)]
        if len(given) > 1:
            raise WrongUse(f"--{' and --'.join(given)} were given", accepted="one of them at a time")
        if given:
            return given[0]
        for name, typed in (("to", self.boundary), ("partition", self.only), ("journal", self.journal),
                            ("rate", self.rate), ("write-ok", self.write_ok), ("serial", self.serial),
                            ("allow", self.allow), ("yes", self.yes), ("overwrite-gaps", self.overwrite_gaps),
                            ("overwrite-table", self.overwrite_table)):  # fmt: skip
            if typed:
                raise WrongUse(f"--{name} is about a repair", accepted="--plan, --apply, --resume or --undo with it")
        return ""


_OPTIONS = (
    click.option("--plan", is_flag=True, help="Say exactly what a repair would do. Writes nothing."),
    click.option("--apply", is_flag=True, help="Move misaligned partitions to aligned starts; their data are kept."),
    click.option("--resume", is_flag=True, help="Go on with a repair that was cut short: Ctrl-C, kill, power cut."),
    click.option("--undo", is_flag=True, help="Go back with a repair that was cut short: all is as it was before."),
    click.option("--to", "boundary", metavar="SIZE", help="Repair: starts become multiples of it. Default: 1MiB."),
    click.option("--partition", "only", multiple=True, type=click.IntRange(1), metavar="NUMBER",
                 help="Repair: move no other partition. May be repeated."),
    click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="Repair: keep the journal in a new file on another disk. Default: in a free place of the disk."),
    click.option("--rate", metavar="RATE", help="Repair: move at most so much in a second, such as 50MB/s."),
    click.option("--overwrite-gaps", is_flag=True,
                 help="Repair: places that belong to no partition may be written over though they hold data."),
    click.option("--overwrite-table", is_flag=True,
                 help="--resume and --undo: the table was changed meanwhile; write it anew all the same."),
    click.option("--write-ok", is_flag=True, help="Repair: allow this image to be changed."),
    click.option("--serial", metavar="NUMBER", help="Repair: the device's serial number; allows it to be changed."),
    click.option("--allow", multiple=True, metavar="RULE", help="Repair: set aside one rule of the guard."),
    click.option("--yes", is_flag=True, help="Repair: change a device without asking; needed without a terminal."),
    click.option("--quiet", "-q", is_flag=True, help="Repair: show no plan and no progress on standard error."),
)  # fmt: skip


def repair_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a repair to a command, which gets them as one RepairOptions named `repair`."""

    @wraps(command)
    def with_options(*args: Any, **kwargs: Any) -> Any:
        taken = {field.name: kwargs.pop(field.name) for field in fields(RepairOptions) if field.name not in _OF_ALIGN}
        return command(*args, repair=RepairOptions(**taken), **kwargs)

    wrapped: Callable[..., Any] = with_options
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
