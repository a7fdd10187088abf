"""Day files as plain CSV on this disk, each ending with a whole line, for as long as a batch is read.

.csv             read where it is, when it ends with a line break
.csv, cut        copied without its last line
.csv.gz, .zip    unpacked into the batch's folder; also without a cut last line
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from flashscope.smart.archives.day_files import UNREADABLE, DayFile, NotRead

_COPY_BYTES = 1 << 20
LINE_BYTES_MOST = 1 << 20
"""No line of a day file is longer."""


@dataclass(frozen=True)
class LocalFile:
    """path: the CSV as it is to be read. cut_bytes: of its last line, which has no line break and is left out.

    has_points: a number in it may have a fraction, which DuckDB would round.
    """

    of: DayFile
    path: Path
    cut_bytes: int = 0
    has_points: bool = False

    def line_count(self) -> int:
        """Its lines, the headings included."""
        return _count(self.path, b"\n")


def local_files(files: Sequence[DayFile], folder: Path) -> tuple[list[LocalFile], list[NotRead]]:
    """Every file as plain CSV, and those that cannot be read to their end. folder: for what has to be unpacked."""
    found: list[LocalFile] = []
    refused: list[NotRead] = []
    for index, file in enumerate(files):
        try:
            local = _local(file, folder / f"{index}.csv")
            found.append(replace(local, has_points=_count(local.path, b".") > 0))
        except UNREADABLE as error:
            refused.append(NotRead(file.name, f"it cannot be read to its end: {error}"))
    return found, refused


def _local(file: DayFile, copy: Path) -> LocalFile:
    if not file.member and file.path.suffix.lower() != ".gz":
        cut_bytes = _cut_bytes(file.path)
        if not cut_bytes:
            return LocalFile(file, file.path)
    with file.opened() as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target, _COPY_BYTES)
    cut_bytes = _cut_bytes(copy)
    os.truncate(copy, copy.stat().st_size - cut_bytes)
    return LocalFile(file, copy, cut_bytes)


def _cut_bytes(path: Path) -> int:
    """Length of a last line without line break [bytes]."""
    with path.open("rb") as file:
        size_bytes = file.seek(0, os.SEEK_END)
        file.seek(max(0, size_bytes - LINE_BYTES_MOST))
        end = file.read()
    return len(end) - (end.rfind(b"\n") + 1)


def _count(path: Path, sign: bytes) -> int:
    """How often a byte stands in a file."""
    with path.open("rb") as file:
        return sum(part.count(sign) for part in iter(lambda: file.read(_COPY_BYTES), b""))
