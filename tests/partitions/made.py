"""File systems and containers, each made by its own tool in a file, with what its own tools say of it afterwards.

    make("ntfs", path, start_sectors) -> Made: what its tool says: kind, unit, record, where data begin, uuid

Nothing here is computed by flashscope: it is what the readers are compared with.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MIB = 1 << 20
KIB = 1 << 10
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"


@dataclass(frozen=True)
class Made:
    """What a tool made. data_at: where its data begin, from its start [bytes]. size_bytes: of the file."""

    kind: str
    size_bytes: int
    unit_bytes: int | None
    record_bytes: int | None
    data_at: int
    uuid: str
    inside_at: tuple[int, ...] = ()


@dataclass(frozen=True)
class Maker:
    """How one kind is made. programs: that it takes. root: whether it takes a loop device, and so root."""

    programs: tuple[str, ...]
    make: Callable[[Path, int, Any], Made]
    root: bool = False


def tool(*command: str | Path | int, stdin: str | None = None) -> str:
    """What a program says; it fails the test when the program fails."""
    done = subprocess.run(
        [str(word) for word in command],
        input=stdin,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": PATH, "LC_ALL": "C", "LVM_SUPPRESS_FD_WARNINGS": "1"},
        errors="replace",
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def missing(*programs: str) -> list[str]:
    """Those of these programs that are not installed."""
    return [each for each in programs if shutil.which(each, path=PATH) is None]


@cache
def why_not(kind: str) -> str:
    """Why this kind cannot be made here; empty when it can."""
    maker = MAKERS[kind]
    if absent := missing(*maker.programs, "blkid"):
        return f"{', '.join(absent)} not installed"
    if maker.root and os.geteuid() != 0:
        return "takes a loop device, and so root"
    if maker.root and not Path("/dev/loop-control").exists():
        return "takes a loop device, and this system has none"
    return ""


def make(kind: str, path: Path, start_sectors: int, draw: Any) -> Made:
    """One of `MAKERS`, made in a new file. start_sectors: what is told to the tool. draw: a `random.Random`."""
    return MAKERS[kind].make(path, start_sectors, draw)


def said(text: str, pattern: str) -> str:
    """The first group of a pattern in a tool's words."""
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None, f"{pattern!r} not in {text!r}"
    return found[1]


def _blank(path: Path, size_bytes: int) -> Path:
    with path.open("wb") as file:
        file.truncate(size_bytes)
    return path


def _uuid(path: Path) -> str:
    return tool("blkid", "-p", "-o", "value", "-s", "UUID", path).strip()


def _ext(path: Path, _: int, draw: Any) -> Made:
    kind, block = draw.choice(("ext2", "ext3", "ext4")), draw.choice((1024, 2048, 4096))
    _blank(path, 16 * MIB)
    tool(f"mkfs.{kind}", "-q", "-F", "-b", block, "-I", draw.choice((128, 256, 512)), "-L", "some label", path)
    words = tool("dumpe2fs", "-h", path)
    return Made(
        kind,
        int(said(words, r"^Block count:\s+(\d+)")) * int(said(words, r"^Block size:\s+(\d+)")),
        int(said(words, r"^Block size:\s+(\d+)")),
        int(said(words, r"^Inode size:\s+(\d+)")),
        0,
        _uuid(path),
    )


def _xfs(path: Path, _: int, draw: Any) -> Made:
    _blank(path, 64 * MIB)
    block = draw.choice((1024, 4096))
    tool("mkfs.xfs", "-q", "-f", "--unsupported", "-b", f"size={block}", path)
    words = tool("xfs_info", path)
    unit = int(said(words, r"data\s+=\s+bsize=(\d+)"))
    size = unit * int(said(words, r"data\s+=\s+bsize=\d+\s+blocks=(\d+)"))
    return Made("xfs", size, unit, int(said(words, r"isize=(\d+)")), 0, _uuid(path))


def _btrfs(path: Path, _: int, draw: Any) -> Made:
    _blank(path, 64 * MIB)
    tool("mkfs.btrfs", "-q", "-f", "-M", path)
    words = tool("btrfs", "inspect-internal", "dump-super", path)
    unit, node = (int(said(words, rf"^{name}\s+(\d+)")) for name in ("sectorsize", "nodesize"))
    return Made("btrfs", int(said(words, r"^dev_item.total_bytes\s+(\d+)")), unit, node, 0, _uuid(path))


