"""Where the files of programs are, which must exist before the programs begin, and how much room they take.

    Program(Copy(a -> b), Delete(a))    a: must exist before         room: a + b, at most
    Program(Create(c), Read(c))         c: made by the program       room: c

A source that no earlier operation of the same program makes is laid out beforehand, outside the measured time. A target
that still exists from an earlier step is removed beforehand, so that every target is new. An archive really holds its
files: stored, or deflated when the program says that unpacking computes or that the files are compressible.
Not modelled here: a program that waits for a file of another program; all sources exist before the programs begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from flashscope.errors import WrongUse
from flashscope.workloads.file_work import Copy, Create, Delete, Extract, File, Operation, Place, Program, Read

Key = tuple[Place, str]


@dataclass(frozen=True)
class Archive:
    """The members of an archive: (name, bytes, compressible ratio) in order. deflated: compressed, else stored."""

    members: list[tuple[str, int, float]]
    deflated: bool


@dataclass
class Layout:
    """Everything known about a step's files before it begins.

    before: files that must be there, in the order in which they are needed. targets: files that programs make.
    archives: those that must be real archives.
    """

    before: dict[Key, File] = field(default_factory=dict)
    targets: dict[Key, File] = field(default_factory=dict)
    archives: dict[Key, Archive] = field(default_factory=dict)


def key_of(file: File) -> Key:
    """The key of a file within its step. Raises WrongUse for a path that leads out of the run's own folder."""
    return file.on, _inner_path(file.path)


@lru_cache(1 << 16)  # a tree of files is laid out once for each step that works on it
def _inner_path(text: str) -> str:
    path = PurePosixPath(text)
    if path.is_absolute() or not path.parts or ".." in path.parts or "\0" in text:
        raise WrongUse(f"file {text!r} of a program lies outside the run's folder", accepted="a relative path")
    return str(path)


def lay_out(programs: tuple[Program, ...]) -> Layout:
    """The files that programs need and make. Raises WrongUse when a path leads out of the run's own folder."""
    layout = Layout()
    for program in programs:
        own: set[Key] = set()
        for operation in program.operations:
            for file in _needs(operation):
                key = key_of(file)
                if key not in own:
                    layout.before.setdefault(key, file)
            for file in _makes(operation):
                key = key_of(file)
                own.add(key)
                layout.targets[key] = file
            if isinstance(operation, Extract):
                layout.archives.setdefault(key_of(operation.archive), _archive(operation))
    _archives_that_are_copied(programs, layout)
    return layout


def room_needed_bytes(programs: tuple[Program, ...], layout: Layout, on: Place, cluster_bytes: int) -> tuple[int, int]:
    """The largest room that a step takes in one place [bytes], and the files that it makes there [count].

    cluster_bytes: every file takes whole clusters. Programs may reach their largest room at the same time.
    """
    files = [file for (place, _), file in layout.before.items() if place == on]
    highest = sum(_rounded(file, cluster_bytes) for file in files)
    count = len(files)
    for program in programs:
        now = peak = 0
        for operation in program.operations:
            made = [file for file in _makes(operation) if file.on == on]
            now += sum(_rounded(file, cluster_bytes) for file in made)
            count += len(made)
            peak = max(peak, now)
            if isinstance(operation, Delete) and operation.file.on == on:
                now -= _rounded(operation.file, cluster_bytes)
        highest += peak
    return highest, count


def plan_of(program: Program, layout: Layout) -> list[dict[str, Any]]:
    """The operations of a program as plain data for its process (`files/program.py`)."""

    def place(file: File) -> dict[str, Any]:
        return {
            "path": key_of(file)[1],
            "name": file.path,
            "drive": file.on == "drive",
            "size_bytes": file.size_bytes,
            "compressible_ratio": file.compressible_ratio,
        }

    plan: list[dict[str, Any]] = []
    for operation in program.operations:
        match operation:
            case Create(file):
                archive = layout.archives.get(key_of(file))
                kept = {"members": archive.members, "deflated": archive.deflated} if archive else {}
                plan.append({"do": "create", "file": place(file), **kept})
            case Read(file):
                plan.append({"do": "read", "file": place(file)})
            case Copy(source, target):
                plan.append({"do": "copy", "source": place(source), "target": place(target)})
            case Extract(archive=zipped, files=files):
                plan.append({"do": "extract", "archive": place(zipped), "files": [place(file) for file in files]})
            case Delete(file):
                plan.append({"do": "delete", "file": place(file)})
    return plan


def cold_bytes(programs: tuple[Program, ...], sizes: dict[Key, int]) -> int:
    """Bytes that must come from the drive when nothing is cached: files that are read before any program writes them.

    sizes: of the files as they are [bytes]. A file that two programs read counts once.
    """
    written = {key_of(file) for program in programs for operation in program.operations for file in _makes(operation)}
    read = {
        key_of(file)
        for program in programs
        for operation in program.operations
        if not isinstance(operation, Delete)
        for file in _needs(operation)
        if file.on == "drive"
    }
    return sum(sizes.get(key, 0) for key in read - written)


def _needs(operation: Operation) -> Iterator[File]:
    match operation:
        case Read(file) | Delete(file) | Copy(file, _) | Extract(file):
            yield file


def _makes(operation: Operation) -> Iterator[File]:
    match operation:
        case Create(file) | Copy(_, file):
            yield file
        case Extract(_, files):
            yield from files


def _archive(operation: Extract) -> Archive:
    computes = operation.compute_ns_per_byte > 0 or any(file.compressible_ratio > 0 for file in operation.files)
    return Archive([(file.path, file.size_bytes, file.compressible_ratio) for file in operation.files], computes)


def _archives_that_are_copied(programs: tuple[Program, ...], layout: Layout) -> None:
    """The source of a copy that is unpacked later is an archive too."""
    if not layout.archives:
        return
    sources: dict[Key, list[Key]] = defaultdict(list)
    for program in programs:
        for operation in program.operations:
            if isinstance(operation, Copy):
                sources[key_of(operation.target)].append(key_of(operation.source))
    waiting = list(layout.archives)
    while waiting:
        target = waiting.pop()
        for source in sources[target]:
            if source not in layout.archives:
                layout.archives[source] = layout.archives[target]
                waiting.append(source)


def _rounded(file: File, cluster_bytes: int) -> int:
    return -(-file.size_bytes // cluster_bytes) * cluster_bytes
