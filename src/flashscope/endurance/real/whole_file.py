"""A small file replaced completely or not at all, and on stable storage on return."""

from __future__ import annotations

import os
from pathlib import Path

from flashscope.drives.system.durable import sync_folder
from flashscope.store.file.errors import StoreFailed


def write_whole(path: Path, content: bytes) -> None:
    """Replace the file at `path` by one of this content. Raises StoreFailed; then the old one is unchanged."""
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreFailed(
            f"{path} cannot be written: {error.strerror}", advice="make room there, or name another --store"
        ) from error
