"""From what was typed to disks with their alignment: devices, images, virtual drives seen through `@offset=`.

Only reading takes place, so the guard is not asked: a mounted disk, or one in an array, is judged like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flashscope.alignment.boundaries import MappingUnit
from flashscope.alignment.disk import DiskAlignment, align_disk, one_line, partition_at
from flashscope.alignment.loss import UNKNOWN_TIMES, DriveTimes
from flashscope.cli.align.address import disk_address
from flashscope.drives.addresses.address import Address, parse_address
from flashscope.drives.system.array_chunk import array_chunk_bytes
from flashscope.drives.system.reader import read_system
from flashscope.drives.system.view import SystemView
from flashscope.errors import FlashscopeError
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import open_source

_LEFT_OUT = ("rom", "ram", "zram")  # kinds of block devices that nobody partitions


@dataclass(frozen=True)
class Asked:
    """What was said about the drive. unit_bytes: its mapping unit. sector_bytes: of an image. writing: one kind only.

    store_path: where an examination may have found the unit.
    """

    store_path: Path
    unit_bytes: int | None = None
    sector_bytes: int | None = None
    chunk_bytes: int | None = None
    writing: str | None = None


def align_named(name: str, asked: Asked) -> DiskAlignment:
    """The alignment of a disk: a device, an image file, or any drive with `@offset=`.

    Raises WrongUse for what is not there, may not be read, or has nothing to be judged.
    """
    address = disk_address(name)
    if address.is_virtual:
        return _virtual(address, asked)
    if address.modifiers:
        return _seen(address, asked)
    path = Path(address.target)
    view = read_system()
    block = next((each for each in view.blocks.values() if Path(each.path) == path.resolve()), None)
    whole = view.blocks[view.whole(block.name)] if block is not None else None
    if whole is not None and whole.kind != "loop":
        path = Path(whole.path)
    with open_source(path) as source:
        layout = read_layout(source, asked.sector_bytes)
    chunk = asked.chunk_bytes or (array_chunk_bytes(whole.name) if whole else 0) or None
    unit = _unit(asked, parse_address(str(path)) if whole else None)
    return align_disk(str(path), layout, unit, chunk_bytes=chunk, writing=asked.writing)


def every_disk(view: SystemView) -> Iterator[str]:
    """The paths of all whole disks of the system that hold bytes, by name; of loop devices those in use."""
    for name in sorted(view.blocks):
        block = view.blocks[name]
        if block.partition_of or not block.size_bytes or block.kind in _LEFT_OUT:
            continue
        if name.startswith(_LEFT_OUT) or (block.kind == "loop" and not block.backing_file):
            continue
        yield block.path


def alignment_line(address: Address, store_path: Path) -> str:
    """The alignment of a drive that is to be run, in one line; empty where there is nothing to say, or no permission.

    Only of block devices, and of what is seen through `@offset=`.
    """
    if address.scheme != "device" and not address.modifiers:
        return ""
    try:
        return one_line(align_named(str(address), Asked(store_path)))
    except FlashscopeError:
        return ""


def _virtual(address: Address, asked: Asked) -> DiskAlignment:
    """A virtual drive has no table; it may be seen through a partition. Its unit and times are those of its part."""
    from flashscope.drives.open import parts_of
    from flashscope.drives.parts.unit_times import unit_times

    part = parts_of(address)[0]
    times = unit_times(part)
    unit_bytes = asked.unit_bytes or times.unit_bytes
    unit = MappingUnit(unit_bytes, "stated" if asked.unit_bytes else "part", part.name) if unit_bytes else MappingUnit()
    share = times.read_share
    known = UNKNOWN_TIMES if share is None else DriveTimes(share, share, times.merges)
    offset = sum(each.value for each in address.modifiers if each.name == "offset")
    layout = partition_at(offset, max(part.user_bytes - offset, 0))
    return align_disk(str(address), layout, unit, writing=asked.writing, times=known)


def _seen(address: Address, asked: Asked) -> DiskAlignment:
    """A file or a device that is seen through a partition at an offset."""
    from flashscope.drives.open import probe

    facts = probe(address)
    layout = partition_at(facts.offset_bytes, facts.user_bytes, facts.sector_bytes)
    return align_disk(str(address), layout, _unit(asked, None), writing=asked.writing)


def _unit(asked: Asked, device: Address | None) -> MappingUnit:
    """The mapping unit: as stated, else as an examination of this device found it, else unknown."""
    if asked.unit_bytes:
        return MappingUnit(asked.unit_bytes, "stated", "--unit")
    if device is None or not asked.store_path.exists():
        return MappingUnit()
    from flashscope.dossier.found_in_store import found_in_store
    from flashscope.drives.open import probe

    try:
        found = found_in_store(asked.store_path, probe(device), "mapping_unit")
    except FlashscopeError:
        return MappingUnit()
    if found is None:
        return MappingUnit()
    return MappingUnit(int(found.value), "examined", f"found by the examination of {found.created_utc[:10]}")
