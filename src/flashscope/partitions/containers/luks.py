"""LUKS: where the encrypted data begin. What is inside cannot be read without the key, and is not.

LUKS1 states the payload in its binary header (sectors of 512 B), LUKS2 in its JSON area (bytes).
Sources: LUKS1 On-Disk Format Specification 1.2.3; LUKS2 On-Disk Format Specification 1.1.2.
"""

from __future__ import annotations

import json

from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place, is_power_of_two

_MOST_HEADER_BYTES = 4 << 20  # the largest that LUKS2 allows
_BINARY_BYTES = 4096
_SECTOR = 512


def read_luks(place: Place) -> Inner | None:
    """The encrypted volume, None where there is none. unit_bytes: the sector in which it encrypts."""
    header = place.fields(0, 1024, big_endian=True)
    if header.bytes_at(0, 6) != b"LUKS\xba\xbe":
        return None
    version = header.u16(6)
    payload, unit = (header.u32(104) * _SECTOR, _SECTOR) if version == 1 else _segment(place, header.u64(8))
    start = place.start_bytes
    return Inner(
        kind="luks",
        role="container",
        start_bytes=start,
        uuid=header.text(168, 40),
        label=header.text(24, 48) if version == 2 else "",
        data_start_bytes=None if payload is None or payload >= place.size_bytes else start + payload,
        unit_bytes=unit,
        detail=f"version {version}",
    )


def _segment(place: Place, header_bytes: int) -> tuple[int | None, int | None]:
    """(offset, sector) [bytes] of the first segment of LUKS2; None where its JSON cannot be read."""
    if not _BINARY_BYTES < header_bytes <= _MOST_HEADER_BYTES:
        return None, None
    text = place.fields(_BINARY_BYTES, header_bytes - _BINARY_BYTES).content.split(b"\0")[0]
    try:
        first = json.loads(text)["segments"]["0"]
        offset, sector = int(first["offset"]), int(first.get("sector_size", _SECTOR))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None, None
    return (offset, sector) if offset >= 0 and is_power_of_two(sector) else (None, None)
