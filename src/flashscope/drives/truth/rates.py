"""The highest rates that a virtual drive's configuration allows: bounds of every finding in bytes/s.

    link, one command at a time    size / (command cost + size / link rate)
    link, several commands         the smaller of the link rate and size / command cost
    memory                         what its servers copy in that time
    platters                       the outermost track in one turn: long writes in order
    flash                          all banks programming: where more is written than any buffer takes

Reads have no bound by flash: a flash drive answers for places that were never written from its map.
Not modelled here: what collection, merging, folding and throttling take away; so a drive may be far below its bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flashscope.drives.parts.geometry import Geometry
from flashscope.drives.truth.buffers import flash_bytes_per_second
from flashscope.records.bounds import Bounds, at_most

_KIB, _MIB = 1 << 10, 1 << 20
_LONG = 0  # request size of a load whose requests are as long as one likes
_LOADS: dict[str, tuple[int, bool]] = {
    "seq_{}": (_LONG, True),
    "seq_{}_min": (_LONG, True),
    "seq_{}_max": (_LONG, True),
    "seq_{}_1m_qd8": (_MIB, True),
    "seq_{}_128k_qd32": (128 * _KIB, True),
    "rand_{}_512k": (512 * _KIB, False),
    "rand_{}_4k": (4 * _KIB, False),
    "rand_{}_4k_qd32": (4 * _KIB, True),
    "rand_{}_4k_qd32_t16": (4 * _KIB, True),
    "rand_{}_4k_64_threads": (4 * _KIB, True),
    "{}_rate_max": (_LONG, True),
    "{}_rate_fresh_bytes_per_second": (_LONG, True),
    "{}_rate_after_zero_fill_bytes_per_second": (_LONG, True),
    "{}_rate_after_random_fill_bytes_per_second": (_LONG, True),
    "{}_rate_after_random_writes_bytes_per_second": (_LONG, True),
}
"""Finding's key for "read" and "write": size of a request, and whether several may be under way."""
_READ_BLOCKS = {"burst_rate": (64 * _KIB, False)} | {f"seq_read_{mib}mib_blocks": (mib * _MIB, True) for mib in (4, 64)}
_SETTLED = ("settled_rate_bytes_per_second", "drain_rate_bytes_per_second")
_ORDERED = ("first_rate_bytes_per_second", *_SETTLED)


def rate_bounds(configurations: Iterable[dict[str, Any]], host_bytes_per_second: float | None = None) -> dict[str, Any]:
    """Bounds by links and memories of the drives side by side; host_bytes_per_second: of what all of them hang on."""
    drives = list(configurations)

    def bound(way: str, size: int, several: bool) -> Bounds:
        alone = [_bytes_per_second(drive, way, size, several=several or len(drives) > 1) for drive in drives]
        return at_most(min(sum(alone), host_bytes_per_second or sum(alone)))

    bounds = {key.format(way): bound(way, *load) for key, load in _LOADS.items() for way in ("read", "write")}
    bounds |= {key: bound("read", *load) for key, load in _READ_BLOCKS.items()}
    return bounds | dict.fromkeys(_ORDERED, bound("write", _LONG, True))


def request_bounds(configuration: dict[str, Any], size: int) -> dict[str, Any]:
    """requests_per_second_qd1 and _qd16 of a mixture whose smallest request has that size."""
    return {
        f"requests_per_second_qd{depth}": at_most(
            _bytes_per_second(configuration, "read", size, several=depth > 1) / size
        )
        for depth in (1, 16)
    }


def flash_rate_bounds(configuration: dict[str, Any], geometry: Geometry) -> dict[str, Any]:
    """Bounds of what lasts on a flash drive: its banks at work, and its link."""
    link = _bytes_per_second(configuration, "write", _LONG, several=True)
    native, fastest = flash_bytes_per_second(configuration, geometry), 0.0
    timing, pslc = configuration["timing"], configuration.get("pslc")
    if pslc:
        fastest = flash_bytes_per_second(configuration, geometry, program_ns=timing["pslc"]["program_latency_ns"])
    fresh = at_most(min(link, max(native, fastest)))
    # A cache that is made anew while the drive works lasts as long as one writes.
    lasting = fresh if pslc and pslc.get("when_full") == "reclaim" else at_most(min(link, native))
    return {
        "first_rate_bytes_per_second": fresh,
        "settled_rate_bytes_per_second": lasting,
        "drain_rate_bytes_per_second": fresh,
        "write_rate_fresh_bytes_per_second": fresh,
    }


def platter_rate_bounds(configuration: dict[str, Any]) -> dict[str, Any]:
    """Bounds of what lasts on a disk or a hybrid: the outermost track, once a turn."""
    disk = configuration.get("disk", configuration)
    shape, link = disk["geometry"], disk["link"]["bytes_per_second"]
    track = shape["outer_sectors_per_track"] * shape["sector_bytes"] * disk["rpm"] / 60
    return dict.fromkeys(_ORDERED, at_most(min(link, track)))


def _bytes_per_second(configuration: dict[str, Any], way: str, size: int, *, several: bool) -> float:
    """The rate that a drive's link and memory allow, for requests of that size [bytes/s]."""
    drive = configuration.get("disk", configuration)
    bounds = []
    link = drive.get("link")
    if link is not None:
        queued = several and link["queue_depth"] > 1
        bounds.append(_by_size(size, link["command_cost_ns"] / 1e9, link["bytes_per_second"], several=queued))
    if drive.get("kind") == "memory":
        rate = drive["bytes_per_second"] / drive[f"{way}_passes"]
        servers = drive["server_count"] if several else 1
        bounds.append(servers * _by_size(size, drive["command_cost_ns"] / 1e9, rate, several=False))
    return min(bounds)


def _by_size(size: int, cost_s: float, rate: float, *, several: bool) -> float:
    if size == _LONG:
        return rate
    return min(rate, size / cost_s) if several and cost_s else size / (cost_s + size / rate)
