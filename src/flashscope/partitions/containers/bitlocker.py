"""BitLocker: an encrypted volume of Windows, known by its boot sector. What is inside cannot be read without the key.

    Vista                  "-FVE-FS-" in place of "NTFS    ", the rest of the boot sector as NTFS has it
    Windows 7 and later    "-FVE-FS-" in a boot sector like that of FAT32
    To Go                  a boot sector of FAT32 with BitLocker's identifier, and files that open the volume

All places in it, and the places by which sectors are encrypted, count from the start of the volume. But the boot sector
says how many sectors lie before the volume; since Windows 7 an encrypted copy of the one inside says it, too.
Source: libbde, BitLocker Drive Encryption format specification (J. Metz).
"""

from __future__ import annotations

from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place, is_power_of_two

_MARK = b"-FVE-FS-"
_TO_GO_MARK = b"MSWIN4.1"
_IDENTIFIER = bytes.fromhex("3bd66749292ed84a8399f6a339e3d001")
_TO_GO_IDENTIFIER_AT = 424
_VISTA_JUMP = b"\xeb\x52\x90"


def read_bitlocker(place: Place) -> Inner | None:
    """The encrypted volume, None where there is none."""
    block = place.fields(0, 512)
    mark = block.bytes_at(3, 8)
    to_go = mark == _TO_GO_MARK and block.bytes_at(_TO_GO_IDENTIFIER_AT, 16) == _IDENTIFIER
    if mark != _MARK and not to_go:
        return None
    cluster_bytes = block.u8(13) * block.u16(11)
    kind = "To Go" if to_go else "of Windows Vista" if block.bytes_at(0, 3) == _VISTA_JUMP else "of Windows 7 or later"
    return Inner(
        kind="bitlocker",
        role="container",
        start_bytes=place.start_bytes,
        data_start_bytes=place.start_bytes,
        unit_bytes=cluster_bytes if is_power_of_two(cluster_bytes) else None,
        detail=kind,
    )
