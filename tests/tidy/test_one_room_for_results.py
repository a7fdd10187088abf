"""Only src/flashscope/outputs puts results into files; whoever else writes one is listed here, with what it writes."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "flashscope"

ROOMS = (
    "analysis",
    "cli",
    "experiments",
    "laws",
    "records",
    "reports",
    "reproduce",
    "smart",
    "store",
    "sweeps",
    "workloads",
)
"""Rooms that make results, and reach neither a drive nor a ledger."""

ALLOWED = {
    "store/file/durable_sqlite.py": {"mkdir"},  # the directory of a store, whose place was looked at before
    "store/presence.py": {"O_CREAT"},  # an empty file beside a store, whose bytes are held
    "store/layout/layouts.py": {"connect"},  # in memory
    "store/file/read_only.py": {"copyfile", "connect"},  # a copy in a folder for the moment; opened to read
    "store/damaged/repair.py": {"mkdir", "unlink"},  # the directory of a new store; its unfinished file
    "store/damaged/salvage.py": {"connect"},  # that unfinished file
    "smart/archives/local_files.py": {"open for writing", "truncate"},  # copies in a folder for the moment
    "smart/archives/narrow_texts.py": {"open for writing", "unlink"},  # likewise
    "smart/archives/batch.py": {"unlink"},  # tables in that folder
    "smart/archives/keeper.py": {"write_bytes", "unlink"},  # likewise; the database's place was looked at before
}
_WRITING = {
    "write_text", "write_bytes", "touch", "mkdir", "rename", "replace", "unlink", "symlink_to", "hardlink_to",
    "mkstemp", "NamedTemporaryFile", "copyfile", "copy", "move", "connect", "truncate",
}  # fmt: skip
_ON_OTHER_THINGS = {"replace", "copy", "connect"}  # also methods of strings, arrays and sockets


def test_no_room_but_outputs_writes_files() -> None:
    found = {}
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            name = str(path.relative_to(SOURCE))
            calls = writing_calls(path.read_text()) - ALLOWED.get(name, set())
            if calls:
                found[name] = calls
    assert found == {}


def test_the_search_finds_what_it_looks_for() -> None:
    assert writing_calls("path.write_text(a)\nos.replace(a, b)\nopen(a, 'w')\npath.open(mode='xb')") == {
        "write_text", "replace", "open for writing",
    }  # fmt: skip
    assert writing_calls("text.replace(a, b)\nopen(a)\npath.open('rb')\nsocket.connect(a)") == set()
    assert writing_calls("sqlite3.connect(path)") == {"connect"}


def writing_calls(source: str) -> set[str]:
    """The calls in a source that make, change or remove files."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in ("O_CREAT", "O_TRUNC"):
            found.add(node.attr)
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "open":
            words = [
                one for one in [*node.args, *(key.value for key in node.keywords)] if isinstance(one, ast.Constant)
            ]
            if any(isinstance(one.value, str) and _is_mode(one.value) for one in words):
                found.add("open for writing")
        elif name in _WRITING and (name not in _ON_OTHER_THINGS or _is_of_files(function)):
            found.add(name)
    return found


def _is_mode(text: str) -> bool:
    return 0 < len(text) <= 3 and set(text) <= set("rwaxbt+") and bool(set(text) & set("wax+"))


def _is_of_files(function: ast.expr) -> bool:
    owner = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in ("os", "shutil", "sqlite3", "pathlib")
