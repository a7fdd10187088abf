"""Numbers and texts in a block of bytes whose length and contents nobody vouches for.

What lies past the end of the block reads as zeros, so that a cut block is decided by its magic number and checksum
and no reader needs a bounds check of its own.
"""

from __future__ import annotations

import uuid
from typing import Literal

from flashscope.partitions.source import Source

_LONGEST_TEXT = 255


class Fields:
    """A block of bytes. start_bytes: where on the disk it stands."""

    def __init__(self, content: bytes, start_bytes: int = 0, big_endian: bool = False) -> None:
        self.content = content
        self.start_bytes = start_bytes
        self._order: Literal["big", "little"] = "big" if big_endian else "little"

    def u8(self, at: int) -> int:
        """The byte at an offset."""
        return self._number(at, 1)

    def u16(self, at: int) -> int:
        """The number of 2 bytes at an offset."""
        return self._number(at, 2)

    def u32(self, at: int) -> int:
        """The number of 4 bytes at an offset."""
        return self._number(at, 4)

    def u64(self, at: int) -> int:
        """The number of 8 bytes at an offset."""
        return self._number(at, 8)

    def bytes_at(self, at: int, length: int) -> bytes:
        """As many bytes, with zeros for what is past the end."""
        return self.content[at : at + length].ljust(length, b"\0")

    def text(self, at: int, length: int, encoding: str = "utf-8") -> str:
        """A text that ends at a zero, cleaned by `clean_text`."""
        return clean_text(self.bytes_at(at, length).decode(encoding, errors="replace").split("\0")[0])

    def uuid(self, at: int) -> str:
        """A UUID of 16 bytes in the order in which Linux writes them; empty when all are zero."""
        raw = self.bytes_at(at, 16)
        return str(uuid.UUID(bytes=raw)) if any(raw) else ""

    def guid(self, at: int) -> str:
        """A GUID of 16 bytes, whose first three fields are little-endian, in capitals."""
        return str(uuid.UUID(bytes_le=self.bytes_at(at, 16))).upper()

    def _number(self, at: int, width: int) -> int:
        return int.from_bytes(self.bytes_at(at, width), self._order)


def fields_at(source: Source, offset_bytes: int, length_bytes: int, big_endian: bool = False) -> Fields:
    """A block of a source. offset_bytes, length_bytes: which."""
    return Fields(source.read(offset_bytes, length_bytes), offset_bytes, big_endian)


def clean_text(text: str) -> str:
    """A text that a stranger wrote, without what would steer a terminal: only printable characters, 255 at most."""
    return "".join(each for each in text if each.isprintable())[:_LONGEST_TEXT].strip()
