"""Which file of a crate uses what of which other file, and the circles in that.

A file uses another when it names something that is defined there: in a `use` or in a path (`crate::a::B`,
`super::B`, `child::B`). What another file only passes on (`pub use child::B`, or a `use` that its children see) is
followed to where it is defined. So a `mod.rs` that declares its children and passes their names on uses none of them.

Not done here: a method that is called on a value has no path, so that call is not seen; macros are read as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from .rust_source import code_of, parts_of, product_of, without_tests

Module = tuple[str, ...]
Uses = dict[Module, dict[Module, set[str]]]

_USE = re.compile(r"(?P<public>\bpub(?:\([^)]*\))?\s+)?\buse\s+(?P<tree>[^;]+);")
_PATH = re.compile(r"(?<![\w:.$])[a-z_]\w*(?:::\w+)+")
_BEGINS = ("crate", "super", "self")


@dataclass
class _File:
    """One file: its code without the `use` lines, and what those bring in, name by name."""

    code: str
    children: set[str]
    names: dict[str, list[str]] = field(default_factory=dict)
    passed_on: set[str] = field(default_factory=set)
    globs: list[list[str]] = field(default_factory=list)


def uses_of(source: Path) -> Uses:
    """For each module of a crate the others whose things it names, with those names."""
    modules = product_of(source)
    files = {
        module: _read(path, {other[-1] for other in modules if other[:-1] == module and other})
        for module, path in modules.items()
    }
    uses: Uses = {module: {} for module in modules}
    for module, file in files.items():
        named = [path for name, path in file.names.items() if name not in file.passed_on or _names(file.code, name)]
        inline = [found[0].split("::") for found in _PATH.finditer(file.code)]
        for path in [*named, *file.globs, *inline]:
            target = _defined_in(files, module, path)
            if target is not None and target != module:
                uses[module].setdefault(target, set()).add("::".join(path))
    return uses


def circles_of(uses: Uses) -> list[list[Module]]:
    """A shortest circle through each module that lies on one, each circle once."""
    circles: list[list[Module]] = []
    for module in sorted(uses):
        circle = _shortest_way_back(uses, module)
        if circle and all(set(circle) != set(other) for other in circles):
            circles.append(circle)
    return circles


def side_by_side(uses: Uses, folder: Module) -> Uses:
    """What each file and each folder in a folder uses of the others there. The folder's `mod.rs` is above them."""
    depth = len(folder) + 1
    beside: Uses = {module[:depth]: {} for module in uses if len(module) >= depth and module[: depth - 1] == folder}
    for module, used in uses.items():
        for other in used:
            one, two = module[:depth], other[:depth]
            if one in beside and two in beside and one != two:
                beside[one].setdefault(two, set()).add(f"{'::'.join(module)} uses {'::'.join(other)}")
    return beside


def told(circle: list[Module], uses: Uses, places: dict[Module, Path]) -> str:
    """A circle place by place, each with what it names in the next."""
    lines = []
    for module, used in zip(circle, [*circle[1:], circle[0]], strict=True):
        names = ", ".join(sorted(uses[module][used]))
        lines.append(f"  {places[module]} uses {places[used]} ({names})")
    return "\n".join(lines)


def _read(path: Path, children: set[str]) -> _File:
    code = without_tests(code_of(path.read_text()))
    file = _File(code=_USE.sub("", code), children=children)
    for found in _USE.finditer(code):
        for segments, name in _leaves(found["tree"]):
            if segments[0] not in _BEGINS and segments[0] not in children:
                continue
            if name == "*":
                file.globs.append(segments[:-1])
            else:
                file.names[name] = segments
                if found["public"]:
                    file.passed_on.add(name)
    return file


def _leaves(tree: str) -> list[tuple[list[str], str]]:
    """Each path that a `use` names, with the name it goes by here."""
    head, opens, rest = tree.strip().partition("{")
    if opens:
        inner = rest.rpartition("}")[0]
        return [leaf for part in parts_of(inner) for leaf in _leaves(head + part)]
    path, _, other_name = re.sub(r"\s+", " ", head).partition(" as ")
    segments = [segment.strip() for segment in path.split("::")]
    if segments[-1] == "self" and len(segments) > 1:
        segments.pop()
    return [(segments, other_name.strip() or segments[-1])]


def _names(code: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", code) is not None


def _defined_in(files: dict[Module, _File], module: Module, path: list[str], depth: int = 0) -> Module | None:
    """The module where what a path names is defined; None when that is not in this crate."""
    here, rest = module, path
    if path[0] == "crate":
        here, rest = (), path[1:]
    elif path[0] in ("self", "super"):
        while rest and rest[0] in ("self", "super"):
            here, rest = (here[:-1] if rest[0] == "super" else here), rest[1:]
    elif path[0] not in files[module].children:
        return None
    while rest and rest[0] in files[here].children:
        here, rest = (*here, rest[0]), rest[1:]
    if rest and here != module and rest[0] in files[here].names and depth < len(files):
        return _defined_in(files, here, [*files[here].names[rest[0]], *rest[1:]], depth + 1)
    return here


def _shortest_way_back(uses: Uses, module: Module) -> list[Module]:
    came_from: dict[Module, Module] = {}
    waiting = [module]
    for here in waiting:
        for used in sorted(uses[here]):
            if used == module:
                circle = [here]
                while circle[-1] != module:
                    circle.append(came_from[circle[-1]])
                return circle[::-1]
            if used not in came_from:
                came_from[used] = here
                waiting.append(used)
    return []
