"""The files of a fleet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from flashscope.errors import WrongUse


def fleet_files(named: Iterable[Path]) -> list[Path]:
    """All files that were named, and all below folders that were named, each once, in the order of their paths.

    Hidden files and folders below a named folder are left out; links to folders are not followed, so that a folder is
    never read twice. Raises WrongUse when something named does not exist, or when there is no file at all.
    """
    found: dict[Path, None] = {}
    for path in named:
        if path.is_dir():
            found.update(dict.fromkeys(sorted(_below(path))))
        elif os.path.lexists(path):
            found[path] = None
        else:
            raise WrongUse(f"there is no {path}", accepted="folders and files with dumps of SMART")
    if not found:
        raise WrongUse("there is no file in what was named", accepted="folders and files with dumps of SMART")
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    for directory, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith(".")]
        yield from (Path(directory, one) for one in files if not one.startswith("."))
