"""What other programs put around a dump: the same words before each line, mail encoding, JSON that keeps a text.

Mar  3 10:11:12 nas smart[123]: ID# ATTRIBUTE_NAME ...     logs: the same but for numbers before each line
> {                                                        quoted JSON
# ID# ATTRIBUTE_NAME          +ID# ATTRIBUTE_NAME           comments, differences, numbered lines
{"item": "/dev/sda", "stdout": "smartctl 7.2 ..."}         what a program that collects keeps of another's output
"""

from __future__ import annotations

import quopri
import re
from typing import Any

from flashscope.smart.readers.text import text_of

_FIRST_LINE = re.compile(
    r"^(?P<before>[^\n]{1,80}?)(?:=== START OF |ID# ATTRIBUTE_NAME|smartctl (?:version )?\d|\{[ \t]*$)", re.MULTILINE
)
_MOSTLY_RATIO, _LEAST_LINES = 0.6, 4
_QUOTED_PRINTABLE = re.compile(r"^Content-Transfer-Encoding:\s*quoted-printable\s*$", re.IGNORECASE | re.MULTILINE)
_CODE = re.compile(r"\s*\[code\]\s*(\{.*)\[/code\]\s*", re.IGNORECASE | re.DOTALL)
_DEEPEST = 6
_KEYS_OF_LINES = ("log", "message", "MESSAGE", "msg", "line")
_SIGNS_OF_SMARTCTL = ("=== START OF", "ID# ATTRIBUTE_NAME")
_SIGNS_OF_A_DUMP = (*_SIGNS_OF_SMARTCTL, '"smartctl"', "Smart Log for NVME")


def without_wrapping(text: str) -> str:
    """The text without what stands before each of its lines, and decoded where a mail program encoded it."""
    if _QUOTED_PRINTABLE.search(text[:20_000]):
        text = text_of(quopri.decodestring(text.encode("utf-8", errors="replace")))
    if (code := _CODE.fullmatch(text)) is not None:
        return code[1]
    plain = text.lstrip()[:1] in ("{", "[") or any(f"\n{sign}" in text for sign in _SIGNS_OF_SMARTCTL)
    match = None if plain else _FIRST_LINE.search(text)
    if match is None or not match["before"].strip():
        return text
    before = _pattern(match["before"])
    lines = text.split("\n")
    ends = [found.end() if (found := before.match(line)) else 0 for line in lines]
    filled = [end for line, end in zip(lines, ends, strict=True) if line.strip()]
    if sum(end > 0 for end in filled) < max(_LEAST_LINES, _MOSTLY_RATIO * len(filled)):
        return text
    inside = [line[end:] for line, end in zip(lines, ends, strict=True)]
    if match["before"].endswith('"'):
        inside = [line.rstrip(", ").removesuffix('"').replace('""', '"') for line in inside]
    return "\n".join(inside)


def holds_text_of_smartctl(piece: str) -> bool:
    """Whether a text before, between or behind JSON documents is a dump of its own."""
    return any(sign in piece for sign in _SIGNS_OF_SMARTCTL)


def joined_lines(documents: list[Any]) -> str:
    """The lines of a log in which each JSON document keeps one, joined; empty where the documents keep none."""
    if len(documents) < _LEAST_LINES or not all(isinstance(one, dict) for one in documents):
        return ""
    for key in _KEYS_OF_LINES:
        lines = [str(one[key]).removesuffix("\n") for one in documents if isinstance(one.get(key), str)]
        if len(lines) > _MOSTLY_RATIO * len(documents):
            return "\n".join(lines) + "\n"
    return ""


def _pattern(before: str) -> re.Pattern[str]:
    """What stands before a line, with any numbers in place of its own; blanks at its end may be missing."""
    parts = re.split(r"(\d+|\s+)", before.rstrip())
    words = "".join(r"\d+" if part.isdigit() else r"\s+" if part.isspace() else re.escape(part) for part in parts)
    blanks = len(before) - len(before.rstrip())
    return re.compile(rf"\s*{words.removeprefix(chr(92) + 's+')}[ \t]{{0,{blanks}}}")


def texts_in(document: Any, depth: int = 0) -> list[str]:
    """The texts with dumps that a JSON document keeps, as one string or as a list of lines; each once."""
    found: list[str] = []
    if depth > _DEEPEST:
        return found
    if isinstance(document, str):
        found = [document]
    elif isinstance(document, dict):
        found = [text for one in document.values() for text in texts_in(one, depth + 1)]
    elif isinstance(document, list):
        if document and all(isinstance(one, str) for one in document):
            found = ["\n".join(document)]
        else:
            found = [text for one in document for text in texts_in(one, depth + 1)]
    kept = [text for text in found if any(sign in text for sign in _SIGNS_OF_A_DUMP)]
    return list({" ".join(text.split()): text for text in kept}.values())
