"""btrfs: the superblock stands at 64 KiB; chunks, nodes and sectors count from the start of the device.

Source: the on-disk format page of btrfs' documentation.
"""

from __future__ import annotations

from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place, is_power_of_two

_SUPERBLOCK = 64 << 10


def read_btrfs(place: Place) -> Inner | None:
    """The file system, None where there is none. record_bytes: a node of its trees."""
    block = place.fields(_SUPERBLOCK, 4096)
    sector_bytes, node_bytes = block.u32(0x90), block.u32(0x94)
    if block.bytes_at(0x40, 8) != b"_BHRfS_M" or not (is_power_of_two(sector_bytes) and is_power_of_two(node_bytes)):
        return None
    devices = block.u64(0x88)
    return Inner(
        kind="btrfs",
        role="file system",
        start_bytes=place.start_bytes,
        size_bytes=block.u64(0xD1),
        uuid=block.uuid(0x20),
        label=block.text(0x12B, 256),
        data_start_bytes=place.start_bytes,
        unit_bytes=sector_bytes,
        record_bytes=node_bytes,
        detail=f"one of {devices} devices" if devices > 1 else "",
    )