def _ntfs(path: Path, start_sectors: int, draw: Any) -> Made:
    _blank(path, 16 * MIB)
    cluster = draw.choice((512, 4096, 16384, 65536))
    tool("mkntfs", "-q", "-F", "-f", "-p", start_sectors, "-H", 255, "-S", 63, "-s", 512, "-c", cluster, path)
    words = tool("ntfsinfo", "-m", path)
    unit, record = (int(said(words, rf"{name} Size: (\d+)")) for name in ("Cluster", "MFT Record"))
    return Made("ntfs", path.stat().st_size, unit, record, 0, _uuid(path))


def _fat(path: Path, start_sectors: int, draw: Any) -> Made:
    width = draw.choice((12, 16, 32))
    _blank(path, {12: 2, 16: 16, 32: 40}[width] * MIB)
    reserved = draw.choice(((), ("-R", str(draw.randint(33, 90))), ("-a",)))  # -a: nothing is aligned to clusters
    tool("mkfs.fat", "-F", width, "-s", 1 if width == 32 else 4, "-h", start_sectors, *reserved, path)
    words = tool("fsck.fat", "-v", "-n", path)
    return Made(
        f"fat{width}",
        int(said(words, r"(\d+) sectors total")) * 512,
        int(said(words, r"(\d+) bytes per cluster")),
        None,
        int(said(words, r"Data area starts at byte (\d+)")),
        _uuid(path),
    )


def _exfat(path: Path, _: int, draw: Any) -> Made:
    _blank(path, 16 * MIB)
    tool("mkfs.exfat", "-c", draw.choice(("4K", "32K")), "-b", draw.choice(("32K", "1M")), path)
    words = tool("dump.exfat", path)
    sector = 1 << int(said(words, r"Sector Size Bits:\s+(\d+)"))
    return Made(
        "exfat",
        sector * int(said(words, r"Volume Length\(sectors\):\s+(\d+)")),
        int(said(words, r"^Cluster size:\s+(\d+)")),
        None,
        sector * int(said(words, r"Cluster Heap Offset.*:\s+(\d+)")),
        _uuid(path),
    )


def _swap(path: Path, _: int, draw: Any) -> Made:
    _blank(path, 4 * MIB).chmod(0o600)
    tool("mkswap", "-p", 4096, path)
    return Made("swap", 4 * MIB, 4096, None, 0, _uuid(path))


def _luks(path: Path, _: int, draw: Any) -> Made:
    _blank(path, 20 * MIB)
    version = draw.choice((1, 2))
    where = ("--align-payload", str(draw.choice((63, 8, 2048)))) if version == 1 else ()
    fast = ["--pbkdf-force-iterations", "1000", *(["--pbkdf", "pbkdf2"] if version == 2 else [])]
    tool("cryptsetup", "luksFormat", "-q", "--type", f"luks{version}", *fast, *where, path, stdin="a secret")
    words = tool("cryptsetup", "luksDump", path)
    if version == 1:
        data_at, unit = 512 * int(said(words, r"^Payload offset:\s+(\d+)")), 512
    else:
        data_at, unit = int(said(words, r"offset: (\d+) \[bytes\]")), int(said(words, r"sector: (\d+) \[bytes\]"))
    return Made("luks", 20 * MIB, unit, None, data_at, tool("cryptsetup", "luksUUID", path).strip())


