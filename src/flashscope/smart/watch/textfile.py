"""The text for node-exporter's textfile collector: whole or not at all, whenever it is read."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from flashscope.errors import DriveFailed, WrongUse


def check_textfile(path: Path) -> None:
    """Raises WrongUse when the collector would not read such a file, or its directory is missing."""
    if path.suffix != ".prom":
        raise WrongUse(f"--textfile is {path}", accepted="a name that ends in .prom; node-exporter reads no other")
    if not path.parent.is_dir():
        raise WrongUse(f"--textfile: there is no directory {path.parent}", advice="make it first, readable for all")


def write_textfile(path: Path, text: str) -> None:
    """Put the text in place by renaming. Readable for all, since node-exporter is another user.

    Raises DriveFailed when it cannot be written; the old file stays then.
    """
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise DriveFailed(f"the textfile {path} cannot be written: {error}") from None
