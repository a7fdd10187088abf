"""What is wrong with a table is a problem in words; what can still be read is read."""

from __future__ import annotations

import struct

import pytest

from flashscope.alignment.boundaries import MappingUnit
from flashscope.alignment.disk import align_disk
from flashscope.partitions.layout import Layout, Problem
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import FailedRead, MemorySource
from tests.known import known

from .by_hand import SECTOR, disk, gpt, record

SECTORS = 8192


def read(content: bytes | bytearray, sector_bytes: int | None = 512) -> Layout:
    return read_layout(MemorySource(bytes(content), sector_bytes))


def told(layout: Layout, words: str) -> Problem:
    """The problem that says these words."""
    found = [each for each in layout.problems if words in each.what]
    assert found, f"{words!r} not in {[each.what for each in layout.problems]}"
    return found[0]


def test_a_chain_of_logical_partitions_that_returns_to_itself_ends() -> None:
    first = record([(63, 500, 0x83), (1000, 500, 0x05)])
    second = record([(63, 400, 0x83), (0, 500, 0x05)])  # back to the first record
    layout = read(disk(SECTORS, (0, record([(100, 8000, 0x05)])), (100, first), (1100, second)))
    assert [each.number for each in layout.partitions] == [1, 5, 6]
    assert told(layout, "returns to sector 100").weight == "danger"


def test_a_chain_that_leads_out_of_the_disk_ends() -> None:
    first = record([(63, 500, 0x83), (0xFFFFFF00, 500, 0x05)])
    layout = read(disk(SECTORS, (0, record([(100, 8000, 0x05)])), (100, first)))
    assert told(layout, "beyond the disk").weight == "danger"
    assert [each.number for each in layout.partitions] == [1, 5]


def test_a_chain_whose_record_is_gone_ends() -> None:
    layout = read(disk(SECTORS, (0, record([(100, 8000, 0x05)]))))
    assert told(layout, "is no extended boot record").where_bytes == 100 * SECTOR


def test_a_chain_without_end_is_left_after_256_records() -> None:
    sectors = 400
    chain = [(index, record([(1, 1, 0x83), (index, 1, 0x05)])) for index in range(1, sectors)]
    layout = read(disk(sectors, (0, record([(1, 400, 0x05)])), *chain))
    assert told(layout, "more than 256 records")


def test_an_empty_record_in_the_chain_takes_no_number_and_is_no_gap() -> None:
    first = record([(0, 0, 0), (1000, 500, 0x05)])
    second = record([(63, 400, 0x83)])
    layout = read(disk(SECTORS, (0, record([(100, 8000, 0x0F)])), (100, first), (1100, second)))
    assert [(each.number, each.start_bytes) for each in layout.partitions] == [(1, 51200), (5, 1163 * SECTOR)]
    assert known(layout.table).chain_bytes == (100 * SECTOR, 1100 * SECTOR)
    for gap in layout.gaps:
        assert not any(gap.start_bytes <= at < gap.end_bytes for at in known(layout.table).chain_bytes)


def test_partitions_that_overlap_are_told() -> None:
    layout = read(disk(SECTORS, (0, record([(63, 2000, 7), (1000, 2000, 0x83), (1500, 100, 0x83)]))))
    assert told(layout, "partitions 1 and 2 overlap by 544256 B").weight == "danger"
    assert told(layout, "partitions 2 and 3 overlap")


def test_a_partition_past_the_end_is_told_and_one_beyond_it_too() -> None:
    layout = read(disk(SECTORS, (0, record([(63, 9000, 7), (9500, 100, 0x83)]))))
    assert "smaller than when it was partitioned" in told(layout, "ends 445952 B beyond the disk's end").means
    assert told(layout, "partition 2 begins at byte 4864000, beyond")


@pytest.mark.parametrize("at", [1 * SECTOR + 60, 2 * SECTOR + 40])
def test_a_bad_primary_copy_leaves_the_backup(at: int) -> None:
    content = gpt(SECTORS, [(63, 4000)])
    content[at] ^= 0xFF
    layout = read(content)
    assert [(each.start_bytes, each.size_bytes, each.name) for each in layout.partitions] == [
        (63 * SECTOR, 3938 * SECTOR, "part")
    ]
    assert [(each.which, each.good) for each in known(layout.table).copies] == [("backup", True), ("primary", False)]
    assert "the backup one is used" in told(layout, "the primary copy of the GPT is bad").means


