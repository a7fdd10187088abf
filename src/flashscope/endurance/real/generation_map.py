"""The generation of every block: four bytes each, in a file beside the store.

    file    | u4 | u4 | u4 | ...  | mark |     block 0, 1, 2 ...        1 TB in blocks of 4 KiB: 977 MB on disk

0: never written by this run, so its contents are unknown. The highest bit: written later, but not verified
(a fio job file), so its contents are unknown; the count continues.
Read and written by ordinary calls, never mapped into memory: when the file system fails, a call returns an error, but
an access to a mapped page would end the process. The kernel's cache holds as much of it as free memory permits.
The journal decides; it is replayed over the map. The mark identifies the file under another name; old maps have no
mark. Not protected here: bit rot of the disk that holds the map.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np

from flashscope.errors import WrongUse
from flashscope.store.file.disk_words import words_of
from flashscope.store.file.errors import StoreFailed

MARK = b"flashscope generations 1\n"
MOST_BYTES = 2 << 30
UNKNOWN = np.uint32(1 << 31)
_ENTRY_BYTES = 4
_PIECE_BLOCKS = 1 << 20


def map_bytes(block_count: int) -> int:
    """Size of a map of this many blocks, without its mark [bytes]. Raises WrongUse when it exceeds MOST_BYTES."""
    size = block_count * _ENTRY_BYTES
    if size > MOST_BYTES:
        raise WrongUse(
            f"the map of {block_count} blocks would take {size / 1e9:.1f} GB",
            accepted=f"at most {MOST_BYTES / 1e9:.1f} GB",
            advice="take larger blocks (--block)",
        )
    return size


class GenerationMap:
    """The map of one run. Opened for `block_count` blocks; made, all zeros, by `create`.

    Every call raises StoreFailed when the disk fails.
    """

    def __init__(self, path: Path, block_count: int) -> None:
        self._path, self._count = path, block_count
        wanted = map_bytes(block_count)
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise WrongUse(
                f"the map of generations {path} cannot be opened: {words_of(error)[0]}",
                advice="put it back from a backup, or set the run aside",
            ) from error
        size = os.fstat(self._handle).st_size
        if size not in (wanted, wanted + len(MARK)):
            os.close(self._handle)
            raise WrongUse(
                f"{path} has {size} bytes, and the run has {wanted + len(MARK)}",
                advice="it was shortened or belongs to another run; put the right one back from a backup",
            )

    @classmethod
    def create(cls, path: Path, block_count: int) -> GenerationMap:
        """A map of zeros, with its disk space allocated. Raises WrongUse when there is not enough space."""
        size = map_bytes(block_count)
        try:
            with path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, size + len(MARK))
                os.pwrite(file.fileno(), MARK, size)
                os.fsync(file.fileno())
        except OSError as error:
            path.unlink(missing_ok=True)
            raise WrongUse(
                f"the map of generations, {size / 1e6:.1f} MB, could not be made at {path}: {words_of(error)[0]}",
                advice="make room there, or name a store on another disk with --store",
            ) from error
        return cls(path, block_count)

    def known(self, blocks: np.ndarray | slice) -> np.ndarray:
        """The expected generations; 0 where nothing is known."""
        values = self._read(blocks)
        return np.where(values & UNKNOWN, np.uint32(0), values)

    def next(self, blocks: np.ndarray) -> np.ndarray:
        """The generations of these blocks after their next write."""
        following: np.ndarray = (self._read(blocks) & ~UNKNOWN) + np.uint32(1)
        return following

    def set(self, blocks: np.ndarray, generations: np.ndarray) -> None:
        """These blocks, each named once, have these generations now."""
        order, firsts, ends = _stretches(blocks)
        self._write(firsts, ends, generations[order].astype("<u4").tobytes())

    def forget(self, first: int, count: int) -> None:
        """From now on, the contents of these blocks are unknown."""
        for at in range(first, first + count, _PIECE_BLOCKS):
            end = min(at + _PIECE_BLOCKS, first + count)
            self._write([at], [end - at], (self._read_stretch(at, end) | UNKNOWN).astype("<u4").tobytes())

    def flush(self) -> None:
        """Flush the map to stable storage."""
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close the file. Closing twice does no harm."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _read(self, blocks: np.ndarray | slice) -> np.ndarray:
        if isinstance(blocks, slice):
            first, end, _ = blocks.indices(self._count)
            return self._read_stretch(first, end)
        order, firsts, ends = _stretches(blocks)
        handle, at, parts = self._handle, 0, []
        try:
            for first, end in zip(firsts, ends, strict=True):  # many short ones: nothing but the call in here
                parts.append(os.pread(handle, (end - at) * _ENTRY_BYTES, first * _ENTRY_BYTES))
                at = end
        except OSError as error:
            raise self._failed(error) from error
        read = b"".join(parts)
        if len(read) != len(blocks) * _ENTRY_BYTES:
            raise self._failed(OSError(errno.EIO, "it was shortened"))
        found = np.empty(len(blocks), dtype=np.uint32)
        found[order] = np.frombuffer(read, dtype="<u4")
        return found

    def _read_stretch(self, first: int, end: int) -> np.ndarray:
        values = np.empty(max(end - first, 0), dtype="<u4")
        view, done = values.view(np.uint8).data, 0
        try:
            while done < len(view):
                got = os.preadv(self._handle, [view[done:]], first * _ENTRY_BYTES + done)
                if got <= 0:
                    raise OSError(errno.EIO, "it was shortened")
                done += got
        except OSError as error:
            raise self._failed(error) from error
        return values

    def _write(self, firsts: list[int], ends: list[int], data: bytes) -> None:
        """Write stretches of blocks. ends: where each ends in the data, which is as one after the other."""
        handle, at, written = self._handle, 0, 0
        try:
            for first, end in zip(firsts, ends, strict=True):
                written += os.pwrite(handle, data[at * _ENTRY_BYTES : end * _ENTRY_BYTES], first * _ENTRY_BYTES)
                at = end
        except OSError as error:
            raise self._failed(error) from error
        if written != len(data):
            raise self._failed(OSError(errno.ENOSPC, "not all of it was taken"))

    def _failed(self, error: OSError) -> StoreFailed:
        cause, advice = words_of(error)
        return StoreFailed(
            f"the map of generations {self._path} cannot be read or written: {cause}",
            advice=f"{advice}, then go on with --resume; the journal holds what is missing in the map",
        )


def _stretches(blocks: np.ndarray) -> tuple[np.ndarray, list[int], list[int]]:
    """The order in which blocks rise, and their stretches in it: the first block of each, and where it ends."""
    order = np.argsort(blocks, kind="stable")
    ordered = blocks[order]
    ends = np.append(np.flatnonzero(np.diff(ordered) != 1) + 1, len(ordered))[: len(ordered)]
    begins = np.append(0, ends[:-1])[: len(ordered)]
    return order, ordered[begins].tolist(), ends.tolist()
