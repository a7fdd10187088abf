from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .bench import Bench, why_no_loop_devices


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    reason = why_no_loop_devices()
    if reason:
        pytest.skip(reason)
    with ExitStack() as undo:
        yield Bench(tmp_path, undo)
