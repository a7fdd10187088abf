r"""Write src/flashscope/vocabulary.py and its page again: the words that both languages use, as the core spells them.

    crates: choice! { ... }  -->  _core.vocabulary()  -->  vocabulary.py: types that mypy checks, names, codes
                                                      \->  docs/reference/vocabulary.md: the same for people

The file is checked in, so that a command can name a policy without loading the core; a test holds the two together.
"""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from flashscope import _core

_ROOT = Path(__file__).resolve().parent.parent
MODULE = _ROOT / "src" / "flashscope" / "vocabulary.py"
PAGE = _ROOT / "docs" / "reference" / "vocabulary.md"

CODED = ("block_state", "gc_reason", "trace_operation", "trace_metadata")
"""Lists whose words cross the border as numbers: the place in the list."""

PARTS = {"usable_block_state": "block_state", "grown_bad_block_state": "block_state"}
"""Lists that hold some words of a coded one."""

HEAD = '''"""The words that both languages use, as the Rust core spells them. Written by `make docs`; not to be edited.

Each list is stated once, where the core defines what the words mean (`choice!` in crates/); a test holds this file to
the built core. A list that crosses the border as numbers is an enumeration of its codes; any other is a type, so that
a misspelled word is found by mypy.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, get_args

# fmt: off
'''


PAGE_HEAD = """# Vocabulary

The words that the Rust core and the Python side both use. Each list is stated once, in the core, beside what its words
mean (`choice!` in `crates/`). `_core.vocabulary()` returns the lists. `make docs` writes them into this page and into
`src/flashscope/vocabulary.py`, and tests hold both to the built core. To add a word: add it in the core, then run
`make docs`.

Where a list has numbers, the core passes its words to Python as these codes, and records hold the codes. A word keeps
its place: new words go to the end.

"""

PAGE_SMART = """
The ids of the SMART attributes that a virtual drive of each layout shows:

| layout | ids |
|---|---|
"""


def source(lists: Mapping[str, Sequence[str]], smart_ids: Mapping[str, Sequence[int]]) -> str:
    """The text of the module. lists: name -> words in the order of their codes. smart_ids: layout -> ids."""
    pieces = [HEAD]
    for name, words in lists.items():
        if name in CODED:
            pieces.append(_codes(name, words))
        elif name in PARTS:
            members = [f"{_type(PARTS[name])}.{_member(word)}" for word in words]
            pieces.append(_filled(f"{name.upper()}S = (", members, ")") + "\n")
        else:
            pieces.append(_filled(f"{_type(name)} = Literal[", [f'"{word}"' for word in words], "]"))
            pieces.append(f"{name.upper()}_NAMES: tuple[{_type(name)}, ...] = get_args({_type(name)})\n\n")
    rows = [f'    "{layout}": ({", ".join(map(str, ids))}),' for layout, ids in smart_ids.items()]
    pieces.append("SMART_IDS: dict[SmartLayout, tuple[int, ...]] = {\n")
    pieces += ["\n".join(textwrap.fill(row, 118, subsequent_indent=" " * 8) for row in rows), "\n}\n"]
    pieces.append('"""The ids of the attributes that a drive of each layout shows, in their order."""\n')
    return "".join(pieces)


def page(lists: Mapping[str, Sequence[str]], smart_ids: Mapping[str, Sequence[int]]) -> str:
    """The text of the page."""
    pieces = [PAGE_HEAD, "| list | words |\n|---|---|\n"]
    for name, words in lists.items():
        coded = [f"{code} `{word}`" if name in CODED else f"`{word}`" for code, word in enumerate(words)]
        pieces.append(f"| `{name}` | {', '.join(coded)} |\n")
    pieces.append(PAGE_SMART)
    pieces += [f"| `{layout}` | {', '.join(map(str, ids)) or 'none'} |\n" for layout, ids in smart_ids.items()]
    return "".join(pieces)


def _codes(name: str, words: Sequence[str]) -> str:
    rows = "".join(f"    {_member(word)} = {code}\n" for code, word in enumerate(words))
    return (
        f'class {_type(name)}(IntEnum):\n    """Codes of `{name}`."""\n\n{rows}\n\n'
        f'{name.upper()}_NAMES = tuple(one.name.lower().replace("_", "-") for one in {_type(name)})\n\n'
    )


def _filled(begin: str, items: Sequence[str], end: str) -> str:
    one_line = f"{begin}{', '.join(items)}{end}\n"
    if len(one_line) <= 120:
        return one_line
    return f"{begin}\n{textwrap.fill(', '.join(items), 116, initial_indent='    ', subsequent_indent='    ')},\n{end}\n"


def _type(name: str) -> str:
    return name.title().replace("_", "")


def _member(word: str) -> str:
    return word.upper().replace("-", "_")


if __name__ == "__main__":
    for path, write in ((MODULE, source), (PAGE, page)):
        path.write_text(write(_core.vocabulary(), _core.smart_ids()), encoding="utf-8")
        print(f"wrote {path.name}")
