"""Day files as plain CSV on this disk, each ending with a whole line, for as long as a batch is read.

.csv             read where it is, when it ends with a line break
.csv, cut        copied without its last line
.csv.gz, .zip    unpacked into the batch's folder; also without a cut last line

Beside each stands its narrow text, with the columns that are followed alone (`narrow_texts.py`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from flashscope.smart.archives.day_files import UNREADABLE, DayFile, NotRead
from flashscope.smart.archives.engine import Limits, thread_count
from flashscope.smart.archives.narrow_texts import Narrow, narrowed

_COPY_BYTES = 1 << 20
LINE_BYTES_MOST = 1 << 20
"""No line of a day file is longer."""


@dataclass(frozen=True)
class LocalFile:
    """path: the CSV as it is to be read. cut_bytes: of its last line, which has no line break and is left out.

    text: what was seen when it was made narrow.
    """

    of: DayFile
    path: Path
    cut_bytes: int
    text: Narrow


def local_files(files: Sequence[DayFile], folder: Path, limits: Limits) -> tuple[list[LocalFile], list[NotRead]]:
    """Every file as plain CSV, and those that cannot be read to their end. folder: for what has to be written."""

    def local(numbered: tuple[int, DayFile]) -> LocalFile | NotRead:
        index, file = numbered
        try:
            path, cut_bytes = _local(file, folder / f"{index}.csv")
            return LocalFile(file, path, cut_bytes, narrowed(path, file.columns, folder / f"{index} narrow.csv"))
        except UNREADABLE as error:
            return NotRead(file.name, f"it cannot be read to its end: {error}")

    with ThreadPoolExecutor(thread_count(limits)) as pool:
        told = list(pool.map(local, enumerate(files)))
    return [one for one in told if isinstance(one, LocalFile)], [one for one in told if isinstance(one, NotRead)]


def _local(file: DayFile, copy: Path) -> tuple[Path, int]:
    """The file as plain CSV, and the length of its last line where that is left out [bytes]."""
    if not file.member and file.path.suffix.lower() != ".gz":
        cut_bytes = _cut_bytes(file.path)
        if not cut_bytes:
            return file.path, 0
    with file.opened() as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target, _COPY_BYTES)
    cut_bytes = _cut_bytes(copy)
    os.truncate(copy, copy.stat().st_size - cut_bytes)
    return copy, cut_bytes


def _cut_bytes(path: Path) -> int:
    """Length of a last line without line break [bytes]."""
    with path.open("rb") as file:
        size_bytes = file.seek(0, os.SEEK_END)
        file.seek(max(0, size_bytes - LINE_BYTES_MOST))
        end = file.read()
    return len(end) - (end.rfind(b"\n") + 1)
