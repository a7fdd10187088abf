"""Bench drives side by side as one, behind a host whose controller takes no time and whose bus has a limit.

    host's bus --+-- member 0 (a bench drive)
                 +-- member 1
                 '-- ...                          chunks are dealt in turn

Nothing is modelled here; the stripe is in the core (`crates/drive/src/stripe/`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from flashscope import _core
from flashscope.reproduce.bench_configuration import KIB, BenchConfiguration

_FAST_BYTES_PER_SECOND = 1_000_000_000_000  # the most the core accepts


@dataclass(frozen=True)
class BenchStripe:
    """The configuration of a bench stripe.

    member: each of the drives. drives: how many. chunk_bytes: dealt to one before the next one follows.
    host_bytes_per_second: of the bus that the data of all members shares.
    """

    member: BenchConfiguration
    drives: int
    chunk_bytes: int = 64 * KIB
    host_bytes_per_second: int = _FAST_BYTES_PER_SECOND

    @property
    def unit_bytes(self) -> int:
        """Bytes that are mapped together."""
        return self.member.unit_bytes

    @property
    def user_units(self) -> int:
        """Units the host can address: whole chunks of each member."""
        chunks = self.member.user_units * self.unit_bytes // self.chunk_bytes
        return self.drives * chunks * self.chunk_bytes // self.unit_bytes

    def build(self, seed: int) -> _core.Drive:
        """A new stripe. Raises _core.ConfigRefused when the core refuses a member or the chunk."""
        member = json.dumps(self.member.to_core())
        return _core.Drive.striped([member] * self.drives, seed, self.chunk_bytes, self.host_bytes_per_second, 0)
