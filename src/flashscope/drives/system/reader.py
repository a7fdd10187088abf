"""Read the complete system view; takes some tens of milliseconds and changes nothing."""

from __future__ import annotations

from flashscope.drives.system.blocks import read_blocks, read_pool_members
from flashscope.drives.system.mounts import read_mounts, read_swaps
from flashscope.drives.system.view import SystemView


def read_system() -> SystemView:
    """The system's block devices, mounts and swap areas as they are now."""
    return SystemView(read_blocks(), read_mounts(), read_swaps(), read_pool_members())
