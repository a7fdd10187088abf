"""Whether a drive is still the one it was: files, folders, and what to say of each."""

import os
from pathlib import Path

import pytest

from flashscope.drives.held.held import Held
from flashscope.drives.held.vanished import Watched
from flashscope.errors import DriveFailed


def test_a_drive_that_stays_has_nothing_happen_to_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"xx")
    watched = Watched(Held.take(path, os.O_RDWR))
    path.write_bytes(b"yy")
    assert (watched.what_happened(), watched.why_it_failed()) == ("", "")


def test_a_file_that_was_deleted_replaced_or_shortened_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"xx")
    watched = Watched(Held.take(path, os.O_RDWR))
    path.write_bytes(b"x")
    assert "has 1 bytes now and had 2" in watched.what_happened()
    (tmp_path / "y").write_bytes(b"yy")
    (tmp_path / "y").rename(path)
    assert "another file took its place" in watched.what_happened()
    path.unlink()
    assert "deleted or moved" in watched.why_it_failed()


def test_a_folder_that_is_gone_says_so_and_one_gone_before_is_a_failure(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    held = Held.take(folder, os.O_RDONLY)
    watched = Watched(held)
    folder.rmdir()
    assert "unmounted, or somebody removed or moved it" in watched.what_happened()
    with pytest.raises(DriveFailed, match="went away before"):
        Watched(held)
