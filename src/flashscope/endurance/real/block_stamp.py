"""The stamp in every written block, so that a wrong block shows what happened to it.

    0        8         24        32           40                          size-8    size
|    | magic  | drive id | address | generation | payload, made from these  | checksums ||

A block identifies itself: its drive, its address, and how often this address had been written. The checksums cover the
whole block, so a torn block (half new, half old) counts as corrupted, never as old. They are CRC-32 and Adler-32, two
sums of different kinds, 64 bits together. The payload is incompressible except for the requested share, and no two
blocks are equal. It follows from the stamp, so the number of wrong bits can be counted.
"""

from __future__ import annotations

import enum
import zlib
from dataclasses import dataclass

import numpy as np

from flashscope.drives.guard.contents.own_data import STAMP_MAGIC

STAMP_BYTES = 40
_MAGIC = int.from_bytes(STAMP_MAGIC, "little")
_WORD = 8
_POOL_ROWS = 251  # a prime, so that neighbours and their next generations take different rows
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # splitmix64


class Kind(enum.StrEnum):
    """The state of a block that was read back.

    GOOD: as written. LOST: the generation before is there, so the last write never reached the flash. STALE: an older
    generation. NEWER: a generation that was never recorded here (the records are older than the drive). MISDIRECTED: a
    block of another address. FOREIGN: of another run or drive. UNWRITTEN: zeros. CORRUPTED: wrong checksums.
    UNREADABLE: the drive reports an error. UNSTABLE: two reads gave different data.
    """

    GOOD = "good"
    LOST = "lost"
    STALE = "stale"
    NEWER = "newer"
    MISDIRECTED = "misdirected"
    FOREIGN = "foreign"
    UNWRITTEN = "unwritten"
    CORRUPTED = "corrupted"
    UNREADABLE = "unreadable"
    UNSTABLE = "unstable"


@dataclass(frozen=True)
class Expected:
    """What a block should be. drive_id: 16 bytes. address_bytes: its place. generation: from 1, for that place."""

    drive_id: bytes
    address_bytes: int
    generation: int


@dataclass(frozen=True)
class Stamp:
    """The contents of a block's stamp; valid when its checksums fit."""

    drive_id: bytes
    address_bytes: int
    generation: int


class Stamper:
    """Makes and checks the blocks of one run.

    drive_id: 16 bytes, drawn for the run. block_bytes: a multiple of 512. compressible_ratio: share of each block that
    is zeros [0..0.95].
    """

    def __init__(self, drive_id: bytes, block_bytes: int, compressible_ratio: float = 0.0) -> None:
        assert len(drive_id) == 16
        assert block_bytes % 512 == 0
        self.drive_id = drive_id
        self.block_bytes = block_bytes
        self._words = block_bytes // _WORD
        self._halves = np.frombuffer(drive_id, dtype="<u8")
        seed = int.from_bytes(drive_id, "little")
        self._pool = np.random.default_rng(seed).integers(0, 2**64, (_POOL_ROWS, self._words), dtype=np.uint64)
        payload_words = self._words - STAMP_BYTES // _WORD - 1
        self._zeros = round(payload_words * compressible_ratio)

    def fill(self, buffer: memoryview, addresses_bytes: np.ndarray, generations: np.ndarray) -> None:
        """Stamp blocks into a buffer of exactly as many blocks. addresses_bytes, generations: one for each."""
        blocks = self._blocks(buffer)
        addresses, counts = addresses_bytes.astype(np.uint64), generations.astype(np.uint64)
        numbers = addresses // np.uint64(self.block_bytes)
        np.take(self._pool, (numbers + counts) % np.uint64(_POOL_ROWS), axis=0, out=blocks, mode="clip")
        np.bitwise_xor(blocks, self._keys(numbers, counts)[:, None], out=blocks)
        if self._zeros:
            blocks[:, -1 - self._zeros : -1] = 0
        blocks[:, 0] = _MAGIC
        blocks[:, 1:3] = self._halves
        blocks[:, 3] = addresses
        blocks[:, 4] = counts
        blocks[:, -1] = self._checks(buffer)

    def good(self, buffer: memoryview, addresses_bytes: np.ndarray, generations: np.ndarray) -> np.ndarray:
        """Which blocks of a buffer are as expected: shape (blocks,), bool."""
        blocks = self._blocks(buffer)
        fits: np.ndarray = (
            (blocks[:, 0] == _MAGIC)
            & (blocks[:, 1] == self._halves[0])
            & (blocks[:, 2] == self._halves[1])
            & (blocks[:, 3] == addresses_bytes.astype(np.uint64))
            & (blocks[:, 4] == generations.astype(np.uint64))
            & (blocks[:, -1] == self._checks(buffer))
        )
        return fits

    def block(self, address_bytes: int, generation: int) -> bytes:
        """One block as it is written."""
        made = bytearray(self.block_bytes)
        self.fill(memoryview(made), np.array([address_bytes]), np.array([generation]))
        return bytes(made)

    def wrong_bits(self, block: bytes, expected: Expected) -> int:
        """How many bits of a block differ from what was written there."""
        written = self.block(expected.address_bytes, expected.generation)
        return (int.from_bytes(block, "little") ^ int.from_bytes(written, "little")).bit_count()

    def _blocks(self, buffer: memoryview) -> np.ndarray:
        return np.frombuffer(buffer, dtype="<u8").reshape(-1, self._words)

    def _keys(self, numbers: np.ndarray, generations: np.ndarray) -> np.ndarray:
        """One word for each block, different for each address and generation."""
        with np.errstate(over="ignore"):
            keys = (numbers ^ (generations << np.uint64(40)) ^ self._halves[0]) + _MIX[0]
            keys = (keys ^ (keys >> np.uint64(30))) * _MIX[1]
            keys = (keys ^ (keys >> np.uint64(27))) * _MIX[2]
            mixed: np.ndarray = keys ^ (keys >> np.uint64(31))
        return mixed

    def _checks(self, buffer: memoryview) -> np.ndarray:
        size, flat = self.block_bytes, buffer.cast("B")
        return np.array(
            [checks(flat[start : start + size - _WORD]) for start in range(0, len(flat), size)], dtype=np.uint64
        )


def checks(data: memoryview | bytes) -> int:
    """CRC-32 and Adler-32 of some bytes as one number of 64 bits."""
    return zlib.crc32(data) | zlib.adler32(data) << 32


def stamp_of(block: bytes) -> Stamp | None:
    """The stamp of a block; None when its checksums do not fit."""
    words = np.frombuffer(block, dtype="<u8")
    if words[0] != _MAGIC or int(words[-1]) != checks(block[:-_WORD]):
        return None
    return Stamp(block[8:24], int(words[3]), int(words[4]))


def classify(block: bytes, expected: Expected) -> Kind:
    """The state of a block, compared with what is expected. Never UNREADABLE or UNSTABLE, which one read cannot show.

    A lost write is exactly one generation older than expected; a stale block is older than that.
    """
    if not any(block):
        return Kind.UNWRITTEN
    found = stamp_of(block)
    if found is None:
        return Kind.CORRUPTED
    if found.drive_id != expected.drive_id:
        return Kind.FOREIGN
    if found.address_bytes != expected.address_bytes:
        return Kind.MISDIRECTED
    behind = expected.generation - found.generation
    if behind == 0:
        return Kind.GOOD
    if behind < 0:
        return Kind.NEWER
    return Kind.LOST if behind == 1 else Kind.STALE
