"""Any bytes are a disk: whatever was flipped, cut or made up, a layout comes back, with problems in words, in time."""

from __future__ import annotations

import random
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from flashscope.alignment.as_json import disk_json
from flashscope.alignment.boundaries import MappingUnit
from flashscope.alignment.disk import align_disk, one_line
from flashscope.cli.align.text import disk_text
from flashscope.cli.output import print_json
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import MemorySource

from .by_hand import SECTOR, disk, gpt, header, record
from .made import MAKERS as MAKERS_OF_KINDS
from .made import make, why_not

SECTORS = 3000
_LONGEST_S = 5.0  # of processor time, for one small disk: a loop without end is what this finds


def logical(draw: random.Random) -> bytearray:
    """An MBR with a chain of logical partitions that may lead anywhere."""
    places = sorted(draw.sample(range(100, SECTORS - 1), 5))
    links = [*places[1:], draw.choice((0, places[0], 5 * SECTORS))]
    chain = [
        (
            here,
            record([(draw.randint(0, 70), draw.randint(0, 400), draw.choice((7, 0x83))), ((to - 100) % 2**32, 99, 5)]),
        )
        for here, to in zip(places, links, strict=True)
    ]
    return disk(
        SECTORS, (0, record([(63, 30, 7), (100, SECTORS - 100, draw.choice((5, 0xF)))])), (100, chain[0][1]), *chain
    )


def lying_gpt(draw: random.Random) -> bytearray:
    """A GPT whose checksums are good and whose numbers are not."""
    content = gpt(SECTORS, [(63, 1000), (1001, 2000)])
    entries = bytearray(content[2 * SECTOR : 34 * SECTOR])
    for _ in range(draw.randint(1, 30)):
        struct.pack_into("<Q", entries, draw.randrange(0, len(entries) - 8), draw.choice((0, 1, 2**63, 2**64 - 1, 40)))
    content[2 * SECTOR : 34 * SECTOR] = entries
    head = bytearray(header(1, draw.choice((SECTORS - 1, 2**63, 7)), (34, SECTORS - 34), 2, bytes(entries)))
    if draw.random() < 0.5:
        struct.pack_into(
            "<QII", head, 72, draw.choice((2, 2**60, 0)), draw.choice((128, 2**31, 0)), draw.choice((128, 0, 136))
        )
        struct.pack_into("<I", head, 16, 0)
        struct.pack_into("<I", head, 16, zlib.crc32(head))
    content[SECTOR : SECTOR + 92] = head
    return content


def lvm(draw: random.Random) -> bytearray:
    """A physical volume with good checksums and a text that nobody would write."""

    def crc(part: bytes) -> int:
        return zlib.crc32(part, 0xF597A6CF ^ 0xFFFFFFFF) ^ 0xFFFFFFFF

    pieces = (
        "vg {",
        "}",
        "extent_size = 8",
        "physical_volumes {",
        "pv0 {",
        'id = "' + "a" * 32 + '"',
        "[",
        "]",
        "=",
        '"',
        "logical_volumes {",
        "lv {",
        "segment1 {",
        'stripes = ["pv0", 99999999999999999]',
        'stripes = ["pv0", -1]',
        "extent_count = 77",
        "#",
        "\\",
        "stripe_size = 8",
        "x = 1",
        "{" * 40,
    )
    text = " ".join(draw.choice(pieces) for _ in range(draw.randint(1, 200))).encode()
    if draw.random() < 0.5:
        text = (
            b'vg { extent_size = 8 physical_volumes { pv0 { id = "' + b"a" * 32 + b'" } } logical_volumes { '
            b'lv { segment1 { extent_count = 2 stripes = ["pv0", '
            + str(draw.choice((0, 1, 2**70))).encode()
            + b"] } } "
            + text
        )
    content = disk(SECTORS)
    area = struct.pack("<32s5Q", b"a" * 32, SECTORS * SECTOR, 8192, 0, 0, 0) + struct.pack("<4Q", 4096, 4096, 0, 0)
    label = bytearray(struct.pack("<8sQII8s", b"LABELONE", 1, 0, 32, b"LVM2 001") + area).ljust(SECTOR, b"\0")
    struct.pack_into("<I", label, 16, crc(bytes(label[20:])))
    content[SECTOR : 2 * SECTOR] = label
    ring = bytearray(SECTOR)
    struct.pack_into("<4x16sIQQ", ring, 0, b" LVM2 x[5A%r0N*>", 1, 4096, 4096)
    struct.pack_into("<QQI", ring, 40, 512, len(text), crc(text))
    struct.pack_into("<I", ring, 0, crc(bytes(ring[4:])))
    content[4096 : 4096 + SECTOR] = ring
    content[4096 + SECTOR : 4096 + SECTOR + len(text)] = text
    return content


