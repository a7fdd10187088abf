"""Runs are killed outright at chosen moments; the next run removes all that they left, and nothing beside it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.drives.own_folders.leftovers import clear, look
from flashscope.drives.own_folders.own_folder import MEMORY_PLACE

from ..drives.bench import MIB, run, why_no_loop_devices

PATIENCE_S = 120.0
CHILDREN_END_IN_S = 20.0
CONSENT = Consent(write_ok=True, create_bytes=64 * MIB, allow=frozenset({"memory"}))
SLOW_JOB = "[w]\nrw=write\nbs=4k\nsize=16m\nrate=64k\n"
QUICK_JOB = "[w]\nrw=write\nbs=64k\nsize=1m\n"

WORK_ON_A_VOLUME = """
import sys
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.own_folders.leftovers import clear, look
from flashscope.drives.open import open_drive
from flashscope.drives.own_folders.own_folder import MEMORY_PLACE
from flashscope.runner.hands.files.hands import DirectoryHands
from flashscope.workloads.file_work import Create, Delete, File, Program
from flashscope.workloads.steps import FileWork
consent = Consent(write_ok=True, create_bytes=64 << 20, allow=frozenset({"memory"}))
drive = open_drive(parse_address("dir:" + sys.argv[1]), destructive=True, consent=consent)
turns = (Create(File("x", 1 << 20)), Delete(File("x", 1 << 20))) * 8000
in_memory = Create(File("y", 1 << 20, on="memory"))
work = FileWork("w", (Program("p", (in_memory, *turns)),), 10**8, sector_bytes=4096)
DirectoryHands(drive, 0).perform(work, lambda *_: None)
drive.close()
"""

MOMENTS = {
    "between losetup and mkfs": ("mkfs.ext4", "touch REACHED; exec sleep 600"),
    "while programs work": ("", ""),
    "between mkfs and mount": ("mkfs.ext4", 'REAL "$@" && touch REACHED; exec sleep 600'),
}
"""When a run is killed -> the program that stands in for one of the system's and stops there, and what it does."""


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Path]:
    """A directory with a file of somebody's in it. What a failing test leaves in it is taken down."""
    place = tmp_path / "target place"
    place.mkdir()
    (place / "letter").write_text("dear reader")
    yield place
    for point in mounted_in(place):
        run("umount", point)
    for device in loops_over(place):
        run("losetup", "--detach", device)
    assert (place / "letter").read_text() == "dear reader"


def mounted_in(target: Path) -> list[Path]:
    return [point for point in target.glob("flashscope-*/mounted-*") if point.is_mount()]


def loops_over(target: Path) -> list[str]:
    found = {file: file.read_text().strip() for file in Path("/sys/class/block").glob("loop*/loop/backing_file")}
    return [f"/dev/{file.parts[-3]}" for file, backing in found.items() if backing.startswith(str(target))]


def own_folders(place: Path) -> set[Path]:
    return set(place.glob("flashscope-*"))


def left_in_memory() -> set[str]:
    return {found.name.rpartition("-")[0] for found in look(MEMORY_PLACE) if found.state == "left over"}


