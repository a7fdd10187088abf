"""The configuration of the drive on which laws are measured: the simplest possible one.

    one channel, one die, one pool | no buffer | a link and a controller that take (almost) no time | no bit errors

By default every mechanism is off or too fast to matter; a measurement switches on what it needs.

Nothing is modelled here. This is a document for the core (`crates/drive/src/ssd/config/`), which checks it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from flashscope import _core

KIB = 1024
_FAST_BYTES_PER_SECOND = 1_000_000_000_000  # the most the core accepts


@dataclass(frozen=True)
class FastCells:
    """A pSLC cache of so many blocks of each pool, and the times of its cells [ns].

    when_full: "past", host data goes to native blocks; or "fold", the oldest fast block is moved there first.
    """

    blocks: int
    when_full: str = "past"
    bits_per_cell: int = 4
    read_ns: int = 20_000
    program_ns: int = 200_000
    erase_ns: int = 1_000_000

    def timing(self) -> dict[str, Any]:
        """Their times, as the core has them."""
        return {
            "read_latency_ns": self.read_ns,
            "program_latency_ns": self.program_ns,
            "erase_latency_ns": self.erase_ns,
        }

    def cache(self) -> dict[str, Any]:
        """The cache that they make, as the core has it."""
        return {
            "bits_per_cell": self.bits_per_cell,
            "static_block_count": self.blocks,
            "when_full": self.when_full,
            "fold_delay_ns": 0,
        }


@dataclass(frozen=True)
class BenchConfiguration:
    """The configuration of a bench drive. Times in ns, sizes in bytes; `spare_ratio` is (T - U) / T.

    dies_per_channel: each a package of its own, each with a pool of blocks of its own, unless `superblock`.
    gc, bit_errors: further keys of the core's garbage collection settings and of its law of errors.
    ecc: the keys of an error-correcting code; without it every error is corrected and counted.
    fast_cells: a cache of blocks with one bit in a cell; without it all blocks are native.
    log_blocks: mapped by blocks, with so many log blocks that serve one data block each; 0: mapped by pages.
    """

    channels: int = 1
    dies_per_channel: int = 1
    blocks: int = 1024
    pages: int = 64
    page_bytes: int = 4 * KIB
    unit_bytes: int = 4 * KIB
    spare_ratio: float = 0.1
    read_ns: int = 50_000
    program_ns: int = 900_000
    erase_ns: int = 2_000_000
    bus_bytes_per_second: int = _FAST_BYTES_PER_SECOND
    link_bytes_per_second: int = _FAST_BYTES_PER_SECOND
    command_ns: int = 1
    queue_depth: int = 65_536
    buffer_bytes: int = 0
    policy: str = "greedy"
    choices: int = 1
    low_water_blocks: int = 1
    superblock: bool = False
    parity_stripe_pages: int = 0
    pacing: str = "blocking"
    fresh_error_ratio: float = 0.0
    wear_error_coefficient: float = 0.0
    wear_error_exponent: float = 1.0
    gc: dict[str, Any] = field(default_factory=dict)
    bit_errors: dict[str, float] = field(default_factory=dict)
    ecc: dict[str, Any] | None = None
    fast_cells: FastCells | None = None
    log_blocks: int = 0

    @property
    def dies(self) -> int:
        """Dies of the drive."""
        return self.channels * self.dies_per_channel

    @property
    def pools(self) -> int:
        """Groups of blocks that are collected on their own: the dies, or all of them together in superblocks."""
        return 1 if self.superblock else self.dies

    @property
    def units_per_block(self) -> int:
        """Units in a block of a pool, b of the laws: what is erased as one, less its parity."""
        pages = self.pages * (self.dies if self.superblock else 1)
        parity_pages = -(-pages // self.parity_stripe_pages) if self.parity_stripe_pages else 0
        return (pages - parity_pages) * (self.page_bytes // self.unit_bytes)

    @property
    def user_units(self) -> int:
        """Units the host can address, U."""
        return round(self.pools * self.blocks * self.units_per_block * (1 - self.spare_ratio))

    @property
    def transfer_ns(self) -> float:
        """Time of one page on its bus, tX [ns]."""
        return self.page_bytes * 1e9 / self.bus_bytes_per_second

    def build(self, seed: int) -> _core.Drive:
        """A new drive. Raises _core.ConfigRefused when the core does not know a mechanism."""
        return _core.Drive(json.dumps(self.to_core()), seed)

    def to_core(self) -> dict[str, Any]:
        """The core's configuration document."""
        return {
            "name": "bench",
            "model": "BENCH",
            "firmware": "1",
            **self._flash(),
            **self._errors(),
            **self._host_side(),
            **self._translation(),
            "smart": {"layout": "indilinx"},
        }

    def _flash(self) -> dict[str, Any]:
        fast = self.fast_cells
        return {
            "geometry": {
                "channels": self.channels,
                "packages_per_channel": self.dies_per_channel,
                "dies_per_package": 1,
                "planes_per_die": 1,
                "blocks_per_plane": self.blocks,
                "pages_per_block": self.pages,
                "page_bytes": self.page_bytes,
                "lockstep_packages": 1,
                "multiplane": False,
                "superblock": self.superblock,
            },
            "timing": {
                "read_latency_ns": self.read_ns,
                "program_latencies_ns": [self.program_ns],
                "erase_latency_ns": self.erase_ns,
                "bus_bytes_per_second": self.bus_bytes_per_second,
                "rated_pe_cycles": 3000,
                "pslc": fast and fast.timing(),
            },
            "pslc": fast and fast.cache(),
        }

    def _errors(self) -> dict[str, Any]:
        return {
            "bit_errors": {
                "fresh_ratio": self.fresh_error_ratio,
                "wear_coefficient": self.wear_error_coefficient,
                "wear_exponent": self.wear_error_exponent,
                **self.bit_errors,
            },
            "ecc": self.ecc,
        }

    def _host_side(self) -> dict[str, Any]:
        return {
            "link": {
                "bytes_per_second": self.link_bytes_per_second,
                "command_cost_ns": self.command_ns,
                "queue_depth": self.queue_depth,
            },
            "buffer": {
                "bytes": self.buffer_bytes,
                "acknowledge": "buffered" if self.buffer_bytes else "programmed",
                "sub_unit_writes": "buffered",
                "idle_flush_ns": 10**9,
            },
        }

    def _translation(self) -> dict[str, Any]:
        return {
            "capacity": {
                "user_bytes": self.user_units * self.unit_bytes,
                "initial_bad_block_count": 0,
                "reserved_block_count": 0,
            },
            "mapping": {"unit_bytes": self.unit_bytes},
            "log_blocks": self._log_blocks(),
            "parity": {"stripe_pages": self.parity_stripe_pages},
            "gc": {
                "policy": self.policy,
                "choices": self.choices,
                "low_water_blocks": self.low_water_blocks,
                "high_water_blocks": self.low_water_blocks + 1,
                "pacing": self.pacing,
                **self.gc,
            },
        }

    def _log_blocks(self) -> dict[str, Any] | None:
        if not self.log_blocks:
            return None
        return {"log_block_count": self.log_blocks, "association": "block", "interleaved": False}
