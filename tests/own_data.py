"""Data such as flashscope writes itself, so the guard lets them be overwritten: for files that a test may write over.

What must not be written is made of it too: then it is spared because nobody wrote to it, and not because the guard
took its contents for somebody else's.
"""

from __future__ import annotations

import random

from flashscope.drives.guard.contents.own_data import DATA_MARK, SECTOR_BYTES


def own_data(size_bytes: int, *, seed: int | None = None) -> bytes:
    """Data without order whose sectors all bear the mark; a rest of less than a sector is zeros. seed: None for any."""
    content = bytearray(random.Random(seed).randbytes(size_bytes // SECTOR_BYTES * SECTOR_BYTES))
    for at, value in enumerate(DATA_MARK, start=SECTOR_BYTES - len(DATA_MARK)):
        content[at::SECTOR_BYTES] = bytes([value]) * (len(content) // SECTOR_BYTES)
    return bytes(content) + bytes(size_bytes - len(content))