def test_a_bad_backup_copy_is_told() -> None:
    content = gpt(SECTORS, [(63, 4000)])
    content[-SECTOR] ^= 0xFF
    layout = read(content)
    assert len(layout.partitions) == 1
    assert told(layout, "the backup copy of the GPT is missing").weight == "warning"


def test_a_protective_mbr_without_a_gpt_is_told_and_shows_no_partition() -> None:
    content = gpt(SECTORS, [(63, 4000)])
    content[SECTOR : 2 * SECTOR] = bytes(SECTOR)
    content[-SECTOR:] = bytes(SECTOR)
    layout = read(content)
    assert layout.table is None
    assert layout.partitions == ()
    assert told(layout, "no copy of one is good").weight == "danger"


def test_a_gpt_without_a_protective_mbr_is_told() -> None:
    layout = read(gpt(SECTORS, [(63, 4000)], protective=False))
    assert len(layout.partitions) == 1
    assert told(layout, "without the protective MBR").weight == "danger"


def test_an_mbr_beside_a_left_over_gpt_counts() -> None:
    content = gpt(SECTORS, [(2048, 4000)])
    content[:SECTOR] = record([(63, 1000, 7)])
    layout = read(content)
    assert known(layout.table).kind == "mbr"
    assert [each.start_bytes for each in layout.partitions] == [63 * SECTOR]
    assert told(layout, "stands beside a GPT").weight == "danger"


def test_a_hybrid_mbr_is_told_with_its_partitions() -> None:
    content = gpt(SECTORS, [(63, 4000), (4100, 5000)])
    content[:SECTOR] = record([(1, 62, 0xEE), (63, 3938, 0x83)])
    layout = read(content)
    table = known(layout.table)
    assert (table.kind, len(layout.partitions)) == ("gpt", 2)
    assert [(each.number, each.role, each.start_bytes) for each in table.hybrid] == [(2, "hybrid", 63 * SECTOR)]
    assert told(layout, "hybrid MBR").weight == "danger"


def test_a_disk_that_grew_keeps_its_backup_where_it_was() -> None:
    layout = read(gpt(SECTORS, [(63, 4000)]) + bytes(1000 * SECTOR))
    assert told(layout, "not at the end of the disk").where_bytes == (SECTORS - 1) * SECTOR
    assert {each.which: each.good for each in known(layout.table).copies} == {"primary": True, "backup": True}


def test_a_disk_that_shrank_has_no_backup() -> None:
    layout = read(gpt(SECTORS, [(63, 4000)])[: 6000 * SECTOR])
    assert told(layout, "made for a disk that is at least")
    assert told(layout, "the backup copy of the GPT is missing")


def test_copies_that_differ_are_told() -> None:
    content, other = gpt(SECTORS, [(63, 4000)]), gpt(SECTORS, [(64, 4000)])
    content[-33 * SECTOR :] = other[-33 * SECTOR :]
    layout = read(content)
    assert [each.start_bytes for each in layout.partitions] == [63 * SECTOR]
    assert told(layout, "two copies of the GPT differ").weight == "danger"


def test_a_gpt_of_4096_byte_sectors_is_read_by_them() -> None:
    content = gpt(2000, [(6, 900)], 4096)
    for stated in (None, 4096, 512):
        layout = read(content, stated)
        assert known(layout.table).sector_bytes == 4096
        assert [(each.start_bytes, each.size_bytes) for each in layout.partitions] == [(6 * 4096, 895 * 4096)]
    assert told(read(content, 512), "counts in sectors of 4096 B").weight == "danger"


def test_an_mbr_counts_in_the_sectors_of_its_disk() -> None:
    content = disk(2000, (0, record([(63, 900, 0x82)])), sector_bytes=4096)
    content[64 * 4096 - 10 : 64 * 4096] = b"SWAPSPACE2"
    for stated in (4096, None):  # an image states none: the swap area tells
        assert [each.start_bytes for each in read(content, stated).partitions] == [63 * 4096]
    assert [each.start_bytes for each in read(content, 512).partitions] == [63 * 512]


def test_a_file_system_without_a_table_is_no_table() -> None:
    boot = bytearray(disk(1))
    boot[:3], boot[510:] = b"\xeb\x3c\x90", b"\x55\xaa"
    struct.pack_into("<HBHBHHBH", boot, 11, 512, 4, 4, 2, 512, 8000, 0xF8, 8)
    layout = read(disk(SECTORS, (0, bytes(boot))))
    assert layout.table is None
    assert known(layout.whole).kind == "fat12"


