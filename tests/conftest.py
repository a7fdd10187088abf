"""For all tests: no examples are timed, since a machine that is busy proves nothing; and a bench of loop devices."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from tests.drives.bench import Bench, why_no_loop_devices

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """What was imported and collected stays until the end: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Loop devices and mounts that are taken apart at the end; the test is skipped where there can be none."""
    if reason := why_no_loop_devices():
        pytest.skip(reason)
    with ExitStack() as undo:
        yield Bench(tmp_path, undo)
