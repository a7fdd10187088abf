"""CHS addresses of an MBR entry: no system of today reads them, and tools complain when they do not fit the LBAs.

Three bytes: head, then sector (6 bits) with the cylinder's two high bits, then the cylinder's low bits. A disk has the
geometry with which its entries were written. It is recognised by an entry whose CHS addresses fit its LBAs; where none
does, it is 255 heads and 63 sectors, which all BIOSes of the last twenty years use.
"""

from __future__ import annotations

from collections.abc import Sequence

Geometry = tuple[int, int]
"""Heads, sectors of a track."""

USUAL: Geometry = (255, 63)
_KNOWN: tuple[Geometry, ...] = (USUAL, (240, 63), (224, 56), (128, 63), (64, 63), (64, 32), (32, 63), (16, 63))
_CYLINDERS = 1024


def address_of(lba: int, geometry: Geometry) -> bytes:
    """The three bytes for a sector; those that mean "beyond CHS" where the cylinder does not fit."""
    heads, sectors = geometry
    cylinder, rest = divmod(lba, heads * sectors)
    if cylinder >= _CYLINDERS:
        return b"\xfe\xff\xff"
    head, sector = divmod(rest, sectors)
    return bytes((head, (sector + 1) | (cylinder >> 2 & 0xC0), cylinder & 0xFF))


def geometry_of(spans: Sequence[tuple[bytes, int]]) -> Geometry:
    """The geometry that explains addresses. spans: three bytes and the LBA that they should mean; as many as there are.

    Addresses beyond CHS explain nothing and are left out.
    """
    telling = [(written, lba) for written, lba in spans if written not in (b"\xfe\xff\xff", b"\xff\xff\xff", bytes(3))]
    if not telling:
        return USUAL
    return next((each for each in _KNOWN if all(address_of(lba, each) == seen for seen, lba in telling)), USUAL)
