"""Results are written completely or not at all: all are checked before the first is written.

    a file     open its directory, link by link -> a new file beside it -> content, fsync -> still the same there?
               -> rename (a new one: link, which replaces nothing)
    a stream   the content, directly

Permissions and owner are those of any new file. A file with several names (hard links) is replaced under this name; the
other names keep the old content. Between the last check of an old file and the renaming there is a moment in which
another program can put its own file there. No existing file is opened for writing.
A kill in the middle leaves a file named `.flashscope-` and sixteen letters.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.forms import Form
from flashscope.outputs.places import Place, own_descriptor
from flashscope.outputs.replacing import OWN_FILES, Replacing, check_file
from flashscope.outputs.sqlite_files import Identity

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINKS_HERE = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_STANDARD_OUTPUT = 1


@dataclass(frozen=True)
class ResultFile:
    """A result and where it goes. path: as a person named it; "-" is standard output."""

    path: Path
    form: Form
    content: bytes


def write_result(result: ResultFile, replacing: Replacing = OWN_FILES) -> Path:
    """Write one result; returns its path as named. Raises WrongUse when it may not or cannot be written."""
    return write_results([result], replacing)[0]


def write_results(results: Sequence[ResultFile], replacing: Replacing = OWN_FILES) -> list[Path]:
    """Write results; returns their paths as named. Missing directories are made.

    Raises WrongUse when a result may not go to its place, and nothing was written; or when one cannot be written, and
    the file that was there is unchanged.
    """
    places = check_files([(result.path, result.form) for result in results], replacing)
    for place, result in zip(places, results, strict=True):
        content = result.form.stamp(result.content)
        assert result.form.made(content), f"{result.form.name} has no mark of ours"
        try:
            if place.is_stream:
                _pour(place, content, waits=result.form.waits)
            else:
                _put(place, content, is_for_all=result.form.is_for_all)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise WrongUse(
                f"{result.path} cannot be written: {error.strerror or error}",
                accepted="a file in a directory that may be written, on a disk with room",
                advice="name another place",
            ) from error
    return [result.path for result in results]


def check_files(files: Sequence[tuple[Path, Form]], replacing: Replacing) -> list[Place]:
    """The places of results. Changes nothing. Raises WrongUse when one is not allowed, or two are the same."""
    places = [check_file(path, form, replacing) for path, form in files]
    paths = [place.path for place in places if not place.is_stream]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        raise WrongUse(f"two results would be written to {twice}", accepted="a file for each")
    return places


def _put(place: Place, content: bytes, *, is_for_all: bool) -> None:
    folder = _open_folder(place.path.parent)
    name, fresh = place.path.name, f".flashscope-{os.urandom(8).hex()}"
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
        try:
            try:
                if is_for_all:
                    os.fchmod(handle, 0o644)
                _write_all(handle, content)
                os.fsync(handle)
            finally:
                os.close(handle)
            _into_place(place, folder, fresh, name)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(fresh, dir_fd=folder)
        _flush_folder(folder)
    finally:
        os.close(folder)


def _into_place(place: Place, folder: int, fresh: str, name: str) -> None:
    if _identity_at(folder, name) != place.identity:
        raise _changed(place)
    if place.identity is None:
        try:
            os.link(fresh, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            return
        except FileExistsError:
            raise _changed(place) from None
        except OSError as error:
            if error.errno not in _NO_LINKS_HERE:
                raise
    os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)


def _identity_at(folder: int, name: str) -> Identity | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _changed(place: Place) -> WrongUse:
    return WrongUse(
        f"{place.path} was made or exchanged by another program while a result was being written to it",
        accepted="a place where no other program writes",
        advice="what stands there was left as it is; name another place",
    )


def _open_folder(folder: Path) -> int:
    """A directory by its path without links, opened part by part so that none is followed; made when missing."""
    handle = os.open("/", _FOLDER)
    for part in folder.parts[1:]:
        try:
            try:
                below = os.open(part, _FOLDER, dir_fd=handle)
            except FileNotFoundError:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handle)
                below = os.open(part, _FOLDER, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def _flush_folder(folder: int) -> None:
    """Write the new name to stable storage, where permissions and the file system make that possible."""
    with contextlib.suppress(OSError):
        handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _pour(place: Place, content: bytes, *, waits: bool) -> None:
    if own_descriptor(place.named) == _STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    if place.descriptor is not None:
        _write_all(place.descriptor, content)
        return
    flags = os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC | (0 if waits else os.O_NONBLOCK)
    try:
        handle = os.open(place.path, flags)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise WrongUse(
            f"{place.path} is a pipe that no program reads", advice="first start the program that reads it"
        ) from None
    try:
        status = os.fstat(handle)
        if (status.st_dev, status.st_ino) != place.identity or stat.S_ISREG(status.st_mode):
            raise _changed(place)
        _write_all(handle, content)
    finally:
        os.close(handle)


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
