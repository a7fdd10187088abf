"""The data that programs write: the same in every run, and incompressible for a drive.

A pool of random bytes is drawn once from a fixed seed. Every write takes a slice of it that begins at another byte. So
no two aligned blocks are equal, and making the data costs the program no time.

    pool   [................................]
    write 1     [------------]                 start = 1 * step
    write 2              [------------]        start = 2 * step (mod what is left)

A compressible share is zeros at the end of each 4 KiB of the pool, as in fio.
Not modelled here: data that compresses like text; drives that find equal data at odd byte offsets.
"""

from __future__ import annotations

import os
import random
import zlib
from functools import cache
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

CHUNK_BYTES = 128 * 1024
"""Size of one read or write of a program [bytes]: as `cp`; file managers use about the same."""
_POOL_BYTES = 16 * 1024 * 1024
_STEP_BYTES = 1_040_387  # a prime, so that the starts repeat only after as many slices as the pool has bytes
_BLOCK_BYTES = 4096
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest time that zip can store: the same archive in every run


@cache
def _pool(compressible_percent: int) -> memoryview:
    drawn = random.Random(0x0F1A5).randbytes(_POOL_BYTES)
    if not compressible_percent:
        return memoryview(drawn)
    kept = _BLOCK_BYTES * (100 - compressible_percent) // 100
    zeros = bytes(_BLOCK_BYTES - kept)
    return memoryview(b"".join(drawn[at : at + kept] + zeros for at in range(0, _POOL_BYTES, _BLOCK_BYTES)))


class DataSource:
    """The bytes of one file, piece by piece. name: of the file; other names get other bytes."""

    def __init__(self, name: str, compressible_ratio: float = 0.0) -> None:
        self._pool = _pool(round(compressible_ratio * 100))
        self._at = zlib.crc32(name.encode())

    def take(self, length_bytes: int) -> memoryview:
        """The next piece, at most CHUNK_BYTES long."""
        self._at += 1
        start = self._at * _STEP_BYTES % (_POOL_BYTES - CHUNK_BYTES)
        return self._pool[start : start + length_bytes]


def make_archive(target: IO[bytes], members: list[tuple[str, int, float]], *, deflated: bool) -> int:
    """Write a zip file that holds these members (name, bytes, compressible ratio), in order; returns its size [bytes].

    target: a new file. deflated: compressed, else only stored.
    """
    method = ZIP_DEFLATED if deflated else ZIP_STORED
    with ZipFile(target, "w", method, compresslevel=1) as archive:
        for name, size_bytes, compressible_ratio in members:
            entry = ZipInfo(name, _LONG_AGO)
            entry.compress_type, entry.file_size = method, size_bytes
            source = DataSource(name, compressible_ratio)
            with archive.open(entry, "w") as member:
                for left in range(size_bytes, 0, -CHUNK_BYTES):
                    member.write(source.take(min(left, CHUNK_BYTES)))
    target.flush()
    return os.fstat(target.fileno()).st_size


def holds(file: IO[bytes], members: list[tuple[str, int, float]], *, deflated: bool) -> bool:
    """Whether a file is an archive of members of these sizes, kept in that way."""
    method = ZIP_DEFLATED if deflated else ZIP_STORED
    try:
        with ZipFile(file) as archive:
            inside = [(entry.file_size, entry.compress_type) for entry in archive.infolist()]
    except (OSError, BadZipFile):
        return False
    return inside == [(size_bytes, method) for _, size_bytes, _ in members]
