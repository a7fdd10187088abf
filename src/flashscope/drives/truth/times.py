"""The shortest times that a virtual drive's configuration allows: bounds of every finding in nanoseconds.

    answer          command cost + size / link rate, or the same of memory without a link
    longest freeze  the longest answer is no shorter than the shortest
    a whole burst   a write buffer regains room no faster than the flash takes its data
    TRIM            helps no sooner than the drive acts on it

Not modelled here: positions of an arm, sensing of pages (a read may find its data in memory).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flashscope.drives.parts.geometry import Geometry
from flashscope.drives.truth.buffers import flash_bytes_per_second
from flashscope.records.bounds import at_least

_SECTOR, _PAGE = 512, 4096
_PART_OF_BURST = 0.8  # a burst counts as whole from nine tenths on, and the buffer drains while it comes
_ANSWERS = {
    "access_time_read_ns": _SECTOR,
    "access_time_write_ns": _SECTOR,
    "access_time_read_4k_ns": _PAGE,
    "access_time_write_4k_ns": _PAGE,
    "response_time_qd1_ns": _SECTOR,
    "response_time_qd16_ns": _SECTOR,
}
_WATCHED = ("writes", "mixed", "reads")


def time_bounds(configurations: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Bounds by the links of the drives side by side; the fastest of them counts."""
    drives = list(configurations)

    def answer(size: int) -> dict[str, float]:
        return at_least(min(_answer_ns(drive, size) for drive in drives))

    watched = {
        f"{key}_{work}_ns": answer(_PAGE)
        for key in ("longest_freeze", "latency_p999", "latency_p9999")
        for work in _WATCHED
    }
    return {key: answer(size) for key, size in _ANSWERS.items()} | watched


def pause_bounds(configuration: dict[str, Any], geometry: Geometry) -> dict[str, Any]:
    """idle_gap_for_full_burst_ns, trim_helps_after_ns (None where the drive takes no TRIM)."""
    buffer, trim = configuration["buffer"], configuration.get("trim", {"supported": True, "delay_ns": 0})
    pslc, rate = configuration.get("pslc"), flash_bytes_per_second(configuration, geometry)
    if pslc:
        fast_ns = configuration["timing"]["pslc"]["program_latency_ns"]
        rate = max(rate, flash_bytes_per_second(configuration, geometry, program_ns=fast_ns))
    drained = _PART_OF_BURST * buffer["bytes"] / rate if buffer["acknowledge"] != "programmed" else 0.0
    return {
        "idle_gap_for_full_burst_ns": at_least(drained * 1e9 - configuration["link"]["command_cost_ns"]),
        "trim_helps_after_ns": at_least(trim["delay_ns"]) if trim["supported"] else None,
    }


def _answer_ns(configuration: dict[str, Any], size: int) -> float:
    """The time that a request takes at least [ns]."""
    drive = configuration.get("disk", configuration)
    link, shortest = drive.get("link"), 0.0
    if link is not None:
        shortest = link["command_cost_ns"] + size * 1e9 / link["bytes_per_second"]
    elif drive.get("kind") == "memory":
        passes = min(drive["read_passes"], drive["write_passes"])
        shortest = drive["command_cost_ns"] + size * passes * 1e9 / drive["bytes_per_second"]
    return float(shortest)