def noise(draw: random.Random) -> bytearray:
    """Sectors of noise with every mark that is looked for somewhere near its place."""
    content = disk(SECTORS)
    for at, mark in (
        (3, b"NTFS    "),
        (3, b"EXFAT   "),
        (0, b"XFSB"),
        (1080, b"\x53\xef"),
        (65600, b"_BHRfS_M"),
        (0, b"LUKS\xba\xbe\0\2"),
        (0, b"LUKS\xba\xbe\0\1"),
        (4096, struct.pack("<II", 0xA92B4EFC, 1)),
        (510, b"\x55\xaa"),
        (4086, b"SWAPSPACE2"),
        (0, b"ER\x02\x00"),
        (512, b"PM\0\0\xff\xff\xff\xff"),
        (4096, b'{"segments":{"0":{"offset":"-5"}}}'),
        ((SECTORS * SECTOR & ~65535) - 65536, struct.pack("<III", 0xA92B4EFC, 0, 90)),
    ):
        if draw.random() < 0.4:
            around = draw.randbytes(1200)
            content[at : at + 1200] = around
            content[at : at + len(mark)] = mark
    return content[: SECTORS * SECTOR]


MAKERS: tuple[Callable[[random.Random], bytearray], ...] = (logical, lying_gpt, lvm, noise)


def damaged(draw: random.Random) -> bytes:
    content = draw.choice(MAKERS)(draw)
    for _ in range(draw.choice((0, 0, 1, 5, 50))):
        content[draw.randrange(min(len(content), draw.choice((512, 4096, 70_000))))] = draw.randrange(256)
    cut = draw.choice((len(content), len(content), draw.randrange(len(content)), draw.randrange(2000), 0))
    return bytes(content[:cut])


def check(seed: int) -> int:
    """Read, judge and print one disk; how many problems it has."""
    draw = random.Random(seed)
    source = MemorySource(damaged(draw), draw.choice((None, 512, 4096)))
    before = time.process_time()
    layout = read_layout(source)
    judged = align_disk("disk", layout, MappingUnit(draw.choice((None, 4096, 16384, 65536 * 3)), "stated"))
    text = disk_text(judged) + one_line(judged)
    print_json(disk_json(judged))
    assert time.process_time() - before < _LONGEST_S, seed
    assert all(each.isprintable() or each == "\n" for each in text), seed
    for problem in layout.problems:
        assert problem.what
        assert problem.means
    return len(layout.problems)


def test_damaged_disks_are_read_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    problems = sum(check(seed) > 0 for seed in range(400))
    assert problems > 100, "most of these disks are damaged, and it is said"


@pytest.mark.long
@pytest.mark.parametrize("kind", MAKERS_OF_KINDS)
def test_what_real_programs_made_is_read_after_any_damage(kind: str, tmp_path: Path) -> None:
    """Its first MiB and its last 128 KiB, with bytes flipped near what is looked at."""
    if why := why_not(kind):
        pytest.skip(f"{kind}: {why}")
    for drawn in range(2):
        draw = random.Random(f"{kind}{drawn}")
        path = tmp_path / f"{drawn}.img"
        make(kind, path, 63, draw)
        whole = path.read_bytes()
        content = whole[: 1 << 20] + whole[-(128 << 10) :]
        for _ in range(300):
            damaged = bytearray(content)
            for _ in range(draw.choice((1, 3, 30))):
                damaged[draw.randrange(draw.choice((600, 4200, 70_000, len(damaged))))] ^= 1 << draw.randrange(8)
            cut = draw.choice((len(damaged), draw.randrange(len(damaged))))
            judged = align_disk("disk", read_layout(MemorySource(bytes(damaged[:cut]))), MappingUnit())
            assert disk_text(judged)


@pytest.mark.long
def test_thousands_of_damaged_disks_are_read_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(400, 8400):
        check(seed)
        capsys.readouterr()
