"""Programs become operations on blocks: the file system decides the places, the host the sizes.

    copy      look the source up, create the target, then chunk by chunk: read, copy in memory, write; close
    extract   per file of the archive: create, then piece by piece: read the archive, compute, write; close
    create    as copy without reading; read: without writing; delete: metadata, and a trim

Programs take turns, one file each, in getting clusters and records, so the files of parallel programs are next to each
other. The sizes of new files are known when they are created, as with Explorer and unpackers.
Files in memory cost only the processor's time for copying them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from flashscope.vocabulary import TraceOperation
from flashscope.workloads.file_system.file_system import Change, FileSystem, Node
from flashscope.workloads.file_system.host import Host
from flashscope.workloads.file_system.layout import CLUSTER_BYTES
from flashscope.workloads.file_system.trace import Trace
from flashscope.workloads.file_work import Copy, Create, Delete, Extract, File, Operation, Program, Read

_SECOND_NS = 10**9


def lower(programs: Sequence[Program], file_system: FileSystem, host: Host) -> Trace:
    """The operations of programs on a file system; afterwards it contains the files that they made.

    Raises WrongUse when a file is missing or there is no room.
    """
    files = _Files()
    writers = [_Writer(file_system, host, files) for _ in programs]
    turns = [writer.work(program.operations) for writer, program in zip(writers, programs, strict=True)]
    while turns:
        turns = [turn for turn in turns if next(turn, None)]
    operations = [np.frombuffer(writer.operations, np.uint64) for writer in writers]
    return Trace(
        user_bytes=file_system.user_bytes,
        sector_bytes=file_system.sector_bytes,
        programs=tuple(program.name for program in programs),
        program_ends=np.cumsum([len(own) // 4 for own in operations]).astype(np.uint64),
        operations=np.concatenate(operations) if operations else np.zeros(0, np.uint64),
        file_ends=np.array(files.ends, np.uint64),
        extents=np.array(files.extents, np.uint64),
        compressible=np.array(files.compressible, np.uint8),
    )


class _Files:
    """The files of a trace, each once."""

    def __init__(self) -> None:
        self.ends = array("Q")
        self.extents = array("Q")
        self.compressible = array("B")
        self._numbers: dict[int, int] = {}
        self._kept: list[Node] = []  # so that no two nodes share an identity

    def number(self, node: Node) -> int:
        """The index of a file in the trace."""
        known = self._numbers.get(id(node))
        if known is not None:
            return known
        for extent in node.extents:
            self.extents.extend(extent)
        self.ends.append(len(self.extents) // 2)
        self.compressible.append(round(node.compressible_ratio * 255))
        self._kept.append(node)
        self._numbers[id(node)] = len(self._numbers)
        return len(self._numbers) - 1


class _Writer:
    """Writes down the operations of one program."""

    def __init__(self, file_system: FileSystem, host: Host, files: _Files) -> None:
        self.operations = array("Q")
        self._file_system = file_system
        self._host = host
        self._files = files

    def work(self, operations: Sequence[Operation]) -> Iterator[bool]:
        """Write the operations down; yields True after each file, so that programs take turns."""
        for operation in operations:
            match operation:
                case Create(file):
                    self._move(None, file, self._host.program_chunk_bytes)
                case Read(file):
                    self._move(file, None, self._host.program_chunk_bytes)
                case Copy(source, target):
                    self._move(source, target, self._host.copy_chunk_bytes)
                case Extract():
                    yield from self._extract(operation)
                case Delete(file):
                    self._delete(file)
            yield True

    def _move(self, source: File | None, target: File | None, chunk_bytes: int) -> None:
        """Read and write a file, chunk by chunk; None: generated data, or data that is dropped."""
        reading = self._open(source) if source else None
        writing = self._create(target) if target else None
        size = max(file.size_bytes for file in (source, target) if file)
        for begin in range(0, size, chunk_bytes):
            length = min(chunk_bytes, size - begin)
            if source:
                self._read(reading, begin, length)
            if target:
                self._write(writing, begin, length)
        if writing:
            self._change(self._file_system.close(writing))

    def _extract(self, work: Extract) -> Iterator[bool]:
        """Read an archive and write the files in it; each file takes its share of the archive."""
        archive = self._open(work.archive)
        unpacked = sum(file.size_bytes for file in work.files)
        packed_per_byte = work.archive.size_bytes / max(unpacked, 1)
        done, read_to = 0, 0
        for file in work.files:
            target = self._create(file)
            for begin in range(0, file.size_bytes, self._host.program_chunk_bytes):
                length = min(self._host.program_chunk_bytes, file.size_bytes - begin)
                done += length
                packed_to = work.archive.size_bytes if done == unpacked else int(done * packed_per_byte)
                if packed_to > read_to:
                    self._read(archive, read_to, packed_to - read_to)
                    read_to = packed_to
                self._compute(round(length * work.compute_ns_per_byte))
                self._write(target, begin, length)
            if target:
                self._change(self._file_system.close(target))
            yield True

    def _open(self, file: File) -> Node | None:
        """Look a file up; None for one in memory."""
        self._compute(self._host.open_ns)
        if file.on == "memory":
            return None
        node = self._file_system.find(file.path)
        for offset, length in self._file_system.lookup_places(node):
            self._add(TraceOperation.READ_METADATA, 0, offset, length)
        return node

    def _create(self, file: File) -> Node | None:
        """A new file in place of an old one of the same path; None for one in memory."""
        self._compute(self._host.create_ns)
        if file.on == "memory":
            return None
        if file.path in self._file_system:
            self._delete(file)
        node, changes = self._file_system.create(file.path, file.size_bytes, file.compressible_ratio)
        self._add(TraceOperation.LOCK_RECORDS, 0, 0, 0)
        self._change(changes)
        return node

    def _delete(self, file: File) -> None:
        self._compute(self._host.delete_ns)
        if file.on == "memory":
            return
        node, changes = self._file_system.delete(file.path)
        self._add(TraceOperation.LOCK_RECORDS, 0, 0, 0)
        self._change(changes)
        if self._file_system.can_trim:
            for offset, length in node.extents:
                self._add(TraceOperation.TRIM, 0, offset, length)

    def _read(self, node: Node | None, begin: int, length: int) -> None:
        """A part of a file, in whole clusters that were not read before; data in the record came with it."""
        if node is None:
            self._compute(length * _SECOND_NS // self._host.memory_read_bytes_per_second)
            return
        if node.extents:
            self._part(TraceOperation.READ, node, begin, length)
        self._compute(length * _SECOND_NS // self._host.cache_copy_bytes_per_second)

    def _write(self, node: Node | None, begin: int, length: int) -> None:
        if node is None:
            self._compute(length * _SECOND_NS // self._host.memory_write_bytes_per_second)
            return
        self._compute(length * _SECOND_NS // self._host.cache_copy_bytes_per_second)
        if node.extents:
            self._part(TraceOperation.WRITE, node, begin, length)

    def _part(self, kind: int, node: Node, begin: int, length: int) -> None:
        first, end = _clusters(begin), min(_clusters(begin + length), node.stored_bytes)
        if end > first:
            self._add(kind, self._files.number(node), first, end - first)

    def _change(self, changes: list[Change]) -> None:
        for kind, offset, length in dict.fromkeys(changes):
            self._add(TraceOperation.CHANGE_METADATA, kind, offset, length)

    def _compute(self, needs_ns: int) -> None:
        if needs_ns:
            self._add(TraceOperation.COMPUTE, 0, 0, needs_ns)

    def _add(self, kind: int, file: int, begin: int, length: int) -> None:
        self.operations.extend((kind, file, begin, length))


def _clusters(count: int) -> int:
    """Rounded up to whole clusters [bytes]."""
    return -(-count // CLUSTER_BYTES) * CLUSTER_BYTES