def start(words: list[str], log: Path, **environment: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(words, stdout=output, stderr=output, env={**os.environ, **environment})


def kill_when(process: subprocess.Popen[bytes], it_is_so: Callable[[], object]) -> None:
    """Kill a run without a word once something is so, and wait until what it had started has ended too."""
    for _ in range(int(PATIENCE_S / 0.01)):
        if it_is_so():
            break
        assert process.poll() is None, f"the run ended by itself with {process.returncode}"
        time.sleep(0.01)
    started = children(process.pid)
    process.kill()
    process.wait()
    for _ in range(int(CHILDREN_END_IN_S / 0.01)):
        if not any(map(is_running, started)):
            return
        time.sleep(0.01)
    for child in filter(is_running, started):
        os.kill(child, signal.SIGKILL)
    pytest.fail("a program that the run had started outlived it")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    found: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(each) for each in tasks.read_text().split()]
    return found + [below for each in found for below in children(each)]


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_what_a_run_leaves_that_is_killed_while_fio_works_the_next_removes_and_says_so(
    target: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    command = []
    for name, text in (("slow", SLOW_JOB), ("quick", QUICK_JOB)):
        (tmp_path / name).write_text(text)
        options = ("--size", "64MiB", "--write-ok", "--allow", "memory", "--store", str(tmp_path / "records.sqlite"))
        command.append([sys.executable, "-m", "flashscope", "run", f"dir:{target}", str(tmp_path / name), *options])
    slow, quick = command
    killed = start(slow, tmp_path / "log", TMPDIR=str(notes))
    kill_when(killed, lambda: list(notes.glob("flashscope-fio-*/result.json")))
    assert len(own_folders(target)) == len(own_folders(notes)) == 1
    environment = {**os.environ, "TMPDIR": str(notes)}
    done = subprocess.run(quick, capture_output=True, text=True, check=True, env=environment)
    assert own_folders(target) == own_folders(notes) == set()
    (told,) = [line for line in done.stderr.splitlines() if line.startswith("note: ")]
    removed = [each for each in told.split("; ") if str(tmp_path) in each]  # /dev/shm belongs to other tests, too
    assert len(removed) == 2
    assert all(each.endswith("was left by a run that was killed, and is removed now") for each in removed)
    assert "is removed now" in done.stdout, "the record has what was in the directory among its doubts"


@pytest.mark.parametrize(
    "moment", [each if index < 2 else pytest.param(each, marks=pytest.mark.long) for index, each in enumerate(MOMENTS)]
)
def test_a_volume_of_a_killed_run_is_taken_down_by_the_next(moment: str, target: Path, tmp_path: Path) -> None:
    missing = [name for name in ("losetup", "mkfs.ext4", "umount") if shutil.which(name) is None]
    if why_no_loop_devices() or missing:
        pytest.skip(why_no_loop_devices() or f"not installed: {', '.join(missing)}")
    reached, programs = tmp_path / "reached", tmp_path / "programs"
    programs.mkdir()
    name, script = MOMENTS[moment]
    if name:
        script = script.replace("REACHED", f"'{reached}'").replace("REAL", str(shutil.which(name)))
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    words = [sys.executable, "-c", WORK_ON_A_VOLUME, str(target)]
    killed = start(words, tmp_path / "log", PATH=f"{programs}:{os.environ['PATH']}")
    kill_when(killed, reached.exists if name else lambda: list(target.glob("flashscope-*/mounted-*/files/x")))
    assert loops_over(target), "the loop device outlives the run"
    assert bool(mounted_in(target)) == (moment == "while programs work")
    open_drive(parse_address(f"dir:{target}"), destructive=True, consent=CONSENT).close()
    assert (mounted_in(target), loops_over(target), own_folders(target)) == ([], [], set())
    if moment == "while programs work":
        assert {"flashscope-memory", "flashscope-programs"} <= left_in_memory()
    clear(MEMORY_PLACE)
    assert left_in_memory() == set()


def is_past(moment_s: float) -> bool:
    return time.monotonic() > moment_s


@pytest.mark.long
def test_runs_killed_at_any_moment_leave_nothing_that_the_next_one_does_not_remove(
    target: Path, tmp_path: Path
) -> None:
    if why_no_loop_devices():
        pytest.skip(why_no_loop_devices())
    words = [sys.executable, "-c", WORK_ON_A_VOLUME, str(target)]
    for turn in range(40):
        killed = start(words, tmp_path / "log")
        kill_when(killed, partial(is_past, time.monotonic() + 0.3 + turn * 0.05))
    for folder in own_folders(target):
        if len(list(folder.iterdir())) <= 1:
            os.utime(folder, (0, 0))  # killed before its note was written: it is removed a minute later
    open_drive(parse_address(f"dir:{target}"), destructive=True, consent=CONSENT).close()
    assert (mounted_in(target), loops_over(target), own_folders(target)) == ([], [], set())
