"""LVM: where the extents of a physical volume begin (pe_start), and the logical volumes that lie on it.

    sector 0..3  label  ->  header: data areas, metadata areas  ->  ring with the metadata as text
                                        |                               |
                                     pe_start                   extent size, segments of each volume

Source: the `metadata.h` and `format_text` folder of LVM2. Lengths in its text are sectors of 512 B.
"""

from __future__ import annotations

import zlib

from flashscope.partitions.containers.lvm_text import Section, number, parse_metadata, section
from flashscope.partitions.fields import Fields, clean_text
from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place

_SECTOR = 512
_LABEL_SECTORS = 4
_FIRST_CRC = 0xF597A6CF
_RING_MAGIC = b" LVM2 x[5A%r0N*>"
_MOST_TEXT_BYTES = 4 << 20
_MOST_AREAS, _MOST_VOLUMES = 8, 256
_RING_HEADER_BYTES = 512


def read_lvm(place: Place) -> tuple[Inner, tuple[tuple[Inner, Place | None], ...]] | None:
    """The physical volume and its logical ones, each with the place of its data where it lies in one piece from there.

    None where there is no physical volume.
    """
    header = _header(place)
    if header is None:
        return None
    data, rings = _areas(header)
    identity = header.text(0, 32, "latin-1")
    metadata = next((text for ring in rings if (text := _metadata(place, *ring))), "")
    group_name, group = _group(parse_metadata(metadata))
    extent_bytes = number(group, "extent_size") * _SECTOR
    start = data[0][0] if data else None
    volume = Inner(
        kind="lvm",
        role="container",
        start_bytes=place.start_bytes,
        size_bytes=header.u64(32) or None,
        uuid=identity,
        label=group_name,
        data_start_bytes=None if start is None or start >= place.size_bytes else place.start_bytes + start,
        unit_bytes=extent_bytes or None,
    )
    if volume.data_start_bytes is None or start is None or not extent_bytes:
        return volume, ()
    return volume, tuple(_volumes(place, group, identity, start, extent_bytes))


def _header(place: Place) -> Fields | None:
    """The header of the physical volume, behind its label; None where no label is good."""
    for index in range(_LABEL_SECTORS):
        sector = place.fields(index * _SECTOR, _SECTOR)
        if sector.bytes_at(0, 8) != b"LABELONE" or sector.bytes_at(24, 8) != b"LVM2 001" or sector.u64(8) != index:
            continue
        if _crc(sector.bytes_at(20, _SECTOR - 20)) == sector.u32(16) and sector.u32(20) < _SECTOR:
            at = sector.u32(20)
            return Fields(sector.content[at:], sector.start_bytes + at)
    return None


def _areas(header: Fields) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The data areas and the metadata areas, each (offset, size) [bytes]: two lists that zeros end."""
    lists: list[list[tuple[int, int]]] = []
    at = 40
    for _ in range(2):
        areas: list[tuple[int, int]] = []
        while header.u64(at) and len(areas) < _MOST_AREAS:
            areas.append((header.u64(at), header.u64(at + 8)))
            at += 16
        at += 16
        lists.append(areas)
    return lists[0], lists[1]


def _metadata(place: Place, ring_at: int, ring_bytes: int) -> str:
    """The text of a metadata ring, which may wrap; empty where its checksum does not hold."""
    header = place.fields(ring_at, _RING_HEADER_BYTES)
    if header.bytes_at(4, 16) != _RING_MAGIC or _crc(header.bytes_at(4, 508)) != header.u32(0):
        return ""
    at, length, checksum = header.u64(40), header.u64(48), header.u32(56)
    if not (_RING_HEADER_BYTES <= at < ring_bytes and 0 < length <= min(ring_bytes, _MOST_TEXT_BYTES)):
        return ""
    first = min(length, ring_bytes - at)
    content = place.fields(ring_at + at, first).content
    content += place.fields(ring_at + _RING_HEADER_BYTES, length - first).content if length > first else b""
    return content.split(b"\0")[0].decode("utf-8", "replace") if _crc(content) == checksum else ""


def _group(metadata: Section) -> tuple[str, Section]:
    for name, value in metadata.items():
        if isinstance(value, dict) and "extent_size" in value:
            return clean_text(name), value
    return "", {}


def _volumes(
    place: Place, group: Section, identity: str, start: int, extent_bytes: int
) -> list[tuple[Inner, Place | None]]:
    """The logical volumes whose first segment lies on this physical volume."""
    own = next(
        (
            name
            for name, value in section(group, "physical_volumes").items()
            if isinstance(value, dict) and str(value.get("id", "")).replace("-", "") == identity
        ),
        None,
    )
    found = []
    for name, value in list(section(group, "logical_volumes").items())[:_MOST_VOLUMES]:
        first = section(value, "segment1") if isinstance(value, dict) else {}
        stripes = first.get("stripes")
        if own is None or not isinstance(stripes, list) or own not in stripes[::2]:
            continue
        extent = stripes[2 * stripes[::2].index(own) + 1 : 2 * stripes[::2].index(own) + 2]
        if not extent or not isinstance(extent[0], int):
            continue
        at, size = start + extent[0] * extent_bytes, number(first, "extent_count") * extent_bytes
        if at >= place.size_bytes:
            continue
        striped = len(stripes) > 2
        volume = Inner(
            kind="lvm volume",
            role="volume",
            start_bytes=place.start_bytes + at,
            size_bytes=size or None,
            label=clean_text(name),
            data_start_bytes=place.start_bytes + at,
            chunk_bytes=number(first, "stripe_size") * _SECTOR or None if striped else None,
        )
        found.append((volume, None if striped else place.part(at, size)))
    return found


def _crc(content: bytes) -> int:
    """LVM's checksum: CRC-32 that begins with another value and is not inverted at the end."""
    return zlib.crc32(content, _FIRST_CRC ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
