"""A report's files appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from flashscope.errors import WrongUse


def write_whole(path: Path, content: bytes) -> Path:
    """Write `content` to `path` so that no reader ever sees half of it; missing directories are made.

    Returns the path. Raises WrongUse when the place cannot be written; an older file there stays as it was.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files nobody else may read; a report is as readable as any new file.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise WrongUse(
            f"{path} cannot be written: {error.strerror or error}",
            accepted="a file in a directory that may be written, on a disk with room",
            advice="name another place",
        ) from error
    return path


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    current = os.umask(0o077)
    os.umask(current)
    return current
