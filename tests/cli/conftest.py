"""A file that stands for a real drive and costs no time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from flashscope.drives.held.held import Held
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.runner.engines.choose import registered
from flashscope.runner.engines.virtual_time import VirtualTimeEngine
from tests.own_data import own_data


@pytest.fixture
def a_file(tmp_path: Path) -> Iterator[Path]:
    """A file that a virtual drive answers for, so that no time passes and every run is the same."""
    path = tmp_path / "drive.img"
    path.write_bytes(own_data(1 << 20))
    os.truncate(path, 256 << 20)
    with registered(lambda target: _by_a_virtual_drive() if isinstance(target, Held) else None):
        yield path


def _by_a_virtual_drive() -> VirtualTimeEngine:
    return VirtualTimeEngine(SimulatedDrive.open("onyx-32", 0))
