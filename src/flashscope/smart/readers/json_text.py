"""JSON as programs write it: complete, cut off, several documents in one file, or in lines of "path = value".

Of a document that was cut off, all complete entries are read: it is cut back to the last complete entry (of a
table: the last complete row), and the brackets are closed.
"""

from __future__ import annotations

import json
import re
from typing import Any

_DEEPEST = 100
CUT_OFF = "the JSON text is cut off; what came after the cut is missing"
_GREPPABLE = re.compile(r'json((?:\.\w+|\["[^"]+"\]|\[\d+\])*) = (.+);')
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_STEP = re.compile(r'\.(\w+)|\["([^"]+)"\]|\[(\d+)\]')
_NEVER_LAST = ("json.ata_smart_attributes", "json.nvme_smart_health_information_log")
_decoder = json.JSONDecoder()


def document_of(text: str) -> tuple[Any, bool] | None:
    """The document in `text`, and whether it was complete; None when there is none."""
    found = documents_of(text)
    return (found[0][1], found[0][2]) if found else None


def documents_of(text: str) -> list[tuple[str, Any, bool]]:
    """All documents in `text`, each as: the text before it, the document, whether it was complete."""
    found: list[tuple[str, Any, bool]] = []
    place = 0
    while (start := _next_start(text, place)) >= 0:
        before = text[place:start]
        try:
            document, place = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            if (plain := _without_comments(text[start:])) != text[start:]:
                return found + [(before + between, *rest) for between, *rest in documents_of(plain)]
            document = _repaired(text[start:])
            if document is not None:
                found.append((before, document, False))
            break
        found.append((before, document, True))
    return found


def _without_comments(text: str) -> str:
    """The text without comments and without commas before a closing bracket, as people write them by hand."""
    return _STRING_OR_COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def text_behind(text: str) -> str:
    """What stands behind the last complete document; all of the text where there is none."""
    place = 0
    while (start := _next_start(text, place)) >= 0:
        try:
            place = _decoder.raw_decode(text, start)[1]
        except (ValueError, RecursionError):
            break
    return text[place:]


def _next_start(text: str, place: int) -> int:
    """Where the next object or array begins; -1 when none does."""
    starts = [start for sign in "{[" if (start := text.find(sign, place)) >= 0]
    return min(starts, default=-1)


def _repaired(text: str) -> Any:
    """The complete part of a document that was cut off; None when there is none."""
    open_brackets: list[str] = []
    whole_until, closing = -1, ""
    in_string = escaped = False
    for place, sign in enumerate(text):
        if in_string:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                in_string = False
        elif sign == '"':
            in_string = True
        elif sign in "{[":
            open_brackets.append("}" if sign == "{" else "]")
            if len(open_brackets) > _DEEPEST:
                return None
        elif sign in "}]":
            if not open_brackets or open_brackets.pop() != sign:
                break
            if _between_rows(open_brackets):
                whole_until, closing = place + 1, "".join(reversed(open_brackets))
        elif sign == "," and _between_rows(open_brackets):
            whole_until, closing = place, "".join(reversed(open_brackets))
    if whole_until < 0:
        return None
    try:
        return json.loads(text[:whole_until] + closing)
    except (ValueError, RecursionError):
        return None


def _between_rows(open_brackets: list[str]) -> bool:
    """Whether no object of the innermost array is open: half a row of a table is not complete."""
    return "]" not in open_brackets or open_brackets[-1] == "]"


def greppable_document(text: str) -> tuple[dict[str, Any], bool] | None:
    """The document in the lines of `smartctl --json=g` (`json.smartctl.version[0] = 7;`), and whether it is complete.

    None when `text` has no such lines. It is not complete when it ends within a line, or within a table that
    smartctl never prints last.
    """
    if "json." not in text[:2000]:
        return None
    root: dict[str, Any] = {}
    for line in text.split("\n"):
        if match := _GREPPABLE.fullmatch(line.strip()):
            steps = [name or quoted or int(index) for name, quoted, index in _STEP.findall(match[1])]
            try:
                value = json.loads(match[2])
            except ValueError:
                continue
            if steps and len(steps) <= _DEEPEST and value not in ([], {}):
                _set(root, steps, value)
    last = text.rstrip().rpartition("\n")[2].strip()
    whole_text = _GREPPABLE.fullmatch(last) is not None and not last.startswith(_NEVER_LAST)
    return (_with_lists(root), whole_text) if root else None


def _set(root: dict[Any, Any], steps: list[str | int], value: Any) -> None:
    here = root
    for step in steps[:-1]:
        following = here.setdefault(step, {})
        if not isinstance(following, dict):
            return
        here = following
    here[steps[-1]] = value


def _with_lists(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if node and all(isinstance(key, int) for key in node):
        return [_with_lists(node[key]) for key in sorted(node)]
    return {str(key): _with_lists(value) for key, value in node.items()}


def whole(entry: Any) -> int | None:
    """A whole number in a document: a number, or a string of digits; None when it is neither."""
    if isinstance(entry, bool):
        return None
    if isinstance(entry, int):
        return entry
    if isinstance(entry, float):
        return int(entry) if entry.is_integer() and abs(entry) < 2**53 else None
    if isinstance(entry, str) and len(entry) < 60:
        text = entry.strip()
        if text.removeprefix("-").isascii() and text.removeprefix("-").isdigit():
            return int(text)
        if text[:2] in ("0x", "0X"):
            try:
                return int(text, 16)
            except ValueError:
                return None
    return None


def table(document: Any, *keys: str) -> dict[str, Any]:
    """The object below these keys; empty when there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def rows(entry: Any) -> list[dict[str, Any]]:
    """The objects in an array; empty when it is none."""
    return [one for one in entry if isinstance(one, dict)] if isinstance(entry, list) else []


def number(document: Any, *keys: str) -> int | None:
    """The whole number below these keys; None when there is none.

    smartctl prints numbers that JSON readers may round a second time, as a string under the same key with "_s".
    """
    parent = table(document, *keys[:-1])
    exact = whole(parent.get(f"{keys[-1]}_s"))
    return whole(parent.get(keys[-1])) if exact is None else exact
