"""What a disk or a hybrid has inside, under the keys of the findings that infer it; from its configuration alone."""

from __future__ import annotations

from typing import Any

from flashscope.drives.truth.rates import platter_rate_bounds
from flashscope.records.bounds import at_least, at_most

_SHOWN_SECTOR_BYTES = 512


def inside_of_disk(configuration: dict[str, Any]) -> dict[str, Any]:
    """The truth of a disk or a hybrid; empty for every other kind.

    mapping_unit_bytes: its physical sector, None when the host sees the same. law_ratio: None. hybrid_cache_bytes:
    the size of its flash. idle_fill_delay_ns: idle time after which it copies data into the flash.
    hybrid_cache_gain_ratio: None for a disk without flash, which has no cache to find.
    hybrid_cache_largest_request_bytes: no more than the largest that is admitted.
    """
    kind = configuration.get("kind")
    disk = configuration if kind == "disk" else configuration.get("disk", {})
    if kind not in ("disk", "hybrid"):
        return {}
    sector_bytes = int(disk["geometry"]["sector_bytes"])
    truth: dict[str, Any] = {"mapping_unit_bytes": sector_bytes if sector_bytes > _SHOWN_SECTOR_BYTES else None}
    truth["law_ratio"] = None  # no unit is larger than a write of 4 KiB
    truth |= platter_rate_bounds(configuration)
    if kind == "disk":
        return truth | {"hybrid_cache_gain_ratio": None}
    return truth | {
        "hybrid_cache_gain_ratio": at_least(1),
        "hybrid_cache_largest_request_bytes": at_most(configuration["admission"]["largest_cached_request_bytes"]),
        "hybrid_cache_bytes": configuration["flash"]["bytes"],
        "idle_fill_delay_ns": configuration["admission"]["idle_fill_delay_ns"],
    }
