"""The Rust source of the core as plain text: the files of a crate, their code without comments, and their functions.

A file belongs to the product when it is reached from `lib.rs` or `main.rs` by `mod` lines that are not under
`#[cfg(test)]`; all others are tests.

Not done here: macros are not expanded, and `#[path]` is not followed (nobody uses it).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What must not be taken for code. Characters such as '{' are told from lifetimes such as 'a by their closing quote.
_NO_CODE = re.compile(
    r"""//[^\n]*"""
    r"""|/\*.*?\*/"""
    r"""|\bb?r(?P<hashes>\#*)".*?"(?P=hashes)"""
    r"""|b?"(?:[^"\\]|\\.)*\""""
    r"""|b?'(?:[^'\\\n]|\\[^\n][^'\n]*)'""",
    re.DOTALL | re.VERBOSE,
)
_MODULE = re.compile(r"(?P<test>#\[cfg\(test\)\]\s*)?(?:pub(?:\([^)]*\))?\s+)?\bmod (?P<name>\w+)\s*(?P<how>[;{])")
_FUNCTION = re.compile(r"\bfn (?P<name>\w+)\s*(?P<opens>[<(])")


@dataclass(frozen=True)
class Function:
    """One function: where it stands, the lines from its `fn` to its last bracket, and what it is handed."""

    name: str
    line: int
    line_count: int
    parameter_count: int


def code_of(text: str) -> str:
    """The text without comments, strings and characters; every line stays on its line."""
    return _NO_CODE.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)


def without_tests(code: str) -> str:
    """The code without its modules under `#[cfg(test)]`."""
    for found in reversed(list(_MODULE.finditer(code))):
        if found["test"]:
            end = found.end() if found["how"] == ";" else closing(code, found.end() - 1) + 1
            code = code[: found.start()] + "\n" * code.count("\n", found.start(), end) + code[end:]
    return code


def closing(code: str, opening: int) -> int:
    """Where the bracket that opens at `opening` is closed."""
    depth = 0
    for found in re.compile(r"->|=>|[(\[{<]|[)\]}>]").finditer(code, opening):
        if code[opening] != "<" and found[0] in "<>":
            continue
        if len(found[0]) == 1:
            depth += 1 if found[0] in "([{<" else -1
        if depth == 0:
            return found.start()
    raise ValueError(f"a bracket is never closed: {code[opening : opening + 40]!r}")


def functions_of(code: str) -> list[Function]:
    """All functions with a body or a signature of their own, in order."""
    functions = []
    for found in _FUNCTION.finditer(code):
        opens = found.end() - 1
        if found["opens"] == "<":
            opens = code.index("(", closing(code, opens))
        closes = closing(code, opens)
        end = re.compile(r"[;{]").search(re.sub(r"\[[^\]]*\]", lambda array: " " * len(array[0]), code), closes)
        if end is None:
            raise ValueError(f"a function never begins: {found[0]!r}")
        last = end.start() if end[0] == ";" else closing(code, end.start())
        first_line = code.count("\n", 0, found.start()) + 1
        functions.append(
            Function(
                name=found["name"],
                line=first_line,
                line_count=code.count("\n", 0, last) + 2 - first_line,
                parameter_count=len(parts_of(code[opens + 1 : closes])),
            )
        )
    return functions


def parts_of(listed: str) -> list[str]:
    """What stands between the commas of a list, whose own parts may be lists in brackets."""
    parts, depth, begin = [], 0, 0
    for found in re.finditer(r"->|=>|[(\[{<]|[)\]}>]|,", listed):
        if found[0] == "," and depth == 0:
            parts.append(listed[begin : found.start()])
            begin = found.end()
        elif len(found[0]) == 1 and found[0] != ",":
            depth += 1 if found[0] in "([{<" else -1
    return [part.strip() for part in [*parts, listed[begin:]] if part.strip()]


def sources() -> list[Path]:
    """The folders that hold the source of a crate."""
    return [*sorted((ROOT / "crates").glob("*/src")), ROOT / "benches" / "src"]


def product_of(source: Path) -> dict[tuple[str, ...], Path]:
    """The modules of a crate with their files, the tests left out; the crate itself is ()."""
    root = next(path for path in (source / "lib.rs", source / "main.rs") if path.exists())
    modules: dict[tuple[str, ...], Path] = {(): root}
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        module = waiting.pop()
        for found in _MODULE.finditer(without_tests(code_of(modules[module].read_text()))):
            child = (*module, found["name"])
            stem = source.joinpath(*child)
            if found["how"] == ";":
                modules[child] = stem / "mod.rs" if (stem / "mod.rs").exists() else stem.with_suffix(".rs")
                waiting.append(child)
    return modules
