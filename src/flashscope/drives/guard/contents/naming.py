"""What data of others are, as far as their bytes tell: for the refusal only, which does not depend on it.

    superblocks, copies of them,    by the marks that their formats fix, at the place where the data were found
    and what libmagic lacks
    everything else                 by libmagic: the program `file` gets the bytes, and no name of the drive

Without `file`, and for data without a known beginning, there is no name.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

from flashscope.drives.system.tools import run_on_bytes

MIB = 1 << 20
_BEGINNINGS = (0, 63 * 512, MIB)
_SUPERBLOCK_WITHIN_BYTES = 128 << 10
_MARKS = (
    (0x00, b"\x57\x45\x56\x82", "a BSD disklabel"),
    (0x00, b"vhdxfile", "a disk image of Hyper-V (vhdx)"),
    (0x00, b"\x0c\xb1\xba\x00", "an uberblock of ZFS"),
    (0x00, b"\x00BEA01", "the beginning of a UDF file system"),
    (0x00, b"SKUL\xba\xbe", "the second header of a LUKS volume"),
    (0x00, b"XFSB", "a superblock of xfs, or a copy of it"),
    (0x40, b"_BHRfS_M", "a superblock of btrfs, or a copy of it"),
    (0x38, b"\x53\xef", "a superblock of ext2, ext3 or ext4, or a copy of it"),
)
_TELLS_NOTHING = re.compile(r"data|empty|very short file.*|.*no read permission.*")
_CLAUSES = 2
_LONGEST = 100
_RANDOM_RATIO = 0.99
_LEAST_TO_JUDGE_BYTES = 400

Read = Callable[[int, int], bytes]
"""Reads (offset, length) of the drive [bytes]."""


def name_of(read: Read, offset_bytes: int) -> str:
    """What lies at a place, as words such as "SQLite 3.x database"; empty when its bytes do not tell.

    They are taken from that place on, or from the start of the drive or of a usual first partition just before it,
    since the superblock of most file systems is not their first sector.
    """
    here = read(offset_bytes, MIB)
    for at, mark, name in _MARKS:
        if here[at : at + len(mark)] == mark:
            return name
    for begin in dict.fromkeys((*_BEGINNINGS, offset_bytes)):
        if begin <= offset_bytes < begin + _SUPERBLOCK_WITHIN_BYTES:
            name = _by_libmagic(here if begin == offset_bytes else read(begin, MIB))
            if name:
                return name
    some = here[:65536].rstrip(b"\0")
    if len(zlib.compress(some, 1)) > _RANDOM_RATIO * len(some) > _LEAST_TO_JUDGE_BYTES:
        return "data without order and without a known beginning, such as an encrypted volume"
    return ""


def _by_libmagic(content: bytes) -> str:
    said = run_on_bytes("file", "--brief", "-", content=content)
    first = ", ".join((said or "").strip().split("\n")[0].split(", ")[:_CLAUSES])
    printable = "".join(character for character in first if character.isprintable())[:_LONGEST]
    return "" if _TELLS_NOTHING.fullmatch(printable) else printable
