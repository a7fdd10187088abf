"""What a repair refuses: in words, with what to do, and with not a byte written."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.errors import Interrupted
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import MemorySource
from flashscope.realign.held_disk import HeldDisk
from flashscope.realign.plan import make_plan
from flashscope.realign.watched import Watched

from ..partitions.by_hand import SECTOR, disk, gpt, record
from .whole_disks import gpt_disk, mbr_disk

_CONSENT = ("--write-ok", "-q", "--to", "64KiB")


def align(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["align", str(path), *_CONSENT, *options])


def image(folder: Path, content: bytes) -> Path:
    path = folder / "disk.img"
    path.write_bytes(content)
    return path


@pytest.fixture
def mbr(tmp_path: Path) -> Path:
    return image(tmp_path, mbr_disk(random.Random(1)).content)


def refused(path: Path, *options: str, says: Sequence[str], code: int = 2) -> None:
    """The command ends with that code and says all of that, and the image is as it was."""
    before = path.read_bytes()
    done = align(path, *options)
    assert done.exit_code == code, done.output
    for each in says:
        assert each in done.output, done.output
    assert path.read_bytes() == before


def _bad_copy(content: bytearray, at_sector: int) -> bytes:
    content[at_sector * SECTOR + 20] ^= 0xFF
    return bytes(content)


def _hybrid() -> bytes:
    content = gpt(2400, [(34, 300)])
    content[:SECTOR] = record([(1, 2399, 0xEE), (34, 267, 0x07)])
    return bytes(content)


BAD = {
    "overlapping": (bytes(disk(2400, (0, record([(63, 300, 7), (200, 300, 7)])))), ["overlap"]),
    "beyond the end": (bytes(disk(2400, (0, record([(63, 9000, 7)])))), ["disk"]),
    "a loop in the chain": (
        bytes(disk(2400, (0, record([(63, 900, 5)])), (63, record([(63, 99, 7), (0, 90, 5)])))),
        ["chain"],
    ),
    "hybrid": (_hybrid(), ["hybrid MBR", "gdisk"]),
    "bad primary": (_bad_copy(gpt(2400, [(34, 300)]), 1), ["primary copy of the GPT is bad", "repair it first"]),
    "bad backup": (_bad_copy(gpt(2400, [(34, 300)]), 2399), ["backup copy of the GPT is bad", "repair it first"]),
    "grown": (bytes(gpt(2400, [(34, 300)]) + bytes(100 * SECTOR)), ["size has changed", "move-second-header"]),
    "no table": (bytes(2400 * SECTOR), ["no partition table"]),
    "dynamic disk": (bytes(disk(2400, (0, record([(63, 300, 0x42)])))), ["dynamic disks"]),
    "OpenBSD": (bytes(disk(2400, (0, record([(63, 300, 0xA6)])))), ["OpenBSD slice"]),
}


@pytest.mark.parametrize("what", BAD)
def test_a_disk_that_cannot_be_trusted_has_no_moves(what: str) -> None:
    content, says = BAD[what]
    plan = make_plan(read_layout(MemorySource(content, SECTOR)))
    assert not plan.moves
    words = " ".join(each.found + each.advice for each in plan.obstacles) + " ".join(each.why for each in plan.left)
    assert all(each in words for each in says), words


def test_a_table_that_counts_in_other_sectors_than_the_device_is_not_trusted() -> None:
    plan = make_plan(read_layout(MemorySource(bytes(gpt(2400, [(34, 300)])))), device_sector_bytes=4096)
    assert "the device has sectors of 4096 B" in plan.obstacles[0].found


@pytest.mark.parametrize("what", ["hybrid", "dynamic disk"])
def test_such_a_disk_is_not_touched(what: str, tmp_path: Path) -> None:
    content, says = BAD[what]
    refused(image(tmp_path, content), "--apply", says=[*says, "nothing was written"])


def test_a_plan_says_the_same_and_ends_well(tmp_path: Path) -> None:
    path = image(tmp_path, BAD["hybrid"][0])
    done = align(path, "--plan")
    assert done.exit_code == 0
    assert "hybrid MBR" in done.output


def test_without_room_it_says_what_to_shrink_and_by_how_much(tmp_path: Path) -> None:
    path = image(tmp_path, bytes(disk(2400, (0, record([(63, 2337, 0x83)])))))
    refused(path, "--apply", says=["no room", "partition 1 shorter by at least 1 MiB"])


def test_without_consent_nothing_is_written(mbr: Path) -> None:
    done = CliRunner().invoke(main, ["align", str(mbr), "--apply", "--to", "64KiB"])
    assert done.exit_code == 2
    assert "--write-ok" in done.output


def test_data_between_partitions_are_kept_until_they_are_named(mbr: Path) -> None:
    content = bytearray(mbr.read_bytes())
    content[1200 * SECTOR] = 7
    mbr.write_bytes(content)
    refused(mbr, "--apply", says=[f"byte {1200 * SECTOR}", "belongs to no partition", "--overwrite-gaps"])
    assert align(mbr, "--apply", "--overwrite-gaps").exit_code == 0


def test_what_makes_no_sense_is_refused(mbr: Path) -> None:
    refused(mbr, "--apply", "--undo", says=["--apply and --undo"])
    refused(mbr, "--apply", "--partition", "9", says=["no partition 9"])
    refused(mbr, "--apply", "--rate", "0 B/s", says=["--rate"])
    refused(mbr, "--apply", "--to", "3KiB", says=["--to is 3KiB", "a multiple of 4 KiB"])
    refused(mbr, "--resume", says=["no repair of this disk was cut short"])
    done = CliRunner().invoke(main, ["align", str(mbr), "--write-ok"])
    assert "--write-ok is about a repair" in done.output


def test_a_journal_that_would_be_lost_is_refused(mbr: Path, tmp_path: Path) -> None:
    refused(mbr, "--apply", "--journal", str(tmp_path / "missing" / "journal"), says=["not a directory"])
    refused(mbr, "--apply", "--journal", str(mbr), says=["is the image that is changed"])
    there = tmp_path / "there"
    there.write_text("a letter")
    refused(mbr, "--apply", "--journal", str(there), "--allow", "memory", says=["a file at"])
    assert there.read_text() == "a letter"
    refused(mbr, "--resume", "--journal", str(there), says=["no journal"])


def cut_short(path: Path, monkeypatch: pytest.MonkeyPatch, *options: str, chunks: int = 3) -> Result:
    """A repair that a person stops after some chunks."""
    left = [chunks]

    def check(self: Watched) -> None:
        left[0] -= 1
        if self.has_begun and left[0] < 0:
            raise Interrupted("stopped by Ctrl-C")

    with monkeypatch.context() as patched:
        patched.setattr(Watched, "check", check)
        return align(path, "--apply", *options)


def test_ctrl_c_says_how_to_go_on_and_that_works(mbr: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = cut_short(mbr, monkeypatch)
    assert done.exit_code == 1
    assert f"flashscope align {mbr} --resume" in done.output
    refused(mbr, "--apply", says=["a repair of this disk was cut short", "--resume"])
    assert "moved" in align(mbr, "--resume").output
    assert "every partition begins" in align(mbr, "--apply").output


def test_the_journal_may_lie_in_a_file_elsewhere(mbr: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "journal"
    before = mbr.read_bytes()
    where = ("--journal", str(journal), "--allow", "memory")
    assert cut_short(mbr, monkeypatch, *where).exit_code == 1
    refused(mbr, "--resume", says=["--journal FILE"])
    refused(mbr, "--apply", says=["are hidden", "--journal FILE"])
    assert align(mbr, "--undo", *where).exit_code == 0
    assert not journal.exists()
    assert mbr.read_bytes()[: 1094 * SECTOR] == before[: 1094 * SECTOR]


def test_another_disk_or_another_state_is_not_gone_on_with(mbr: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(mbr, monkeypatch, chunks=8)
    content = mbr.read_bytes()
    mbr.write_bytes(content + bytes(SECTOR))
    refused(mbr, "--resume", says=["bytes, and the repair was begun on one of"])
    changed = bytearray(content)
    changed[440:444] = b"abcd"
    mbr.write_bytes(changed)
    refused(mbr, "--resume", says=["changed by something else", "--overwrite-table"])
    assert align(mbr, "--resume", "--overwrite-table").exit_code == 0


def test_what_was_moved_last_has_to_be_there(mbr: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(mbr, monkeypatch, chunks=8)
    now = mbr.read_bytes()
    older = bytearray(mbr_disk(random.Random(1)).content)
    older[:SECTOR] = now[:SECTOR]
    older[1500 * SECTOR :] = now[1500 * SECTOR :]
    mbr.write_bytes(older)
    refused(mbr, "--resume", says=["moved last is not at byte"])


def test_a_source_with_read_errors_is_not_begun_with(mbr: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = HeldDisk.read

    def failing(self: HeldDisk, offset_bytes: int, length_bytes: int) -> bytes:
        if offset_bytes <= 300 * SECTOR < offset_bytes + length_bytes:
            raise OSError(5, "Input/output error")
        return read(self, offset_bytes, length_bytes)

    monkeypatch.setattr(HeldDisk, "read", failing)
    says = ["1 block of what would be moved cannot be read", "partition 2, at bytes 16384", "could not be told"]
    refused(mbr, "--apply", says=[*says, "ddrescue"], code=1)


def test_a_drive_that_gives_back_something_else_ends_the_repair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = gpt_disk(random.Random(3))
    path = image(tmp_path, whole.content)
    write = HeldDisk.write

    def corrupting(self: HeldDisk, offset_bytes: int, content: bytes) -> None:
        broken = len(content) > 8192 and offset_bytes // SECTOR < 500
        write(self, offset_bytes, content[:-1] + b"?" if broken else content)

    with monkeypatch.context() as patched:
        patched.setattr(HeldDisk, "write", corrupting)
        done = align(path, "--apply")
    assert done.exit_code == 1
    assert "is not what the drive gives back" in done.output
    assert align(path, "--undo").exit_code == 0
    assert path.read_bytes()[: 1001 * SECTOR] == whole.content[: 1001 * SECTOR]
