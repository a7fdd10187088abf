"""Small drives of every kind, used for a while, for tests of the border."""

from __future__ import annotations

import json
from typing import Any

from flashscope import _core
from flashscope.drives.parts.part import load_part
from flashscope.workloads.job import Job
from flashscope.workloads.jobs_json import to_json

SECOND_NS = 10**9
KINDS = ("ssd", "stripe", "disk", "hybrid", "memory")
REFUSALS = (ValueError, OverflowError, MemoryError)
"""How the border says no. Anything else, a panic above all, is a fault of the core."""


def small_ssd() -> dict[str, Any]:
    """The configuration of a solid-state drive of 8 MiB."""
    document: dict[str, Any] = json.loads(load_part("onyx-32").to_core_json())
    document["geometry"].update(channels=2, packages_per_channel=2, blocks_per_plane=64, pages_per_block=16)
    document["capacity"].update(
        user_bytes=8 << 20, initial_bad_block_count=2, reserved_block_count=1, spare_block_count=10
    )
    document["buffer"]["bytes"] = 1 << 18
    return document


def used_drive(kind: str) -> _core.Drive:
    """A drive of that kind that was written to."""
    parts = {"disk": "hds721616-160", "hybrid": "momentus-xt-500", "memory": "ramdisk"}
    if kind == "ssd":
        core = _core.Drive(json.dumps(small_ssd()), 1)
    elif kind == "stripe":
        core = _core.Drive.striped([json.dumps(small_ssd())] * 2, 1, 128 << 10, 10**9, 0)
    else:
        core = _core.Drive(load_part(parts[kind]).to_core_json(), 1)
    write(core, 6 << 20)
    core.idle(SECOND_NS)
    return core


def write(core: _core.Drive, length_bytes: int) -> None:
    """Write so much at random, to the end."""
    run = core.start(to_json([Job("w", "randwrite", io_bytes=length_bytes)]), SECOND_NS)
    while not run.advance(core, 1000):
        pass
