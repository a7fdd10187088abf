"""A volume with sectors of its own is made of what is held: names that change hands meanwhile lead to nobody's data."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest

from flashscope.drives.own_folders.loop_volume import LoopVolume
from flashscope.drives.own_folders.own_folder import OwnFolder
from flashscope.errors import DriveFailed
from tests.own_data import own_data

from ..drives.bench import MIB, Bench, run
from .canaries import digest
from .swapping import exchange

VOLUME_BYTES = 64 * MIB


@pytest.fixture(autouse=True)
def _there_is_mkfs() -> None:
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("mkfs.ext4 is not installed")


def canary(path: Path) -> tuple[Path, str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(own_data(MIB) + bytes(VOLUME_BYTES - MIB))
    return path, digest(path)


def instead_of_mkfs(folder: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have something happen between the loop device and its file system. DEVICE in the words: the loop device."""
    real, stub = shutil.which("mkfs.ext4"), folder / "programs" / "mkfs.ext4"
    stub.parent.mkdir()
    stub.write_text(f'#!/bin/sh\nfor last; do :; done\nDEVICE=$(readlink "$last")\n{words}\nexec {real} "$@"\n')
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stub.parent}:{os.environ['PATH']}")


def test_a_folder_that_takes_the_place_of_the_runs_own_is_left_alone(bench: Bench) -> None:
    other = bench.directory / "other"
    precious, was = canary(other / "volume-4096")
    inner, inner_was = canary(other / "mounted-4096/files/x")
    with OwnFolder(bench.directory, "run") as own:
        exchange(own.path, other)
        try:
            # It may see that and refuse, or go on in what it holds.
            with contextlib.suppress(DriveFailed), LoopVolume(own, VOLUME_BYTES, 4096) as volume:
                (volume.top.path / "files").mkdir()
                (volume.top.path / "files/x").write_text("a step's")
        finally:
            exchange(own.path, other)
    assert (digest(precious), digest(inner)) == (was, inner_was)
    assert not list(bench.directory.glob("flashscope-*"))


def test_the_loop_device_stays_over_the_runs_own_file_until_the_file_system_is_made(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious, was = canary(bench.directory / "precious.img")
    told = bench.directory / "told"
    words = f'losetup --detach "$DEVICE"; losetup "$DEVICE" {precious} || echo "$DEVICE" > {told}'
    instead_of_mkfs(bench.directory, words, monkeypatch)
    with (
        OwnFolder(bench.directory, "run") as own,
        contextlib.suppress(DriveFailed),
        LoopVolume(own, VOLUME_BYTES, 4096) as volume,
    ):
        (volume.top.path / "x").write_text("a step's")
    assert digest(precious) == was
    assert told.read_text().startswith("/dev/loop"), "the device could be put over another file"
    assert str(precious) not in run("losetup", "--list", "--noheadings", "--output", "BACK-FILE")


def test_a_file_or_a_link_with_the_volumes_name_is_not_written(bench: Bench) -> None:
    precious, was = canary(bench.directory / "precious.img")
    with OwnFolder(bench.directory, "run") as own:
        (own.path / "volume-4096").symlink_to(precious)
        with pytest.raises(DriveFailed, match="could not be made"):
            LoopVolume(own, VOLUME_BYTES, 4096)
        (own.path / "volume-4096").unlink()
        os.link(precious, own.path / "volume-4096")
        with pytest.raises(DriveFailed, match="could not be made"):
            LoopVolume(own, VOLUME_BYTES, 4096)
    assert digest(precious) == was
