"""Lives of virtual drives, as the learner never sees them: what was written, what the flash did, drawn from a seed.

    part --small copy--> core: a load for each interval --> growth for each byte of the host
         --as long as the interval lasts--> rows of a life: hours, bytes, erases, cycles, temperature

A small copy has the part's policies and fewer blocks in each plane. One interval's load is simulated for about one fill
of the copy, after it has settled; its rates then hold for the whole interval. Write amplification, the spread of wear
and their changes with the load are so the drive's own; nothing here is chosen by what the learner expects.
Not modelled here: blocks that fail, loss of charge.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from functools import cache

import numpy as np

from flashscope import _core
from flashscope.drives.parts.part import load_part
from flashscope.records import FIRST_STATE_OUT_OF_USE
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.jobs_json import to_json

MIB = 1 << 20
CONTROLLERS = {
    "c300-256": "micron",
    "intel-520": "sandforce",
    "jmf602-32": "jmicron",
    "k5-64": "indilinx",
    "micron-7450-max-800": "micron-nvme",
    "mobi3000": "mobi",
    "mtron-3535-16": "mtron",
    "onyx-32": "indilinx",
    "thnsns-120": "sandforce",
    "vertex-30": "indilinx",
    "vertex2-60": "sandforce",
    "x25m-80": "intel-x25",
    "x25v-40": "intel-x25",
}
"""Parts of which a small copy can be made, and whose controller each has: relatives are kept on one side of a split."""

_BLOCKS, _BLOCKS_OF_LOGS, _PAGES = 128, 512, 64
"""Of a copy: blocks in a plane, where data lie in log blocks as well, pages in a block."""
_BEING_FILLED = 6
"""Blocks of each plane that are kept free or are being filled: as many in a copy as in the part, so they are added."""
_REQUESTS = 12_000


@dataclass(frozen=True)
class Row:
    """One reading of a life: since the drive was new. Erase counts are of its blocks; total: of all of them."""

    hours: float
    host_bytes: float
    nand_bytes: float
    read_bytes: float
    write_commands: float
    erases_mean: float
    erases_min: float
    erases_max: float
    power_cycles: int
    power_losses: int
    celsius: int


@dataclass(frozen=True)
class History:
    """A life. user_bytes: of the drive. block_count: in use. fills: written between first and last row."""

    part: str
    user_bytes: int
    block_count: int
    rows: tuple[Row, ...]

    @property
    def fills(self) -> float:
        """Fills of the drive written between the first and the last row."""
        return (self.rows[-1].host_bytes - self.rows[0].host_bytes) / self.user_bytes


@dataclass(frozen=True)
class _Rates:
    """Growth for each byte that the host writes."""

    nand: float
    commands: float
    erases_mean: float
    erases_min: float
    erases_max: float


@cache
def _copy(part: str) -> str:
    """The configuration of a small copy of a part."""
    document = json.loads(load_part(part).to_core_json())
    geometry, capacity = document["geometry"], document["capacity"]
    blocks = _BLOCKS_OF_LOGS if "log_blocks" in document else _BLOCKS
    smaller = max(1, geometry["blocks_per_plane"] // blocks) * max(1, geometry["pages_per_block"] // _PAGES)
    geometry["blocks_per_plane"] = min(geometry["blocks_per_plane"], blocks)
    geometry["pages_per_block"] = min(geometry["pages_per_block"], _PAGES)
    for key in ("user_bytes", "initial_bad_block_count", "reserved_block_count", "spare_block_count"):
        capacity[key] //= smaller
    sizes = ("channels", "packages_per_channel", "dies_per_package", "planes_per_die")
    planes = math.prod(geometry[key] for key in sizes)
    being_filled = _BEING_FILLED * planes * geometry["pages_per_block"] * geometry["page_bytes"]
    capacity["user_bytes"] = (capacity["user_bytes"] - being_filled) // MIB * MIB
    return json.dumps(document)


def history(part: str, seed: int, *, reading_count: int, fills: float) -> History:
    """A life of a part: so many readings, between which about so many fills of the drive are written."""
    rng = random.Random(f"{part} {seed}")
    core = _core.Drive(_copy(part), seed & 0xFFFF_FFFF)
    user = rng.choice((32, 64, 120, 128, 240, 250, 256, 480, 500, 512, 960, 1000, 1920, 2000, 4000)) * 10**9
    raw_ratio = core.raw_bytes / core.user_bytes
    habit = rng.choice(("client", "client", "client", "server", "order"))
    _run(core, _job(core, rng, "order", whole=True))
    row = _early_life(rng, user, raw_ratio)
    rows = [row]
    parts = [rng.expovariate(1) * (rng.random() > 0.12) for _ in range(reading_count - 1)]
    scale = fills * user / (sum(parts) or 1)
    for part_ratio in parts:
        rates = _rates(core, rng, habit if rng.random() < 0.8 else rng.choice(("client", "server", "order")))
        row = _after(row, rng, rates, part_ratio * scale * core.user_bytes / user, user / core.user_bytes)
        rows.append(row)
    blocks = round(user * raw_ratio / (rng.choice((1, 2, 4, 8, 16)) * MIB))
    return History(part, user, blocks, tuple(rows))


def _early_life(rng: random.Random, user: int, raw_ratio: float) -> Row:
    """The drive before the first reading."""
    host = math.exp(rng.uniform(math.log(0.3), math.log(300))) * user
    nand = host * math.exp(abs(rng.gauss(0.3, 0.4)))
    mean = nand / (user * raw_ratio)
    hours = rng.uniform(50, 9000)
    cycles = rng.randint(3, 2500)
    return Row(
        hours, host, nand, host * math.exp(rng.gauss(0, 1)), host / rng.uniform(12e3, 150e3),
        mean, mean * rng.uniform(0.5, 0.99), mean * rng.uniform(1.02, 1.6) + 1,
        cycles, int(cycles * rng.uniform(0.01, 0.4)), rng.randint(24, 45),
    )  # fmt: skip


def _after(row: Row, rng: random.Random, rates: _Rates, copy_bytes: float, larger: float) -> Row:
    """The row after an interval in which the copy's host writes so many bytes; `larger`: the drive for each copy."""
    host = copy_bytes * larger
    cycles = rng.randint(0, 40) if rng.random() < 0.8 else rng.randint(0, 400)
    return Row(
        hours=row.hours + max(rng.uniform(5, 2000), host / 300e6 / 3600),
        host_bytes=row.host_bytes + host,
        nand_bytes=row.nand_bytes + host * rates.nand,
        read_bytes=row.read_bytes + host * math.exp(rng.gauss(0, 1)),
        write_commands=row.write_commands + host * rates.commands,
        erases_mean=row.erases_mean + copy_bytes * rates.erases_mean,
        erases_min=row.erases_min + copy_bytes * rates.erases_min,
        erases_max=row.erases_max + copy_bytes * rates.erases_max,
        power_cycles=row.power_cycles + cycles,
        power_losses=row.power_losses + sum(rng.random() < 0.2 for _ in range(cycles)),
        celsius=max(15, min(75, row.celsius + rng.randint(-8, 8))),
    )


