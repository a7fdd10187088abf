"""What a misaligned 4 KiB request costs, from the mapping unit U by the law U / (U + S).

law_ratio                     U / (U + S) where units are larger than a write; None elsewhere, as the law does not apply
misaligned_cost_ratio         1 to the time of one more unit; where units are no larger than a write, to the time of two
                              that are read and written, over that of one whole unit, which a buffer takes in
misaligned_read_cost_ratio    1 to 2: one more unit is read

Left out where sectors are mapped block by block, or small writes go to a finer map of their own.
"""

from __future__ import annotations

from typing import Any

from flashscope.drives.parts.geometry import Geometry
from flashscope.laws.alignment import misaligned_rate_ratio
from flashscope.records.bounds import between

_WRITE_BYTES = 4096
_SAME = 0.95  # of the time: which places are drawn makes as much difference
_TWICE = 2.1


def alignment_truth(configuration: dict[str, Any], geometry: Geometry) -> dict[str, Any]:
    """The truth of a flash drive."""
    truth: dict[str, Any] = {"misaligned_read_cost_ratio": between(_SAME, _TWICE)}
    if configuration.get("log_blocks") or configuration.get("fine_map"):
        return truth
    unit, timing = configuration["mapping"]["unit_bytes"], configuration["timing"]
    if unit > _WRITE_BYTES:
        law = misaligned_rate_ratio(_WRITE_BYTES, unit)
        return truth | {"law_ratio": law, "misaligned_cost_ratio": between(_SAME, 1.05 / law)}
    crossing = geometry.programmed_page_bytes * 1e9 / timing["bus_bytes_per_second"]
    rewriting = timing["read_latency_ns"] + 2 * crossing + max(timing["program_latencies_ns"])
    link = configuration["link"]
    taken_in = link["command_cost_ns"] + _WRITE_BYTES * 1e9 / link["bytes_per_second"]
    return truth | {
        "law_ratio": None,
        "misaligned_cost_ratio": between(_SAME, max(2 * rewriting / taken_in, _TWICE)),
    }
