"""BitLocker volumes are recognised by their boot sector, judged by their start, and never moved."""

from __future__ import annotations

import struct

import pytest

from flashscope.partitions.read import read_layout
from flashscope.partitions.source import MemorySource
from flashscope.realign.plan import make_plan

from ..known import known
from .by_hand import SECTOR, record

IDENTIFIER = struct.pack("<IHH", 0x4967D63B, 0x2E29, 0x4AD8) + bytes.fromhex("8399f6a339e3d001")
KINDS = {
    "of Windows Vista": (b"\xeb\x52\x90-FVE-FS-", 0),
    "of Windows 7 or later": (b"\xeb\x58\x90-FVE-FS-", 160),
    "To Go": (b"\xeb\x58\x90MSWIN4.1", 424),
}


def disk_with(start: bytes, identifier_at: int) -> bytes:
    """A disk of 4 MiB with one partition from sector 63, whose boot sector says so."""
    boot = bytearray(SECTOR)
    boot[: len(start)] = start
    boot[11:14] = struct.pack("<HB", SECTOR, 8)
    boot[28:32] = struct.pack("<I", 63)
    boot[82:90] = b"FAT32   "
    boot[510:] = b"\x55\xaa"
    if identifier_at:
        boot[identifier_at : identifier_at + 16] = IDENTIFIER
    content = bytearray(8192 * SECTOR)
    content[:SECTOR] = record([(63, 4000, 0x07)])
    content[63 * SECTOR : 64 * SECTOR] = boot
    return bytes(content)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_recognised_and_stays_where_it_is(kind: str) -> None:
    layout = read_layout(MemorySource(disk_with(*KINDS[kind]), SECTOR))
    inner = known(layout.partitions[0].inside)
    assert (inner.kind, inner.detail, inner.unit_bytes) == ("bitlocker", kind, 4096)
    assert inner.start_bytes == 63 * SECTOR
    plan = make_plan(layout)
    assert not plan.moves
    (left,) = plan.left
    assert "the boot sector inside says where it begins" in left.why
    assert "manage-bde -off" in left.advice


def test_a_stick_of_windows_without_the_identifier_is_none() -> None:
    layout = read_layout(MemorySource(disk_with(KINDS["To Go"][0], 0), SECTOR))
    inner = layout.partitions[0].inside
    assert inner is None or inner.kind != "bitlocker"
