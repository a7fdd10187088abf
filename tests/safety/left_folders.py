"""Folders as killed runs leave them, for the tests of what becomes of them."""

import os
from pathlib import Path

from flashscope.drives.own_folders.leftovers import clear
from flashscope.drives.own_folders.own_folder import Kind, OwnFolder


def left(place: Path, kind: Kind = "run") -> Path:
    """A folder as a killed run leaves it: with something in it, its note, and nobody who holds the lock."""
    own = OwnFolder(place, kind)
    (own.path / "files" / "deep").mkdir(parents=True)
    (own.path / "files" / "deep" / "x").write_bytes(bytes(1000))
    own.close(remove=False)
    return own.path


def everything(place: Path) -> dict[str, object]:
    """All that is in a place, as far as somebody would miss it; of a volume its size, since a mount writes to it."""

    def what(path: Path) -> object:
        if path.is_symlink():
            return os.readlink(path)
        if path.name.startswith("volume-"):
            return path.stat().st_size
        return path.read_bytes() if path.is_file() else None

    return {str(path.relative_to(place)): what(path) for path in sorted(place.rglob("*"))}


def refused(place: Path) -> str:
    """Why what looks like a leftover is left; it is the only one in its place, and nothing of it changes."""
    before = everything(place)
    (found,) = clear(place)
    assert everything(place) == before
    assert found.state == "unproven", found
    return found.why
