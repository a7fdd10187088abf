"""Small virtual drives for tests, built from nothing but the numbers a test is about."""

import json
from typing import Any

from flashscope import _core
from flashscope.vocabulary import GcPolicy
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.jobs_json import to_json

UNIT_BYTES = 4096


class Bench:
    """A page-mapped drive with one pool, 4 KiB pages and no buffer, and the jobs to run on it."""

    def __init__(
        self,
        *,
        blocks: int,
        pages: int,
        spare: float,
        low_water: int = 1,
        policy: GcPolicy = "greedy",
        choices: int = 1,
    ) -> None:
        user_units = round(blocks * pages * (1 - spare))
        self.configuration: dict[str, Any] = {
            "name": "bench",
            "model": "BENCH",
            "firmware": "1",
            "geometry": {
                "channels": 1,
                "packages_per_channel": 1,
                "dies_per_package": 1,
                "planes_per_die": 1,
                "blocks_per_plane": blocks,
                "pages_per_block": pages,
                "page_bytes": UNIT_BYTES,
                "lockstep_packages": 1,
                "multiplane": False,
                "superblock": False,
            },
            "timing": {
                "read_latency_ns": 50_000,
                "program_latencies_ns": [900_000],
                "erase_latency_ns": 2_000_000,
                "bus_bytes_per_second": 40_960_000,
                "rated_pe_cycles": 3000,
            },
            "bit_errors": {"fresh_ratio": 0.0, "wear_coefficient": 0.0, "wear_exponent": 1.0},
            "capacity": {
                "user_bytes": user_units * UNIT_BYTES,
                "initial_bad_block_count": 0,
                "reserved_block_count": 0,
            },
            "link": {"bytes_per_second": 409_600_000, "command_cost_ns": 5_000, "queue_depth": 32},
            "buffer": {
                "bytes": 0,
                "acknowledge": "programmed",
                "sub_unit_writes": "buffered",
                "idle_flush_ns": 10**9,
            },
            "mapping": {"unit_bytes": UNIT_BYTES},
            "gc": {
                "policy": policy,
                "choices": choices,
                "low_water_blocks": low_water,
                "high_water_blocks": low_water + 1,
                "pacing": "blocking",
            },
            "smart": {"layout": "indilinx"},
        }
        self.core = _core.Drive(json.dumps(self.configuration), 1)

    @property
    def user_units(self) -> int:
        """Units the host can address."""
        return self.core.user_bytes // UNIT_BYTES

    def write_randomly(self, drive_fills: float) -> dict[str, int]:
        """Uniform 4 KiB random writes; returns what every counter rose by."""
        before = self.core.counters()
        sizes = BlockSizes(weighted=((UNIT_BYTES, 100.0),), align_bytes=UNIT_BYTES)
        job = Job(
            "random",
            "randwrite",
            write_sizes=sizes,
            io_bytes=int(drive_fills * self.user_units) * UNIT_BYTES,
            random_map=False,
            queue_depth=16,
        )
        run = self.core.start(to_json([job]), 10**12)
        assert run.advance(self.core, 2**62)
        assert run.result()[3]["failed_requests"] == 0
        return {name: value - before[name] for name, value in self.core.counters().items()}
