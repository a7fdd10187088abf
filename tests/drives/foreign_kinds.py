"""Data of others, as small as they can be: what must be refused as a file and as a device.

Made by the real tools where every machine has them, else of the bytes by which a format is known; the page that gives
the layout stands beside them. Every kind is some pieces of bytes on a drive of `SIZE_BYTES` that is otherwise blank.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flashscope.store.store import Store

KIB, MIB = 1 << 10, 1 << 20
SIZE_BYTES = 112 * MIB
Parts = list[tuple[int, bytes]]


@dataclass(frozen=True)
class Foreign:
    """name: of the kind. parts: where and what, made when it is needed; needs: the tool that makes it.

    says: what the refusal must say, in small letters; empty where the bytes tell nothing.
    """

    name: str
    parts: Callable[[], Parts]
    says: str = ""
    needs: str = ""


def noise(size_bytes: int, seed: int = 0) -> bytes:
    """Data without order."""
    return random.Random(seed).randbytes(size_bytes)


@cache
def by_tool(*command: str, size_bytes: int = SIZE_BYTES) -> Parts:
    """What a program writes to a blank file, whose path it gets at the end; in pieces of 4 KiB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "image"
        with path.open("wb") as file:
            file.truncate(size_bytes)
        subprocess.run([*command, str(path)], check=True, capture_output=True)
        return written(path)


def written(path: Path) -> Parts:
    """What a sparse file holds."""
    parts = []
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        at = 0
        while at < end:
            try:
                at = os.lseek(file.fileno(), at, os.SEEK_DATA) // 4096 * 4096
            except OSError:
                break
            piece = os.pread(file.fileno(), 4096, at)
            if any(piece):
                parts.append((at, piece))
            at += 4096
    return parts


def only(parts: Parts, begin: int, end: int) -> Parts:
    """The parts between two places; the rest was wiped."""
    return [(at, piece) for at, piece in parts if begin <= at < end]


def at(*parts: tuple[int, bytes]) -> Callable[[], Parts]:
    """Bytes at fixed places; a place below 0 is counted from the end."""
    return lambda: [(place % SIZE_BYTES, piece) for place, piece in parts]


def archive(make: Callable[[io.BytesIO], object]) -> Callable[[], Parts]:
    """A file that a library of Python writes."""

    def parts() -> Parts:
        stream = io.BytesIO()
        make(stream)
        return [(0, stream.getvalue())]

    return parts


def database() -> Parts:
    """A database of SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        connection = sqlite3.connect(path)
        connection.execute("create table letters (text)")
        connection.commit()
        connection.close()
        return [(0, path.read_bytes())]


def store() -> Parts:
    """Another store of flashscope."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        Store(path).close()
        return [(0, path.read_bytes())]


def disk_label() -> Parts:
    """FreeBSD, sys/disk/bsd.h: two magics, eight partitions."""
    label = bytearray(276)
    struct.pack_into("<I", label, 0, 0x82564557)
    struct.pack_into("<III", label, 40, 512, 63, 16)
    struct.pack_into("<I", label, 132, 0x82564557)
    struct.pack_into("<HII", label, 138, 1, 8192, 65536)
    struct.pack_into("<IIIBBH", label, 148, 2048, 16, 4096, 7, 8, 16)
    checksum = 0
    for (word,) in struct.iter_unpack("<H", label[: 148 + 16]):
        checksum ^= word
    struct.pack_into("<H", label, 136, checksum)
    return [(512, bytes(label))]


def super_block_of_ext(block_bytes: int, group: int) -> bytes:
    """Linux, Documentation/filesystems/ext4/super.rst."""
    block = bytearray(1024)
    struct.pack_into("<II", block, 0, 1024, 4096)
    struct.pack_into("<I", block, 24, block_bytes.bit_length() - 11)
    struct.pack_into("<H", block, 56, 0xEF53)
    struct.pack_into("<H", block, 90, group)
    return bytes(block)


