"""Raw pages written for the tests."""

from __future__ import annotations

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.readers import nvme_names, ocp

from .texts import ATTRIBUTES

PAGE_BYTES = 512


def checked(page: bytearray) -> bytes:
    """The page with its last byte set so that all bytes sum to 0 modulo 256."""
    page[-1] = 0
    page[-1] = -sum(page) % 256
    return bytes(page)


def smart_data(attributes: tuple[SmartAttribute, ...] = ATTRIBUTES) -> bytes:
    page = bytearray(PAGE_BYTES)
    page[0] = 16
    for index, one in enumerate(attributes):
        entry = bytes((one.id,)) + one.flags.to_bytes(2, "little") + bytes((one.value, one.worst)) + one.raw + b"\0"
        page[2 + 12 * index : 14 + 12 * index] = entry
    return checked(page)


def thresholds() -> bytes:
    page = bytearray(PAGE_BYTES)
    page[0] = 16
    for index, (id, threshold) in enumerate(((5, 10), (9, 0), (190, 40), (241, 0))):
        page[2 + 12 * index : 4 + 12 * index] = bytes((id, threshold))
    return checked(page)


def statistics_page(number: int, values: dict[int, tuple[int, int]]) -> bytes:
    """values: offset -> (flags, the low seven bytes as a number)."""
    page = bytearray(PAGE_BYTES)
    page[0], page[2] = 1, number
    for offset, (flags, value) in values.items():
        page[offset : offset + 8] = value.to_bytes(7, "little") + bytes((flags,))
    return bytes(page)


def nvme_page(**fields: int) -> bytes:
    page = bytearray(PAGE_BYTES)
    for name, offset, size in nvme_names.LAYOUT:
        page[offset : offset + size] = fields.get(name, 0).to_bytes(size, "little")
    return bytes(page)


def ocp_page(version: int, **fields: int) -> bytes:
    page = bytearray(PAGE_BYTES)
    for name, offset, size, _ in ocp.LAYOUT:
        page[offset : offset + size] = fields.get(name, 0).to_bytes(size, "little")
    page[ocp.VERSION_AT : ocp.VERSION_AT + 2] = version.to_bytes(2, "little")
    page[ocp.GUID_AT :] = ocp.GUID
    return bytes(page)


def intel_page(*items: tuple[int, int, bytes]) -> bytes:
    """items: (id, normalized, six raw bytes)."""
    entries = (bytes((id, 0, 0, normalized, 0)) + raw + b"\0" for id, normalized, raw in items)
    return b"".join(entries).ljust(PAGE_BYTES, b"\0")


INTEL_ITEMS = (
    (0xAB, 100, bytes(6)),
    (0xAC, 100, bytes(6)),
    (0xAD, 99, bytes((4, 0, 5, 0, 4, 0))),
    (0xEA, 100, bytes((7, 2, 1, 0, 0, 0))),
    (0xF4, 100, (155767).to_bytes(6, "little")),
)


def indilinx_page() -> bytes:
    """GP log 03h with two banks: 30 + 12 error bits, 20 + 9 reads with corrected errors."""
    page = bytearray(PAGE_BYTES)

    def put(offset: int, value: int, size: int = 4) -> None:
        page[offset : offset + size] = value.to_bytes(size, "little")

    for offset, value in ((0x20, 7), (0x24, 10454), (0x28, 12), (0x2C, 8), (0x60, 42), (0x64, 29), (0x6C, 5000)):
        put(offset, value)
    for offset, value in ((0x70, 100), (0x74, 300), (0x78, 200), (0x7C, 96)):
        put(offset, value)
    put(0x40, 9_936_715_024, 8)
    put(0x48, 6_330_340_287, 8)
    for offset, value in ((0xE0, 30), (0xE4, 12), (0x160, 20), (0x164, 9)):
        put(offset, value)
    return bytes(page)


def hex_dump(page: bytes) -> str:
    """As `smartctl -l gplog,...` prints it."""
    lines = []
    for start in range(0, len(page), 16):
        part = page[start : start + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:07x}: {part.hex(' ')} |{shown}|")
    return "\n".join(lines) + "\n"
