"""Stamps across the border: what a read finds of what was written with numbers, and when the numbers are forgotten."""

from collections.abc import Callable

import pytest

from flashscope import _core
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from tests.core.drives import used_drive

PLACE_BYTES = 4096


def opened(address: str) -> InVirtualTime:
    drive = open_drive(parse_address(address), destructive=True)
    assert isinstance(drive, InVirtualTime)
    return drive


@pytest.mark.parametrize(
    "address",
    [
        "sim:onyx-32",
        "sim:onyx-32@offset=1MiB",
        "sim:onyx-32@sector=4096",
        "sim:momentus-xt-500",
        "sim:ramdisk",
        "stripe:64KiB:sim:onyx-32*3",
        "stripe:64KiB:sim:onyx-32*3@offset=4KiB",
    ],
)
def test_an_honest_drive_of_any_kind_gives_back_what_was_stamped_last(address: str) -> None:
    drive = opened(address)
    last = drive.facts.user_bytes // PLACE_BYTES * PLACE_BYTES - PLACE_BYTES
    for number, at in enumerate([0, last // 2 // PLACE_BYTES * PLACE_BYTES, last, 0], start=1):
        assert drive.write_stamped(at, PLACE_BYTES, 1000 * number) == "done"
    drive.flush()
    assert drive.read_stamped(0, PLACE_BYTES) == ("done", list(range(4000, 4008)))
    assert drive.read_stamped(last, PLACE_BYTES) == ("done", list(range(3000, 3008)))
    assert drive.read_stamped(PLACE_BYTES, PLACE_BYTES) == ("done", [None] * 8)


def test_stamps_are_forgotten_when_anything_else_is_done_to_the_drive() -> None:
    drive = opened("sim:onyx-32")
    acts: list[Callable[[], None]] = [lambda: drive.trim(0, PLACE_BYTES), lambda: drive.idle(1), drive.secure_erase]
    for act in acts:
        drive.write_stamped(0, 512, 7)
        assert drive.read_stamped(0, 512) == ("done", [7])
        act()
        assert drive.read_stamped(0, 512) == ("done", [None])


def test_a_snapshot_has_no_stamps() -> None:
    drive = used_drive("ssd")
    drive.write_stamped(0, 512, 7)
    restored = _core.Drive.restore(drive.snapshot(), 1)
    assert (drive.read_stamped(0, 512), restored.read_stamped(0, 512)) == (("done", [7]), ("done", [None]))


def test_a_stamped_request_outside_the_drive_is_answered_by_the_drive_and_stamps_nothing() -> None:
    drive = opened("sim:onyx-32")
    assert drive.write_stamped(drive.facts.user_bytes, 512, 7) == "out-of-range"
    assert drive.read_stamped(100, 512) == ("out-of-range", [])
    assert drive.write_stamped(0, 512, 7) == "done", "and it goes on"