def png() -> bytes:
    """A picture of one point."""
    chunks = b""
    for kind, body in ((b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0\0"))):
        chunks += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return b"\x89PNG\r\n\x1a\n" + chunks


def tar(stream: io.BytesIO) -> None:
    with tarfile.open(fileobj=stream, mode="w") as archived:
        entry = tarfile.TarInfo("letter.txt")
        entry.size = 5
        archived.addfile(entry, io.BytesIO(b"Dear "))


def a_zip(stream: io.BytesIO) -> None:
    with zipfile.ZipFile(stream, "w") as archived:
        archived.writestr("letter.txt", "Dear ")


_MBR = bytes(446) + bytes([0, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 0, 1, 0]) + bytes(48) + b"\x55\xaa"
_FAT = b"\xeb\x3c\x90mkfs.fat" + struct.pack("<HBHBHHBHHHII", 512, 4, 4, 2, 512, 0, 0xF8, 200, 63, 16, 0, 200000)
_NTFS = b"\xeb\x52\x90NTFS    " + struct.pack("<HB", 512, 8) + bytes(7) + b"\xf8" + bytes(18)
_ISO = b"\1CD001\1\0" + b"LINUX".ljust(32) + b"HOLIDAYS".ljust(32)

# The tables of partitions, the marks of pools and volumes, the file systems, the images of virtual machines, the files.
KINDS = (
    Foreign("a BSD disklabel", disk_label, "bsd disklabel"),
    Foreign("an Amiga rigid disk block", at((0, b"RDSK" + struct.pack(">IiI", 64, 0, 7) + bytes(240))), "rigid disk"),
    Foreign(
        "an Apple partition map",
        at(
            (0, b"ER" + struct.pack(">HI", 512, SIZE_BYTES // 512)),
            (512, b"PM\0\0" + struct.pack(">III", 1, 1, 63) + b"Apple".ljust(32, b"\0") + b"Apple_partition_map"),
        ),
        "mac partition table",
    ),
    Foreign("an Atari partition table", at((0x1C6, b"\1GEM" + struct.pack(">II", 2048, 4096)), (0x1C2, b"\0\3\x80\0"))),
    Foreign("a label of SGI", at((0, b"\x0b\xe5\xa9\x41" + bytes(70) + b"sgilabel" + bytes(400))), "sgi"),
    Foreign("a DOS partition table", at((0, _MBR)), "dos partition table"),
    Foreign("only the copy of a GPT", at((-512, b"EFI PART\0\0\1\0" + noise(80)))),
    Foreign("a LUKS1 volume", at((0, b"LUKS\xba\xbe\0\1aes".ljust(592, b"\0")), (2 * MIB, noise(MIB))), "luks"),
    Foreign("a LUKS2 volume without its first header", at((16384, b"SKUL\xba\xbe\0\2" + bytes(40) + b"disk")), "luks"),
    Foreign("a VeraCrypt volume", at((0, noise(131072)), (-131072, noise(131072, 1))), "encrypted"),
    Foreign("plain dm-crypt, whole", at((0, noise(SIZE_BYTES // 8))), "encrypted"),
    Foreign("an encrypted swap area in the middle", at((50 * MIB, noise(MIB))), "encrypted"),
    Foreign("the end of something encrypted", at((-4096, noise(4096))), "encrypted"),
    Foreign("md 1.2", at((4096, b"\xfc\x4e\x2b\xa9\1\0\0\0" + bytes(8) + noise(16) + b"host:0"))),
    Foreign("md 0.90", at((-65536, b"\xfc\x4e\x2b\xa9" + struct.pack("<III", 0, 90, 0) + bytes(4000) + b"\1"))),
    Foreign("LVM2", at((512, b"LABELONE" + struct.pack("<QII", 1, 0, 32) + b"LVM2 001" + noise(32))), "lvm2"),
    Foreign("labels of ZFS at the end", at((-131072, struct.pack("<QQ", 0x00BAB10C, 5000) * 64)), "zfs"),
    Foreign("bcache", at((4096 + 24, bytes.fromhex("c68573f64e1a45ca8265f57f48ba6d81") + noise(32)))),
    Foreign("a swap area", at((1024, struct.pack("<III", 1, 1000, 0)), (4086, b"SWAPSPACE2")), "swap"),
    Foreign("an image of hibernation", at((1024, struct.pack("<III", 1, 9, 0)), (4086, b"S1SUSPEND")), "swsuspend"),
    Foreign("ext4", lambda: by_tool("mkfs.ext4", "-q", "-F"), "ext4", "mkfs.ext4"),
    Foreign(
        "ext4 of which only the first copy of its superblock stands",
        at((8 * MIB + KIB, super_block_of_ext(1024, 1))),
        "superblock of ext2, ext3 or ext4",
    ),
    Foreign(
        "ext4 at 1 MiB of an image without a table",
        lambda: [
            (place + MIB, piece) for place, piece in by_tool("mkfs.ext4", "-q", "-F", size_bytes=SIZE_BYTES - MIB)
        ],
        "superblock of ext2, ext3 or ext4",
        "mkfs.ext4",
    ),
    Foreign("btrfs", lambda: by_tool("mkfs.btrfs", "-q"), "btrfs", "mkfs.btrfs"),
    Foreign(
        "btrfs of which only a copy of its superblock stands",
        lambda: only(by_tool("mkfs.btrfs", "-q"), 64 * MIB, 64 * MIB + 4096),
        "superblock of btrfs",
        "mkfs.btrfs",
    ),
    Foreign("xfs without its first group", at((SIZE_BYTES // 4, b"XFSB\0\0\x10\0" + noise(100))), "superblock of xfs"),
    Foreign("minix", lambda: by_tool("mkfs.minix"), "minix", "mkfs.minix"),
    Foreign("UFS2", at((65536 + 1372, struct.pack("<I", 0x19540119)), (65536, noise(16)))),
    Foreign("squashfs", at((0, b"hsqs" + struct.pack("<IIIIHHHHHH", 9, 1, 131072, 1, 1, 17, 192, 1, 4, 0)))),
    Foreign("ISO 9660", at((32768, _ISO), (34816, b"\xffCD001\1")), "iso"),
    Foreign("UDF", at((32768, b"\0BEA01\1"), (34816, b"\0NSR02\1"), (512 * KIB, b"\2\0\2\0")), "udf"),
    Foreign("HFS+", at((1024, b"H+\0\4" + struct.pack(">I", 0x100) + b"10.0" + bytes(28) + noise(64)))),
    Foreign("APFS", at((0, noise(32)), (32, b"NXSB" + struct.pack("<I", 4096)))),
    Foreign("NTFS", at((0, _NTFS), (510, b"\x55\xaa"))),
    Foreign("FAT", at((0, _FAT), (510, b"\x55\xaa"))),
    Foreign("exFAT", at((0, b"\xeb\x76\x90EXFAT   "), (510, b"\x55\xaa"))),
    Foreign("F2FS", at((1024, b"\x10\x20\xf5\xf2\1\0\x0f\0"))),
    Foreign("a qcow2 image", at((0, b"QFI\xfb" + struct.pack(">II", 3, 0) + bytes(60))), "qemu"),
    Foreign("a vmdk image", at((0, b"KDMV\1\0\0\0\3\0\0\0")), "vmware"),
    Foreign(
        "a vdi image",
        at((0, b"<<< Oracle VM VirtualBox Disk Image >>>\n".ljust(64, b"\0") + b"\x7f\x10\xda\xbe\1\0\1\0")),
        "virtualbox",
    ),
    Foreign("a vhdx image", at((0, b"vhdxfile" + "made by".encode("utf-16-le"))), "vhdx"),
    Foreign("a vhd image", at((-512, b"conectix" + struct.pack(">II", 2, 0x10000)))),
    Foreign("a database of SQLite", database, "sqlite"),
    Foreign("a store of flashscope", store, "store of flashscope"),
    Foreign("a JPEG picture", at((0, b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0H\0H\0\0" + noise(5000))), "jpeg"),
    Foreign("a PNG picture", at((0, png())), "png"),
    Foreign("a program", lambda: [(0, Path(sys.executable).read_bytes()[:65536])], "elf"),
    Foreign("a PDF", at((0, b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n")), "pdf"),
    Foreign("a zip archive", archive(a_zip), "zip"),
    Foreign("a tar archive", archive(tar), "tar"),
    Foreign("a gzip stream", lambda: [(0, gzip.compress(b"Dear " * 99))], "gzip"),
    Foreign("an xz stream", lambda: [(0, lzma.compress(b"Dear " * 99))], "xz"),
    Foreign("a zstd stream", at((0, b"\x28\xb5\x2f\xfd\x24\x05" + noise(20))), "zstandard"),
    Foreign("a film", at((0, b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41\0\0\0\x08free")), "mp4"),
    Foreign("a text", at((0, b"Dear diary, today nothing happened.\n" * 99)), "text"),
    Foreign("a mailbox", at((0, b"From a@b.example Mon Jan  1 00:00:00 2024\nFrom: A <a@b.example>\nTo: b\n\nDear\n"))),
    Foreign("one sector at the end of the first MiB", at((MIB - 512, noise(512)))),
    Foreign("bytes that are all the same", at((3 * MIB, b"\x5a" * 512))),
)


def why_not(kind: Foreign) -> str:
    """Why a kind cannot be made here; empty when it can."""
    return f"not installed: {kind.needs}" if kind.needs and shutil.which(kind.needs) is None else ""
