from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.drives.real.directory import DirectoryDrive
from flashscope.runner.hands.files.hands import DirectoryHands

from ..drives.bench import MIB

OpenHands = Callable[..., DirectoryHands]


@pytest.fixture
def hands_on() -> Iterator[OpenHands]:
    """Hands on a directory; the drives that were opened are closed at the end."""
    with ExitStack() as undo:

        def open_hands(path: Path, room_bytes: int = 256 * MIB) -> DirectoryHands:
            consent = Consent(write_ok=True, create_bytes=room_bytes, allow=frozenset({"memory"}))
            drive = open_drive(parse_address(f"dir:{path}"), destructive=True, consent=consent)
            assert isinstance(drive, DirectoryDrive)
            undo.callback(drive.close)
            return DirectoryHands(drive, 0)

        yield open_hands
