"""No circle of imports: not between files, and not between what stands side by side in a folder.

    side by side in smart/     decoding/  learning/  readers/  dump.py ...      each folder is one node, with all in it

An import counts wherever it stands: at the top of a file, in a function, or under TYPE_CHECKING.
"""

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    return grimp.build_graph("flashscope", cache_dir=None)


def circle(knows: Mapping[str, Iterable[str]]) -> list[str]:
    """One circle of those that there are; empty when there is none."""
    try:
        TopologicalSorter({name: sorted(known) for name, known in sorted(knows.items())}).prepare()
    except CycleError as found:
        return list(found.args[1])[::-1]
    return []


def between_files(graph: grimp.ImportGraph) -> dict[str, set[str]]:
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def side_by_side(graph: grimp.ImportGraph, folder: str) -> dict[str, set[str]]:
    """What each file and folder in this folder knows of the others there."""
    belongs = {
        module: child for child in graph.find_children(folder) for module in (child, *graph.find_descendants(child))
    }
    knows: dict[str, set[str]] = {child: set() for child in graph.find_children(folder)}
    for module, child in belongs.items():
        others = {belongs[known] for known in graph.find_modules_directly_imported_by(module) if known in belongs}
        knows[child] |= others - {child}
    return knows


def test_files_import_each_other_in_no_circle(imports: grimp.ImportGraph) -> None:
    assert not (found := circle(between_files(imports))), " -> ".join(found)


def test_what_stands_side_by_side_imports_each_other_in_no_circle(imports: grimp.ImportGraph) -> None:
    folders = [module for module in imports.modules if imports.find_children(module)]
    assert "flashscope.runner.engines.fio" in folders, "folders within folders count too"
    for folder in sorted(folders):
        assert not (found := circle(side_by_side(imports, folder))), f"in {folder}: {' -> '.join(found)}"


def test_an_import_counts_wherever_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "one_that_circles"
    (room / "below").mkdir(parents=True)
    for name, text in {
        "__init__.py": "",
        "at_top.py": "from one_that_circles import in_function\n",
        "in_function.py": "def asks() -> None:\n    from one_that_circles.for_types import Name\n",
        "for_types.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import one_that_circles.at_top\n",
        "beside.py": "from one_that_circles.below.first import one\n",
        "below/__init__.py": "",
        "below/first.py": "",
        "below/second.py": "from one_that_circles.beside import one\n",
    }.items():
        (room / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    graph = grimp.build_graph("one_that_circles", cache_dir=None)
    assert {name.rpartition(".")[2] for name in circle(between_files(graph))} == {"at_top", "in_function", "for_types"}
    graph.remove_module("one_that_circles.in_function")
    assert circle(between_files(graph)) == []
    assert {name.rpartition(".")[2] for name in circle(side_by_side(graph, "one_that_circles"))} == {"beside", "below"}
