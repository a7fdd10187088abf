"""Vendor logs as nvme-cli prints them: the layout is the one that knows most of the labels.

text or JSON  -->  (label, value) ...  -->  for each layout: how many labels it knows, and whether a header names it
              -->  the best one, if it knows enough -->  vendor_logs[LOG]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.text import whole_number
from flashscope.smart.readers.vendor_logs.layouts import Layout, canonical, layouts
from flashscope.smart.readers.vendor_logs.values import SIX_BYTES, printed_number, six_bytes
from flashscope.vocabulary import REQUEST_KIND_NAMES

_ENOUGH_FOR_ANOTHER = 5  # labels that the log above does not know
_ENOUGH = 3  # labels; with a header, two
_HEADER_WEIGHT = 4
_NOT_NVME = ("=== START OF", "ID# ATTRIBUTE_NAME", "smartctl ")
_OTHER_LOGS = ("Smart Log for NVME", "Additional Smart Log", "SMART Cloud Attributes", "NVME Identify")
_LABEL_ENDS = re.compile(r"[:\s=-]+$")
_SEAGATE_ID = re.compile(r"^(.*\D)\s+\d{1,5}\s+(0x[0-9a-fA-F]+)\s*$")
_BUCKET = re.compile(r"(.*: Bucket \d)(?:\s+(\d+)\s+(\d+)\s+(\d+))?")
_DEEPEST = 4
_HALVES = ("_hi", "_lo")


@dataclass(frozen=True)
class Match:
    """The layout of a text or a document. known: how many of its labels the layout knows."""

    layout: Layout
    known: int

    def is_header(self, line: str) -> bool:
        """Whether a line or a key is one that the program prints above the log, or that says nothing of the drive."""
        return canonical(line).startswith(tuple(self.layout.headers | self.layout.skipped))

    def knows(self, line: str) -> bool:
        """Whether a line has a label of this log."""
        return any(canonical(label) in self.layout.by_label for label, _ in split(line))

    def names_one_of(self, lines: Sequence[str]) -> bool:
        """Whether one of the lines is what the program prints above this log."""
        return any(canonical(line).startswith(header) for line in lines for header in self.layout.headers)

    def take_line(self, line: str, draft: Draft) -> bool:
        """Write the numbers of a line into the draft; returns whether it is one of this log."""
        taken = [self.take(label, value, draft) for label, value in split(line)]
        return (bool(taken) and all(taken)) or self.is_header(line)

    def take(self, label: str, value: object, draft: Draft) -> bool:
        """Write one number into the draft; returns whether the layout knows the label and the value is a number."""
        entries = self.layout.by_label.get(canonical(label), ())
        number = value if isinstance(value, int) else printed_number(str(value))
        if not entries or number is None or isinstance(value, bool) or number < 0:
            return False
        for entry in entries:
            part = entry.part(number)
            if entry.size == SIX_BYTES:
                part, wrong = six_bytes(part)
                if wrong:
                    draft.remark(f"{label.strip()} is printed as {number}; that program puts its bytes wrongly")
            draft.log(self.layout.log, entry.name, part)
        draft.protocol = draft.protocol or "NVMe"
        return True


def match_of_text(text: str) -> Match | None:
    """The layout of what a plugin of nvme-cli printed as text; None when it is none of them."""
    if any(sign in text[:2000] for sign in _NOT_NVME):
        return None
    lines = text.split("\n")
    headers = {canonical(line) for line in lines if line.strip()}
    return _best((label for line in lines for label, _ in split(line)), headers)


def logs_of_text(lines: Sequence[str]) -> list[tuple[list[str], Match | None]]:
    """The lines of each log in a text, and the log's layout.

    A line that a program prints above a log begins one; so does, behind a log, the first line of another that has no
    such line.
    """
    begins = [_begins_log(line) for line in lines]
    starts = [place for place, here in enumerate(begins) if place and here and not begins[place - 1]]
    parts = [list(lines[begin:end]) for begin, end in zip([0, *starts], [*starts, len(lines)], strict=True)]
    return [log for part in parts for log in _two_logs(part)]


def _two_logs(lines: list[str]) -> list[tuple[list[str], Match | None]]:
    match = match_of_text("\n".join(lines))
    if match is None:
        return [(lines, None)]
    strange = [line for line in lines if not match.knows(line)]
    other = match_of_text("\n".join(strange))
    if other is None or (other.known < _ENOUGH_FOR_ANOTHER and not other.names_one_of(strange)):
        return [(lines, match)]
    cut = next(place for place, line in enumerate(lines) if other.knows(line) and not match.knows(line))
    first, second = lines[:cut], lines[cut:]
    if not any(match.knows(line) for line in first):
        # The other log stands first; this one begins at its own first line.
        cut = next(place for place, line in enumerate(lines) if match.knows(line) and not other.knows(line))
        return [(lines[:cut], other), (lines[cut:], match)]
    return [(first, match), *_two_logs(second)]


def _begins_log(line: str) -> bool:
    label = canonical(line)
    return bool(label) and (
        line.strip().startswith(_OTHER_LOGS)
        or any(label.startswith(header) for layout in layouts() for header in layout.headers)
    )


def match_of_document(document: dict[str, Any]) -> Match | None:
    """The layout of what a plugin of nvme-cli printed as JSON; None when it is none of them."""
    pairs = list(pairs_of(document))
    return _best((label for label, _ in pairs), {canonical(key) for key in document})


def _best(labels: Iterable[str], headers: set[str]) -> Match | None:
    known = {canonical(label) for label in labels if label}
    best: tuple[int, int, Layout] | None = None
    for layout in layouts():
        count = len(known & layout.by_label.keys())
        named = any(header.startswith(own) for own in layout.headers for header in headers)
        score = count + _HEADER_WEIGHT * named
        if count >= (_ENOUGH - named) and (best is None or score > best[0]):
            best = (score, count, layout)
    return Match(best[2], best[1]) if best else None


def split(line: str) -> list[tuple[str, str]]:
    """The labels of a line and their values: one, or those of reads, writes and trims; none when there is no value."""
    line = line.strip()
    if (match := _BUCKET.fullmatch(line)) and match[2]:
        return [
            (f"{match[1]} {command}", number)
            for command, number in zip(REQUEST_KIND_NAMES, match.groups()[1:], strict=True)
        ]
    label, value = _split_one(line)
    return [(label, value)] if label else []


def _split_one(line: str) -> tuple[str, str]:
    if match := _SEAGATE_ID.match(line):
        return match[1], match[2]
    body, sign, value = line.rpartition(":")
    if sign and not value.strip().startswith(("]", ")")) and printed_number(value) is not None:
        return _LABEL_ENDS.sub("", body), value.strip()
    words = line.split()
    place = len(words)
    while place > 1 and whole_number(words[place - 1].removesuffix("%")) is not None:
        place -= 1
    if place == len(words):
        return "", ""
    return _LABEL_ENDS.sub("", " ".join(words[:place])), " ".join(words[place:])


def pairs_of(document: Any, depth: int = 0) -> Iterator[tuple[str, object]]:
    """The labels and values of a document, of its inner objects, and of arrays of objects; halves are joined."""
    if depth > _DEEPEST or not isinstance(document, dict):
        return
    halves: dict[str, dict[str, int]] = {}
    for key, entry in document.items():
        if isinstance(entry, dict) and _BUCKET.fullmatch(key):
            yield from ((f"{key} {command}", count) for command, count in entry.items())
        elif isinstance(entry, dict):
            yield from pairs_of(entry, depth + 1)
        elif isinstance(entry, list):
            for one in entry[:64]:
                yield from pairs_of(one, depth + 1)
        elif canonical(key).endswith(_HALVES) and (number := printed_number(str(entry))) is not None:
            halves.setdefault(canonical(key)[:-3], {})[canonical(key)[-2:]] = number
        else:
            yield key, entry
    for label, parts in halves.items():
        if parts.keys() == {"hi", "lo"}:
            yield label, parts["hi"] << 64 | parts["lo"]


def read_document(document: dict[str, Any], match: Match, draft: Draft) -> None:
    """Write a plugin's JSON into the draft; numbers without a place in the layout go to `unread`."""
    for label, value in pairs_of(document):
        if match.take(label, value, draft) or match.is_header(label):
            continue
        if any(sign.isdigit() for sign in str(value)):
            draft.not_read(f"{match.layout.log} {label}: {value!r}")
