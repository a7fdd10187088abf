"""Repairs of block devices: the serial number typed, a yes given, nothing in use; loop devices over files."""

from __future__ import annotations

import random
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
