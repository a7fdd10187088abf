"""Drives on which runs are killed, each among canaries, with what must hold there after every kill.

    file        a file with a name that a program could misread; its look-alike stands beside it
    loop        a loop device over such a file; another loop device lies over the look-alike
    directory   a folder that holds files of its own and has a look-alike too

After a kill of a run on a loop device it is somebody else's: a file system is made on it as soon as it can be opened
exclusively, and data are spread over a large one. All of it is looked at again when nothing of the run is left. What
the run needs to go on is put back then.
"""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from ..drives.bench import MIB, Bench, run
from .canaries import READ_AS, Canaries, digest

SIZE_BYTES = 16 * MIB
LARGE_BYTES = 12 << 40
"""Of a drive that takes a while to trim; nearly all of it is a hole."""
_STAMP_EVERY_BYTES = 1 << 30
_STAMP = b"someone else's" * 292
_PATIENCE_S = 10.0
_MOMENT_S = 0.05


class KillableFile:
    """A file. address: what a run is given; consent: the options that let it write."""

    def __init__(self, canaries: Canaries, chance: random.Random) -> None:
        self._canaries = canaries
        self.path = canaries.take(chance.choice(sorted(READ_AS)))
        self.address, self.consent = f"file:{self.path}", ["--write-ok"]

    def after(self, gone: Callable[[float], list[str]]) -> list[str]:
        """What is wrong after a kill, one sentence each. gone: see `kills.KilledRun.gone`."""
        faults = [f"still there: {who}" for who in gone(_PATIENCE_S)]
        before = digest(self.path)
        time.sleep(_MOMENT_S)
        if digest(self.path) != before:
            faults.append("somebody still writes to the file")
        if self.path.stat().st_size != SIZE_BYTES:
            faults.append(f"the file has {self.path.stat().st_size} bytes")
        return faults + self._canaries.changed()


class KillableDirectory:
    """A directory with files in it, which are canaries as well; only the run's own folders may come and go."""

    def __init__(self, canaries: Canaries) -> None:
        self._canaries = canaries
        self.path = canaries.folder / "dir #1"
        self.address, self.consent = f"dir:{self.path}", ["--write-ok", "--size", "128MiB", "--allow", "memory"]

    def after(self, gone: Callable[[float], list[str]]) -> list[str]:
        """See `KillableFile.after`."""
        faults = [f"still there: {who}" for who in gone(_PATIENCE_S)]
        own = repr(f"{self.path.name}/flashscope-")[:-1]
        return faults + [what for what in self._canaries.changed() if not what.startswith(own)]


class KillableLoop:
    """A loop device. size_bytes: of the file below it, which is extended by a hole [bytes]."""

    def __init__(self, canaries: Canaries, bench: Bench, chance: random.Random, size_bytes: int = SIZE_BYTES) -> None:
        self._canaries = canaries
        name = chance.choice(sorted(READ_AS))
        self.image = canaries.take(name)
        os.truncate(self.image, size_bytes)
        self._size_bytes = size_bytes
        self.path = Path(bench.loop(self.image))
        bench.loop(canaries.folder / READ_AS[name][0])
        self.address, self.consent = str(self.path), ["--serial", str(self.image), "--yes"]

    def after(self, gone: Callable[[float], list[str]]) -> list[str]:
        """See `KillableFile.after`."""
        held = _when_free(self.path)
        if held is None:
            faults = [f"the device is not free {_PATIENCE_S} s after the kill"]
        else:
            try:
                faults = self._taken_over(held, gone)
            finally:
                os.close(held)
        faults += [f"still there: {who}" for who in gone(_PATIENCE_S)]
        return faults + self._canaries.changed()

    def _taken_over(self, held: int, gone: Callable[[float], list[str]]) -> list[str]:
        """Make a file system and data on it, which is free now, and see that nobody touches them."""
        was = os.pread(held, SIZE_BYTES, 0)
        _make_file_system(self.path)
        for at_bytes in self._stamped():
            os.pwrite(held, _STAMP, at_bytes)
        before = os.pread(held, SIZE_BYTES, 0)
        gone(_PATIENCE_S)
        time.sleep(_MOMENT_S)
        faults = []
        if os.pread(held, SIZE_BYTES, 0) != before:
            faults.append("the file system made after the kill was written to")
        lost = sum(os.pread(held, len(_STAMP), at_bytes) != _STAMP for at_bytes in self._stamped())
        if lost:
            faults.append(f"{lost} blocks of what was written after the kill are gone")
        checked = subprocess.run(["e2fsck", "-fn", self.path], capture_output=True, text=True, check=False)
        if checked.returncode:
            faults.append(f"e2fsck: {checked.stdout}")
        if self._size_bytes == SIZE_BYTES:
            os.pwrite(held, was, 0)  # which the run needs to go on
        else:
            run("blkdiscard", "--force", self.path)
        os.fsync(held)
        return faults

    def _stamped(self) -> range:
        return range(SIZE_BYTES, self._size_bytes, _STAMP_EVERY_BYTES)


def _when_free(device: Path) -> int | None:
    """A descriptor of a device as soon as it can be opened exclusively; None when it never can."""
    give_up_s = time.monotonic() + _PATIENCE_S
    while time.monotonic() < give_up_s:
        try:
            os.close(os.open(device, os.O_RDWR | os.O_EXCL | os.O_CLOEXEC))
            return os.open(device, os.O_RDWR | os.O_CLOEXEC)  # the file system is made while it is open
        except OSError:
            continue
    return None


def _make_file_system(device: Path) -> None:
    # Large clusters, so that this takes milliseconds on a device of terabytes as well; no trim of its own.
    large = "^has_journal,^resize_inode,bigalloc"
    run("mkfs.ext4", "-q", "-F", "-E", "nodiscard", "-O", large, "-C", 4 * MIB, "-N", 4096, device)
