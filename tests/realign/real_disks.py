"""Disk images with real tables and file systems, made and checked by their own tools; root for mounts.

build("mbr", folder)    sector 63: NTFS, FAT32, and an extended partition with ext4 and XFS; as disks of 2009 were
build("gpt", folder)    the same four behind each other from sector 34, as early GPT tools did
build("2009", folder)   two primary partitions from sector 63, NTFS and ext4
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..drives.bench import why_no_loop_devices
from ..partitions.disks import copy_sparse
from ..partitions.made import MIB, PATH, missing, tool

SECTOR = 512
_TOOLS = ("sfdisk", "sgdisk", "parted", "mkfs.ext4", "mkfs.xfs", "mkntfs", "mkfs.fat", "mcopy", "ntfs-3g", "ntfsfix",
          "fsck.fat", "xfs_repair", "e2fsck")  # fmt: skip
_HIDDEN_AT = 28


def why_not() -> str:
    """Why no such disk can be made here; empty when it can."""
    if absent := missing(*_TOOLS):
        return f"{', '.join(absent)} not installed"
    if not os.path.exists("/dev/fuse"):
        return "this system has no FUSE, which ntfs-3g takes"
    return why_no_loop_devices()


@dataclass(frozen=True)
class Held:
    """A file system in a partition. digest: of its files. raw: the bytes of the partition."""

    kind: str
    number: int
    start: int
    sectors: int
    digest: str
    raw: bytes


@dataclass(frozen=True)
class RealDisk:
    """path: the image. table: what its partition table says, by sfdisk."""

    path: Path
    kind: str
    held: tuple[Held, ...]
    table: str

    def copy(self, path: Path) -> Path:
        """The image once more, holes kept."""
        shutil.copy(self.path, path)
        return path


def build(kind: str, folder: Path) -> RealDisk:
    """A disk of that kind, in a folder."""
    sizes = {"ntfs": 8, "fat32": 34, "ext4": 8, "xfs": 36}
    if kind == "2009":
        sizes = {"ntfs": 8, "ext4": 8}
    made = {name: _MAKERS[name](folder / f"{name}.fs", mebibytes) for name, mebibytes in sizes.items()}
    path = folder / f"{kind}.img"
    with path.open("wb") as file:
        file.truncate((sum(sizes.values()) + 16) * MIB)
    places = _LAYOUTS[kind](path, {name: mebibytes * MIB // SECTOR for name, mebibytes in sizes.items()})
    held = []
    for name, (number, start, sectors) in places.items():
        copy_sparse(made[name], path, start * SECTOR)
        _state_start(name, path, start, sectors)
        held.append(Held(name, number, start, sectors, _digest(name, path, start, sectors), raw(path, start, sectors)))
    return RealDisk(path, kind, tuple(held), tool("sfdisk", "--dump", path))


def places(path: Path) -> dict[int, tuple[int, int]]:
    """Start and sectors of every partition that holds data, as sfdisk reads them."""
    table = json.loads(tool("sfdisk", "--json", path))["partitiontable"]
    used = [each for each in table["partitions"] if each["type"] not in ("5", "f")]
    return {int(each["node"].removeprefix(str(path))): (each["start"], each["size"]) for each in used}


def raw(path: Path, start: int, sectors: int) -> bytes:
    """The bytes of a partition."""
    with path.open("rb") as file:
        return os.pread(file.fileno(), sectors * SECTOR, start * SECTOR)


def see_moved(disk: RealDisk, path: Path, boundary: int = MIB) -> None:
    """Every partition begins at a multiple, and holds what it held, but for the fields that state its place."""
    now = places(path)
    assert set(now) == {each.number for each in disk.held}
    for each in disk.held:
        start, sectors = now[each.number]
        assert start * SECTOR % boundary == 0
        assert sectors == each.sectors
        assert raw(path, start, sectors) == _stating(each, start), f"{each.kind} differs"
    see_table(disk, path)


def see_as_before(disk: RealDisk, path: Path) -> None:
    """The table is the old one, and every partition holds what it held, to the last byte."""
    assert tool("sfdisk", "--dump", path).replace(str(path), str(disk.path)) == disk.table
    for each in disk.held:
        assert raw(path, each.start, each.sectors) == each.raw, f"{each.kind} differs"
    see_table(disk, path)


def see_table(disk: RealDisk, path: Path) -> None:
    """The tools find no fault with the table, and it says the same of everything but places."""
    assert "No errors detected" in tool("sfdisk", "--verify", path)
    tool("parted", "--script", path, "print")
    if disk.kind == "gpt":
        assert "No problems found" in tool("sgdisk", "--verify", path)
    assert _without_places(tool("sfdisk", "--dump", path), path) == _without_places(disk.table, disk.path)


def see_files(disk: RealDisk, path: Path) -> None:
    """The file systems are clean by their own tools, and their files are the same."""
    now = places(path)
    for each in disk.held:
        start, sectors = now[each.number]
        _CHECKS[each.kind](path, start, sectors)
        assert _digest(each.kind, path, start, sectors) == each.digest


def _without_places(dump: str, path: Path) -> list[str]:
    """A dump of sfdisk without what may change: starts, and the size of the extended partition."""
    lines = [line.replace(str(path), "disk") for line in dump.splitlines() if not line.startswith("device:")]
    parts = [[part for part in line.split(",") if "start=" not in part] for line in lines]
    return [",".join(part for part in each if "size=" not in part or "type=5" not in ",".join(each)) for each in parts]


def _stating(held: Held, start: int) -> bytes:
    """The bytes of a partition with its new place in its boot sectors, computed apart from the code under test."""
    content = bytearray(held.raw)
    for at in _boot_sectors(held.kind, held.sectors):
        assert struct.unpack_from("<I", content, at + _HIDDEN_AT)[0] == held.start
        struct.pack_into("<I", content, at + _HIDDEN_AT, start)
    return bytes(content)


def _boot_sectors(name: str, sectors: int) -> tuple[int, ...]:
    """Where in a partition the boot sector and its copy stand that say where it begins [bytes]."""
    return {"ntfs": (0, (sectors - 1) * SECTOR), "fat32": (0, 6 * SECTOR)}.get(name, ())


def _state_start(name: str, path: Path, start: int, sectors: int) -> None:
    """What a tool in the partition would have written: where it begins."""
    with path.open("r+b") as file:
        for each in _boot_sectors(name, sectors):
            os.pwrite(file.fileno(), struct.pack("<I", start), start * SECTOR + each + _HIDDEN_AT)


def _mbr(path: Path, sectors: dict[str, int]) -> dict[str, tuple[int, int, int]]:
    ntfs, fat = 63, 63 + sectors["ntfs"]
    extended = fat + sectors["fat32"]
    ext4 = extended + 63
    xfs = ext4 + sectors["ext4"] + 63
    end = xfs + sectors["xfs"]
    lines = [
        "label: dos",
        "label-id: 0x20090704",
        f"start={ntfs}, size={sectors['ntfs']}, type=7, bootable",
        f"start={fat}, size={sectors['fat32']}, type=c",
        f"start={extended}, size={end - extended}, type=5",
        f"start={ext4}, size={sectors['ext4']}, type=83",
        f"start={xfs}, size={sectors['xfs']}, type=83",
    ]
    tool("sfdisk", "-q", "--no-reread", "--no-tell-kernel", path, stdin="\n".join(["unit: sectors", *lines[2:]]) + "\n")
    tool("sfdisk", "-q", "--disk-id", path, "0x20090704")
    return {
        "ntfs": (1, ntfs, sectors["ntfs"]),
        "fat32": (2, fat, sectors["fat32"]),
        "ext4": (5, ext4, sectors["ext4"]),
        "xfs": (6, xfs, sectors["xfs"]),
    }


def _gpt(path: Path, sectors: dict[str, int]) -> dict[str, tuple[int, int, int]]:
    here, words, found = 34, ["--clear", "--set-alignment=1"], {}
    for number, (name, size) in enumerate(sectors.items(), start=1):
        words += [f"--new={number}:{here}:{here + size - 1}", f"--change-name={number}:{name} of mine"]
        found[name] = (number, here, size)
        here += size + 1
    tool("sgdisk", *words, "--typecode=1:0700", "--typecode=2:ef00", "--attributes=3:set:2", path)
    return found


def _of_2009(path: Path, sectors: dict[str, int]) -> dict[str, tuple[int, int, int]]:
    ext4 = 63 + sectors["ntfs"]
    lines = [f"start=63, size={sectors['ntfs']}, type=7, bootable", f"start={ext4}, size={sectors['ext4']}, type=83"]
    tool("sfdisk", "-q", "--no-reread", "--no-tell-kernel", path, stdin="\n".join(["unit: sectors", *lines]) + "\n")
    return {"ntfs": (1, 63, sectors["ntfs"]), "ext4": (2, ext4, sectors["ext4"])}


_LAYOUTS: dict[str, Callable[[Path, dict[str, int]], dict[str, tuple[int, int, int]]]] = {
    "mbr": _mbr,
    "gpt": _gpt,
    "2009": _of_2009,
}


def _fill(folder: Path, mebibytes: int, seed: str) -> None:
    chance = random.Random(seed)
    (folder / "a" / "b").mkdir(parents=True)
    for index in range(40):
        (folder / "a" / "b" / f"file {index}.txt").write_bytes(chance.randbytes(chance.randrange(9000)))
    (folder / "large.bin").write_bytes(chance.randbytes(mebibytes * MIB))


def _made(path: Path, mebibytes: int, *command: str) -> Path:
    with path.open("wb") as file:
        file.truncate(mebibytes * MIB)
    tool(*command, path)
    return path


def _ext4(path: Path, mebibytes: int) -> Path:
    content = path.with_suffix(".content")
    _fill(content, 2, "ext4")
    return _made(path, mebibytes, "mkfs.ext4", "-q", "-F", "-d", str(content))


def _xfs(path: Path, mebibytes: int) -> Path:
    _made(path, mebibytes, "mkfs.xfs", "-q", "-f", "--unsupported", "-d", "agcount=2")
    with _mounted("xfs", path, 0, mebibytes * MIB // SECTOR, write=True) as point:
        _fill(point, 2, "xfs")
    return path


def _ntfs(path: Path, mebibytes: int) -> Path:
    _made(path, mebibytes, "mkntfs", "-q", "-F", "-f", "-H", "255", "-S", "63", "-s", "512", "-p", "63")
    with _mounted("ntfs", path, 0, mebibytes * MIB // SECTOR, write=True) as point:
        _fill(point, 2, "ntfs")
    return path


def _fat32(path: Path, mebibytes: int) -> Path:
    _made(path, mebibytes, "mkfs.fat", "-F", "32", "-s", "1")
    content = path.with_suffix(".content")
    _fill(content, 3, "fat32")
    tool("mcopy", "-s", "-i", path, content / "a", content / "large.bin", "::")
    return path


_MAKERS: dict[str, Callable[[Path, int], Path]] = {"ntfs": _ntfs, "fat32": _fat32, "ext4": _ext4, "xfs": _xfs}


@contextmanager
def _loop(path: Path, start: int, sectors: int, *, write: bool = False) -> Iterator[str]:
    how = [] if write else ["--read-only"]
    where = ["--offset", str(start * SECTOR), "--sizelimit", str(sectors * SECTOR)]
    device = tool("losetup", "--find", "--show", *how, *where, path).strip()
    try:
        yield device
    finally:
        tool("losetup", "--detach", device)


@contextmanager
def _mounted(kind: str, path: Path, start: int, sectors: int, *, write: bool = False) -> Iterator[Path]:
    point = path.parent / f"mounted-{kind}"
    point.mkdir(exist_ok=True)
    options = "rw" if write else {"xfs": "ro,norecovery,nouuid", "ext4": "ro,noload"}.get(kind, "ro")
    with _loop(path, start, sectors, write=write) as device:
        if kind == "ntfs":
            tool("ntfs-3g", "-o", options, device, point)
        else:
            tool("mount", "-t", kind, "-o", options, device, point)
        try:
            yield point
        finally:
            tool("umount", point)


def _digest(kind: str, path: Path, start: int, sectors: int) -> str:
    """One digest over the names and contents of all files."""
    if kind == "fat32":
        out = path.parent / "copied-out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        tool("mcopy", "-s", "-n", "-i", f"{path}@@{start * SECTOR}", "::a", "::large.bin", out)
        return _of_files(out)
    with _mounted(kind, path, start, sectors) as point:
        return _of_files(point)


def _of_files(folder: Path) -> str:
    found = hashlib.sha256()
    count = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            found.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
            count += 1
    assert count >= 41, f"{folder} holds {count} files"
    return found.hexdigest()


def _check_by(*command: str) -> Callable[[Path, int, int], None]:
    def check(path: Path, start: int, sectors: int) -> None:
        with _loop(path, start, sectors) as device:
            done = subprocess.run(
                [*command, device], capture_output=True, text=True, env=os.environ | {"PATH": PATH}, check=False
            )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"

    return check


_CHECKS = {
    "ext4": _check_by("e2fsck", "-fn"),
    "xfs": _check_by("xfs_repair", "-n"),
    "ntfs": _check_by("ntfsfix", "-n"),
    "fat32": _check_by("fsck.fat", "-n"),
}
