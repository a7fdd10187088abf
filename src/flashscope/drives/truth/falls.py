"""How many bytes of sequential writes a fresh virtual drive takes before it becomes slower: from its configuration.

    pSLC       blocks used with one bit a cell are full: so many blocks x block / bits per cell
    throttle   the wear reaches its allowed line:        credit / (life / lifetime bytes - 1 / rate)
    spare      the erased blocks are down to the low water mark, if what collection leaves is less than the link brings
    log        sectors mapped block by block: a bound, from the first sector that is written again to the last erased
               block

The first visible cause counts. The data in a write buffer at that time is added, since the host notices only later. The
key is left out where the answer is not certain: the step is neither clearly visible nor clearly invisible, or two
causes are so close that the rates decide which comes first.
Not modelled here: `pslc.when_full = "reclaim"` after the first drive fill, a write buffer so large that it shows a
plateau of its own.
"""

from __future__ import annotations

from typing import Any

from flashscope.drives.parts.geometry import Geometry
from flashscope.drives.truth.buffers import flash_bytes_per_second, host_bytes_per_second
from flashscope.records.bounds import between

_STEP = 0.90  # of the rate before: a fall to this ratio or less is visible
_NO_STEP = 0.99  # of the rate before: a fall to this ratio or more is invisible
_UNSEEN_COLLECTION, _SEEN_COLLECTION = 0.02, 0.04  # of the banks' time: a change below 3 % is not reported
_ROUNDS_BUFFERED = 8  # pages of all banks: this many keep all banks busy
_UNCOUNTED = 0.02  # of the bytes at the fall: flash bytes in flight are counted, so data in the buffer may count or not
_BUFFER_MOST = 0.1  # of the bytes at the fall: above it, how the buffer fills decides
_APART = 1.2  # causes whose bytes at the fall differ by less than this factor are not distinguished


def rate_fall_of(
    configuration: dict[str, Any], geometry: Geometry, blocks_in_use: int, collection_bytes: int, collecting: float
) -> dict[str, Any]:
    """rate_fall: host bytes at the first fall, None without a fall; empty where it is not certain.

    blocks_in_use: of all pools, without bad and spare ones. collection_bytes: host bytes at which a drive without pSLC
    begins to collect. collecting: share of the banks' time that this takes from then on [ratio].
    """
    cache, rate, rate_after = _cache(configuration, geometry, blocks_in_use)
    collecting = _lost_to_collection(configuration, geometry, collecting)
    places: list[tuple[int, bool]] = []  # (bytes, whether it is certainly visible)
    if cache:
        if cache >= configuration["capacity"]["user_bytes"]:
            return {}
        if rate_after < _NO_STEP * rate:
            places.append((cache, rate_after < _STEP * rate))
        elif collecting > 1 - _NO_STEP:
            return {}  # pSLC blocks hold less, so the spare area is used up earlier
    if collecting > _UNSEEN_COLLECTION:
        places.append((collection_bytes, collecting > _SEEN_COLLECTION))
    throttled, seen = _throttled_at(configuration, geometry, rate)
    if throttled is not None:
        if any(throttled / _APART < place < throttled * _APART for place, _ in places):
            return {}
        places.append((throttled, seen))
    if not places:
        return {"rate_fall": None}
    first, certain = min(places)
    waiting = _buffered_bytes(configuration)
    if configuration.get("log_blocks") and first == collection_bytes and certain:
        user_bytes = configuration["capacity"]["user_bytes"]
        return {"rate_fall": between(user_bytes, first + waiting)} if first > user_bytes else {}
    return {"rate_fall": first + waiting} if certain and waiting < _BUFFER_MOST * first else {}


def _lost_to_collection(configuration: dict[str, Any], geometry: Geometry, collecting: float) -> float:
    """Share of the rate that collection takes [ratio]: none while the flash still does what the link brings.

    Where sectors are mapped block by block, the host waits for each merge, however fast the flash is.
    """
    if configuration.get("log_blocks"):
        return collecting
    native, link = flash_bytes_per_second(configuration, geometry), float(configuration["link"]["bytes_per_second"])
    return max(1 - native * (1 - collecting) / min(native, link), 0.0)


def _buffered_bytes(configuration: dict[str, Any]) -> int:
    """Data in the write buffer during a long write that is faster than the flash [bytes]."""
    buffer = configuration["buffer"]
    if buffer["acknowledge"] == "programmed":
        return 0
    if buffer["stall"] == "until-drained":
        return int(buffer["bytes"] * (1 + buffer["low_water_ratio"]) / 2)
    return int(buffer["bytes"])


def _cache(configuration: dict[str, Any], geometry: Geometry, blocks_in_use: int) -> tuple[int, float, float]:
    """(bytes that a fresh pSLC cache takes, rate until then, rate when it is full) [bytes, bytes/s]; 0 bytes: none."""
    host, native = host_bytes_per_second(configuration), flash_bytes_per_second(configuration, geometry)
    pslc = configuration.get("pslc")
    if not pslc:
        return 0, min(host, native), min(host, native)
    pages = configuration["geometry"]["pages_per_block"] // pslc["bits_per_cell"]
    block_bytes = geometry.programmed_block_bytes // configuration["geometry"]["pages_per_block"] * max(pages, 1)
    pools, keep = geometry.pool_count, pslc.get("dynamic_keep_free_blocks", 0)
    count = max(pslc.get("static_block_count", 0) * pools, blocks_in_use - keep * pools if keep else 0)
    timing = configuration["timing"]
    fast = flash_bytes_per_second(configuration, geometry, program_ns=timing["pslc"]["program_latency_ns"])
    after = native
    if pslc.get("when_full") == "fold":
        moving = flash_bytes_per_second(configuration, geometry, read_ns=timing["pslc"]["read_latency_ns"])
        after = 1 / (1 / fast + 1 / moving)
    return count * block_bytes, min(host, fast), min(host, after)


def _throttled_at(configuration: dict[str, Any], geometry: Geometry, rate: float) -> tuple[int | None, bool]:
    """(host bytes at which the wear of a drive written from the start reaches its allowed line, whether visible)."""
    throttle = configuration.get("throttle")
    if not throttle:
        return None, False
    lifetime_bytes = geometry.raw_bytes * configuration["timing"]["rated_pe_cycles"]
    ns_per_byte = throttle["life_ns"] / lifetime_bytes
    if ns_per_byte <= 1e9 / rate:
        return None, False
    place = int(throttle["credit_ns"] / (ns_per_byte - 1e9 / rate))
    # Where the line is hardly steeper than the wear, or a small buffer cannot keep all banks busy, the rate decides.
    steep = 1e9 / rate < _APART / 2 * ns_per_byte
    fed = configuration["buffer"]["bytes"] >= _ROUNDS_BUFFERED * geometry.pool_count * geometry.programmed_page_bytes
    return place, steep and fed and configuration["buffer"]["bytes"] < _UNCOUNTED * place
