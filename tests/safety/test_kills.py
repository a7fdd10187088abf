"""Killed at any moment: nothing but the drive that was named has changed, nobody still works on it, the next run goes.

The short variant kills a few of each kind; the long one 200 of each command, and prints what it hit.
"""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..drives.bench import Bench, why_no_loop_devices
from .canaries import Canaries
from .killed_drives import LARGE_BYTES, KillableDirectory, KillableFile, KillableLoop
from .killing import Killable, Killing, Kind

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")

JOBS = """[global]
size=4m
bs=64k
runtime=200ms
time_based
[write]
rw=write
[random]
stonewall
rw=randwrite
bs=4k
[read]
stonewall
rw=read
"""
TRIMS = """[global]
rw=trim
bs=1g
size=1t
runtime=1500ms
time_based
[first]
[second]
stonewall
offset=1t
"""
WEAR = ("--budget", "40MiB", "--confirm-total", "40MiB", "--no-figures", "--verify", "full")
PAGE = ("--output", "page.html")
KINDS = {
    "run": Kind("run", ("jobs.fio",)),
    "examine": Kind("examine", ("--only", "sustained-sequential-write", "--quick", *PAGE)),
    "files": Kind("examine", ("--only", "archives", "--quick", *PAGE), ("python",)),
    "sectors": Kind("examine", ("--only", "sector-emulation-copy", "--quick", *PAGE), ("losetup", "mkfs", "mount")),
    "endure": Kind("endure", WEAR, ("writable",)),
    "trim step": Kind("run", ("--experiment", "write-buffer", "--quick"), ("writable",), length_s=6.0),
    "trim job": Kind("run", ("trims.fio",)),
}
CASES = {
    "run": (("run", "file", 67), ("run", "loop", 67), ("run", "directory", 66)),
    "examine": (
        ("examine", "file", 50),
        ("examine", "loop", 50),
        ("files", "directory", 60),
        ("sectors", "directory", 40),
    ),
    "endure": (("endure", "file", 100), ("endure", "loop", 100)),
    "trim": (("trim step", "large loop", 140), ("trim job", "large loop", 60)),
}
FEW = (("run", "directory"), ("endure", "loop"))
MANY = [case for cases in CASES.values() for case in cases]


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def killed(name: str, where: str, times: int, seed: int, folder: Path, undo: ExitStack) -> None:
    reason = why_no_loop_devices()
    if "loop" in where and reason:
        pytest.skip(reason)
    if name == "sectors" and os.geteuid() != 0:
        pytest.skip("only root may attach loop devices and mount them")
    chance = random.Random(f"{seed} {name} {where}")
    canaries = Canaries(folder / "canaries")
    own = folder / "own"
    own.mkdir()
    (own / "jobs.fio").write_text(JOBS)
    (own / "trims.fio").write_text(TRIMS)
    drive: Killable
    match where:
        case "file":
            drive = KillableFile(canaries, chance)
        case "directory":
            drive = KillableDirectory(canaries)
        case "loop":
            drive = KillableLoop(canaries, Bench(folder, undo), chance)
        case _:
            drive = KillableLoop(canaries, Bench(folder, undo), chance, LARGE_BYTES)
    tally = Killing(KINDS[name], drive, own, chance).kill(times)
    print(f"\n{name} on a {where} ({drive.address}), seed {seed}: {tally}")
    assert tally.faults == []


@pytest.mark.parametrize(("name", "where"), FEW)
def test_a_few_kills_leave_everything_else_as_it_was(name: str, where: str, tmp_path: Path, undo: ExitStack) -> None:
    killed(name, where, 2, 1, tmp_path, undo)


@pytest.mark.long
@pytest.mark.parametrize(("name", "where", "times"), MANY)
def test_two_hundred_kills_of_each_command_leave_everything_else_as_it_was(
    name: str, where: str, times: int, tmp_path: Path, undo: ExitStack
) -> None:
    killed(name, where, times, 2, tmp_path, undo)
