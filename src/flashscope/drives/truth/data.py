"""What the kind of data changes on a virtual drive: nothing, unless it compresses.

compresses, fill_data_matters                       "yes" or "no"; whether a fill matters is certain only where nothing
                                                    compresses
zero_rate_ratio, compression_write_gain_ratio       1 where nothing compresses, else 1 or more
repeated_rate_ratio                                 1: no virtual drive stores equal blocks once
flash_bytes_per_host_byte_zeros                     no fewer than as many units as fit into a slot allow

Ratios of rates may be a little off, since what was written before is collected meanwhile.
"""

from __future__ import annotations

from typing import Any

from flashscope.records.bounds import at_least, between

_SAME = between(0.95, 1.05)
_NO_LESS = 0.95


def data_truth(configuration: dict[str, Any]) -> dict[str, Any]:
    """The truth of the findings about compression, of every kind of drive."""
    compression = configuration.get("compression") or {"most_units_per_slot": 1, "zero_detection": False}
    packed = compression["most_units_per_slot"]
    if packed == 1 and not compression["zero_detection"]:
        return {
            "compresses": "no",
            "fill_data_matters": "no",
            "zero_rate_ratio": _SAME,
            "compression_write_gain_ratio": _SAME,
            "repeated_rate_ratio": _SAME,
            "flash_bytes_per_host_byte_zeros": at_least(_NO_LESS),
        }
    return {
        "compresses": "yes",
        "zero_rate_ratio": at_least(_NO_LESS),
        "compression_write_gain_ratio": at_least(_NO_LESS),
        "repeated_rate_ratio": _SAME,
        "flash_bytes_per_host_byte_zeros": at_least(0 if compression["zero_detection"] else _NO_LESS / packed),
    }
