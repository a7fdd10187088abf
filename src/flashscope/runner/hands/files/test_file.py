"""The file in a run's folder that fio loads when jobs run on a directory, held from the moment it is made.

It grows to the end of the jobs' span before they begin. Parts that jobs will read are written first, since the file
system itself would answer reads of parts that were never written. Parts that jobs only write are reserved but not
written, so that the drive wears no more than necessary.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence

from flashscope.drives.held.held import Held
from flashscope.errors import DriveFailed
from flashscope.runner.hands.files.data import CHUNK_BYTES, DataSource
from flashscope.workloads.job import Job

NAME = "test-file"
_ALIGN_BYTES = 4096


def new_test_file(folder: Held) -> Held:
    """A new and empty file in the run's folder. Raises DriveFailed when it cannot be made."""
    try:
        return Held.take(folder.name / NAME, os.O_RDWR | os.O_CREAT, folder=folder)
    except OSError as error:
        raise DriveFailed(
            f"the test file {folder.name / NAME} could not be made: {error.strerror}",
            advice="check whether the file system still takes writes",
        ) from error


def make_ready(file: Held, jobs: Sequence[Job], on_progress: Callable[[int, int], None]) -> int:
    """Prepare the file for the jobs; returns the bytes that were written.

    on_progress: called with (0, 0) now and then; its exceptions pass. Raises DriveFailed when the file cannot be
    prepared, or when something else has its name now.
    """
    span_bytes = max(job.offset_bytes + job.size_bytes for job in jobs)
    written_bytes = 0
    file.check()
    try:
        if file.was.size_bytes < span_bytes:
            _reserve(file.handle, -(-span_bytes // _ALIGN_BYTES) * _ALIGN_BYTES)
            file.as_it_is_now()
        for job in jobs:
            if job.reads:
                begin, end = job.offset_bytes, job.offset_bytes + job.size_bytes
                written_bytes += _fill(file.handle, begin, end, on_progress)
        os.fsync(file.handle)
        os.posix_fadvise(file.handle, 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError as error:
        raise DriveFailed(
            f"the test file {file.name} could not be made with {span_bytes} bytes: {error.strerror}",
            advice="give a smaller --size, or free some space",
        ) from error
    return written_bytes


def _reserve(handle: int, size_bytes: int) -> None:
    try:
        os.posix_fallocate(handle, 0, size_bytes)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
            raise
        os.ftruncate(handle, size_bytes)


def _fill(handle: int, begin: int, end: int, on_progress: Callable[[int, int], None]) -> int:
    """Write the parts between two offsets that were never written; returns the bytes written."""
    written_bytes = 0
    for hole_begin, hole_end in list(_unwritten(handle, begin, end)):
        source = DataSource(f"{NAME} {hole_begin}")
        for at in range(hole_begin, hole_end, CHUNK_BYTES):
            os.pwrite(handle, source.take(min(CHUNK_BYTES, hole_end - at)), at)
            written_bytes += min(CHUNK_BYTES, hole_end - at)
            if (at - hole_begin) // CHUNK_BYTES % 256 == 0:
                on_progress(0, 0)
    return written_bytes


def _unwritten(handle: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts never written, reserved ones included, as the file system reports them."""
    at = begin
    while at < end:
        hole = os.lseek(handle, at, os.SEEK_HOLE)
        if hole >= end:
            return
        try:
            data = min(end, os.lseek(handle, hole, os.SEEK_DATA))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            data = end  # nothing but holes up to the end
        yield hole, data
        at = data
