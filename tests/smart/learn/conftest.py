"""Series and pairs of real dumps, where they are at hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flashscope.smart.dump import Dump
from flashscope.smart.readers.path import read_path_dumps

SAMPLES = Path(os.environ.get("FLASHSCOPE_SMART_SAMPLES", Path(__file__).parents[4] / "shared" / "smart-samples"))


@pytest.fixture(scope="session")
def samples() -> Path:
    if not SAMPLES.exists():
        pytest.skip(f"{SAMPLES} is not there, so no real SMART dumps can be read")
    return SAMPLES


@pytest.fixture(scope="session")
def dumps_in() -> Callable[[Path], list[Dump]]:
    def read(path: Path) -> list[Dump]:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        return [dump for file in files for dump in read_path_dumps(file)]

    return read
