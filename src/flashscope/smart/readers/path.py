"""A dump in a file."""

from __future__ import annotations

import os
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.read import ACCEPTED, MOST_BYTES, read_dump, read_dumps


def read_path(path: str | os.PathLike[str]) -> Dump:
    """The dump in a file. Raises WrongUse when the file cannot be read, holds none, or holds several drives."""
    return read_dump(bytes_of(path), os.fspath(path))


def read_path_dumps(path: str | os.PathLike[str]) -> tuple[Dump, ...]:
    """All dumps in a file, in their order. Raises WrongUse when the file cannot be read or holds none."""
    return read_dumps(bytes_of(path), os.fspath(path))


def bytes_of(path: str | os.PathLike[str]) -> bytes:
    """What a file holds, no more than a dump can have. Raises WrongUse when it cannot be read."""
    name = os.fspath(path)
    try:
        if Path(path).is_dir():
            raise WrongUse(f"{name} is a directory", accepted="a file with one dump")
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except PermissionError:
        raise WrongUse(
            f"no permission to read {name}", accepted="a file you may read", advice="run as its owner or as root"
        ) from None
    except FileNotFoundError:
        raise WrongUse(f"there is no file {name}", accepted=ACCEPTED) from None
    except (OSError, ValueError) as error:
        raise WrongUse(f"{name} cannot be read: {error}", accepted=ACCEPTED) from None
