"""File work and trims on real file systems over loop devices: two sector sizes, and drives that go away."""

import os
import shutil
import time
from functools import partial
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.errors import DriveFailed, WrongUse
from flashscope.experiments.sector_emulation_copy import SectorEmulationCopy
from flashscope.records import Status
from flashscope.runner.asked import Asked
from flashscope.runner.hands.choose import choose_hands
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.file_work import Copy, Create, File, Program
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import FileWork, Trim, Workload
from tests.known import known
from tests.own_data import own_data

from ..drives.bench import MIB, Bench, run
from ..runner.fakes import FakeExperiment
from .conftest import OpenHands
from .test_file_work import INTERVAL_NS, copies, measured, quiet, turns_of

needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
TREE = tuple(File(f"tree/{index // 50}/{index}", 3_000) for index in range(300))


@pytest.mark.parametrize("kind", ["ext4", "xfs"])
def test_the_same_tree_is_copied_on_sectors_of_512_and_4096_bytes(kind: str, bench: Bench, hands_on: OpenHands) -> None:
    if shutil.which(f"mkfs.{kind}") is None:
        pytest.skip(f"mkfs.{kind} is not installed")
    for sector_bytes in (512, 4096):
        device = bench.loop(bench.image(f"image-{sector_bytes}", 400 * MIB), "--sector-size", str(sector_bytes))
        run(f"mkfs.{kind}", "-q", device)
        point = bench.directory / f"point-{sector_bytes}"
        point.mkdir()
        run("mount", device, point)
        bench.later(partial(run, "umount", point))
        hands = hands_on(point, 64 * MIB)
        bench.later(hands._directory.close)
        assert hands._directory.facts.sector_bytes == sector_bytes
        result = measured(hands.perform(FileWork("tree", (Program("copy", copies(TREE)),), INTERVAL_NS), quiet))
        assert result.totals["data_written_bytes"] == 300 * 3_000
        assert result.totals["programs_ended_ns"] < result.totals["synced_ns"]
        assert len(list(point.rglob("copy/tree/*/*"))) == 300


def test_an_unmounted_directory_fails_the_run_and_keeps_its_record(bench: Bench) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=256 * MIB)), mounted_on="leaves")
    lazily_unmounted: list[bool] = []

    class Pulling(Silent):
        def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
            if bytes_done > MIB and not lazily_unmounted:
                lazily_unmounted.append(True)
                run("umount", "--lazy", point)
                bench.later(lambda: run("mount", "--bind", point, point))  # the bench unmounts it once more

    consent = Consent(write_ok=True, create_bytes=64 * MIB)
    drive = open_drive(parse_address(f"dir:{point}"), destructive=True, consent=consent)
    steps = [FileWork("write", (Program("p", turns_of("deep/x")),), INTERVAL_NS), FileWork("after", (), INTERVAL_NS)]
    try:
        with Store(bench.directory / "records.sqlite") as store:
            experiment = FakeExperiment(steps)
            record = run_experiment(experiment, drive, Asked(seed=0, command=""), store=store, progress=Pulling())
            kept = store.load(record.id)
    finally:
        drive.close()
    assert kept.status is Status.FAILED
    assert "its file system was unmounted" in kept.note
    workload = known(kept.step("write").workload)
    assert workload.totals["written_bytes"] > MIB
    assert [step.name for step in kept.steps] == ["write"]
    assert list(point.iterdir()) == [], "nothing was written to the place where it had been mounted"


def test_a_disk_that_fills_up_during_a_step_fails_it_and_says_so(bench: Bench, hands_on: OpenHands) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=160 * MIB)), mounted_on="fills")
    hands = hands_on(point, 32 * MIB)
    bench.later(hands._directory.close)

    def another_fills_it(bytes_done: int, elapsed_ns: int) -> None:
        if bytes_done and not (point / "other").exists():
            with (point / "other").open("wb") as other:
                room = os.statvfs(point)
                os.posix_fallocate(other.fileno(), 0, room.f_bavail * room.f_frsize - MIB // 2)

    many = tuple(Create(File(f"many/{index}", MIB)) for index in range(24))
    work = FileWork("fill", (Program("p", (*turns_of("x")[:1000], *many)),), INTERVAL_NS)
    outcome = hands.perform(work, another_fills_it)
    assert outcome.status is Status.FAILED
    assert "there is no space left" in outcome.note
    assert outcome.workload is not None
    (point / "other").unlink()


def test_a_file_system_that_turns_read_only_fails_the_step_and_says_so(bench: Bench, hands_on: OpenHands) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=160 * MIB)), mounted_on="turns")
    hands = hands_on(point, 32 * MIB)
    run("mount", "-o", "remount,ro", point)
    bench.later(hands._directory.close)
    bench.later(lambda: run("mount", "-o", "remount,rw", point))
    with pytest.raises((DriveFailed, WrongUse), match="read-only"):
        hands.perform(FileWork("w", (Program("p", (Create(File("x", MIB)),)),), INTERVAL_NS), quiet)


@needs_fio
def test_a_trimmed_block_device_gives_its_backing_file_room_back(bench: Bench) -> None:
    image = bench.image(size_bytes=32 * MIB)
    image.write_bytes(own_data(32 * MIB))
    device = bench.loop(image)
    drive = open_drive(parse_address(device), destructive=True, consent=Consent(serial=str(image)))
    try:
        assert drive.facts.can_trim
        hands = choose_hands(drive, 0)
        assert hands.perform(Trim("t", 8 * MIB, 16 * MIB), quiet).status is Status.DONE
        assert image.stat().st_blocks * 512 <= 17 * MIB
        assert image.read_bytes()[8 * MIB : 24 * MIB] == bytes(16 * MIB)
        assert any(image.read_bytes()[24 * MIB : 24 * MIB + 4096])
        with pytest.raises(WrongUse, match="does not fit sectors"):
            hands.perform(Trim("t", 100, 4096), quiet)
    finally:
        drive.close()


