"""Reading the system: mountinfo, signatures, programs that fail; and how devices lie over each other."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from flashscope.drives.guard.rules.permission import names_to_type
from flashscope.drives.guard.signatures import Signature, read_signatures
from flashscope.drives.system.blocks import read_blocks, read_pool_members
from flashscope.drives.system.mounts import parse_mountinfo, read_mounts, read_swaps
from flashscope.drives.system.reader import read_system
from flashscope.drives.system.tools import run_json
from flashscope.drives.system.view import Block, Mount, SystemView
from tests.known import known

from .bench import Bench


def test_a_line_of_mountinfo_is_taken_apart_with_and_without_optional_fields() -> None:
    plain = parse_mountinfo(r"42 27 259:0 / /my\040disk rw,relatime - ext4 /dev/no\011where rw,compress=zstd", 7)
    shared = parse_mountinfo("42 27 259:0 / /mnt rw shared:1 master:2 - xfs none rw")
    assert plain == Mount(
        "/my disk", "259:0", "/dev/no\twhere", "", "ext4", frozenset({"rw", "relatime", "compress=zstd"}), 7
    )
    assert shared is not None
    assert (shared.file_system, shared.source) == ("xfs", "none")


@pytest.mark.parametrize("line", ["", "42 27", "42 27 259:0 / /mnt rw", "1 2 - ext4 x"])
def test_a_line_that_is_none_of_mountinfo_is_passed_over(line: str) -> None:
    assert parse_mountinfo(line) is None


def test_mounts_of_all_processes_are_read_and_ones_own_come_first(tmp_path: Path) -> None:
    own, other = "1 0 8:1 / / rw - ext4 none rw\n", "9 0 8:2 / /inner rw - ext4 none rw\n"
    for name, text in (("self", own), ("1", own), ("20", own + other), ("3", None)):
        (tmp_path / name).mkdir()
        if text:
            (tmp_path / name / "mountinfo").write_text(text)
    assert [(mount.point, mount.process) for mount in read_mounts(tmp_path)] == [("/", 0), ("/inner", 20)]


def test_swap_areas_are_read_with_spaces_in_their_names(tmp_path: Path) -> None:
    file = tmp_path / "swap file"
    file.touch()
    escaped = str(file).replace(" ", "\\040")
    (tmp_path / "swaps").write_text(f"Filename Type Size Used Priority\n{escaped} file 8 0 -2\n/gone file 8 0 -3\n")
    swaps = read_swaps(tmp_path)
    assert [swap.path for swap in swaps] == [str(file), "/gone"]
    assert swaps[0].identity == (file.stat().st_dev, file.stat().st_ino)
    assert swaps[1].identity is None


def test_members_of_a_mounted_btrfs_are_read(tmp_path: Path) -> None:
    for name in ("sdb", "sdc1"):
        (tmp_path / "uuid-1" / "devices" / name).mkdir(parents=True)
    (tmp_path / "features").mkdir()
    assert read_pool_members(tmp_path) == {"sdb": "uuid-1", "sdc1": "uuid-1"}


def test_the_real_system_has_a_root_and_its_block_devices_have_numbers() -> None:
    system = read_system()
    assert system.mount_of_path("/") is not None
    for block in system.blocks.values():
        assert ":" in block.number
    for block in read_blocks().values():
        if os.path.exists(block.path):
            assert stat.S_ISBLK(os.stat(block.path).st_mode)


def test_a_loop_device_is_known_by_its_file_even_after_the_file_was_renamed(bench: Bench) -> None:
    image = bench.image()
    name = Path(bench.loop(image)).name
    status = image.stat()
    moved = image.rename(bench.directory / "moved")
    image.touch()
    block = read_blocks()[name]
    assert block.backing_identity == (status.st_dev, status.st_ino)
    assert block.backing_file == str(moved)


def test_a_blank_at_the_end_of_a_file_name_stays_in_the_name_of_what_a_loop_device_lies_over(bench: Bench) -> None:
    plain, blank = bench.image("disk.img"), bench.image("disk.img ")
    over_plain, over_blank = (Path(bench.loop(image)).name for image in (plain, blank))
    view = read_system()
    assert view.blocks[over_plain].backing_file == str(plain)
    assert names_to_type(view, over_blank) == (str(blank),)


def test_signatures_are_read_from_a_file_and_none_from_an_empty_one(tmp_path: Path) -> None:
    empty, swap = tmp_path / "-empty", tmp_path / "swap"
    for path in (empty, swap):
        path.write_bytes(bytes(1024 * 1024))
    subprocess.run(["/usr/sbin/mkswap", swap], check=True, capture_output=True)
    assert read_signatures(empty) == ()
    assert read_signatures(swap) == (Signature("swap", "other", str(swap)),)
    assert read_signatures(tmp_path / "missing") is None


@pytest.mark.parametrize("answer", ["echo rubbish", "echo '[1]'", "exit 3", "kill -9 $$"])
def test_a_program_that_fails_or_prints_rubbish_tells_nothing(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "wipefs"
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert run_json("wipefs") is None
    assert read_signatures(tmp_path) is None


def test_a_program_that_is_missing_tells_nothing_and_a_silent_one_has_nothing_to_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_json("flashscope-no-such-program") is None
    for name, text in (("quiet", "exit 0"), ("loud", f"echo '{json.dumps({'a': 1})}'")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert run_json("quiet") == {}
    assert run_json("loud") == {"a": 1}


def test_the_topmost_of_two_mounts_on_one_place_is_the_one_that_counts() -> None:
    system = SystemView(mounts=(Mount("/", "1:1"), Mount("/a", "1:2"), Mount("/a", "1:3"), Mount("/ab", "1:4")))
    for path, number in (("/a/x", "1:3"), ("/ab/x", "1:4"), ("/abc", "1:1"), ("/a", "1:3")):
        mount = known(system.mount_of_path(path))
        assert mount.number == number


def test_above_and_below_do_not_reach_a_neighbour() -> None:
    blocks = (
        Block("sda", "8:0"),
        Block("sda1", "8:1", partition_of="sda", holders=("dm-0",)),
        Block("sda2", "8:2", partition_of="sda"),
        Block("dm-0", "254:0", slaves=("sda1",)),
        Block("loop0", "7:0", backing_number="254:0"),
    )
    system = SystemView({block.name: block for block in blocks})
    assert system.above("sda") == {"sda", "sda1", "sda2", "dm-0", "loop0"}
    assert system.above("sda1") == {"sda1", "dm-0", "loop0"}
    assert system.below("loop0") == {"loop0", "dm-0", "sda1", "sda"}
    assert system.touched_by_writing("sda1") == {"sda", "sda1", "dm-0", "loop0"}
