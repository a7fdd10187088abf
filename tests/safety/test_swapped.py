"""A target whose name comes to mean something else: the run ends, and what took its place is not touched."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.consent import Consent
from flashscope.errors import DriveFailed
from flashscope.records import Status
from flashscope.runner.hands import trim
from flashscope.runner.hands.choose import choose_hands
from flashscope.runner.hands.hands import Hands
from flashscope.workloads.file_work import Create, File, Program
from flashscope.workloads.job import Job
from flashscope.workloads.steps import FileWork, Workload
from tests.drives.opened import open_real
from tests.own_data import own_data

from ..drives.bench import MIB, Bench, why_no_loop_devices
from ..endurance.real.worn import PLAIN, Worn
from .canaries import Canaries, digest

needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
Swap = Callable[[Path, Path], object]
"""Makes the first path mean the second one."""


def renamed(target: Path, other: Path) -> None:
    other.rename(target)


def linked(target: Path, other: Path) -> None:
    target.unlink()
    os.link(other, target)


def symbolically_linked(target: Path, other: Path) -> None:
    target.rename(target.with_name("moved"))
    target.symlink_to(other)


def mounted(target: Path, other: Path) -> None:
    if reason := why_no_loop_devices():
        pytest.skip(reason)
    subprocess.run(["mount", "--bind", other, target], check=True)


def removed(target: Path, other: Path) -> None:
    target.unlink()


def linked_elsewhere(target: Path, other: Path) -> None:
    os.link(target, target.with_name("moved"))


EVERY_SWAP = [renamed, linked, symbolically_linked, mounted, removed, linked_elsewhere]


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def bench(tmp_path: Path, undo: ExitStack) -> Bench:
    if reason := why_no_loop_devices():
        pytest.skip(reason)
    return Bench(tmp_path, undo)


@pytest.fixture
def canaries(tmp_path: Path, undo: ExitStack) -> Canaries:
    found = Canaries(tmp_path / "canaries", size_bytes=4 * MIB)
    undo.callback(lambda: subprocess.run(["umount", found.folder / "x.img"], capture_output=True, check=False))
    return found


def opened(address: str, undo: ExitStack, consent: Consent | None = None) -> RealDrive:
    drive = open_real(address, consent=consent or Consent(write_ok=True))
    undo.callback(drive.close)
    return drive


def hands_on(drive: RealDrive) -> Hands:
    return choose_hands(drive, 0)


def writes(*groups: int) -> Workload:
    jobs = tuple(Job(f"w{group}", "write", size_bytes=MIB, seed=group, group=group) for group in groups)
    return Workload("jobs", jobs, 10**8, 0, 0)


def quiet(bytes_done: int, elapsed_ns: int) -> None:
    """A progress callback that lets the run go on."""


class Once:
    """A progress callback that does something at its first call."""

    def __init__(self, action: Callable[[], object]) -> None:
        self._actions = [action]

    def __call__(self, bytes_done: int, elapsed_ns: int) -> None:
        while self._actions:
            self._actions.pop()()


@needs_fio
@pytest.mark.parametrize("swap", EVERY_SWAP)
def test_between_two_steps(canaries: Canaries, undo: ExitStack, swap: Swap) -> None:
    target, other = canaries.take("x.img"), canaries.folder / "disk"
    canaries.take("moved")
    hands = hands_on(opened(f"file:{target}", undo))
    hands.perform(writes(0), quiet)
    before = digest(other)

    swap(target, other)
    with pytest.raises(DriveFailed, match=r"x\.img (is gone|is not the same|has another name)"):
        hands.perform(writes(0), quiet)

    if swap is renamed:
        other = target
        canaries.take("disk")
    assert digest(other) == before
    assert canaries.changed() == []


@needs_fio
def test_between_two_groups_of_jobs_of_one_step(canaries: Canaries, undo: ExitStack) -> None:
    target = canaries.take("x.img")
    canaries.take("moved")
    hands = hands_on(opened(f"file:{target}", undo))
    swap = Once(lambda: symbolically_linked(target, canaries.folder / "disk"))

    with pytest.raises(DriveFailed, match="symbolic link"):
        hands.perform(writes(0, 1), swap)

    assert canaries.changed() == []


def test_between_two_pieces_of_a_trim(canaries: Canaries, undo: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trim, "PIECE_BYTES", MIB)
    target = canaries.take("x.img")
    target.write_bytes(own_data(4 * MIB))
    drive = opened(f"file:{target}", undo)
    canaries.take("moved")

    with pytest.raises(DriveFailed, match="another file took its place"):
        trim.trim_range(drive.held, 0, 4 * MIB, 4096, Once(lambda: linked(target, canaries.folder / "disk")))

    assert canaries.changed() == []
    assert os.fstat(drive.held.handle).st_blocks * 512 >= 3 * MIB, "the pieces after the first were not sent"


def test_between_two_batches_of_an_endurance_run(canaries: Canaries) -> None:
    target = canaries.take("x.img")
    target.write_bytes(bytes(12 * MIB))
    canaries.take("moved")
    swaps = [lambda: symbolically_linked(target, canaries.folder / "disk")]
    worn = Worn(canaries.folder.parent, address=f"file:{target}")

    def swap_at_third(batches: int, written_bytes: int) -> None:
        if batches == 3 and swaps:
            swaps.pop()()

    record = worn.begin(PLAIN, on_acknowledged=swap_at_third)

    assert record.status is Status.INTERRUPTED
    assert "symbolic link" in record.note
    assert canaries.changed() == []


@needs_fio
@pytest.mark.parametrize("swap", [linked, symbolically_linked, removed, linked_elsewhere])
def test_the_test_file_of_a_directory(canaries: Canaries, undo: ExitStack, swap: Swap) -> None:
    hands = hands_on(opened(f"dir:{canaries.take('dir')}", undo, Consent(write_ok=True, create_bytes=8 * MIB)))
    hands.perform(writes(0), quiet)
    (own,) = (canaries.folder / "dir").glob("flashscope-*")
    canaries.take("moved")

    swap(own / "test-file", canaries.folder / "disk")
    with pytest.raises(DriveFailed, match="test-file"):
        hands.perform(writes(0), quiet)

    assert canaries.changed() == []


@pytest.mark.parametrize("planted", ["hard link", "symbolic link"])
def test_a_file_that_a_program_makes(canaries: Canaries, undo: ExitStack, planted: str) -> None:
    hands = hands_on(opened(f"dir:{canaries.take('dir')}", undo, Consent(write_ok=True, create_bytes=8 * MIB)))
    step = FileWork("work", (Program("p", (Create(File("deep/new", MIB)),)),), 10**8)
    hands.perform(step, quiet)
    (own,) = (canaries.folder / "dir").glob("flashscope-*")
    made = own / "files" / "deep" / "new"
    made.unlink()
    if planted == "hard link":
        os.link(canaries.folder / "disk", made)
    else:
        made.symlink_to(canaries.folder / "disk")

    outcome = hands.perform(step, quiet)

    assert outcome.status is Status.DONE
    assert made.stat().st_size == MIB
    assert canaries.changed() == []


@pytest.mark.parametrize("swap", [symbolically_linked, mounted])
def test_the_run_s_own_folder(canaries: Canaries, undo: ExitStack, swap: Swap) -> None:
    hands = hands_on(opened(f"dir:{canaries.take('dir')}", undo, Consent(write_ok=True, create_bytes=8 * MIB)))
    (own,) = (canaries.folder / "dir").glob("flashscope-*")
    swap(own, canaries.folder / "mount;2")
    try:
        with pytest.raises(DriveFailed, match="not the same any more"):
            hands.perform(FileWork("work", (Program("p", (Create(File("kept.txt", MIB)),)),), 10**8), quiet)
        if swap is symbolically_linked:
            undo.close()  # the drive is closed, and its folder would be removed
    finally:
        if swap is mounted:
            subprocess.run(["umount", own], check=True)
    assert canaries.changed() == []


@needs_fio
def test_a_loop_device_whose_node_comes_to_mean_another_one(bench: Bench, undo: ExitStack) -> None:
    image, other = bench.image("image", 8 * MIB), bench.image("other", 8 * MIB)
    device, another = (Path(bench.loop(each)) for each in (image, other))
    node = Path(f"/dev/flashscope-test-{device.name}")
    os.mknod(node, 0o600 | 0o060000, os.stat(device).st_rdev)
    undo.callback(node.unlink, missing_ok=True)
    hands = hands_on(opened(str(node), undo, Consent(serial=str(image))))
    hands.perform(writes(0), quiet)
    assert any(image.read_bytes()[:MIB])

    node.unlink()
    os.mknod(node, 0o600 | 0o060000, os.stat(another).st_rdev)
    with pytest.raises(DriveFailed, match="another block device took its place"):
        hands.perform(writes(0), quiet)

    assert not any(other.read_bytes())
