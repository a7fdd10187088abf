"""The layouts of the vendor logs, from parts/smart/nvme/*.toml; they are loaded when a dump first asks for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flashscope.smart.documents import documents

_BRACKETED = re.compile(r"^\s*\[[0-9: ]+\]")  # Samsung's lines begin with the place of their bytes
_UNIT = re.compile(r"\((?:int|hex|bytes)\)", re.IGNORECASE)
_SHORT_BYTES = 512
_SPELLINGS = {"normalised": "normalized", "noralized": "normalized", "percent": ""}


@dataclass(frozen=True)
class Entry:
    """One number of a log. at, size: its bytes in the raw page, least significant first; size 0: not in the page.

    shift, mask: the part of the printed or stored number that it is.
    """

    name: str
    at: int = 0
    size: int = 0
    shift: int = 0
    mask: int = 0

    def part(self, number: int) -> int:
        """The number that lies in `number`."""
        number >>= self.shift
        return number & self.mask if self.mask else number


@dataclass(frozen=True)
class RawMarks:
    """What a raw page of this log looks like. id: of the log. length_bytes: of what is used. guid: its last bytes.

    by_id: the page has too few marks to be recognised where the number of the log is not known.
    zero: (first, end) of bytes that are 0. ordered: places of 32-bit numbers that do not fall. within: (place, size,
    lowest, highest). some: (place, size) of numbers that are not 0.
    """

    id: int
    length_bytes: int
    guid: bytes = b""
    by_id: bool = False
    zero: tuple[tuple[int, int], ...] = ()
    ordered: tuple[tuple[int, ...], ...] = ()
    within: tuple[tuple[int, int, int, int], ...] = ()
    some: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Layout:
    """One form of log. by_label: canonical label -> its entries. headers: canonical first lines or keys.

    skipped: beginnings of canonical lines and keys that the reader knows and leaves out.
    """

    log: str
    title: str
    entries: tuple[Entry, ...]
    by_label: Mapping[str, tuple[Entry, ...]]
    headers: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    raw: RawMarks | None = field(default=None)

    @property
    def is_long(self) -> bool:
        """Whether its raw page is longer than 512 bytes."""
        return self.raw is not None and self.raw.length_bytes > _SHORT_BYTES


def canonical(label: str) -> str:
    """A label without capitals, signs, units and spellings that differ between programs."""
    label = _UNIT.sub(" ", _BRACKETED.sub("", label)).lower()
    words = "".join(sign if sign.isalnum() and sign.isascii() else " " for sign in label).split()
    return "_".join(spelled for word in words if (spelled := _SPELLINGS.get(word, word)))


@cache
def layouts() -> tuple[Layout, ...]:
    """All layouts, by name of file."""
    return tuple(layout_of(document) for _, document in documents("nvme").values())


def layout_of(document: Mapping[str, Any]) -> Layout:
    """The layout that a table describes."""
    entries = []
    by_label: dict[str, tuple[Entry, ...]] = {}
    for row in document["entry"]:
        sizes = {key: row[key] for key in ("at", "size", "shift", "mask") if key in row}
        entry = Entry(row["names"][0], **sizes)
        entries.append(entry)
        for label in map(canonical, (*row.get("labels", ()), entry.name)):
            if entry not in by_label.get(label, ()):
                by_label[label] = (*by_label.get(label, ()), entry)
    headers, skipped = (frozenset(map(canonical, document.get(key, ()))) for key in ("headers", "skip"))
    marks = _marks(document["raw"]) if "raw" in document else None
    return Layout(document["log"], document["title"], tuple(entries), by_label, headers, skipped, marks)


def _marks(raw: Mapping[str, Any]) -> RawMarks:
    lists = {key: tuple(tuple(one) for one in raw.get(key, ())) for key in ("zero", "ordered", "within", "some")}
    return RawMarks(raw["id"], raw["bytes"], bytes.fromhex(raw.get("guid", ""))[::-1], raw.get("by_id", False), **lists)
