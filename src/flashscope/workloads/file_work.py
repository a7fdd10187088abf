"""What programs do to files, without the places of the bytes.

    FileWork (a step)  =  programs that run at once
    program            =  operations, one after the other
    operation          =  create | read | copy | extract | delete; files are on the drive or in memory

On a mounted directory real processes do it (`runner/`). On a virtual drive, a model of a file system decides where each
cluster, file record and journal entry is, and a model of the host's cache decides when it is written.
"memory" is a place that costs no drive time: a RAM disk. An operation states its computing time only for a virtual
drive; a real process has its own.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

Place = Literal["drive", "memory"]

HostName = Literal["windows-xp", "windows-7"]
"""Which host works on a virtual drive: file manager, cache and file system (`file_system/host.py`)."""


@dataclass(frozen=True)
class File:
    """One file. path: relative, with "/" between folders. on: where it is. compressible_ratio: as in `Job`."""

    path: str
    size_bytes: int
    on: Place = "drive"
    compressible_ratio: float = 0.0


@dataclass(frozen=True)
class Create:
    """Write a new file from generated data."""

    file: File


@dataclass(frozen=True)
class Read:
    """Read a file from its beginning to its end, and drop the data."""

    file: File


@dataclass(frozen=True)
class Copy:
    """Read a file and write it elsewhere, as a file manager does; a new file of the same size."""

    source: File
    target: File


@dataclass(frozen=True)
class Extract:
    """Read an archive piece by piece, unpack each piece, write the files in it, in order.

    files: sizes sum to about the archive's. compute_ns_per_byte: of unpacked data, for a virtual drive [ns/byte].
    """

    archive: File
    files: tuple[File, ...]
    compute_ns_per_byte: float = 0.0


@dataclass(frozen=True)
class Delete:
    """Remove a file; its clusters are free, and the drive is told so when the file system trims."""

    file: File


Operation = Create | Read | Copy | Extract | Delete


@dataclass(frozen=True)
class Program:
    """One process. operations: in turn."""

    name: str
    operations: tuple[Operation, ...]

    @cached_property
    def written_bytes(self) -> int:
        """What it writes to the drive [bytes]. Counted once: plans ask often, and trees have thousands of files."""
        return sum(map(_written, self.operations))

    @cached_property
    def read_bytes(self) -> int:
        """What it reads from the drive [bytes]."""
        return sum(map(_read, self.operations))

    @cached_property
    def file_count(self) -> int:
        """How many files on the drive it opens, makes or removes; a copy counts as two."""
        return sum(map(_files, self.operations))

    def in_record(self) -> dict[str, Any]:
        """What a record keeps about it: a fingerprint instead of the tens of thousands of files of a tree."""
        counts = Counter(type(operation).__name__.lower() for operation in self.operations)
        return {
            "name": self.name,
            "operation_counts": dict(sorted(counts.items())),
            "bytes_to_write": self.written_bytes,
            "bytes_to_read": self.read_bytes,
            "sha256": hashlib.sha256(repr(self.operations).encode()).hexdigest(),
        }


def bytes_written(programs: tuple[Program, ...]) -> int:
    """What the programs write to the drive: file data, without the file system's own [bytes]."""
    return sum(program.written_bytes for program in programs)


def file_count(programs: tuple[Program, ...]) -> int:
    """How many files on the drive the programs open, make or remove; a copy counts as two."""
    return sum(program.file_count for program in programs)


def bytes_read(programs: tuple[Program, ...]) -> int:
    """What the programs read from the drive: file data, without the file system's own [bytes]."""
    return sum(program.read_bytes for program in programs)


def _files(operation: Operation) -> int:
    match operation:
        case Copy(source, target):
            touched: tuple[File, ...] = (source, target)
        case Extract(archive, files):
            touched = (archive, *files)
        case Create(file) | Read(file) | Delete(file):
            touched = (file,)
    return sum(file.on == "drive" for file in touched)


def _written(operation: Operation) -> int:
    match operation:
        case Create(file):
            return _on_drive(file)
        case Copy(_, target):
            return _on_drive(target)
        case Extract(_, files):
            return sum(_on_drive(file) for file in files)
    return 0


def _read(operation: Operation) -> int:
    match operation:
        case Read(file) | Copy(file, _):
            return _on_drive(file)
        case Extract(archive):
            return _on_drive(archive)
    return 0


def _on_drive(file: File) -> int:
    return file.size_bytes if file.on == "drive" else 0
