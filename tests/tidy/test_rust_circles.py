"""No file or folder of the core knows another that knows it, straight or by way of others. Tests may."""

from pathlib import Path

import pytest

from .rust_source import ROOT, product_of, sources
from .rust_uses import circles_of, side_by_side, told, uses_of


@pytest.mark.parametrize("source", sources(), ids=lambda source: source.parent.name)
def test_no_files_of_a_crate_use_each_other_in_a_circle(source: Path) -> None:
    uses = uses_of(source)
    modules = {module: path.relative_to(ROOT) for module, path in product_of(source).items()}
    circles = [told(circle, uses, modules) for circle in circles_of(uses)]
    advice = "Move what both need to a file of its own, named by its idea."
    assert not circles, f"files that use each other in a circle. {advice}\n" + "\n\n".join(circles)


@pytest.mark.parametrize("source", sources(), ids=lambda source: source.parent.name)
def test_no_folders_of_a_crate_use_each_other_in_a_circle(source: Path) -> None:
    uses = uses_of(source)
    circles = []
    for folder in {module[:-1] for module in uses if module}:
        beside = side_by_side(uses, folder)
        places = {module: source.joinpath(*module).relative_to(ROOT) for module in beside}
        circles += [told(circle, beside, places) for circle in circles_of(beside)]
    assert not circles, "folders that use each other in a circle:\n" + "\n\n".join(circles)


def crate(folder: Path, **files: str) -> list[list[str]]:
    """The circles of a crate with these files; `__` stands for a folder."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return [["::".join(module) or "lib" for module in circle] for circle in circles_of(uses_of(folder))]


def test_two_files_that_name_each_other_are_a_circle(tmp_path: Path) -> None:
    circles = crate(tmp_path, lib="mod a; mod b;", a="use crate::b::{B, C as D};", b="fn b(_: &super::a::A) {}")
    assert circles == [["a", "b"]]


def test_a_circle_goes_by_way_of_other_files(tmp_path: Path) -> None:
    circles = crate(
        tmp_path, lib="mod a; mod b; mod c;", a="use crate::b::B;", b="use crate::c::C;", c="use crate::a::A;"
    )
    assert circles == [["a", "b", "c"]]


def test_a_child_that_uses_what_its_parent_defines_closes_a_circle(tmp_path: Path) -> None:
    parent = "mod child; use child::Part; pub struct Whole(Part);"
    assert crate(tmp_path, lib="mod a;", a__mod=parent, a__child="impl super::Whole {}") == [["a", "a::child"]]


def test_a_parent_that_only_passes_its_children_on_uses_none_of_them(tmp_path: Path) -> None:
    parent = "mod part; mod whole; pub use part::Part; pub use whole::Whole;"
    children = {"a__part": "pub struct Part;", "a__whole": "use super::Part; pub struct Whole(Part);"}
    assert crate(tmp_path, lib="pub mod a; pub use a::Whole;", a__mod=parent, **children) == []


def test_tests_comments_and_texts_close_no_circle(tmp_path: Path) -> None:
    b = """
    pub struct B; // crate::a::A
    const TEXT: &str = "crate::a::A {";
    #[cfg(test)]
    mod tests { use crate::a::A; const OPEN: char = '{'; }
    """
    assert crate(tmp_path, lib="mod a; mod b;", a="use crate::b::B;", b=b) == []
