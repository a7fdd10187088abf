"""The canaries themselves: what they are there to see, they see."""

import os
from pathlib import Path

import pytest

from .canaries import Canaries


def test_nothing_is_told_while_nothing_changed(tmp_path: Path) -> None:
    canaries = Canaries(tmp_path)

    assert canaries.changed() == []


@pytest.mark.parametrize("at_bytes", [0, 8 << 20, (16 << 20) - 1])
def test_one_byte_is_seen_wherever_it_was_written(tmp_path: Path, at_bytes: int) -> None:
    canaries = Canaries(tmp_path)

    with (tmp_path / "backup.img").open("r+b") as file:
        file.seek(at_bytes)
        was = file.read(1)
        file.seek(at_bytes)
        file.write(bytes([was[0] ^ 1]))

    assert canaries.changed() == ["'backup.img' changed"]


def test_a_hole_a_removal_a_new_file_and_a_swap_are_seen(tmp_path: Path) -> None:
    canaries = Canaries(tmp_path)

    os.truncate(tmp_path / "disk", 4096)
    (tmp_path / "a").unlink()
    (tmp_path / "new").write_text("")
    (tmp_path / "x.img").rename(tmp_path / "expanded.img")

    assert canaries.changed() == [
        "'a' is gone",
        "'disk' changed",
        "'expanded.img' changed",
        "'new' appeared",
        "'x.img' is gone",
    ]


def test_what_was_taken_may_change(tmp_path: Path) -> None:
    canaries = Canaries(tmp_path)

    canaries.take("backup.img;old").write_bytes(b"anything")
    canaries.take("dir #1").joinpath("more").write_bytes(b"anything")

    assert canaries.changed() == []
