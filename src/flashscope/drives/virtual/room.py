"""Does a virtual drive fit into the memory that is free? Asked before anything of it is built.

    configuration --core--> bytes when all of the drive is in use, bytes more while it is put into an aged state
                              members of a stripe add up           '--> more than is free: refused in words

The number is an upper bound near the truth (crates/drive/src/memory_needed.rs), for a drive that is used completely: a
drive of which a run touches a part takes less.
Not counted: requests under way, which are few unless a job asks for many large ones (`load_memory.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope import _core
from flashscope.drives.addresses.address import Address
from flashscope.drives.parts.part import Part
from flashscope.drives.system.free_memory import RESULTS_BYTES
from flashscope.drives.virtual.kept_memory import free_for
from flashscope.errors import WrongUse
from flashscope.units import format_bytes_binary


def memory_needed(parts: Sequence[Part], *, aged: bool = False) -> int:
    """The memory of a drive of one part, or of a stripe of several [bytes]. Raises WrongUse for a part that is none."""
    needed: dict[int, tuple[int, int]] = {}  # the members of a stripe are mostly the same part
    total = most_meanwhile = 0
    for part in parts:
        if id(part) not in needed:
            try:
                needed[id(part)] = _core.Drive.memory_needed(part.to_core_json())
            except _core.ConfigRefused as refused:
                raise refusal(part.name, *refused.args) from None
        kept, meanwhile = needed[id(part)]
        total += kept
        most_meanwhile = max(most_meanwhile, meanwhile)
    return total + aged * most_meanwhile


def check_room(address: Address, parts: Sequence[Part]) -> None:
    """Refuse a drive that needs more memory than is free. Raises WrongUse with both figures."""
    needed = memory_needed(parts, aged=address.aged_state is not None) + RESULTS_BYTES
    free = free_for(needed)
    if needed > free.free_bytes:
        raise no_room(str(address), needed, f"{free.limit} {format_bytes_binary(free.free_bytes)}")


def refusal(name: str, key: str, found: str, accepted: str) -> WrongUse:
    """The core's error about a configuration, as an error for the author of the part or address `name`."""
    return WrongUse(f"{name}: {key} is {found}", accepted=accepted, advice=f"change {key}, or the values it depends on")


def no_room(name: str, needed_bytes: int, why: str) -> WrongUse:
    """The error when there is not enough memory for the drive `name`. why: a clause."""
    return WrongUse(
        f"{name}: this drive and what a run of it records take up to {format_bytes_binary(needed_bytes)} of memory, "
        f"and {why}",
        accepted="a drive that fits: a smaller one, or fewer members of a stripe",
        advice="raise that limit"
        if "ulimit" in why
        else "close other programs, take a machine with more memory, or say what drives may take: --memory SIZE",
    )
