"""At the beginning of a run that writes: remove what killed runs left, and say so in one line on standard error."""

from __future__ import annotations

import click

from flashscope.drives.drive import RealDrive
from flashscope.drives.own_folders.leftovers import Found, clear, places
from flashscope.drives.real.directory import DirectoryDrive


def clear_leftovers(drive: RealDrive, *, destructive: bool, quiet: bool) -> None:
    """Remove what is left beside the drive (for fio's notes, in memory), and tell of it and of what was in the drive.

    destructive: the run writes; else nothing is removed here. quiet: tell nothing.
    """
    found: list[Found] = list(drive.cleared) if isinstance(drive, DirectoryDrive) else []
    for place in places() if destructive else ():
        found += clear(place)
    told = dict.fromkeys(each.words for each in found if each.state in ("removed", "unproven"))
    if told and not quiet:
        click.echo(f"note: {'; '.join(told)}", err=True)
