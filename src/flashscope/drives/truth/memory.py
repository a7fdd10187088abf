"""What a drive of memory has not: units, a buffer before it, a fall, work in idle time. Every start costs the same.

Its interference is stated with its limits (`limits.py`).
"""

from __future__ import annotations

from typing import Any

from flashscope.records.bounds import between

_SAME = between(0.95, 1.05)


def inside_of_memory(configuration: dict[str, Any]) -> dict[str, Any]:
    """The truth of a drive of memory; empty for every other kind."""
    if configuration.get("kind") != "memory":
        return {}
    nothing = ("mapping_unit_bytes", "law_ratio", "write_buffer_bytes", "rate_fall", "idle_collection_delay_ns")
    return dict.fromkeys(nothing) | dict.fromkeys(("misaligned_cost_ratio", "misaligned_read_cost_ratio"), _SAME)
