"""The day files of an archive: CSV files with a row for each drive and day, as Backblaze publishes them.

    folders, files, quarters as .zip --> day files: day, columns, fingerprint; or a name with the reason why not

A file's day is the date in its name (2024-03-25.csv). A file without one has the date of its first row, and may hold
several days. Nothing but the beginning and the end of a file is read here.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from io import BufferedIOBase
from pathlib import Path
from typing import IO

from flashscope.smart.fleets.files import fleet_files

NEEDED = ("date", "serial_number", "model", "failure")
"""Columns without which a file says nothing of a drive's life."""
SMART_COLUMN = re.compile(r"smart_(\d{1,3})_(raw|normalized)")
FIRST_DAY = date(2000, 1, 1)
"""No file of this shape is older."""
UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError)
"""What reading a damaged, encrypted or unknown archive raises."""

_NAME_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!.*\d{4}-\d\d-\d\d)")
_HEAD_BYTES = 64 << 10
_ENDS_BYTES = 64 << 10
_PLAIN_COLUMNS = {"capacity_bytes", *NEEDED}


@dataclass(frozen=True)
class DayFile:
    """One CSV file. path: it, or the .zip or .gz that holds it. member: its name within a .zip, else "".

    columns: its headings in their order, in lower case. day: from its name, None without one; begins: its day, else
    that of its first row. fingerprint: the same for the same content at the same size [bytes], whatever its name.
    quoted: its texts may stand in quotation marks.
    """

    path: Path
    member: str
    columns: tuple[str, ...]
    day: date | None
    begins: date
    size_bytes: int
    fingerprint: str
    quoted: bool = False

    @property
    def name(self) -> str:
        """Its name for a person."""
        return f"{self.path}:{self.member}" if self.member else str(self.path)

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """Its columns that are neither facts of a drive nor SMART attributes."""
        return tuple(one for one in self.columns if one not in _PLAIN_COLUMNS and attribute_of(one) is None)

    def opened(self) -> AbstractContextManager[BufferedIOBase | IO[bytes]]:
        """Its content as CSV, open as long as the context. Raises one of UNREADABLE."""
        return _opened(self.path, self.member)


@dataclass(frozen=True)
class NotRead:
    """A file that is not summarised, with the reason."""

    name: str
    reason: str


class _Unusable(Exception):
    """Why a file is no day file."""


def attribute_of(column: str) -> tuple[int, str] | None:
    """(attribute id, "raw" or "normalized") of a column; None when it is no SMART attribute's."""
    found = SMART_COLUMN.fullmatch(column)
    return (int(found[1]), found[2]) if found and 0 < int(found[1]) < 256 else None


def last_possible_day() -> date:
    """Tomorrow, for time zones ahead."""
    return date.today() + timedelta(days=1)


def find_day_files(named: Iterable[Path]) -> tuple[list[DayFile], list[NotRead]]:
    """All day files in what was named, those of the earliest days first; and all other files with the reason.

    Raises WrongUse when something that was named does not exist, or when there is no file at all.
    """
    found: list[DayFile] = []
    refused: list[NotRead] = []
    for path in fleet_files(named):
        for member, why in _members(path):
            name = f"{path}:{member}" if member else str(path)
            try:
                if why:
                    raise _Unusable(why)
                found.append(_day_file(path, member))
            except _Unusable as unusable:
                refused.append(NotRead(name, str(unusable)))
            except UNREADABLE as error:
                refused.append(NotRead(name, f"it cannot be read: {_words(error)}"))
    return sorted(found, key=lambda one: (one.begins, one.name)), refused


def _words(error: BaseException) -> str:
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return told or type(error).__name__


