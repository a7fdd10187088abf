"""Loop devices and mounts for tests that need a real block device; each is taken apart again."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

MIB = 1024 * 1024


def run(*command: object) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout.strip()


def why_no_loop_devices() -> str:
    """Why a loop device cannot be set up here, empty when it can."""
    if os.geteuid() != 0:
        return "setting up loop devices takes root"
    if not os.path.exists("/dev/loop-control"):
        return "this kernel offers no loop devices"
    missing = [tool for tool in ("losetup", "lsblk", "wipefs") if shutil.which(tool) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


class Bench:
    """Makes loop devices over files, mounts and partitions, and undoes them in reverse order."""

    def __init__(self, directory: Path, undo: ExitStack) -> None:
        self.directory = directory
        self._undo = undo

    def image(self, name: str = "image", size_bytes: int = 64 * MIB) -> Path:
        path = self.directory / name
        with path.open("wb") as file:
            file.truncate(size_bytes)
        return path

    def loop(self, backing: Path, *options: str) -> str:
        device = run("losetup", "--find", "--show", *options, backing)
        self._undo.callback(lambda: run("losetup", "--detach", device))
        return device

    def file_system(self, device: str, *, mounted_on: str = "") -> Path:
        run("mkfs.ext4", "-q", "-F", device)
        point = self.directory / (mounted_on or "point")
        point.mkdir(exist_ok=True)
        if mounted_on:
            run("mount", device, point)
            self.later(lambda: run("umount", point))
        return point

    def partition(self, device: str) -> str:
        """One partition, made known to the kernel without a partition table on the device."""
        run("addpart", device, 1, 2048, 65536)
        self.later(lambda: run("delpart", device, 1))
        return f"{device}p1"

    def later(self, action: Callable[[], object]) -> None:
        self._undo.callback(action)
