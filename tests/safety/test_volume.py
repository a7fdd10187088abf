"""A volume that a run makes for itself: nothing is formatted or mounted but the file that was made for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from flashscope.drives.own_folders.loop_volume import LoopVolume
from flashscope.drives.own_folders.own_folder import OwnFolder
from flashscope.errors import DriveFailed

from ..drives.bench import MIB, Bench
from .canaries import Canaries

_BYTES = 32 * MIB


@pytest.fixture
def own(bench: Bench) -> Iterator[OwnFolder]:
    (bench.directory / "place").mkdir()
    with OwnFolder(bench.directory / "place", "run") as folder:
        yield folder


def instead_of(name: str, script: str, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a program do something else; the words that it was given are `$@`, the last one `$last`."""
    tools = bench.directory / "tools"
    tools.mkdir(exist_ok=True)
    (tools / name).write_text(f"#!/bin/sh\nfor last; do :; done\n{script}\n")
    (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")


def mounts_below(folder: Path) -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [line.split()[4] for line in lines if line.split()[4].startswith(f"{folder}/")]


def test_a_volume_is_made_of_its_own_file_and_nothing_of_it_is_left(own: OwnFolder) -> None:
    with LoopVolume(own, _BYTES, 4096) as volume:
        handle = os.open("x", os.O_WRONLY | os.O_CREAT, dir_fd=volume.top.handle)
        os.write(handle, b"x" * 8192)
        os.close(handle)
        assert mounts_below(own.path) == [str(own.path / "mounted-4096")]
        assert volume.top.what_changed() == ""

    assert mounts_below(own.path) == []
    assert [path.name for path in own.path.iterdir()] == ["owner-note.json"]


def test_a_loop_device_over_another_file_is_not_formatted(
    own: OwnFolder, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    canaries = Canaries(bench.directory / "canaries")
    disk = canaries.folder / "disk"
    instead_of("losetup", f"exec /usr/sbin/losetup --find --show {disk}", bench, monkeypatch)

    with pytest.raises(DriveFailed, match="lies over another file"):
        LoopVolume(own, _BYTES, 4096)

    assert subprocess.run(["/usr/sbin/losetup", "-j", disk], capture_output=True, text=True).stdout == ""
    assert canaries.changed() == []


def test_a_device_whose_name_comes_to_mean_another_one_is_formatted_itself(
    own: OwnFolder, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    canaries = Canaries(bench.directory / "canaries", size_bytes=_BYTES)
    other = bench.loop(canaries.folder / "disk")
    node = Path("/dev/flashscope-test-volume")
    bench.later(lambda: node.unlink(missing_ok=True))
    real = bench.directory / "real"
    attach = f'/usr/sbin/losetup "$@" > {real} && cp -a $(cat {real}) {node} && echo {node}'
    instead_of("losetup", attach, bench, monkeypatch)
    swap = f'rm {node}; cp -a {other} {node}; exec /usr/sbin/mkfs.ext4 "$@"'
    instead_of("mkfs.ext4", swap, bench, monkeypatch)

    with pytest.raises(DriveFailed, match="another block device took its place"):
        LoopVolume(own, _BYTES, 4096)

    assert canaries.changed() == []
    subprocess.run(["/usr/sbin/losetup", "--detach", real.read_text().strip()], check=True)


def test_what_is_mounted_in_its_place_is_not_worked_on(
    own: OwnFolder, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    canaries = Canaries(bench.directory / "canaries", size_bytes=4096)
    instead_of("mount", f'exec /usr/bin/mount --bind {canaries.folder} "$last"', bench, monkeypatch)

    with pytest.raises(DriveFailed, match="which was made for it"):
        LoopVolume(own, _BYTES, 4096)

    assert mounts_below(own.path) == []
    assert canaries.changed() == []


def test_a_folder_in_which_something_is_mounted_is_not_emptied_through_it(own: OwnFolder, bench: Bench) -> None:
    canaries = Canaries(bench.directory / "canaries", size_bytes=4096)
    (own.path / "files").mkdir()
    subprocess.run(["mount", "--bind", canaries.folder, own.path / "files"], check=True)
    try:
        with pytest.raises(OSError, match="mounted"):
            own.empty()
    finally:
        subprocess.run(["umount", own.path / "files"], check=True)

    assert canaries.changed() == []
