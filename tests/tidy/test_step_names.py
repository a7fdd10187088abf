"""The displayed name of a step is for people: no analysis, chart or figure looks a step up by it or reads it.

A step is what is called so, and what a loop takes from `steps`, `steps_with`, `finished` or `evidence_of`. Its name may
be shown, and listed as evidence; it may not be compared, taken apart, or used as a key. What a step is stands in its
labels (`records/labels.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "flashscope"
ROOMS = ("experiments", "analysis", "reports", "reproduce")
_GIVE_STEPS = {"steps", "steps_with", "finished", "evidence_of"}
_GIVES_ONE = {"step", "step_with"}
_BY_NAME = {"by_name": {"reports/comparison/side_by_side.py"}}
"""Functions that look steps up by name, and who may: two runs of one experiment are laid side by side by it."""


def _called(node: ast.expr) -> str:
    """The last word of what is called or read: `record.steps_with("x")` is "steps_with"."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _step_variables(tree: ast.AST) -> set[str]:
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and "step" in node.id}
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and _called(node.iter) in _GIVE_STEPS:
            found |= {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.Assign) and _called(node.value) in _GIVES_ONE:
            found |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return found


def _is_name_of_step(node: ast.AST | None, variables: set[str]) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "name"
        and isinstance(node.value, ast.Name)
        and node.value.id in variables
    )


def faults(source: str, file: str = "") -> list[str]:
    """What a source does with names of steps that it should do with their labels, one line each."""
    return [f"{file}:{line}: {what}" for line, what in sorted(_faults(ast.parse(source), file))]


def _faults(tree: ast.AST, file: str) -> Iterator[tuple[int, str]]:
    variables = _step_variables(tree)

    def named(*nodes: ast.AST | None) -> bool:
        return any(_is_name_of_step(node, variables) for node in nodes)

    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others) if named(left, *others):
                yield node.lineno, "the name of a step is compared"
            case ast.Attribute(value=value) if named(value):
                yield node.lineno, f"the name of a step is taken apart by `{node.attr}`"
            case ast.Subscript(slice=index, value=value) if named(index, value):
                yield node.lineno, "the name of a step is a key, or is cut"
            case ast.DictComp(key=key) if named(key):
                yield node.lineno, "the name of a step is a key"
            case ast.Dict(keys=keys) if named(*keys):
                yield node.lineno, "the name of a step is a key"
            case ast.Match(subject=subject) if named(subject):
                yield node.lineno, "the name of a step is matched"
            case ast.Call(args=arguments) if named(*arguments) and _called(node) in _READERS:
                yield node.lineno, f"the name of a step is read by `{_called(node)}`"
            case ast.Call() if _called(node) == "step" and node.args and isinstance(node.args[0], ast.Constant):
                yield node.lineno, "a step is looked up by its name"
            case ast.Call() if file not in _BY_NAME.get(_called(node), {file}):
                yield node.lineno, "steps are looked up by their names"


_READERS = {
    "fullmatch",
    "match",
    "search",
    "findall",
    "split",
    "sub",
    "get",
    "count",
    "index",
    "startswith",
    "setdefault",
}


@pytest.mark.parametrize("room", ROOMS)
def test_names_of_steps_are_shown_and_never_read(room: str) -> None:
    found = [
        fault
        for path in sorted((SOURCE / room).rglob("*.py"))
        for fault in faults(path.read_text(), path.relative_to(SOURCE).as_posix())
    ]
    assert not found, "\n".join([*found, "give the step labels, and look for those (records/labels.py)"])


@pytest.mark.parametrize(
    "line",
    [
        'next(step for step in record.steps if step.name == "write 1")',
        'step.name.startswith("burst ")',
        '[one for one in record.steps if "settling" not in one.name]',
        'step.name.rpartition(" ")',
        'kept.name.removesuffix(" pass 1") if (kept := 1) else [kept for kept in record.steps]',
        're.fullmatch(r"(.+) pass \\d+", step.name)',
        "{step.name: step.workload for step in record.steps}",
        "results[step.name]",
        "step.name[:5]",
        'record.step("SMART after").smart',
        "record.by_name()",
        "results.get(step.name)",
        'earlier = record.step_with("write")\nearlier.name == x',
    ],
)
def test_each_way_to_read_a_name_is_seen(line: str) -> None:
    assert faults(line, "a.py")


@pytest.mark.parametrize(
    "line",
    [
        "tuple(step.name for step in record.steps)",
        'f"fewer than 100 reads in {step.name}"',
        "Point(offset, rate, step.name)",
        'record.steps_with("burst", number=3)',
        "load.name in mb",
        "points[0].name == other",
    ],
)
def test_showing_a_name_is_no_fault(line: str) -> None:
    assert faults(line, "a.py") == []
