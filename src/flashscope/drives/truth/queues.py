"""How many requests a virtual drive can work on at once: bounds of the findings about queues and two loads at once.

requests at once      no more than its queue takes, or those of all members together
two loads at once     no less than half the time of one after the other, which is what two perfect halves would take
members that help     one to all of them
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flashscope.records.bounds import at_least, between

_BURSTS = 0.45  # of the time: two loads that each pay for the other's buffered data: a little below the half

_EVEN = 0.9  # of an even share: the most written member takes no less


def queue_bounds(configurations: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Bounds for drives side by side."""
    depth = sum(_depth(drive) for drive in configurations)
    most = between(1, depth)
    keys = [f"{key}_{kind}s" for key in ("effective_parallelism", "useful_queue_depth") for kind in ("read", "write")]
    hindered = dict.fromkeys(("interference_ratio", "interference_ratio_in_turn", "delay_ratio"), at_least(_BURSTS))
    return dict.fromkeys(keys, most) | hindered


def member_bounds(member_count: int) -> dict[str, Any]:
    """Bounds of an array: drives that help, the share of the writes that the most written one takes, interference."""
    helpful = [f"useful_member_count_{way}_{size}_mib" for way in ("read", "write") for size in (64, 1)]
    return dict.fromkeys(helpful, between(1, member_count)) | {
        "stripe_interference_ratio": at_least(_BURSTS),
        "stripe_wear_ratio": between(_EVEN / member_count, 1),
    }


def _depth(configuration: dict[str, Any]) -> int:
    """Commands under way at a time. Without a link the servers set it: what the host sends waits in the driver."""
    drive = configuration.get("disk", configuration)
    link = drive.get("link")
    return int(link["queue_depth"] if link is not None else drive["server_count"])