def _members(path: Path) -> Iterator[tuple[str, str]]:
    """(member, why it is no day file) of what a file holds; a plain file is its own member ""."""
    kind = path.name.lower()
    if not path.is_file():
        yield "", "it is not a file" if path.exists() else "it is gone"
    elif kind.endswith(".zip"):
        try:
            with zipfile.ZipFile(path) as archive:
                names = [one.filename for one in archive.infolist() if not one.is_dir()]
        except UNREADABLE as error:
            yield "", f"it cannot be read as a .zip: {_words(error)}"
            return
        if len(set(names)) < len(names):
            yield "", "it holds several files of one name"
            return
        for name in names:
            if not os.path.basename(name).startswith("."):  # what macOS adds
                yield name, "" if name.lower().endswith(".csv") else "its name does not end in .csv"
    else:
        yield "", "" if kind.endswith((".csv", ".csv.gz")) else "its name does not end in .csv, .csv.gz or .zip"


@contextmanager
def _opened(path: Path, member: str) -> Iterator[BufferedIOBase | IO[bytes]]:
    if member:
        with zipfile.ZipFile(path) as archive, archive.open(member) as unpacked:
            yield unpacked
    elif path.name.lower().endswith(".gz"):
        with gzip.open(path) as unzipped:
            yield unzipped
    else:
        with path.open("rb") as plain:
            yield plain


def _day_file(path: Path, member: str) -> DayFile:
    with _opened(path, member) as file:
        head = file.read(_HEAD_BYTES)
    columns, first_row = _beginning(head)
    day = _day_of_name(member or path.name)
    begins = day or _day_of_row(columns, first_row)
    size_bytes, fingerprint = _fingerprint(path, member)
    return DayFile(path, member, columns, day, begins, size_bytes, fingerprint, b'"' in head)


def _beginning(head: bytes) -> tuple[tuple[str, ...], list[str]]:
    """The headings, and the first row as far as it is there."""
    if not head.strip():
        raise _Unusable("it is empty")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:400]:
        raise _Unusable("it is no UTF-8 text; convert it first, such as with iconv -t UTF-8")
    line, _, rest = head.partition(b"\n")
    if not rest:
        raise _Unusable("it ends before its first row")
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _Unusable("its headings are no UTF-8 text") from None
    columns = tuple(one.strip().lower() for one in _cells(text))
    if missing := [one for one in NEEDED if one not in columns]:
        raise _Unusable(f"it has no column {', '.join(missing)}; a day file has {', '.join(NEEDED)}")
    if twice := sorted({one for one in columns if columns.count(one) > 1}):
        raise _Unusable(f"it has the column {', '.join(twice)} more than once")
    return columns, _cells(rest.partition(b"\n")[0].decode("utf-8", "replace"))


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r")]), [])
    except csv.Error:
        raise _Unusable("its first lines are no CSV") from None


def _day_of_name(name: str) -> date | None:
    found = _NAME_DAY.search(os.path.basename(name))
    if not found:
        return None
    day = _possible(found[0])
    if day is None:
        raise _Unusable(f"the day in its name, {found[0]}, cannot be true")
    return day


def _day_of_row(columns: tuple[str, ...], row: list[str]) -> date:
    told = row[columns.index("date")] if len(row) > columns.index("date") else ""
    day = _possible(told.strip())
    if day is None:
        raise _Unusable(f"neither its name nor its first row has a possible day (found {told[:20]!r})")
    return day


def _possible(text: str) -> date | None:
    try:
        day = date.fromisoformat(text[:10]) if re.match(r"\d{4}-\d\d-\d\d", text) else None
    except ValueError:
        return None
    return day if day is not None and FIRST_DAY <= day <= last_possible_day() else None


def _fingerprint(path: Path, member: str) -> tuple[int, str]:
    """Size of the content, or of the file where it is compressed [bytes], and what tells one content from another."""
    if member:
        with zipfile.ZipFile(path) as archive:
            told = archive.getinfo(member)
        return told.file_size, f"zip:{told.file_size}:{told.CRC:08x}"
    with path.open("rb") as file:
        size_bytes = file.seek(0, os.SEEK_END)
        file.seek(0)
        ends = file.read(_ENDS_BYTES)
        file.seek(max(0, size_bytes - _ENDS_BYTES))
        ends += file.read(_ENDS_BYTES)
    return size_bytes, f"file:{size_bytes}:{hashlib.blake2b(ends, digest_size=16).hexdigest()}"
