"""flashscope's own data, recognised by the bytes alone: no store and no earlier run is asked.

    zeros, or ones in every bit      a sector that was never written, was trimmed or erased
    ... f5 "FSown" 00 ...            a sector written by fio for flashscope: the mark, and after it at most zeros
    "FSCPWEAR" ...                   the first sector of a stamped block of an endurance run, and the rest of that block

Every sector of 512 bytes shows whose it is, except in stamped blocks, which are recognised by their first sector. So a
drive that was filled, trimmed in part, or left by a killed run is never taken for somebody else's. Random data of
others carry the mark in one of 2^48 sectors.
Not recognised: what versions before this mark wrote with fio; a stamped block that begins in another piece.
"""

from __future__ import annotations

import numpy as np

SECTOR_BYTES = 512
DATA_MARK = b"\xf5FSown"
"""The mark in every sector that fio writes for flashscope."""
STAMP_MAGIC = b"FSCPWEAR"
"""The first bytes of every block that an endurance run writes."""
LARGEST_BLOCK_BYTES = 1 << 16
"""Of a stamped block. Blocks of all sizes begin at its multiples, and so must the pieces that are looked at."""

_LEAST_BLOCK_BYTES = 4096


def first_foreign(piece: bytes) -> int | None:
    """Where the first sector begins that is neither blank nor flashscope's own [bytes]; None when there is none.

    piece: some bytes of a drive, from a multiple of `LARGEST_BLOCK_BYTES` on.
    """
    if piece.count(0) == len(piece):
        return None
    padded = piece + bytes(-len(piece) % SECTOR_BYTES)
    sectors = np.frombuffer(padded, dtype=np.uint8).reshape(-1, SECTOR_BYTES)
    tail = np.frombuffer(DATA_MARK, dtype=np.uint8)
    unknown = np.flatnonzero((sectors[:, -len(tail) :] != tail).any(axis=1))  # nearly all of ours end with the mark
    unknown = unknown[~_is_one_byte(sectors[unknown])]
    if len(unknown):
        unknown = unknown[~_is_in_stamped_block(sectors, unknown)]
    for index in unknown.tolist():
        if not sectors[index].tobytes().rstrip(b"\0").endswith(DATA_MARK):
            return int(index) * SECTOR_BYTES
    return None


def _is_one_byte(sectors: np.ndarray) -> np.ndarray:
    """Which sectors are erased: zeros, or ones in every bit, as some flash reads when it is erased."""
    first = sectors[:, 0]
    erased: np.ndarray = ((first == 0) | (first == 0xFF)) & (sectors == first[:, None]).all(axis=1)
    return erased


def _is_in_stamped_block(sectors: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Which of some sectors lie in a stamped block. Blocks are as large as the least distance between two of them."""
    step = _LEAST_BLOCK_BYTES // SECTOR_BYTES
    magic = np.frombuffer(STAMP_MAGIC, dtype=np.uint8)
    begins = np.flatnonzero((sectors[::step, : len(magic)] == magic).all(axis=1)) * step
    if not len(begins):
        return np.zeros(len(which), dtype=bool)
    block = min([LARGEST_BLOCK_BYTES // SECTOR_BYTES, *np.diff(begins).tolist()])
    before = np.searchsorted(begins, which, side="right") - 1
    inside: np.ndarray = (before >= 0) & (which - begins[np.maximum(before, 0)] < block)
    return inside
