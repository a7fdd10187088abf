"""The data of a sector that says whose it is.

    0      8         16                               506      512
    | run  | address | payload, made from these two   | mark   |

Every sector stands for itself, so it is recognised wherever a drive puts it. The payload is random data, so a drive
that compresses or deduplicates cannot keep it in less space. The whole sector follows from run and address; one that
differs in any bit is nobody's. It ends with the mark by which a later run knows that flashscope wrote it.
"""

from __future__ import annotations

import numpy as np

from flashscope.drives.guard.contents.own_data import DATA_MARK
from flashscope.runner.hands.places.medium import OTHER, STAMPED_BYTES, ZEROS

_WORDS = STAMPED_BYTES // 8
_POOL_ROWS = 251  # a prime, so that neighbours take different rows
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # splitmix64
_MARK = np.uint64(int.from_bytes(DATA_MARK, "little") << 16)
_LOW = np.uint64(0xFFFF)


class SectorStamps:
    """Makes and recognises the sectors of one run. run: 64 bits, drawn for the run."""

    def __init__(self, run: int) -> None:
        self._run = np.uint64(run)
        self._pool = np.random.default_rng(run).integers(0, 2**64, (_POOL_ROWS, _WORDS), dtype=np.uint64)

    def data(self, addresses_bytes: np.ndarray) -> np.ndarray:
        """The sectors of these addresses: shape (sectors, words), 64 bits each."""
        addresses = addresses_bytes.astype(np.uint64)
        made: np.ndarray = self._pool[addresses // np.uint64(STAMPED_BYTES) % np.uint64(_POOL_ROWS)]
        made ^= self._keys(addresses)[:, None]
        made[:, 0] = self._run
        made[:, 1] = addresses
        made[:, -1] = (made[:, -1] & _LOW) | _MARK
        return made

    def addresses(self, data: memoryview | bytes) -> list[int]:
        """For each sector the address that it was made for, ZEROS or OTHER."""
        sectors = np.frombuffer(data, dtype="<u8").reshape(-1, _WORDS)
        found = np.full(len(sectors), OTHER, dtype=np.int64)
        found[~sectors.any(axis=1)] = ZEROS
        mine = np.flatnonzero((sectors[:, 0] == self._run) & (sectors[:, 1] < np.uint64(2**63)))
        whole = (sectors[mine] == self.data(sectors[mine, 1])).all(axis=1)
        found[mine[whole]] = sectors[mine[whole], 1].astype(np.int64)
        return [int(each) for each in found]

    def _keys(self, addresses: np.ndarray) -> np.ndarray:
        """One word for each sector, different for each address and run."""
        with np.errstate(over="ignore"):
            keys = (addresses ^ self._run) + _MIX[0]
            keys = (keys ^ (keys >> np.uint64(30))) * _MIX[1]
            keys = (keys ^ (keys >> np.uint64(27))) * _MIX[2]
            mixed: np.ndarray = keys ^ (keys >> np.uint64(31))
        return mixed
