"""Held-out virtual drives: parts drawn at random, none of which an estimator was developed on.

    geometry   1-8 channels, 1-4 packages, 1-2 dies, lock step, planes, pages of 4-16 KiB, blocks of 64-256 pages
    flash      read 25-75 us, program 0.2-1.8 ms (also lower and upper pages), erase 1.5-5 ms, bus 40-400 MB/s
    host       SATA or PCI Express, 1-60 us a command, queue of 1-256, map units of 4-32 KiB
    buffer     2-128 MiB, both orders, both ways to be full, answered from memory or after programming
    collection four policies, blocking or spread, water marks, 3-28 % spare: what it does to the times is the noise

Each experiment's drives differ in one thing more, the one that is planted. Everything comes from one seed, so a
drive that is missed can be made again: `one_of("idle-recovery", 17)`.

Why so: an estimator tuned on a part learns the part. Ranges are those of drives that were sold; a drawn drive need
not make sense as a product, only as a mechanism. It is kept small (1-12 GB) because what is looked for does not
depend on the size, and time does.
Not drawn here: block-mapped drives, worn flash, drives that fail, drives without TRIM.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from flashscope.drives.parts.link_generations import GENERATIONS
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from flashscope.experiments.streams import large_request_bytes
from tests.experiments.planted import planted

SECOND_NS = 10**9
MIB = 1 << 20


@dataclass(frozen=True)
class Held:
    """One held-out drive. truth: what is planted, under the finding's key. said: in words, for the table."""

    number: int
    make: Callable[[], SimulatedDrive]
    truth: dict[str, Any]
    said: str


def held_out(experiment: str, count: int, *, first: int = 0) -> list[Held]:
    """The held-out drives of an experiment, by name."""
    return [one_of(experiment, number) for number in range(first, first + count)]


def one_of(experiment: str, number: int) -> Held:
    """One of them. Draws again when a drawn part contradicts itself."""
    seed = zlib.crc32(experiment.encode())
    for attempt in range(50):
        draw = np.random.default_rng((20261121, seed, number, attempt))
        values, truth, said = _PLANTS[experiment](draw)
        try:
            _drive(values, number)
        except WrongUse:
            continue
        return Held(number, partial(_drive, values, number), truth, said)
    raise AssertionError(f"no {experiment} drive {number} could be drawn")


def _drive(values: dict[str, Any], seed: int) -> SimulatedDrive:
    others = {key: value for key, value in values.items() if key != "part"}
    return planted(values.get("part", "onyx-32"), others, seed=seed)


def _one(draw: np.random.Generator, *choices: Any) -> Any:
    return choices[int(draw.integers(len(choices)))]


def _between(draw: np.random.Generator, low: float, high: float) -> float:
    """Log-uniform."""
    return float(np.exp(draw.uniform(np.log(low), np.log(high))))


