"""Canaries: files beside a target whose every byte must be the same after a run as before it.

    canaries = Canaries(tmp_path)                 a folder full of files with look-alike names
    target = canaries.take("backup.img;old")      one of them is what a run may write to
    ... a run on target ...
    assert canaries.changed() == []               each of the others is what it was, and nothing was added

A name that a program could misread stands beside the name that it would then be read as: `backup.img;old` beside
`backup.img`, `${CANARY}.img` beside `expanded.img` (CANARY is set so in the environment of the run).
Contents are random, at the beginning and the end of each file; between them is a hole, so that files are as large as a
target and still cost nothing. Data that comes to lie in a hole is seen too.
Not watched: times and permissions of the files.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.own_data import own_data

MIB = 1024 * 1024
_RANDOM_BYTES = _PIECE_BYTES = 64 * 1024

ENVIRONMENT: Mapping[str, str] = {"CANARY": "expanded"}
"""What a run needs in its environment, so that a name with a variable would lead to a file that is there."""

READ_AS: Mapping[str, tuple[str, ...]] = {
    "backup.img;old": ("backup.img",),
    "disk #2.img": ("disk",),
    "x.img ": ("x.img",),
    " lead.img": ("lead.img",),
    "${CANARY}.img": ("expanded.img", ".img"),
    "$CANARY.img": ("expanded.img", ".img"),
    "$pagesize.img": ("4096.img",),
    "$ncpus.img": (f"{os.cpu_count()}.img",),
    "a:b.img": ("a", "b.img"),
    "c\\:d.img": ("c:d.img", "c"),
    "e,f.img": ("e",),
    "g=h.img": ("g",),
    "[global].img": ("global.img",),
    '"quoted".img': ("quoted.img",),
    "star*.img": ("star1.img",),
    "%s.img": ("s.img",),
    "--write.img": ("write.img",),
    "ünicode.img": ("unicode.img",),
}
"""A name -> the names that somebody who misreads it would come to."""

FOLDERS: Mapping[str, str] = {"dir #1": "dir", "mount;2": "mount", "${CANARY}": "expanded", "m:n": "m", "end ": "end"}
"""The same for folders; each holds files of its own."""

_IN_FOLDERS = ("test-file", "kept.txt")


class Canaries:
    """A folder full of files that nobody may change.

    folder: made when it is missing; what is in it already is watched as well. size_bytes: of each file [bytes].
    """

    def __init__(self, folder: Path, *, size_bytes: int = 16 * MIB) -> None:
        self.folder = folder
        self._taken: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        for name in dict.fromkeys([*READ_AS, *(other for others in READ_AS.values() for other in others)]):
            _plant(folder / name, size_bytes)
        for name in dict.fromkeys([*FOLDERS, *FOLDERS.values()]):
            (folder / name).mkdir(exist_ok=True)
            for inner in _IN_FOLDERS:
                _plant(folder / name / inner, size_bytes)
        self._were = dict(_look(folder))

    def take(self, name: str) -> Path:
        """The path of a file or folder that a run may do with as it likes. One that is not there yet may appear."""
        self._taken.add(name)
        return self.folder / name

    def changed(self) -> list[str]:
        """What is not as it was, one sentence each: a file that changed, is gone, or was not there before."""
        now = dict(_look(self.folder))
        found = []
        for name in sorted(self._were.keys() | now.keys()):
            if any(name == taken or name.startswith(f"{taken}/") for taken in self._taken):
                continue
            was, is_now = self._were.get(name), now.get(name)
            if was is None:
                found.append(f"{name!r} appeared")
            elif is_now is None:
                found.append(f"{name!r} is gone")
            elif was != is_now:
                found.append(f"{name!r} changed")
        return found


def digest(path: Path) -> str:
    """What a file holds, as a hash: its size, and where its data lie and what they are; holes cost nothing to read."""
    told = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        size_bytes = os.fstat(file.fileno()).st_size
        told.update(f"{size_bytes};".encode())
        pieces = {
            at // _PIECE_BYTES * _PIECE_BYTES
            for begin, end in _data(file.fileno(), size_bytes)
            for at in (*range(begin, end, _PIECE_BYTES), end - 1)
        }
        for at in sorted(pieces):  # whole pieces, so that only the bytes count and not how the file system keeps them
            piece = os.pread(file.fileno(), _PIECE_BYTES, at)
            if any(piece):
                told.update(f"{at};".encode() + piece)
    return told.hexdigest()


def _plant(path: Path, size_bytes: int) -> None:
    with path.open("xb") as file:
        file.write(own_data(min(_RANDOM_BYTES, size_bytes)))
        if size_bytes > 2 * _RANDOM_BYTES:
            file.seek(size_bytes - _RANDOM_BYTES)
            file.write(own_data(_RANDOM_BYTES))


def _look(folder: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Every entry below a folder: its name from there, and what it is."""
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        what: tuple[object, ...] = (stat.S_IFMT(status.st_mode),)
        if stat.S_ISREG(status.st_mode):
            what = (*what, status.st_ino, digest(path))
        elif stat.S_ISLNK(status.st_mode):
            what = (*what, os.readlink(path))
        elif stat.S_ISBLK(status.st_mode) or stat.S_ISCHR(status.st_mode):
            what = (*what, status.st_rdev)
        yield str(path.relative_to(folder)), what


def _data(handle: int, size_bytes: int) -> Iterator[tuple[int, int]]:
    """The stretches of a file that hold data, as its file system reports them."""
    at = 0
    while at < size_bytes:
        try:
            begin = os.lseek(handle, at, os.SEEK_DATA)
        except OSError:
            return  # nothing but a hole up to the end
        end = os.lseek(handle, begin, os.SEEK_HOLE)
        yield begin, end
        at = end
