"""What is at the path of a result, after links: nothing, a regular file, or something that takes a stream.

    nothing, regular file     a file is put in place          (results.py)
    pipe, terminal, /dev/null and the like, "-", an open descriptor (/dev/stdout, /dev/fd/3)      written plainly
    block device, directory, any other device, a place under /dev, /proc or /sys                  refused

Links are followed, and the file that they lead to is checked. Only character devices that store nothing are written,
since others hold data (flash in /dev/mtd0, raw disks, memory).
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs.sqlite_files import Identity

ACCEPTED = "a new file, a regular file, a pipe, a terminal, or - for standard output"

_STANDARD_OUTPUT = 1
_OWN = {"-": _STANDARD_OUTPUT, "/dev/stdout": _STANDARD_OUTPUT, "/dev/stderr": 2}
_OWN_FOLDER = re.compile(rf"(?:/dev/fd|/proc/(?:self|thread-self|{os.getpid()})/fd)/(\d{{1,9}})")
_KERNELS_FOLDERS = ("/dev", "/proc", "/sys")
_SHARED_MEMORY = Path("/dev/shm")  # meant for everybody's files
_TERMINAL_MAJORS = (4, 5, *range(136, 144))
_MEMORY_MAJOR = 1
_KEEP_NOTHING = (3, 5, 7, 8, 9)  # null, zero, full, random, urandom


@dataclass(frozen=True)
class Place:
    """Where a result goes. named: as a person wrote it. path: absolute, without links; of a stream as named.

    status: of what is there; None when nothing is. descriptor: the open one that the name means, if any.
    """

    named: Path
    path: Path
    status: os.stat_result | None
    descriptor: int | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it is written directly, since there is no file to replace."""
        return self.descriptor is not None or (self.status is not None and not stat.S_ISREG(self.status.st_mode))

    @property
    def identity(self) -> Identity | None:
        """Device and inode of what is there."""
        return None if self.status is None else (self.status.st_dev, self.status.st_ino)


def find_place(named: Path) -> Place:
    """What is at a path, or at an open descriptor. Changes nothing. Raises WrongUse when no result may be there."""
    descriptor = own_descriptor(named)
    with _in_words(named):
        if descriptor is not None:
            place = Place(named, named, os.fstat(descriptor), descriptor)
        else:
            status = _status(named)
            is_plain = status is None or stat.S_ISREG(status.st_mode)
            place = Place(named, real_path(named) if is_plain else named, status)
        if place.status is not None:
            _refuse_what_is_no_file(place, place.status)
        if not place.is_stream:
            _check_where(place)
    return place


def find_folder(named: Path) -> Path:
    """A directory for results, existing or not, without links. Changes nothing. Raises WrongUse when impossible."""
    with _in_words(named):
        real = real_path(named)
        _check_where(Place(named, real / "result", None))
    return real


def real_path(named: Path) -> Path:
    """A path without links. Raises WrongUse when the kernel reaches another place through it.

    This happens with /proc/PID/root of a process that sees other file systems, and when the directory was exchanged.
    """
    with _in_words(named):
        real = Path(os.path.realpath(named))
        status = _status(named)
        if status is None:
            led = named
            while led.is_symlink():
                led = led.parent / led.readlink()
            same = os.path.samestat(os.stat(_nearest(led)), os.stat(_nearest(real)))
        else:
            same = os.path.samestat(status, os.stat(real))
    if not same:
        raise WrongUse(
            f"{_shown(named)} leads to a place that this process cannot name",
            accepted=ACCEPTED,
            advice="name another place",
        )
    return real


