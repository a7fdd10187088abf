"""flashscope killed while something is under way: nothing that it started is left, and nothing is written any more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ..drives.bench import MIB, Bench
from .canaries import ENVIRONMENT, Canaries, digest

_PATIENCE_S = 60.0
_GIB = 1024 * MIB
_PIECE_BYTES = 256 * MIB
_TRIM = """
import os, sys
from pathlib import Path
from flashscope.drives.held.held import Held
from flashscope.runner.hands.trim import trim_range
def tell(done, elapsed):
    print("piece", flush=True)
    sys.stdin.readline()
held = Held.take(Path(sys.argv[1]), os.O_RDONLY | os.O_EXCL)
trim_range(held, 0, held.was.size_bytes, 512, tell)
"""
_VOLUME = """
import sys
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
consent = Consent(write_ok=True, create_bytes=64 << 20)
open_drive(parse_address("dir:" + sys.argv[1]), destructive=True, consent=consent).volume(4096)
"""
_PROGRAMS = """
import sys
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.runner.hands.choose import choose_hands
from flashscope.workloads.file_work import Create, Delete, File, Program
from flashscope.workloads.steps import FileWork
turns = tuple(each for _ in range(20000) for each in (Create(File("x", 1 << 20)), Delete(File("x", 1 << 20))))
drive = open_drive(
    parse_address("dir:" + sys.argv[1]), destructive=True, consent=Consent(write_ok=True, create_bytes=64 << 20)
)
step = FileWork("work", (Program("p", turns),), 10**8)
choose_hands(drive, 0).perform(step, lambda moved, elapsed: print("moved", moved, flush=True))
"""


def started(code: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def killed(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def wait_for(condition: Callable[[], object], what: str) -> None:
    until = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < until, f"waited in vain for {what}"
        time.sleep(0.02)


def users_of(path: Path) -> list[str]:
    """The command lines of the processes that have a file or a device open, or something below a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if any(each == str(path) or each.startswith(f"{path}/") for each in opened_by(process)):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def opened_by(process: Path) -> Iterator[str]:
    for handle in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed just now
            yield os.readlink(handle)


def stays_the_same(path: Path) -> bool:
    before = digest(path)
    time.sleep(0.2)
    return digest(path) == before


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_a_step_of_fio(tmp_path: Path) -> None:
    canaries = Canaries(tmp_path / "canaries")
    target = canaries.take("disk #2.img")
    job = tmp_path / "job.fio"
    job.write_text("[w]\nrw=randwrite\nbs=4k\nruntime=60\ntime_based\n")
    before = digest(target)
    words = ["run", f"file:{target}", str(job), "--write-ok", "--store", str(tmp_path / "records.sqlite")]
    code = "import sys; from flashscope.cli.main import main; main(sys.argv[1:])"
    process = started(code, *words, **ENVIRONMENT)
    wait_for(lambda: digest(target) != before or process.poll() is not None, "the first write")
    assert process.poll() is None, f"it ended before its first write: {process.communicate()}"

    killed(process)

    wait_for(lambda: users_of(target) == [], "fio to end")
    assert stays_the_same(target)
    assert canaries.changed() == []


def test_a_trim_of_a_large_drive(bench: Bench) -> None:
    image = bench.image(size_bytes=12 * _GIB)
    with image.open("r+b") as file:
        for at in range(0, 12 * _GIB, _PIECE_BYTES):
            file.seek(at + 4096)
            file.write(b"x" * 4096)
    device = Path(bench.loop(image))
    process = started(_TRIM, device)
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        assert process.stdout.readline() == "piece\n"
        process.stdin.write("\n")
        process.stdin.flush()
    assert process.stdout.readline() == "piece\n"

    killed(process)

    os.close(os.open(device, os.O_RDONLY | os.O_EXCL))  # nobody holds it any more
    with image.open("rb") as file:
        marks = []
        for at in range(0, 12 * _GIB, _PIECE_BYTES):
            file.seek(at + 4096)
            marks.append(any(file.read(4096)))
    assert marks == [False] * 3 + [True] * 45


def test_a_file_system_being_made(bench: Bench) -> None:
    place, tools = bench.directory / "place", bench.directory / "tools"
    place.mkdir()
    tools.mkdir()
    begun = bench.directory / "begun"
    for name in ("mkfs.ext4", "mkfs.xfs"):
        (tools / name).write_text(
            '#!/bin/sh\nfor device; do :; done\nexec 3<>"$device"\n'
            f"while :; do printf xxxxxxxxxxxxxxxx >&3; echo x >> {begun}; done\n"
        )
        (tools / name).chmod(0o755)
    process = started(_VOLUME, place, PATH=f"{tools}:{os.environ['PATH']}")
    wait_for(lambda: begun.exists() or process.poll() is not None, "mkfs to begin")
    assert process.poll() is None, process.communicate()

    killed(process)
    backing = next(place.glob("flashscope-*/volume-4096"))
    device = Path(subprocess.run(["losetup", "-j", backing], capture_output=True, text=True).stdout.partition(":")[0])
    bench.later(lambda: subprocess.run(["losetup", "--detach", device], check=True))

    wait_for(lambda: users_of(device) == [], "mkfs to end")
    assert stays_the_same(begun)


def test_a_program_on_files(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    process = started(_PROGRAMS, place)
    assert process.stdout is not None
    while process.stdout.readline() in ("moved 0\n",):
        pass
    assert process.poll() is None, process.communicate()

    killed(process)

    wait_for(lambda: users_of(place) == [], "the program to end")
    (own,) = place.glob("flashscope-*")
    before = {path: path.stat().st_mtime_ns for path in own.rglob("*")}
    time.sleep(0.2)
    assert {path: path.stat().st_mtime_ns for path in own.rglob("*")} == before
