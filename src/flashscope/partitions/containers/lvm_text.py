"""The text in which LVM keeps its metadata: sections in braces, `name = value`, lists in brackets, comments with #.

    vg { extent_size = 8192  logical_volumes { root { segment1 { stripes = ["pv0", 0] } } } }

Read with a bound on depth and without recursion into what is not closed: the text comes from a disk.
"""

from __future__ import annotations

import re
from typing import TypeAlias

Value: TypeAlias = "str | int | list[str | int] | Section"
Section: TypeAlias = "dict[str, Value]"

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([\[\]{}=,])|([^\s\[\]{}=,"#]+)')
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|#[^\n]*')
_MOST_TOKENS, _DEEPEST = 200_000, 16


def parse_metadata(text: str) -> Section:
    """The sections of a metadata text; what cannot be read is left out, down to an empty section."""
    stack: list[Section] = [{}]
    name, listed, after_equals = "", None, False
    for count, match in enumerate(_TOKEN.finditer(_COMMENT.sub(lambda found: found[1] or " ", text))):
        if count > _MOST_TOKENS:
            break
        mark = match[2]
        value = _value(match[1], match[3])
        if mark == "{" and len(stack) < _DEEPEST:
            inner: Section = {}
            stack[-1][name] = inner
            stack.append(inner)
        elif mark == "}" and len(stack) > 1:
            stack.pop()
        elif mark == "[":
            listed = list[str | int]()
            stack[-1][name] = listed
        elif mark == "]":
            listed, after_equals = None, False
        elif mark == "=":
            after_equals = True
        elif mark is None and listed is not None:
            listed.append(value)
        elif mark is None and after_equals:
            stack[-1][name] = value
            after_equals = False
        elif mark is None:
            name = str(value)
    return stack[0]


def section(within: Section, name: str) -> Section:
    """A section by its name; an empty one where there is none."""
    found = within.get(name)
    return found if isinstance(found, dict) else {}


def number(within: Section, name: str) -> int:
    """A number by its name; 0 where there is none."""
    found = within.get(name)
    return found if isinstance(found, int) else 0


def _value(quoted: str | None, bare: str | None) -> str | int:
    if bare is not None and bare.isascii() and bare.isdigit() and len(bare) < 20:
        return int(bare)
    return quoted if quoted is not None else bare or ""