def _lvm(path: Path, _: int, draw: Any) -> Made:
    """A physical volume whose extents begin where was drawn, with two logical volumes restored from a text."""
    _blank(path, 32 * MIB)
    loop = tool("losetup", "--find", "--show", path).strip()
    name, backup = f"align{os.getpid()}", path.with_suffix(".vg")
    try:
        align = draw.choice((32256, 4096, MIB))
        tool("pvcreate", "-q", "-q", "-ff", "-y", "--dataalignment", f"{align}B", "--devices", loop, loop)
        tool("vgcreate", "-q", "-q", "--physicalextentsize", "1m", "--devices", loop, name, loop)
        tool("vgcfgbackup", "-q", "-q", "--devices", loop, "-f", backup, name)
        backup.write_text(backup.read_text().replace("\n\t}\n\n\n}", f"\n\t}}\n{_VOLUMES}}}"))
        tool("vgcfgrestore", "-q", "-q", "--devices", loop, "-f", backup, name)
        words = tool(
            "pvs", "--noheadings", "--units", "b", "--nosuffix", "-o", "pe_start,vg_extent_size,pv_uuid", "--devices",
            loop, loop,
        ).split()  # fmt: skip
        starts = tool("pvs", "--noheadings", "--segments", "-o", "lv_name,pvseg_start", "--devices", loop, loop)
    finally:
        tool("losetup", "--detach", loop)
    start, extent = int(words[0]), int(words[1])
    volumes = [line.split() for line in starts.splitlines() if len(line.split()) == 2]
    assert len(volumes) == 2, starts
    inside = tuple(sorted(start + int(at) * extent for _, at in volumes))
    return Made("lvm", 32 * MIB, extent, None, start, words[2].replace("-", ""), inside)


_VOLUMES = "\tlogical_volumes {\n" + "".join(
    f"""
        {name} {{
            id = "{name}aaaa-0000-0000-0000-0000-0000-000000"
            status = ["READ", "WRITE", "VISIBLE"]
            flags = []
            segment_count = 1
            segment1 {{
                start_extent = 0
                extent_count = {count}
                type = "striped"
                stripe_count = 1   # linear
                stripes = ["pv0", {start}]
            }}
        }}
"""
    for name, start, count in (("lv", 0, 3), ("lw", 5, 4))
) + "\t}\n"  # fmt: skip


def _md(path: Path, _: int, draw: Any) -> Made:
    """A member's superblock, written by hand since no kernel here makes one; mdadm reads it and says what it means."""
    _blank(path, 16 * MIB)
    version, data_sectors = draw.choice(((1, 256), (2, 2048), (2, 272), (0, 0)))
    sectors = 16 * MIB // 512
    at = {0: (sectors - 16) & ~7, 1: 0, 2: 8}[version]
    level, chunk = draw.choice(((5, 128), (0, 1024), (1, 0)))
    block = bytearray(1024)
    uuid = draw.randbytes(16)
    struct.pack_into("<4I16s32sQIiQII", block, 0, 0xA92B4EFC, 1, 0, 0, uuid, b"host:0", 0, level, 0, 8192, chunk, 2)
    struct.pack_into("<2Q", block, 128, data_sectors, sectors - 4096)
    struct.pack_into("<Q", block, 144, at)
    block[168:184] = draw.randbytes(16)
    struct.pack_into("<I", block, 220, 2)
    struct.pack_into("<2H", block, 256, 0, 1)
    total = sum(struct.unpack("<65I", block[:260]))
    struct.pack_into("<I", block, 216, ((total & 0xFFFFFFFF) + (total >> 32)) & 0xFFFFFFFF)
    with path.open("r+b") as file:
        file.seek(at * 512)
        file.write(block)
    words = tool("mdadm", "--examine", path)
    assert "expected" not in said(words, r"Checksum : (.*)$"), words
    data_at = 512 * int(said(words, r"Data Offset : (\d+)")) if "Data Offset" in words else 0
    return Made("md", (sectors - 4096) * 512, None, None, data_at, _dashed(uuid))


def _dashed(raw: bytes) -> str:
    text = raw.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


MAKERS = {
    "ext": Maker(("mkfs.ext2", "dumpe2fs"), _ext),
    "xfs": Maker(("mkfs.xfs", "xfs_info"), _xfs),
    "btrfs": Maker(("mkfs.btrfs", "btrfs"), _btrfs),
    "ntfs": Maker(("mkntfs", "ntfsinfo"), _ntfs),
    "fat": Maker(("mkfs.fat", "fsck.fat"), _fat),
    "exfat": Maker(("mkfs.exfat", "dump.exfat"), _exfat),
    "swap": Maker(("mkswap",), _swap),
    "luks": Maker(("cryptsetup",), _luks),
    "md": Maker(("mdadm",), _md),
    "lvm": Maker(("pvcreate", "vgcfgrestore", "losetup"), _lvm, root=True),
}
