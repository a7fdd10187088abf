"""The generation of every block: four bytes each, in a file beside the store, mapped into memory.

    file    | u4 | u4 | u4 | ...     block 0, 1, 2 ...        1 TB in blocks of 4 KiB: 977 MB on disk

0: never written by this run, so nothing is known of it. The highest bit: written since by somebody whose writes are not
verified (a fio job file), so what is there is unknown; the count goes on from where it was.
Pages reach the disk when the kernel likes; what counts is the journal, which is replayed over the map.
Not guarded here: rot of the disk that the map itself is on.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import numpy as np

from flashscope.errors import WrongUse

MOST_BYTES = 2 << 30
UNKNOWN = np.uint32(1 << 31)
_ENTRY_BYTES = 4


def map_bytes(block_count: int) -> int:
    """Size of the map of so many blocks [bytes]. Raises WrongUse when it passes MOST_BYTES."""
    size = block_count * _ENTRY_BYTES
    if size > MOST_BYTES:
        raise WrongUse(
            f"the map of {block_count} blocks would take {size / 1e9:.1f} GB",
            accepted=f"at most {MOST_BYTES / 1e9:.1f} GB",
            advice="take larger blocks (--block)",
        )
    return size


class GenerationMap:
    """The map of one run. Opened for `block_count` blocks; made, all zeros, by `create`."""

    def __init__(self, path: Path, block_count: int) -> None:
        wanted = map_bytes(block_count)
        if path.stat().st_size != wanted:
            raise WrongUse(
                f"{path} has {path.stat().st_size} bytes, and the run has {wanted}",
                advice="it was shortened or belongs to another run; put the right one back from a backup",
            )
        self._file = path.open("r+b")
        self._mapped = mmap.mmap(self._file.fileno(), wanted)
        self._values: np.ndarray = np.frombuffer(self._mapped, dtype="<u4")

    @classmethod
    def create(cls, path: Path, block_count: int) -> GenerationMap:
        """A map of zeros, whose room on the disk is taken at once. Raises WrongUse when there is none."""
        size = map_bytes(block_count)
        try:
            with path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, size)
                os.fsync(file.fileno())
        except OSError as error:
            path.unlink(missing_ok=True)
            raise WrongUse(
                f"the map of generations, {size / 1e6:.1f} MB, could not be made at {path}: {error.strerror}",
                advice="make room there, or name a store on another disk with --store",
            ) from error
        return cls(path, block_count)

    def known(self, blocks: np.ndarray | slice) -> np.ndarray:
        """Generations to be expected; 0 where nothing is known."""
        values = self._values[blocks]
        return np.where(values & UNKNOWN, np.uint32(0), values)

    def next(self, blocks: np.ndarray) -> np.ndarray:
        """The generations that the next writing of these blocks has."""
        following: np.ndarray = (self._values[blocks] & ~UNKNOWN) + np.uint32(1)
        return following

    def set(self, blocks: np.ndarray, generations: np.ndarray) -> None:
        """These blocks have these generations now."""
        self._values[blocks] = generations

    def forget(self, first: int, count: int) -> None:
        """What a stretch of blocks holds is unknown from now on."""
        self._values[first : first + count] |= UNKNOWN

    def written_blocks(self, chunk: int = 1 << 22) -> int:
        """How many blocks something is known of."""
        count = len(self._values)
        return sum(int(np.count_nonzero(self.known(slice(at, at + chunk)))) for at in range(0, count, chunk))

    def flush(self) -> None:
        """Have all of it on stable storage."""
        self._mapped.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file. Closing twice does no harm."""
        self._values = np.zeros(0, dtype=np.uint32)
        if not self._mapped.closed:
            self._mapped.close()
            self._file.close()