@contextlib.contextmanager
def _in_words(named: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WrongUse(
            f"{_shown(named)} cannot be used: {error.strerror}", accepted=ACCEPTED, advice="name another place"
        ) from error


def _check_where(place: Place) -> None:
    """Check that a file's directory is a directory, and may be written to. Raises WrongUse."""
    _refuse_kernels_folders(place)
    _refuse_without_permission(place)


def own_descriptor(named: Path) -> int | None:
    """The descriptor of this process that a name means: 1 for "-" and /dev/stdout, N for /dev/fd/N; None for others."""
    name = str(named)
    if name in _OWN:
        return _OWN[name]
    found = _OWN_FOLDER.fullmatch(name)
    return int(found[1]) if found else None


def _nearest(path: Path) -> Path:
    """The nearest directory above a path that exists."""
    for folder in path.parents:
        if _status(folder) is not None:
            return folder
    return Path("/")


def _is_kernels(folder: Path) -> bool:
    """Whether a file made in this directory would be among devices, or would be an object of the kernel."""
    shared = _status(_SHARED_MEMORY)
    if folder.is_relative_to(_SHARED_MEMORY) and shared is not None and shared.st_dev != os.stat("/dev").st_dev:
        return False
    if any(folder.is_relative_to(one) for one in _KERNELS_FOLDERS):
        return True
    devices = {found.st_dev for one in _KERNELS_FOLDERS if (found := _status(Path(one))) is not None}
    return os.stat(folder).st_dev in devices - {os.stat("/").st_dev}


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _refuse_what_is_no_file(place: Place, status: os.stat_result) -> None:
    mode, number = status.st_mode, status.st_rdev
    what = ""
    if stat.S_ISBLK(mode):
        what = "is a block device"
    elif stat.S_ISDIR(mode):
        what = "is a directory"
    elif stat.S_ISSOCK(mode) and place.descriptor is None:
        what = "is a socket"
    elif stat.S_ISCHR(mode) and not (_keeps_nothing(number) or _is_open_terminal(place.descriptor)):
        what = f"is a device ({os.major(number)}:{os.minor(number)}); it may hold data, unlike /dev/null"
    if what:
        advice = "name a file in it" if stat.S_ISDIR(mode) else "name another place; nothing was written to it"
        raise WrongUse(f"{_shown(place.named)} {what}", accepted=ACCEPTED, advice=advice)


def _keeps_nothing(number: int) -> bool:
    major, minor = os.major(number), os.minor(number)
    return major in _TERMINAL_MAJORS or (major == _MEMORY_MAJOR and minor in _KEEP_NOTHING)


def _is_open_terminal(descriptor: int | None) -> bool:
    return descriptor is not None and os.isatty(descriptor)


def _refuse_kernels_folders(place: Place) -> None:
    if _is_kernels(_nearest(place.path)):
        raise WrongUse(
            f"{_shown(place.named)} would be a file among devices or the kernel's own files ({place.path.parent})",
            accepted="a place outside /dev, /proc and /sys (/dev/shm is one), or a device that keeps nothing",
            advice="name another place",
        )


def _refuse_without_permission(place: Place) -> None:
    folder = _nearest(place.path)
    why = ""
    if not folder.is_dir():
        why = f"{folder} is not a directory"
    elif not os.access(folder, os.W_OK | os.X_OK):
        why = f"no permission to write to the directory {folder}"
    elif place.status is not None and _belongs_to_others(place.status, os.stat(folder)):
        why = f"it belongs to another user, and {folder} lets only owners replace files"
    if why:
        raise WrongUse(
            f"{_shown(place.named)} cannot be written: {why}",
            accepted="a file in a directory that may be written to",
            advice="name another place",
        )


def _belongs_to_others(file: os.stat_result, folder: os.stat_result) -> bool:
    me = os.geteuid()
    return bool(folder.st_mode & stat.S_ISVTX) and me not in (0, file.st_uid, folder.st_uid)


def _shown(path: Path) -> str:
    """A path for a message; one that is far too long is cut."""
    text = str(path).encode("utf-8", "replace").decode()
    return "standard output" if text == "-" else text if len(text) <= 300 else f"{text[:200]}... ({len(text)} letters)"