def _background(draw: np.random.Generator, *, least_gb: float = 3.0, most_gb: float = 12.0) -> dict[str, Any]:
    """Everything an experiment does not plant."""
    lockstep = _one(draw, 1, 1, 2)
    channels, packages, dies = _one(draw, 1, 2, 4, 8), _one(draw, 1, 2, 4) * lockstep, _one(draw, 1, 2)
    page, pages, planes = 1024 * _one(draw, 4, 8, 16), _one(draw, 64, 128, 256), _one(draw, 1, 2)
    multiplane = bool(draw.integers(2))
    pools = channels * packages // lockstep * dies * (1 if multiplane else planes)
    programmed = page * lockstep * (planes if multiplane else 1)
    raw = _between(draw, least_gb, most_gb) * 1e9
    # Hundreds of blocks in a pool, as drives have: with fewer, the water marks alone would be a good part of it.
    while raw < 250 * pools * programmed * pages and pages > 16:
        pages //= 2
    blocks = int(np.clip(raw / (pools * programmed * pages), 40, 8000))
    low_water = int(draw.integers(2, 6))
    high_water = low_water + int(draw.integers(1, 4))
    spare = _between(draw, 0.03, 0.28)
    user = int((blocks - high_water - 4) * pools * programmed * pages * (1 - spare)) // MIB * MIB
    program = round(_between(draw, 200e3, 1800e3))
    generation = _one(draw, "SATA 1.5 Gb/s", "SATA 3 Gb/s", "SATA 6 Gb/s", "PCIe 3.0 x4")
    return {
        "geometry.channels": channels,
        "geometry.packages_per_channel": packages,
        "geometry.dies_per_package": dies,
        "geometry.lockstep_packages": lockstep,
        "geometry.planes_per_die": planes,
        "geometry.multiplane": multiplane,
        "geometry.blocks_per_plane": blocks,
        "geometry.pages_per_block": pages,
        "geometry.page_size": page,
        "timing.read_latency": round(_between(draw, 25e3, 75e3)),
        "timing.program_latency": _one(draw, (program,), (program // 2, program * 3 // 2)),
        "timing.erase_latency": round(_between(draw, 1.5e6, 5e6)),
        "timing.bus_rate": round(_between(draw, 40e6, 400e6)),
        "capacity.user_size": user,
        "capacity.initial_bad_block_count": 0,
        "capacity.reserved_block_count": 0,
        "endurance.spare_block_count": 1,
        "link.generation": generation,
        "link.rate": GENERATIONS[generation].payload_bytes_per_second,
        "link.full_duplex": GENERATIONS[generation].full_duplex,
        "link.command_cost": round(_between(draw, 1e3, 20e3) if "PCIe" in generation else _between(draw, 10e3, 60e3)),
        "link.queue_depth": 256 if "PCIe" in generation else _one(draw, 1, 32, 32),
        "buffer.size": max(int(user * _between(draw, 1 / 4000, 1 / 500)) // MIB, 1) * MIB,
        "buffer.acknowledge": "buffered",
        "buffer.sub_unit_writes": _one(draw, "buffered", "through", "merge-ends"),
        "buffer.idle_flush": round(_between(draw, 0.2, 2) * SECOND_NS),
        "buffer.flush_order": _one(draw, "arrival", "sorted"),
        "buffer.stall": _one(draw, "until-room", "until-room", "until-drained"),
        "mapping.unit": min(1024 * _one(draw, 4, 8, 16, 32), programmed),
        "gc.policy": _one(draw, "greedy", "fifo", "d-choices"),
        "gc.choices": int(draw.integers(2, 30)),
        "gc.low_water_blocks": low_water,
        "gc.high_water_blocks": high_water,
        "gc.pacing": _one(draw, "blocking", "spread"),
    }


def _buffer_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A write buffer of 2 to 128 MiB; one in six answers after programming, and has none to see."""
    values = _background(draw, least_gb=4.5)
    size = round(_between(draw, 2, 128)) * MIB
    none = draw.random() < 1 / 6
    values |= {"buffer.size": size, "buffer.acknowledge": "programmed" if none else "buffered"}
    words = f"{'programmed' if none else values['buffer.flush_order']} {values['buffer.stall']}"
    truth = None if none else size
    return values, {"write_buffer_bytes": truth}, f"{size // MIB} MiB {words}"


def _idle_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Collection in idle time after 2 to 120 s; one in eight has none."""
    values = _background(draw)
    if draw.random() < 1 / 8:
        return values, {"idle_collection_delay_ns": None}, "never"
    delay = round(_between(draw, 2, 120) * 1000) * (SECOND_NS // 1000)
    target = values["gc.high_water_blocks"] + int(_between(draw, 4, max(5, values["geometry.blocks_per_plane"] / 8)))
    values |= {
        "idle_collection.delay": delay,
        "idle_collection.target_free_blocks": target,
        "idle_collection.worthwhile_stale_ratio": _one(draw, 0.0, 0.02, 0.05),
    }
    return values, {"idle_collection_delay_ns": delay}, f"{delay / SECOND_NS:.2f} s to {target} blocks"


def _flat_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """No fall: whatever is collected under a rewrite in order is empty, and only erased, in a hundredth of the time."""
    values = _background(draw, least_gb=1.0, most_gb=4.0) | {"gc.policy": _one(draw, "greedy", "fifo")}
    program_ns = np.mean(values["timing.program_latency"]) * values["geometry.pages_per_block"]
    values["timing.erase_latency"] = int(min(values["timing.erase_latency"], program_ns / 100))
    return values, {"rate_fall": None}, "greedy"


def _falling_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A rate that falls: a pSLC cache that is used up, or spare area that is, collected by chance.

    A cache holds 4 % of the drive or more, since a hundredth of a run is the shortest plateau that is looked for.
    """
    values = _background(draw, least_gb=2.5, most_gb=5.0) | {"buffer.size": MIB}
    pools, block_bytes = _pools(values), _block_bytes(values)
    blocks = values["geometry.blocks_per_plane"]
    kind = _one(
        draw, "static pSLC", "static pSLC, folded", "dynamic pSLC", "spare area", "throttle", "pSLC, then spare area"
    )
    if kind == "spare area":
        values |= {"gc.policy": _one(draw, "random", "d-choices"), "gc.choices": _one(draw, 1, 2)}
        values["timing.bus_rate"] = max(values["timing.bus_rate"], 100_000_000)
        fall = (blocks - values["gc.low_water_blocks"]) * pools * block_bytes
        return values, {"rate_fall": fall}, kind
    if kind == "throttle":
        return _throttled(values, draw)
    bits, slow = _one(draw, 2, 3, 4), round(_between(draw, 900e3, 3e6))
    values |= {
        "timing.program_latency": (slow,),
        "timing.bus_rate": max(values["timing.bus_rate"], 200_000_000),
        "pslc.read_latency": 25_000,
        "pslc.program_latency": round(slow / _between(draw, 3, 8)),
        "pslc.erase_latency": values["timing.erase_latency"],
        "pslc.bits_per_cell": bits,
        "pslc.when_full": "fold" if "folded" in kind else "past",
        "pslc.fold_delay": 2 * SECOND_NS,
        "link.generation": "PCIe 3.0 x4",
        "link.rate": GENERATIONS["PCIe 3.0 x4"].payload_bytes_per_second,
    }
    if kind == "dynamic pSLC":
        count = int(blocks * _between(draw, 0.25, 0.8))
        values["pslc.dynamic_keep_free_blocks"] = blocks - count
    else:
        count = int(blocks * min(_between(draw, 0.04, 0.15) * bits, 0.4))
        values["pslc.static_block_count"] = count
        values["capacity.user_size"] = (
            int(values["capacity.user_size"] * (blocks - count - 12) / (blocks - 8)) // MIB * MIB
        )
    pages = values["geometry.pages_per_block"]
    cache = count * pools * (block_bytes // pages) * (pages // bits)
    truth = {"rate_fall": cache}
    if kind == "pSLC, then spare area":
        values |= {"gc.policy": "random"}
        truth["second_fall"] = cache + (blocks - count - values["gc.low_water_blocks"]) * pools * block_bytes
    return values, truth, f"{kind}, {bits} bits"


def _throttled(values: dict[str, Any], draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The line of allowed wear is met after 5 to 80 % of the drive, and climbs at 5 to 50 % of the drive's rate.

    The rate is that of all banks, or of the link, since the buffer holds enough for all banks; what it holds was
    written before the host notices.
    """
    values |= {"gc.policy": "greedy", "timing.program_latency": (round(_between(draw, 400e3, 1800e3)),)}
    values["timing.bus_rate"] = max(values["timing.bus_rate"], 100_000_000)
    pools, block_bytes = _pools(values), _block_bytes(values)
    dies = pools // (1 if values["geometry.multiplane"] else values["geometry.planes_per_die"])
    page = block_bytes // values["geometry.pages_per_block"]
    page_s = page / values["timing.bus_rate"] / values["geometry.lockstep_packages"]
    channels = values["geometry.channels"]
    flash = min(dies * page / (page_s + values["timing.program_latency"][0] / 1e9), channels * page / page_s)
    rate = min(flash, MIB / (values["link.command_cost"] / 1e9 + MIB / values["link.rate"]))
    place, share = values["capacity.user_size"] * draw.uniform(0.05, 0.8), _between(draw, 0.05, 0.5)
    raw, cycles = pools * values["geometry.blocks_per_plane"] * block_bytes, 5000
    values |= {
        "timing.rated_pe_cycles": cycles,
        "throttle.life": round(raw * cycles / (share * rate) * SECOND_NS),
        "throttle.credit": round(place * (1 / share - 1) / rate * SECOND_NS),
        "buffer.size": max(8 * dies * page, MIB),
        "buffer.stall": "until-room",
    }
    return values, {"rate_fall": round(place) + values["buffer.size"]}, f"throttle to {share:.0%}"


def _pools(values: dict[str, Any]) -> int:
    dies = values["geometry.channels"] * values["geometry.packages_per_channel"] * values["geometry.dies_per_package"]
    dies //= values["geometry.lockstep_packages"]
    return int(dies * (1 if values["geometry.multiplane"] else values["geometry.planes_per_die"]))


def _block_bytes(values: dict[str, Any]) -> int:
    planes = values["geometry.planes_per_die"] if values["geometry.multiplane"] else 1
    page = values["geometry.page_size"] * values["geometry.lockstep_packages"] * planes
    return int(page * values["geometry.pages_per_block"])


def _unit_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Map units of 4 to 32 KiB, whatever is done with parts of one."""
    values = _background(draw, least_gb=2.0, most_gb=6.0)
    return values, {"mapping_unit_bytes": values["mapping.unit"]}, f"{values['mapping.unit'] // 1024} KiB"


def _hybrid_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A disk with 0.5 to 8 GB of flash that copies after 0.4 to 8 s of idleness."""
    line = 1024 * _one(draw, 32, 64, 128)
    size = int(_between(draw, 0.5e9, 8e9)) // line * line
    delay = round(_between(draw, 0.4, 8) * 1000) * (SECOND_NS // 1000)
    values = {
        "part": "momentus-xt-500",
        "cache_flash.size": size,
        "cache_flash.command_cost": round(_between(draw, 50e3, 800e3)),
        "cache_flash.read_latency": round(_between(draw, 25e3, 75e3)),
        "cache_flash.program_latency": round(_between(draw, 200e3, 400e3)),
        "admission.line": line,
        "admission.after_reads": int(draw.integers(1, 9)),
        "admission.idle_fill_delay": delay,
        "disk.spindle_speed": _one(draw, 5400, 7200),
    }
    truth = {"hybrid_cache_bytes": size, "idle_fill_delay_ns": delay}
    return values, truth, f"{size / 1e9:.2f} GB, {delay / SECOND_NS:.2f} s, line {line // 1024} KiB"


def _trim_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The Onyx with almost no spare area, so that it tires when full; it looks at deletions after 0 to 200 s.

    A part that has hundreds of blocks in a pool, since the experiment's sizes go with the drive's. One in two collects
    in idle time as well.
    """
    trim_delay = _one(draw, 0, round(_between(draw, 5, 200)) * SECOND_NS)
    idle_delay = _one(draw, 0, round(_between(draw, 5, 100)) * SECOND_NS)
    values = {
        "capacity.user_size": int(draw.uniform(33.6e9, 34.0e9)) // MIB * MIB,
        "timing.program_latency": (round(_between(draw, 400e3, 1800e3)),),
        "mapping.unit": 1024 * _one(draw, 4, 8, 16),
        "buffer.size": _one(draw, 1, 2, 4) * MIB,
        "buffer.flush_order": _one(draw, "arrival", "sorted"),
        "trim.supported": True,
        "trim.delay": trim_delay,
    }
    if idle_delay:
        values |= {
            "idle_collection.delay": idle_delay,
            "idle_collection.target_free_blocks": int(draw.integers(10, 100)),
            "idle_collection.worthwhile_stale_ratio": _one(draw, 0.0, 0.05),
        }
    return (
        values,
        {"trim_helps_after_ns": trim_delay},
        f"TRIM {trim_delay // SECOND_NS} s, idle {idle_delay // SECOND_NS} s",
    )


def _sharing_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Memory whose reads and writes share one thing or nothing, so that the time of both at once is known.

    one server, or a link of one way: they take turns, 1; a link of two ways: side by side, 1/2; 16 servers or more, for
    two streams of 8 requests each: the longer of both times over their sum. One request at a time always takes turns.
    """
    values: dict[str, Any] = {"part": "ramdisk", "memory.user_size": 4 << 30}
    kind = _one(draw, "one server", "many servers", "one way", "two ways")
    if kind in ("one server", "many servers"):
        cost, rate = round(_between(draw, 1e3, 200e3)), round(_between(draw, 100e6, 800e6))
        passes = [int(draw.integers(1, 5)) for _ in range(2)]
        values |= {
            "memory.bus_rate": rate,
            "memory.read_passes": passes[0],
            "memory.write_passes": passes[1],
            "memory.command_cost": cost,
            "memory.servers": 1 if kind == "one server" else int(draw.integers(16, 33)),
        }
        times = [cost / SECOND_NS + count * large_request_bytes(4 << 30) / rate for count in passes]
        truth = 1.0 if kind == "one server" else max(times) / sum(times)
    else:
        values |= {
            "memory.bus_rate": 50_000_000_000,
            "memory.read_passes": 1,
            "memory.write_passes": 1,
            "memory.command_cost": 1000,
            "memory.servers": 4,
            "link.rate": round(_between(draw, 100e6, 2e9)),
            "link.command_cost": round(_between(draw, 1e3, 20e3)),
            "link.queue_depth": 32,
            "link.full_duplex": kind == "two ways",
        }
        truth = 0.5 if kind == "two ways" else 1.0
    return values, {"interference_ratio": truth, "interference_ratio_in_turn": 1.0}, kind


def _copying_drive(draw: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Memory behind one server or a link of one way: a copy takes exactly as long as its halves, whatever the host."""
    while True:
        values, truth, kind = _sharing_drive(draw)
        if kind in ("one server", "one way"):
            return values, {"delay_ratio": truth["interference_ratio"]}, kind


_PLANTS: dict[str, Callable[[np.random.Generator], tuple[dict[str, Any], dict[str, Any], str]]] = {
    "write-buffer": _buffer_drive,
    "idle-recovery": _idle_drive,
    "flat": _flat_drive,
    "sustained-sequential-write": _falling_drive,
    "small-write-matrix": _unit_drive,
    "hybrid-cache": _hybrid_drive,
    "fill-and-recovery": _trim_drive,
    "misalignment": _unit_drive,
    "read-write-interference": _sharing_drive,
    "copy-within-drive": _copying_drive,
}
