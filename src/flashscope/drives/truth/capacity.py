"""What a virtual drive really holds, from its configuration alone: the truth of the findings about its capacity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def truth_of_capacity(configuration: dict[str, Any], user_bytes: int) -> dict[str, Any]:
    """is_counterfeit, real_capacity_bytes, and counterfeit_kind of a fake. user_bytes: as the drive announces them."""
    capacity = configuration.get("capacity", {})
    if not capacity.get("announced_bytes", 0):
        return {"is_counterfeit": "no", "real_capacity_bytes": user_bytes}
    return {
        "is_counterfeit": "yes",
        "real_capacity_bytes": capacity["user_bytes"],
        "counterfeit_kind": capacity.get("beyond", "wraps"),
    }


def capacity_of_stripe(members: Sequence[dict[str, Any]], user_bytes: int) -> dict[str, Any]:
    """The same of an array; left out when a member holds less than it says."""
    truths = [truth_of_capacity(member, 0) for member in members]
    is_honest = all(truth["is_counterfeit"] == "no" for truth in truths)
    return {"is_counterfeit": "no", "real_capacity_bytes": user_bytes} if is_honest else {}


def seen_from(truth: dict[str, Any], offset_bytes: int) -> dict[str, Any]:
    """The same for a drive that is seen from a later start: what it holds from there on."""
    if "real_capacity_bytes" not in truth:
        return truth
    return truth | {"real_capacity_bytes": truth["real_capacity_bytes"] - offset_bytes}
