"""One run of flashscope, killed outright at a chosen moment, and what is left of it afterwards.

    run = KilledRun(command, folder)     started with a mark in its environment, which every child inherits
    phase = run.kill(moment)             SIGKILL to the main process and to nothing else
    run.gone(within_s)                   waits until nobody bears the mark any more; names who still does

A moment is a time from the start, or from the beginning of a phase, so that short phases are hit as often as long ones.
A phase is told by the child that is at work (fio, mkfs ...), or by how the run itself has the drive open.
Not seen here: a process that takes the mark out of its environment; what it could do to a drive is seen on the drive.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_MARK = "FLASHSCOPE_TEST_MARK"
_GLANCE_S = 0.002
_GIVE_UP_S = 120.0
CHILDREN = ("fio", "mkfs", "mount", "losetup", "python")
"""Programs that a run starts; a child that has not become its program yet is still a python."""


@dataclass(frozen=True)
class Moment:
    """When to kill. after_s: from the start, or from the first sight of this phase [s]."""

    after_s: float
    phase: str = ""

    @classmethod
    def by_chance(cls, chance: random.Random, length_s: float, phases: Sequence[str]) -> Moment:
        """A moment of a run that takes about length_s [s]: any of it, or soon after one of these phases began."""
        if phases and chance.random() < 0.5:
            return cls(chance.random() ** 3 * length_s / 4, chance.choice(phases))
        return cls(chance.random() * length_s)


class KilledRun:
    """A run that is going to be killed. output: what it said, on both streams."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._mark = f"{_MARK}={secrets.token_hex(8)}"
        self.began_s = time.monotonic()
        self.output = folder / "said.txt"
        name, _, value = self._mark.partition("=")
        with self.output.open("wb") as said:
            self._process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
                env={**os.environ, **environment, name: value},
            )  # fmt: skip

    def kill(self, moment: Moment, drive: Path) -> str:
        """Kill it at a moment. Returns the phase that it was in; "ended" when it was over already.

        drive: the file, device or folder that the run is on.
        """
        began_s = self.began_s
        seen_s = None if moment.phase else began_s
        while self._process.poll() is None and time.monotonic() < began_s + _GIVE_UP_S:
            if seen_s is None and self._phase(drive) == moment.phase:
                seen_s = time.monotonic()
            if seen_s is not None and time.monotonic() >= seen_s + moment.after_s:
                break
            time.sleep(_GLANCE_S)
        phase = self._phase(drive)
        self._process.send_signal(signal.SIGKILL)
        return phase if self._process.wait() == -signal.SIGKILL else "ended"

    def finish(self) -> int:
        """Let it go to its end. Returns its exit code."""
        try:
            return self._process.wait(_GIVE_UP_S)
        finally:
            self._process.kill()
            self._process.wait()

    def gone(self, within_s: float) -> list[str]:
        """Wait until nothing of the run is left. Returns what still is after that time [s]."""
        give_up_s = time.monotonic() + within_s
        while (left := _bearers(self._mark)) and time.monotonic() < give_up_s:
            time.sleep(_GLANCE_S)
        return left

    def _phase(self, drive: Path) -> str:
        """The child at work, else "writable", "held" or "not held": how the main process itself has the drive open."""
        children = self._children()
        child = next((name for name in CHILDREN if any(name in each for each in children)), "")
        return child or _how_open(self._process.pid, drive)

    def _children(self) -> list[str]:
        names = []
        for tasks in Path(f"/proc/{self._process.pid}/task").glob("*/children"):
            try:
                names += [Path(f"/proc/{pid}/comm").read_text().strip() for pid in tasks.read_text().split()]
            except OSError:
                continue  # ended between the two looks
        return names


def _how_open(process: int, drive: Path) -> str:
    found = "not held"
    for handle in Path(f"/proc/{process}/fd").glob("*"):
        try:
            if not os.readlink(handle).startswith(str(drive)):
                continue
            flags = Path(f"/proc/{process}/fdinfo/{handle.name}").read_text().split("flags:")[1].split()[0]
        except (OSError, IndexError):
            continue  # closed between the two looks
        if int(flags, 8) & (os.O_RDWR | os.O_WRONLY):
            return "writable"
        found = "held"
    return found


def _bearers(mark: str) -> list[str]:
    """All processes of this machine with the mark in their environment; those that wait to be reaped are none."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(f"{folder.name} {(folder / 'cmdline').read_bytes().replace(bytes(1), b' ').decode()}")
        except OSError:
            continue
    return found
