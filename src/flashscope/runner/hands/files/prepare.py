"""Prepares the folders of a step before its programs begin: sources laid out, old targets removed.

    folders held --drives/held/beneath.py--> real archives, files of the right size, no targets

Every file is reached from a folder that is held, so nothing is written elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from zipfile import is_zipfile

from flashscope.drives.held.beneath import Beneath
from flashscope.drives.held.held import Held
from flashscope.runner.hands.files.data import CHUNK_BYTES, DataSource, holds, make_archive
from flashscope.runner.hands.files.layout import Archive, Key, Layout
from flashscope.runner.hands.hands import OnProgress
from flashscope.workloads.file_work import File, Place


@contextmanager
def reached(folders: Mapping[Place, Held]) -> Iterator[dict[Place, Beneath]]:
    """The files below each folder, for as long as the block lasts."""
    found: dict[Place, Beneath] = {place: Beneath(folder.handle) for place, folder in folders.items()}
    try:
        yield found
    finally:
        for beneath in found.values():
            beneath.close()


def prepare(layout: Layout, places: Mapping[Place, Beneath], on_progress: OnProgress) -> dict[Key, int]:
    """Lay sources out and remove old targets; returns the sizes of the sources as they are [bytes]."""
    for place, name in layout.targets:
        if (place, name) not in layout.before and places[place].size_bytes(name) is not None:
            places[place].unlink(name)
    sizes = {}
    for (place, name), file in layout.before.items():
        _lay_out(places[place], name, file, layout.archives.get((place, name)))
        sizes[place, name] = places[place].size_bytes(name) or 0
        on_progress(0, 0)
    return sizes


def bytes_in(folder: Held | None) -> int:
    """Size of all files in a folder and below [bytes]; 0 without a folder."""
    if folder is None:
        return 0
    return sum(
        os.stat(name, dir_fd=inner, follow_symlinks=False).st_size
        for _, _, names, inner in os.fwalk(".", dir_fd=folder.handle)
        for name in names
    )


def _lay_out(place: Beneath, name: str, file: File, archive: Archive | None) -> None:
    found_bytes = place.size_bytes(name)
    if found_bytes is not None:
        with os.fdopen(place.open(name), "rb") as there:
            if archive is not None and holds(there, archive.members, deflated=archive.deflated):
                return
            if archive is None and (found_bytes == file.size_bytes or is_zipfile(there)):
                return
    with os.fdopen(place.make(name), "w+b") as target:
        if archive is not None:
            make_archive(target, archive.members, deflated=archive.deflated)
            return
        source = DataSource(file.path, file.compressible_ratio)
        for left in range(file.size_bytes, 0, -CHUNK_BYTES):
            target.write(source.take(min(left, CHUNK_BYTES)))