@needs_fio
def test_a_trimmed_file_reaches_the_device_below_when_it_is_mounted_with_discard(bench: Bench) -> None:
    image = bench.image(size_bytes=160 * MIB)
    device = bench.loop(image)
    point = bench.file_system(device, mounted_on="trims")
    run("mount", "-o", "remount,discard", point)
    path = point / "x"
    path.write_bytes(own_data(32 * MIB))
    run("sync", "-f", path)
    drive = open_drive(parse_address(f"file:{path}"), destructive=True, consent=Consent(write_ok=True))
    bench.later(drive.close)
    before_bytes = image.stat().st_blocks * 512
    assert choose_hands(drive, 0).perform(Trim("t", 0, 24 * MIB), quiet).status is Status.DONE
    assert path.stat().st_blocks * 512 <= 9 * MIB
    for _ in range(100):  # the file system tells the drive in the background
        run("sync", "-f", path)
        if before_bytes - image.stat().st_blocks * 512 >= 20 * MIB:
            return
        time.sleep(0.1)
    raise AssertionError("the device below was not told")


@needs_fio
def test_a_drive_without_trim_says_so(bench: Bench) -> None:
    path = bench.file_system(bench.loop(bench.image(size_bytes=160 * MIB)), mounted_on="plain") / "x"
    path.write_bytes(bytes(MIB))
    drive = open_drive(parse_address(f"file:{path}"), destructive=True, consent=Consent(write_ok=True))
    bench.later(drive.close)
    outcome = choose_hands(drive, 0).perform(Trim("t", 0, 4096), quiet)
    assert outcome.status is Status.SKIPPED
    assert "`discard`" in outcome.note


@needs_fio
def test_a_file_deleted_during_a_job_fails_the_step_and_keeps_what_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(own_data(8 * MIB))
    drive = open_drive(parse_address(f"file:{path}"), destructive=True, consent=Consent(write_ok=True))
    try:
        hands = choose_hands(drive, 0)
        job = Job("w", "write", size_bytes=8 * MIB, rate_bytes_per_second=(0, 4 * MIB, 0))

        def delete(bytes_done: int, elapsed_ns: int) -> None:
            if elapsed_ns > 10**9:
                path.unlink(missing_ok=True)

        outcome = hands.perform(Workload("w", (job,), 10**8, 8 * MIB, 0), delete)
    finally:
        drive.close()
    assert outcome.status is Status.FAILED
    assert "deleted or moved" in outcome.note
    assert outcome.workload is not None


@needs_fio
def test_a_block_device_that_loses_its_medium_fails_the_step_in_clear_words(bench: Bench) -> None:
    image = bench.image(size_bytes=64 * MIB)
    device = bench.loop(image)
    drive = open_drive(parse_address(device), destructive=True, consent=Consent(serial=str(image)))
    sizes = BlockSizes(weighted=((65536, 100.0),))
    job = Job("w", "randwrite", write_sizes=sizes, size_bytes=64 * MIB, runtime_ns=3 * 10**9, time_based=True)

    def shorten(bytes_done: int, elapsed_ns: int) -> None:
        if elapsed_ns > 3 * 10**8 and image.stat().st_size:
            os.truncate(image, 0)
            run("losetup", "--set-capacity", device)

    try:
        hands = choose_hands(drive, 0)
        # Writes that were under way make the file grow again before the device looks at its size.
        with pytest.raises(DriveFailed, match=rf"{device} has [0-9]+ bytes now and had {64 * MIB} when the run began"):
            hands.perform(Workload("w", (job,), 10**8, 64 * MIB, 0), shorten)
    finally:
        drive.close()


def test_copying_needs_room_for_sources_too(bench: Bench, hands_on: OpenHands) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=160 * MIB)), mounted_on="tight")
    hands = hands_on(point, 20 * MIB)
    bench.later(hands._directory.close)
    work = FileWork("c", (Program("p", (Copy(File("a", 15 * MIB), File("b", 15 * MIB)),)),), INTERVAL_NS)
    with pytest.raises(WrongUse, match=f"needs {30 * MIB} bytes"):
        hands.perform(work, quiet)


def test_a_directory_is_asked_what_larger_sectors_gain_and_nothing_of_it_stays(bench: Bench, tmp_path: Path) -> None:
    drive = open_drive(
        parse_address(f"dir:{bench.directory}"),
        destructive=True,
        consent=Consent(write_ok=True, create_bytes=128 * MIB, allow=frozenset({"memory"})),
    )
    try:
        with Store(tmp_path / "s.sqlite") as store:
            record = run_experiment(
                SectorEmulationCopy(30), drive, Asked(seed=1, command="test"), store=store, progress=Silent()
            )
    finally:
        drive.close()
    assert [step.status for step in record.steps] == [Status.DONE] * 8, [step.note for step in record.steps]
    gain = next(found for found in record.findings if found.key == "sector_emulation_gain_ratio")
    assert gain.value is not None
    assert "LoopDevice" in {doubt.kind for doubt in gain.doubts}
    assert not list(bench.directory.glob("flashscope-*"))
    assert str(bench.directory) not in run("losetup", "--list", "--output", "BACK-FILE")
