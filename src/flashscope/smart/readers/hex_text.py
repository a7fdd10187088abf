"""Hex dumps of log pages within text: smartctl's, nvme-cli's, xxd's and hexdump's lines, joined to bytes.

0000010: 00 00 00 00 07 00 7f 40 8b 01 00 00 00 00 00 00 |.......@........|
"""

from __future__ import annotations

import re

from flashscope.smart.readers.draft import Draft

_LINE = re.compile(r"\s*([0-9a-fA-F]{4,8}):?\s+((?:[0-9a-fA-F]{2} ?){1,8} ?(?:[0-9a-fA-F]{2} ?){0,24})(?:\s.*)?")
_HEADER = re.compile(r"(General Purpose|SMART) Log 0x([0-9a-fA-F]{2})")
_MOST_BYTES = 1 << 20


def hex_line(line: str) -> tuple[int, bytes] | None:
    """The offset and the bytes in a line of a hex dump; None when the line is not of a hex dump."""
    if not (match := _LINE.fullmatch(line)):
        return None
    return int(match[1], 16), bytes.fromhex(match[2].replace(" ", ""))


class HexPages:
    """Collects the pages that a text shows in hex, by the name they get in `Dump.pages`."""

    def __init__(self) -> None:
        self._name = ""
        self._pages: dict[str, bytearray] = {}
        self._broken: set[str] = set()

    def begin(self, line: str) -> None:
        """A line that says which log follows."""
        if match := _HEADER.search(line):
            self._name = f"{'gp' if match[1].startswith('G') else 'smart'}_{match[2].lower()}"

    def line(self, line: str) -> bool:
        """Take a line; returns whether it was one of a hex dump."""
        found = hex_line(line)
        if found is None:
            return False
        offset_bytes, data = found
        page = self._pages.setdefault(self._name, bytearray())
        # The place of the bytes behind a gap is not certain.
        if offset_bytes != len(page) or len(page) > _MOST_BYTES:
            self._broken.add(self._name)
        elif self._name not in self._broken:
            page.extend(data)
        return True

    def finish(self, draft: Draft) -> None:
        """Write the pages into the draft."""
        for name, page in self._pages.items():
            draft.pages[name] = bytes(page)
            if name in self._broken:
                draft.remark(f"the hex dump of {name} has a gap after {len(page)} bytes; what follows is not read")