def _rates(core: _core.Drive, rng: random.Random, habit: str) -> _Rates:
    job = _job(core, rng, habit)
    _run(core, job)  # until the drive has settled under this load
    before, worn = core.counters(), _erases(core)
    _run(core, job)
    after, then = core.counters(), _erases(core)
    host = after["host_written_bytes"] - before["host_written_bytes"]
    grown = [(late - early) / host for late, early in zip(then, worn, strict=True)]
    nand = (after["nand_written_bytes"] - before["nand_written_bytes"]) / host
    return _Rates(nand, 1 / rng.uniform(12e3, 150e3), grown[0], min(grown[1], grown[0]), max(grown[2], grown[0]))


def _erases(core: _core.Drive) -> tuple[float, float, float]:
    worn = core.worn()
    counts = worn["erase_counts"][worn["states"] < FIRST_STATE_OUT_OF_USE]
    return float(np.mean(counts)), float(np.min(counts)), float(np.max(counts))


def _job(core: _core.Drive, rng: random.Random, habit: str, whole: bool = False) -> Job:
    """A load of a habit, about one fill of the copy or `_REQUESTS` requests, whichever is less."""
    sizes = {"client": (4096, 16384, 131072), "server": (4096, 8192, 16384), "order": (131072, 1 << 20)}[habit]
    size = rng.choice(sizes)
    order = habit == "order" or (habit == "client" and rng.random() < 0.5)
    span = core.user_bytes if whole or habit == "order" else int(core.user_bytes * rng.uniform(0.05, 1.0))
    span = max(span // size, 16) * size
    return Job(
        name="write", direction="write" if order else "randwrite", size_bytes=min(span, core.user_bytes // size * size),
        write_sizes=BlockSizes(weighted=((size, 100.0),), align_bytes=size),
        io_bytes=core.user_bytes if whole else min(core.user_bytes, _REQUESTS * size),
        random_map=False, seed=rng.randrange(1 << 30),
    )  # fmt: skip


def _run(core: _core.Drive, job: Job) -> None:
    run = core.start(to_json([job]), 10**12)
    while not run.advance(core, 1 << 20):
        pass
