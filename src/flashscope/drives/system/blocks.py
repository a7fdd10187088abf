"""Block devices: from sysfs how they are built on each other, from lsblk their models and serial numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flashscope.drives.system.loop_devices import backing_file_of, backing_of
from flashscope.drives.system.tools import run_json
from flashscope.drives.system.view import Block

_LSBLK_COLUMNS = "KNAME,PATH,TYPE,MODEL,SERIAL,REV,TRAN,WWN"
_SYSFS_SECTOR_BYTES = 512  # sysfs counts sizes in these, whatever the drive's own sector


def read_blocks(sysfs: Path = Path("/sys/class/block")) -> dict[str, Block]:
    """All block devices by their kernel name. Without lsblk they have no model and no serial number."""
    answer = run_json("lsblk", "--json", "--list", "--all", "--output", _LSBLK_COLUMNS) or {}
    names = {entry.get("kname"): entry for entry in answer.get("blockdevices", ())}
    blocks = {}
    for link in sorted(sysfs.iterdir()) if sysfs.is_dir() else ():
        try:
            blocks[link.name] = _read_block(link.resolve(strict=True), names.get(link.name, {}))
        except FileNotFoundError:
            continue  # unplugged while we looked
    return blocks


def read_pool_members(sysfs: Path = Path("/sys/fs/btrfs")) -> dict[str, str]:
    """Name of a block device -> UUID of the mounted btrfs that it is a member of."""
    return {link.name: link.parent.parent.name for link in sysfs.glob("*/devices/*")}


def _read_block(directory: Path, names: dict[str, Any]) -> Block:
    def text(*parts: str) -> str:
        try:
            return directory.joinpath(*parts).read_text(errors="surrogateescape").strip()
        except OSError:
            return ""

    def number(*parts: str) -> int:
        found = text(*parts)
        return int(found) if found.isdigit() else 0

    def children(name: str) -> tuple[str, ...]:
        folder = directory / name
        return tuple(sorted(each.name for each in folder.iterdir())) if folder.is_dir() else ()

    def said(column: str) -> str:
        return str(names.get(column) or "").strip()

    is_partition = (directory / "partition").exists()
    queue = "../queue" if is_partition else "queue"
    path = said("path") or f"/dev/{directory.name.replace('!', '/')}"
    backing_file = backing_file_of(directory)
    backing_identity, backing_number = backing_of(path, backing_file) if backing_file else (None, "")
    return Block(
        name=directory.name,
        number=text("dev"),
        path=path,
        kind=said("type") or ("part" if is_partition else "disk"),
        size_bytes=number("size") * _SYSFS_SECTOR_BYTES,
        logical_sector_bytes=number(queue, "logical_block_size") or 512,
        physical_sector_bytes=number(queue, "physical_block_size") or 512,
        discard_max_bytes=number(queue, "discard_max_bytes"),
        rotational=number(queue, "rotational") == 1,
        read_only=number("ro") == 1,
        model=said("model"),
        serial=said("serial"),
        revision=said("rev"),
        transport=said("tran"),
        world_wide_name=said("wwn"),
        partition_of=directory.parent.name if is_partition else "",
        holders=children("holders"),
        slaves=children("slaves"),
        mapper_uuid=text("dm", "uuid"),
        backing_file=backing_file,
        backing_identity=backing_identity,
        backing_number=backing_number,
        disk_sequence=number("../diskseq" if is_partition else "diskseq"),
    )
