"""What a result may replace: files that flashscope made; others only with --force; stores and drives never.

The check is made twice: before a run, so that hours of measuring are not lost because of a wrong name, and when the
result is written.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.forms import HEAD_BYTES, TAIL_BYTES, Form
from flashscope.outputs.kept import BESIDE_STORE, LEDGERS_SUFFIX, kept_as
from flashscope.outputs.places import Place, find_folder, find_place, real_path
from flashscope.outputs.sqlite_files import Identity


@dataclass(frozen=True)
class Precious:
    """A file that no result of this command replaces. what: as in "PATH is ..."; identity: when it has one by itself.

    Compared are its path, the path after links, and device and inode.
    """

    what: str
    path: Path
    identity: Identity | None = None

    @classmethod
    def store(cls, path: Path) -> tuple[Precious, ...]:
        """The store of the run with all files beside it, existing or not."""
        real = real_path(path)
        beside = [real.with_name(real.name + suffix) for suffix in (*BESIDE_STORE, LEDGERS_SUFFIX)]
        return (
            cls("the store of the results", real),
            *(cls(f"part of the store {real}", one) for one in beside),
        )

    def is_at(self, place: Place) -> bool:
        """Whether a place is this file, or in this folder."""
        if place.descriptor is None and place.path.is_relative_to(self.path):
            return True
        if place.identity is None:
            return False
        if place.identity == self.identity:
            return True
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return place.identity == (status.st_dev, status.st_ino)


@dataclass(frozen=True)
class Replacing:
    """What results may replace. force: also files that flashscope did not make. never: not even with force."""

    force: bool = False
    never: tuple[Precious, ...] = ()


OWN_FILES = Replacing()
"""Files that flashscope made, and nothing else."""


def check_file(named: Path, form: Form, replacing: Replacing) -> Place:
    """The place of a result. Changes nothing. Raises WrongUse when it may not be written there."""
    place = find_place(named)
    for precious in replacing.never:
        if precious.is_at(place):
            raise _refused(named, f"it is {precious.what}")
    if place.is_stream:
        _check_stream(place, form)
        return place
    found = kept_as(place.path)
    if found:
        raise _refused(named, found)
    if place.status is not None and not replacing.force and not is_ours(place.path, form):
        raise WrongUse(
            f"{named} exists, and is not {form.name} that flashscope made",
            accepted=f"a new file, or {form.name} that flashscope made",
            advice="name another file, or replace this one with --force",
        )
    return place


def check_folder(named: Path, replacing: Replacing) -> None:
    """Check that results may go into a directory, which is made when missing; each file in it is checked separately.

    Changes nothing. Raises WrongUse when it is no directory, may not be written to, or is the kernel's.
    """
    inside = Place(named, find_folder(named) / "result", None)
    if any(precious.is_at(inside) for precious in replacing.never):
        raise _refused(named, "it is part of the store of the results")
    found = kept_as(inside.path)
    if found:
        raise _refused(named, found)


def is_ours(path: Path, form: Form) -> bool:
    """Whether a regular file has the mark of its form. Raises WrongUse when it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
            size_bytes = file.seek(0, os.SEEK_END)
            file.seek(max(0, size_bytes - TAIL_BYTES))
            return form.is_ours(head, file.read(TAIL_BYTES))
    except OSError as error:
        raise WrongUse(f"{path} exists and cannot be read: {error.strerror}", advice="name another file") from error


def _check_stream(place: Place, form: Form) -> None:
    if not form.takes_streams:
        raise WrongUse(
            f"{form.name} cannot be written to {place.named}, which is not a regular file",
            accepted="a new file, or a regular one",
        )
    if place.descriptor is None and not os.access(place.path, os.W_OK):
        raise WrongUse(f"no permission to write to {place.named}", advice="name another place")
    if place.descriptor is not None:
        real = Path(os.path.realpath(f"/proc/self/fd/{place.descriptor}"))
        found = kept_as(real) if real.is_file() else ""
        if found:
            raise _refused(place.named, found)


def _refused(named: Path, why: str) -> WrongUse:
    return WrongUse(
        f"{named} will not be replaced by a result: {why}",
        accepted="a new file, or a file that flashscope made as a result",
        advice="name another file; --force does not lift this",
    )
