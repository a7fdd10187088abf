"""Is it still the same drive? The drive in a run's journal is compared with the present drive.

    names match, serial number and size match     the same, on any port
    same name, other serial number or size        another drive took its place: refused
    neither                                       this store knows no run of this drive

A file has no serial number; its path is used instead, and the blocks themselves show which run wrote them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from flashscope.drives.held.direct_file import DirectFile, aligned
from flashscope.endurance.real.block_stamp import stamp_of
from flashscope.endurance.real.generation_map import GenerationMap
from flashscope.endurance.real.layout import HEAD_BYTES, Layout
from flashscope.endurance.real.settings import BLOCKS
from flashscope.errors import WrongUse
from flashscope.records.drive_facts import DriveFacts

_LOOKS = 64
_LARGEST_BLOCK_BYTES = max(BLOCKS)


def identity_of(facts: DriveFacts, path: Path) -> dict[str, Any]:
    """The identity of a drive. A file's serial number is its path."""
    serial = facts.serial or (str(path) if facts.place else "")
    name = facts.address
    return {
        "kind": facts.kind_name, "serial": serial, "model": facts.model, "user_bytes": facts.user_bytes, "name": name,
    }  # fmt: skip


def check_blocks(drive: DirectFile, layout: Layout, generations: GenerationMap, drive_id: bytes, name: str) -> None:
    """Read some blocks before anything is written: the drive must hold data of this run.

    Raises WrongUse when none of up to 64 written blocks has the run's mark.
    """
    written = np.flatnonzero(generations.known(slice(0, min(layout.blocks, 1 << 22))))
    if not len(written):
        return
    chosen = written[np.linspace(0, len(written) - 1, min(_LOOKS, len(written))).astype(int)]
    buffer = aligned(layout.block_bytes)
    unreadable = 0
    for block in chosen.tolist():
        try:
            drive.read_into(buffer, layout.offset_bytes(block))
        except OSError:
            unreadable += 1
            continue
        found = stamp_of(bytes(buffer))
        if found is not None and found.drive_id == drive_id:
            return
    if unreadable < len(chosen):
        raise WrongUse(
            f"{name} does not hold this run's data: none of {len(chosen)} blocks that were written has its mark",
            accepted="the drive as the run left it",
            advice="the drive was replaced, erased or written by another program; begin a new run. Nothing was written",
        )


def is_same(was: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether two identities are of one drive."""
    keys = ("kind", "serial", "user_bytes") if was["kind"] == "file" else ("kind", "serial", "model", "user_bytes")
    return bool(was["serial"]) and all(was[key] == now[key] for key in keys)


def bears_other_run(drive: DirectFile, user_bytes: int, known: frozenset[bytes]) -> bool:
    """Whether one of 64 places of the drive has a stamped block of an unknown run."""
    buffer = aligned(_LARGEST_BLOCK_BYTES)
    places = (user_bytes - HEAD_BYTES) // _LARGEST_BLOCK_BYTES
    for place in sorted(set(np.linspace(0, places - 1, _LOOKS).astype(int).tolist())):
        try:
            drive.read_into(buffer, HEAD_BYTES + place * _LARGEST_BLOCK_BYTES)
        except OSError:
            continue
        for block_bytes in BLOCKS:  # blocks of every size begin here
            found = stamp_of(bytes(buffer[:block_bytes]))
            if found is not None and found.drive_id not in known:
                return True
    return False
