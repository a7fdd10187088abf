"""Repairs of block devices: the serial number typed, a yes given, nothing in use; loop devices over files."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.drives.system.view import Block, Mount, SystemView
from flashscope.errors import WrongUse
from flashscope.realign.journal_place import check_journal_file

from ..drives.bench import Bench, run, why_no_loop_devices
from ..partitions.by_hand import SECTOR, disk, record
from .whole_disks import gpt_disk

pytestmark = pytest.mark.skipif(bool(why_no_loop_devices()), reason=why_no_loop_devices() or "everything is here")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as undo:
        yield Bench(tmp_path, undo)


def align(device: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["align", device, *options, "-q", "--to", "64KiB"])


def test_a_device_is_changed_only_when_its_number_was_typed_and_a_yes_given(bench: Bench) -> None:
    whole = gpt_disk(random.Random(1))
    path = bench.directory / "image"
    path.write_bytes(whole.content)
    device = bench.loop(path)
    plan = align(device, "--plan")
    assert plan.exit_code == 0
    assert "serial:" in plan.output
    for options, says in (((), "serial"), (("--serial", "nothing"), "serial"), (("--serial", str(path)), "--yes")):
        done = align(device, "--apply", *options)
        assert done.exit_code == 2, done.output
        assert says in done.output
        assert path.read_bytes() == whole.content
    done = align(device, "--apply", "--serial", str(path), "--yes")
    assert done.exit_code == 0, done.output
    run("blockdev", "--flushbufs", device)
    for each in whole.plan().layout.partitions:
        start = whole.plan().places.starts.get(each.number, each.start_bytes)
        assert path.read_bytes()[start : start + each.size_bytes] == whole.contents[each.number]


needs_tools = pytest.mark.skipif(
    not all(
        shutil.which(each) for each in ("sgdisk", "mkfs.ext4", "debugfs", "e2fsck", "mkfs.fat", "fsck.fat", "mcopy")
    ),
    reason="sgdisk, e2fsprogs, dosfstools or mtools is not installed",
)
LARGE_SECTOR = 4096


@needs_tools
def test_a_disk_with_sectors_of_4096_bytes_is_repaired_and_its_file_systems_are_clean(bench: Bench) -> None:
    image = bench.directory / "disk.img"
    with image.open("wb") as file:
        file.truncate(96 << 20)
    device = bench.loop(image, "--sector-size", str(LARGE_SECTOR))
    run("sgdisk", "-a", "1", "-n", "1:7:5006", "-n", "2:5010:15009", "-c", "1:one", "-c", "2:two", device)
    _put_file_systems(bench.directory, device)
    identity = _identity(device)
    assert "sectors of 4096 B" in CliRunner().invoke(main, ["align", device]).output
    done = CliRunner().invoke(main, ["align", device, "--apply", "--serial", str(image), "--yes", "-q"])
    assert done.exit_code == 0, done.output
    run("blockdev", "--flushbufs", device)
    assert "No problems found" in run("sgdisk", "--verify", device)
    assert _identity(device) == identity
    ext4, fat = (_taken_out(bench.directory, device, at, count) for at, count in ((256, 5000), (5120 + 256, 10000)))
    run("e2fsck", "-fn", ext4)
    run("fsck.fat", "-n", fat)
    assert run("debugfs", "-R", "cat hello", ext4) == run("mcopy", "-i", fat, "::hello", "-") == "hello there"
    assert int.from_bytes(fat.read_bytes()[28:32], "little") == 5120 + 256, "the sectors before it"


def _put_file_systems(folder: Path, device: str) -> None:
    """ext4 and FAT32, each with one file, in the two partitions."""
    hello = folder / "hello"
    hello.write_text("hello there")
    ext4, fat = folder / "ext4.img", folder / "fat.img"
    for path, count in ((ext4, 5000), (fat, 10000)):
        with path.open("wb") as file:
            file.truncate(count * LARGE_SECTOR)
    run("mkfs.ext4", "-q", "-F", "-b", LARGE_SECTOR, ext4)
    run("debugfs", "-w", "-R", f"write {hello} hello", ext4)
    run("mkfs.fat", "-S", LARGE_SECTOR, "-h", 5010, fat)
    run("mcopy", "-i", fat, hello, "::hello")
    for path, at in ((ext4, 7), (fat, 5010)):
        run("dd", f"if={path}", f"of={device}", f"bs={LARGE_SECTOR}", f"seek={at}", "conv=notrunc,fsync", "status=none")


def _taken_out(folder: Path, device: str, at: int, count: int) -> Path:
    """A copy of sectors of the device as a file."""
    path = folder / f"taken-{at}.img"
    run("dd", f"if={device}", f"of={path}", f"bs={LARGE_SECTOR}", f"skip={at}", f"count={count}", "status=none")
    return path


def _identity(device: str) -> list[str]:
    """What must stay of both partitions: type, GUID, name, size."""
    kept = ("Partition GUID code", "Partition unique GUID", "Partition name", "Partition size", "Attribute flags")
    lines = "\n".join(run("sgdisk", "-i", number, device) for number in (1, 2)).splitlines()
    return [line for line in lines if line.startswith(kept)]


def test_a_disk_in_use_is_refused(bench: Bench) -> None:
    """A partition is mounted by way of another loop device, as a kernel with tables would by its own partition."""
    path = bench.directory / "image"
    sectors = 16384
    path.write_bytes(bytes(disk(sectors + 8192, (0, record([(63, sectors, 0x83)])))))
    inner = run("losetup", "--find", "--show", "--offset", str(63 * SECTOR), "--sizelimit", str(sectors * SECTOR), path)
    bench.later(lambda: run("losetup", "--detach", inner))
    bench.file_system(inner, mounted_on="point")
    before = path.read_bytes()[: 63 * SECTOR]
    done = CliRunner().invoke(main, ["align", str(path), "--apply", "--write-ok", "-q"])
    assert done.exit_code == 2
    assert "loop:" in done.output
    device = bench.loop(path)
    done = align(device, "--apply", "--serial", str(path), "--yes")
    assert done.exit_code == 2
    assert "mounted:" in done.output
    assert path.read_bytes()[: 63 * SECTOR] == before


def test_a_journal_on_the_disk_that_is_changed_or_in_memory_is_refused(tmp_path: Path) -> None:
    blocks = {name: Block(name, number, f"/dev/{name}") for name, number in (("sda", "8:0"), ("sdb", "8:16"))}
    for folder, number, kind in (("own", "8:0", "ext4"), ("other", "8:16", "ext4"), ("memory", "0:9", "tmpfs")):
        (tmp_path / folder).mkdir()
        view = SystemView(blocks, (Mount(str(tmp_path / folder), number, file_system=kind),))
        place = tmp_path / folder / "journal"
        if folder == "other":
            check_journal_file(place, view, "sda", None, in_memory=False)
            continue
        with pytest.raises(WrongUse, match="on the disk that is changed" if folder == "own" else "lies in memory"):
            check_journal_file(place, view, "sda", None, in_memory=False)
