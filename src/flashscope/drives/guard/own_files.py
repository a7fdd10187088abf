"""Which of flashscope's own files a run could overwrite: gathered for the rule `store`, as plain data.

    the store of this run      the file, what stands beside it, its ledgers: by device and inode, under any name
    any other store, ledger    by a mark in the target, or by where it lies (outputs/kept.py)

Changes nothing. Not recognised here: part of another store that was renamed and has no mark (an -shm file, or a map of
generations from before maps had a mark).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.guard.target import Target
from flashscope.drives.system.view import FileIdentity, SystemView
from flashscope.outputs.kept import BESIDE_STORE, LEDGERS_SUFFIX, kept_as


@dataclass(frozen=True)
class OwnFiles:
    """The files of flashscope that a run could overwrite.

    identities: of all files of this run's store. places: where they lie, links followed; a drive that holds any of them
    holds results. target_is: which file of flashscope the target, or the file under it, is ("it is a store of
    flashscope"); empty when it is none.
    """

    identities: frozenset[FileIdentity] = frozenset()
    places: tuple[str, ...] = ()
    target_is: str = ""


def find_own_files(target: Target, view: SystemView, store_path: Path | None) -> OwnFiles:
    """Find these files. store_path: of this run, None when it keeps no results."""
    files = list(_files_of(Path(os.path.realpath(store_path)))) if store_path is not None else []
    places = dict.fromkeys(os.path.realpath(one if one.is_dir() else one.parent) for one in files)
    identities = [_identity(path) for path in files]
    return OwnFiles(frozenset(one for one in identities if one is not None), tuple(places), _kept(target, view))


def _files_of(store_path: Path) -> Iterator[Path]:
    """A store, what stands beside it, and all that is in its folder of ledgers, links followed."""
    for suffix in ("", *BESIDE_STORE):
        yield Path(f"{store_path}{suffix}")
    seen = set()
    for folder, names, files in os.walk(f"{store_path}{LEDGERS_SUFFIX}", followlinks=True):
        seen.add(os.path.realpath(folder))
        names[:] = [name for name in names if os.path.realpath(os.path.join(folder, name)) not in seen]
        yield Path(folder)
        yield from (Path(folder, name) for name in files)


def _kept(target: Target, view: SystemView) -> str:
    """Which file of flashscope the target is, or for a block device, which one lies under it."""
    if target.wants == "block device":
        under = view.touched_by_writing(target.block_name) if target.block_name else frozenset()
        named = {Path(view.blocks[name].backing_file) for name in under if view.blocks[name].backing_file}
        found = [f"{path} lies under it, and {kept_as(path)}" for path in sorted(named) if kept_as(path)]
        return found[0] if found else ""
    path = Path(os.path.realpath(target.path))
    # A run makes folders inside a directory, so the question is what a new entry in that directory would be.
    return kept_as(path / "in it") if target.kind == "directory" else kept_as(path)


def _identity(path: Path) -> FileIdentity | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
