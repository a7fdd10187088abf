"""Where a store may be, checked before SQLite opens it: SQLite writes to any file that it is given.

    nothing there             no journal either: SQLite would delete it, or apply it to the new file
    a regular file            a store of that kind, or empty; its -wal, -shm, -journal and -running are regular files
    a block device, a pipe, a directory, a place among devices                              refused

So a database of another program is refused and not changed, nor are its journals.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.kept import BESIDE_STORE, RUNNING_SUFFIX
from flashscope.outputs.places import Place, find_place
from flashscope.outputs.sqlite_files import Header, is_connected, is_side_file, read_header

_ELSEWHERE = "name another file with --store"


def check_before_opening(path: Path, judge: Callable[[Header, Path], object]) -> Place:
    """Where a store is or will be, links followed. judge: raises WrongUse for what is no store of its kind.

    Changes nothing. Raises WrongUse when no store may be there, OSError when the file cannot be read.
    """
    place = find_place(path)
    if place.is_stream:
        raise WrongUse(
            f"the store {path} is no regular file", accepted="a new file, or a store", advice=_ELSEWHERE
        )  # fmt: skip
    if place.identity is not None and is_connected(place.identity):
        return place
    if place.status is not None:
        found = read_header(place.path)
        if found is None:
            raise WrongUse(f"{path} is not a store: it is no SQLite file", advice=_ELSEWHERE)
        judge(found, path)
    for suffix in BESIDE_STORE:
        _check_beside(place, place.path.with_name(place.path.name + suffix))
    return place


def _check_beside(place: Place, beside: Path) -> None:
    """Refuse files beside a store that SQLite would wrongly take for its own."""
    try:
        status = os.lstat(beside)
    except FileNotFoundError:
        return
    why = ""
    if not stat.S_ISREG(status.st_mode):
        why = "is no regular file"
    elif beside.name.endswith(RUNNING_SUFFIX):
        return  # only held, never read or written
    elif not place.path.exists():  # checked again: another program may be making the store
        why = "is there, without the store that it belongs to"
    elif not is_side_file(beside):
        why = "is another program's file"
    if why:
        raise WrongUse(
            f"{beside} {why}; SQLite would change or delete it for the store {place.named}",
            accepted="a store whose name with -wal, -shm or -journal is free, or SQLite's own",
            advice=_ELSEWHERE,
        )
