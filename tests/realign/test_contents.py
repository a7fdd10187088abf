"""What lies in a partition is the same after it was moved, by its own tool; and fields that state a place are right."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import open_source
from flashscope.realign.boot_records import exfat_checksum
from flashscope.realign.plan import make_plan
from flashscope.realign.survey import Unreadable
from flashscope.realign.unreadable_files import files_on

from ..known import known
from ..partitions.by_hand import SECTOR, gpt, record
from ..partitions.disks import copy_sparse
from ..partitions.made import MIB, make, missing, said, tool, why_not

_START = 63


def put_into_a_disk(source: Path, path: Path, start: int = _START) -> int:
    """A disk of one partition with the contents of a file. Returns the sectors of the partition."""
    sectors = source.stat().st_size // SECTOR
    with path.open("wb") as file:
        file.truncate(source.stat().st_size + 4 * MIB)
        file.write(record([(start, sectors, 7)]))
    copy_sparse(source, path, start * SECTOR)
    return sectors


def take_out(path: Path, out: Path, start: int, sectors: int) -> Path:
    with path.open("rb") as file:
        file.seek(start * SECTOR)
        out.write_bytes(file.read(sectors * SECTOR))
    return out


def apply(path: Path, *options: str) -> str:
    done = CliRunner().invoke(main, ["align", str(path), "--apply", "--write-ok", "-q", *options])
    assert done.exit_code == 0, done.output
    return done.output


CHECKS: dict[str, Callable[[Path], object]] = {
    "exfat": lambda path: tool("fsck.exfat", "-n", path),
    "btrfs": lambda path: tool("btrfs", "check", "--readonly", path),
    "luks": lambda path: tool("cryptsetup", "luksDump", path),
    "swap": lambda path: tool("swaplabel", path),
    "lvm": lambda path: tool("file", "-s", path),
    "md": lambda path: tool("mdadm", "--examine", path),
}


@pytest.mark.parametrize(
    "kind", [pytest.param(each, marks=[pytest.mark.long] if each in ("btrfs", "md") else []) for each in CHECKS]
)
def test_it_is_the_same_and_its_tool_finds_no_fault(kind: str, tmp_path: Path) -> None:
    if reason := why_not(kind):
        pytest.skip(reason)
    source = tmp_path / "made"
    make(kind, source, _START, random.Random(kind))
    path = tmp_path / "disk.img"
    sectors = put_into_a_disk(source, path)
    apply(path)
    out = take_out(path, tmp_path / "out", 2048, sectors)
    CHECKS[kind](out)
    if kind != "exfat":
        assert out.read_bytes() == source.read_bytes()


def test_exfat_states_its_new_place_in_both_regions_with_their_checksums(tmp_path: Path) -> None:
    if reason := why_not("exfat"):
        pytest.skip(reason)
    source = tmp_path / "made"
    make("exfat", source, _START, random.Random(1))
    content = bytearray(source.read_bytes())
    for region in (0, 12 * SECTOR):  # as a tool does that knows of the partition
        struct.pack_into("<Q", content, region + 64, _START)
        checksum = exfat_checksum(bytes(content[region : region + 11 * SECTOR]))
        content[region + 11 * SECTOR : region + 12 * SECTOR] = struct.pack("<I", checksum) * (SECTOR // 4)
    source.write_bytes(content)
    tool("fsck.exfat", "-n", source)  # its own tool agrees with the checksum
    path = tmp_path / "disk.img"
    sectors = put_into_a_disk(source, path)
    apply(path)
    out = take_out(path, tmp_path / "out", 2048, sectors)
    moved = out.read_bytes()
    assert [struct.unpack_from("<Q", moved, region + 64)[0] for region in (0, 12 * SECTOR)] == [2048, 2048]
    tool("fsck.exfat", "-n", out)
    same = [at for at in range(0, len(moved), SECTOR) if moved[at : at + SECTOR] != content[at : at + SECTOR]]
    assert same == [0, 11 * SECTOR, 12 * SECTOR, 23 * SECTOR]


def test_a_file_on_an_unreadable_block_of_ext4_is_named(tmp_path: Path) -> None:
    if absent := missing("mkfs.ext4", "debugfs"):
        pytest.skip(f"{', '.join(absent)} not installed")
    (tmp_path / "files" / "letters").mkdir(parents=True)
    (tmp_path / "files" / "letters" / "a letter.txt").write_bytes(random.Random(1).randbytes(50_000))
    source = tmp_path / "made"
    with source.open("wb") as file:
        file.truncate(8 * MIB)
    tool("mkfs.ext4", "-q", "-F", "-b", "1024", "-d", tmp_path / "files", source)
    path = tmp_path / "disk.img"
    put_into_a_disk(source, path)
    block = int(said(tool("debugfs", "-R", 'bmap "letters/a letter.txt" 7', source), r"^(\d+)$"))
    with open_source(path) as disk:
        partition = read_layout(disk).partitions[0]
    bad = [Unreadable(1, block * 1024, 1024, "Input/output error")]
    assert files_on(path, partition, None, bad) == ("/letters/a letter.txt",)


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(each, marks=pytest.mark.long) for each in range(6, 100))])
def test_drawn_disks_are_moved_whole(seed: int, tmp_path: Path) -> None:
    """A GPT or an MBR with partitions at any places: what can be moved is, in order, and the rest says why not."""
    chance = random.Random(seed)
    spans, here = [], chance.choice((34, 63, 64, 100, 2048))
    for _ in range(chance.randint(1, 4)):
        length = chance.randint(1, 900)
        spans.append((here, here + length - 1))
        here += length + chance.choice((0, 0, 1, 63, 130, 2000))
    room = chance.choice((40, 300, 3000))
    if chance.random() < 0.5:
        content = gpt(here + room + 34, spans)
    else:
        content = bytearray((here + room) * SECTOR)
        content[:SECTOR] = record([(first, last - first + 1, 0x83) for first, last in spans])
    for first, last in spans:
        content[first * SECTOR : (last + 1) * SECTOR] = chance.randbytes((last - first + 1) * SECTOR)
    path = tmp_path / "disk.img"
    path.write_bytes(content)
    with open_source(path) as source:
        plan = make_plan(read_layout(source), boundary_bytes=64 << 10)
    crooked = {each.number for each in plan.layout.partitions if each.start_bytes % (64 << 10)}
    moved = {move.number for move in plan.moves}
    assert crooked <= moved | {left.number for left in plan.left}
    assert all(move.to_bytes % (64 << 10) == 0 for move in plan.moves)
    if not moved:
        assert plan.left or not crooked
        return
    options = ["--to", "64KiB", "--overwrite-gaps"]
    done = CliRunner().invoke(main, ["align", str(path), "--apply", "--write-ok", "-q", *options])
    if done.exit_code == 2:
        assert "no free place for the journal" in done.output
        journal = tmp_path / "journal"
        apply(path, *options, "--journal", str(journal), "--allow", "memory")
        assert not journal.exists()
    else:
        assert done.exit_code == 0, done.output
    with open_source(path) as source:
        after = read_layout(source)
    assert all(copy.good for copy in known(after.table).copies)
    now = path.read_bytes()
    for old, new in zip(plan.layout.partitions, after.partitions, strict=True):
        assert new.start_bytes == plan.places.starts.get(old.number, old.start_bytes)
        assert now[new.start_bytes : new.end_bytes] == content[old.start_bytes : old.end_bytes]
