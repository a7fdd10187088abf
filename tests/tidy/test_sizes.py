"""Files, functions and lists of parameters stay within what one reads at once; one that grows beyond is cut by ideas.

The command line is the exception: each option is a parameter there.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND_LINE = ROOT / "src" / "flashscope" / "cli"
SOURCES = sorted([*(ROOT / "src" / "flashscope").rglob("*.py"), *(ROOT / "scripts").glob("*.py")])

FILE_LINES_MOST = 400
FUNCTION_LINES_MOST = 60
PARAMETERS_MOST = 8


def functions(source: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def parameter_count(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """All that a caller may give; the object itself is not given."""
    said = function.args
    names = [one.arg for one in (*said.posonlyargs, *said.args)]
    themselves = names[:1] in (["self"], ["cls"])
    return len(names) - themselves + len(said.kwonlyargs) + (said.vararg is not None) + (said.kwarg is not None)


def too_large(source: str) -> Iterator[str]:
    """ "12: build has 61 lines" and "40: run has 9 parameters", for each function that is."""
    for function in functions(source):
        assert function.end_lineno is not None
        lines, parameters = function.end_lineno - function.lineno + 1, parameter_count(function)
        if lines > FUNCTION_LINES_MOST:
            yield f"{function.lineno}: {function.name} has {lines} lines"
        if parameters > PARAMETERS_MOST:
            yield f"{function.lineno}: {function.name} has {parameters} parameters"


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES_MOST} == {}


def test_functions_have_at_most_60_lines_and_8_parameters() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{fault}"
        for path in SOURCES
        if not path.is_relative_to(COMMAND_LINE)
        for fault in too_large(path.read_text())
    ]
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f(a, /, b, *, c=1): ...", 3),
        ("class A:\n    def f(self, *a, **b): ...", 2),
        ("class A:\n    @classmethod\n    async def f(cls, a): ...", 1),
        ("def f(): ...", 0),
    ],
)
def test_parameters_are_counted_without_the_object_itself(source: str, count: int) -> None:
    assert [parameter_count(function) for function in functions(source)] == [count]


def test_the_search_finds_what_it_looks_for() -> None:
    long = "class A:\n    def long(self):\n" + "        pass\n" * 60
    many = f"def many({', '.join(f'a{n}' for n in range(9))}): ...\n"
    assert list(too_large(long)) == ["2: long has 61 lines"]
    assert list(too_large(many)) == ["1: many has 9 parameters"]
    assert list(too_large(long.replace("        pass\n", "", 1))) == []
