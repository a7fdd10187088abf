"""Files below a held folder: whatever is planted there leads nowhere else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flashscope.drives.held.beneath import Beneath

from ..drives.bench import why_no_loop_devices
from .canaries import Canaries


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "own"
    path.mkdir()
    return path


@pytest.fixture
def files(folder: Path) -> Iterator[Beneath]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    beneath = Beneath(handle)
    yield beneath
    beneath.close()
    os.close(handle)


@pytest.fixture
def canaries(tmp_path: Path) -> Canaries:
    return Canaries(tmp_path / "canaries", size_bytes=4096)


def write(files: Beneath, path: str, data: bytes = b"written") -> None:
    handle = files.make(path)
    os.write(handle, data)
    os.close(handle)


def read(files: Beneath, path: str) -> bytes:
    handle = files.open(path)
    try:
        return os.read(handle, 100)
    finally:
        os.close(handle)


def test_files_are_made_with_their_folders_read_measured_and_removed(files: Beneath, folder: Path) -> None:
    for path in ("a", "x/y/b", "x/y/c", "x/d"):
        write(files, path)

    assert (folder / "x" / "y" / "c").read_bytes() == read(files, "x/y/c") == b"written"
    assert (files.size_bytes("x/d"), files.size_bytes("x/none"), files.size_bytes("none/none")) == (7, None, None)
    files.unlink("x/y/b")
    assert not (folder / "x" / "y" / "b").exists()


def test_a_file_that_is_made_is_new_whatever_had_its_name(files: Beneath, folder: Path, canaries: Canaries) -> None:
    os.link(canaries.folder / "disk", folder / "hard")
    (folder / "soft").symlink_to(canaries.folder / "disk")

    for name in ("hard", "soft"):
        write(files, name)

        assert (folder / name).read_bytes() == b"written"
    assert canaries.changed() == []


def test_no_link_is_followed(files: Beneath, folder: Path, canaries: Canaries) -> None:
    (folder / "out").symlink_to(canaries.folder)
    (folder / "file").symlink_to(canaries.folder / "disk")

    for attempt in (lambda: write(files, "out/disk"), lambda: read(files, "file"), lambda: files.unlink("out/disk")):
        with pytest.raises(OSError, match=r"out/disk|file"):
            attempt()
    assert canaries.changed() == []


def test_no_mount_is_crossed(files: Beneath, folder: Path, canaries: Canaries) -> None:
    if reason := why_no_loop_devices():
        pytest.skip(reason)
    (folder / "inner").mkdir()
    subprocess.run(["mount", "--bind", canaries.folder, folder / "inner"], check=True)
    try:
        attempts: tuple[Callable[[], object], ...] = (
            lambda: write(files, "inner/disk"),
            lambda: files.unlink("inner/disk"),
        )
        for attempt in attempts:
            with pytest.raises(OSError, match="something is mounted there"):
                attempt()
    finally:
        subprocess.run(["umount", folder / "inner"], check=True)
    assert canaries.changed() == []


def test_a_folder_that_is_swapped_for_a_link_after_it_was_used_leads_nowhere(
    files: Beneath, folder: Path, canaries: Canaries
) -> None:
    write(files, "x/a")
    (folder / "x").rename(folder / "moved")
    (folder / "x").symlink_to(canaries.folder)

    write(files, "x/b")

    assert (folder / "moved" / "b").read_bytes() == b"written"
    assert canaries.changed() == []


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "", "a//b", "./a"])
def test_a_path_that_may_lead_out_is_our_fault(files: Beneath, path: str) -> None:
    with pytest.raises(AssertionError, match="may lead out"):
        files.make(path)