def test_a_file_system_beside_a_table_is_told() -> None:
    content = disk(SECTORS, (0, record([(63, 4000, 0x83)])))
    content[4096 - 10 : 4096] = b"SWAPSPACE2"
    assert told(read(content), "also carries the mark of swap as a whole").weight == "danger"


def test_a_boot_loader_after_the_mbr_is_found() -> None:
    master = bytearray(record([(63, 4000, 7)]))
    master[:2], master[0x180:0x184] = b"\xeb\x63", b"GRUB"
    gap = read(disk(SECTORS, (0, bytes(master)), (1, b"\x52" * 25000))).gaps[0]
    assert (gap.holds, gap.loader, gap.used_end_bytes) == ("boot loader", "GRUB", 512 + 25088)
    empty = read(disk(SECTORS, (0, record([(63, 4000, 7)])))).gaps[0]
    assert (empty.holds, empty.start_bytes, empty.end_bytes) == ("", 512, 63 * 512)


class BadPlace(MemorySource):
    """A disk of which some sectors cannot be read."""

    def __init__(self, content: bytes, bad: range) -> None:
        super().__init__(content, 512)
        self.bad = bad

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        end = offset_bytes + length_bytes
        if offset_bytes < self.bad.stop and end > self.bad.start:
            self.failed.append(FailedRead(max(offset_bytes, self.bad.start), length_bytes, "Input/output error"))
            return super().read(offset_bytes, max(self.bad.start - offset_bytes, 0))
        return super().read(offset_bytes, length_bytes)


def test_a_bad_sector_in_a_partition_is_told_and_the_rest_is_read() -> None:
    content = bytes(disk(SECTORS, (0, record([(63, 2000, 7), (2063, 2000, 0x83)]))))
    layout = read_layout(BadPlace(content, range(63 * SECTOR, 64 * SECTOR)))
    assert [each.start_bytes for each in layout.partitions] == [63 * SECTOR, 2063 * SECTOR]
    problem = told(layout, "cannot be read: Input/output error")
    assert problem.weight == "danger"
    assert "ddrescue" in problem.means


def test_a_bad_first_sector_leaves_the_gpt_and_says_what_is_missing() -> None:
    layout = read_layout(BadPlace(bytes(gpt(SECTORS, [(63, 4000)])), range(SECTOR)))
    assert [each.number for each in layout.partitions] == [1]
    assert told(layout, "cannot be read")
    assert told(layout, "without the protective MBR")


def test_a_mirror_at_the_end_of_the_last_partition_is_not_taken_for_one_over_the_disk() -> None:
    """The old superblock stands in the last whole 64 KiB: one place for the disk and for a partition on a boundary."""
    content = disk(SECTORS, (0, record([(128, SECTORS - 128, 0xFD)])))
    at = len(content) // 65536 * 65536 - 65536
    words = [0xA92B4EFC, 0, 90, 0, 0, 0x1234, 0, 1, 100, 2, 2, 0, 0, 1, 2, 3]
    content[at : at + 64] = struct.pack("<16I", *words)
    layout = read(content)
    assert known(layout.partitions[0].inside).kind == "md"
    assert layout.whole is None
    assert not layout.problems


def test_on_a_dangerous_layout_the_first_advice_is_to_put_it_right() -> None:
    layout = read(disk(SECTORS, (0, record([(63, 2000, 7), (1000, 2000, 0x83)]))))
    assert align_disk("disk", layout, MappingUnit()).advice[0].startswith("First see to what is wrong")


def test_apple_s_map_is_read() -> None:
    blocks = [struct.pack(">2sHI", b"ER", 512, SECTORS)]
    for start, size, name, kind in ((1, 63, b"Apple", b"Apple_partition_map"), (64, 800, b"disk", b"Apple_HFS")):
        blocks.append(struct.pack(">2sHIII32s32s", b"PM", 0, 2, start, size, name, kind))
    layout = read(disk(SECTORS, *enumerate(blocks)))
    assert known(layout.table).kind == "apple"
    assert [(each.name, each.type_name, each.start_bytes) for each in layout.partitions] == [
        ("Apple", "Apple_partition_map", 512),
        ("disk", "Apple_HFS", 32768),
    ]
    cut = read(disk(SECTORS, (0, blocks[0]), (1, blocks[1])))
    assert told(cut, "entry 2 of Apple's map is not there")
