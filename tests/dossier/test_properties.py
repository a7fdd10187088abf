"""Every finding of every experiment tells a property, or it is a detail with a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import flashscope.experiments
from flashscope.dossier.actions import action
from flashscope.dossier.drive_kind import DriveKind
from flashscope.dossier.properties import PROPERTIES, properties_of, property_of, value_text
from flashscope.dossier.properties.details import DETAILS
from flashscope.experiments import catalogue
from flashscope.experiments.profiles.crystal_disk_mark import ROWS_3, ROWS_5, ROWS_8, ROWS_8_NVME
from tests.dossier.answers import trusted
from tests.dossier.planted import of_a_whole_examination

SOURCES = {(source.experiment, source.key) for each in PROPERTIES for source in each.sources if source.experiment}
KEY = re.compile(r"[a-z0-9*]+(_[a-z0-9*]+)+")


def text_of(node: ast.expr) -> str:
    """A string, with "*" for what varies in it; "" for anything else."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
    return ""


def keys_in(source: str) -> Iterator[str]:
    """Keys of findings: the first argument of Finding and of private functions, and what is named key."""
    tree = ast.parse(source)
    named = dict(pair for node in tree.body if isinstance(node, ast.Assign) for pair in named_texts(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            makes = node.func.id == "Finding" or node.func.id in ("_rate", "_unknown", "_end")
            if makes and KEY.fullmatch(text_of(first)):
                yield text_of(first)
            if makes and isinstance(first, ast.Name) and first.id in named:
                yield named[first.id]
        if isinstance(node, ast.Assign):
            yield from (text for name, text in named_texts(node) if name == "key" or name.endswith("_KEY"))


def named_texts(node: ast.Assign) -> Iterator[tuple[str, str]]:
    """Names and the keys that they get, "a, b = 1, 2" included."""
    target, value = node.targets[0], node.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=False))
    for name, given in pairs:
        if isinstance(name, ast.Name) and KEY.fullmatch(text_of(given)):
            yield name.id, text_of(given)


def written_keys() -> set[str]:
    """Of all experiments, as their source writes them."""
    folder = Path(flashscope.experiments.__file__).parent
    return {key for path in folder.glob("*.py") for key in keys_in(path.read_text(encoding="utf-8"))}


def loads() -> set[str]:
    """The names of the loads of CrystalDiskMark."""
    rows = (*ROWS_3, *ROWS_5, *ROWS_8, *ROWS_8_NVME)
    return {name for row in rows for name in (row.read, row.write)}


def is_told(experiment: str, key: str) -> bool:
    """It is a source of a property, or a detail. experiment: "*" for any."""
    fits = any(fnmatchcase(source_key, key) for name, source_key in SOURCES if experiment in ("*", name))
    return fits or any(
        (experiment == "*" or fnmatchcase(experiment, name)) and (fnmatchcase(key, detail) or fnmatchcase(detail, key))
        for name, detail in DETAILS
    )


def test_every_finding_of_an_examination_is_a_source_or_a_detail() -> None:
    untold = [
        (each["experiment"], finding["key"])
        for each in of_a_whole_examination()
        for finding in each["findings"]
        if not is_told(each["experiment"], finding["key"])
    ]
    assert untold == []


def test_every_key_in_the_source_of_the_experiments_is_a_source_or_a_detail() -> None:
    assert len(written_keys()) > 40
    assert sorted(key for key in written_keys() if not is_told("*", key)) == []


def test_every_source_is_a_finding_that_its_experiment_makes() -> None:
    seen = {(each["experiment"], found["key"]) for each in of_a_whole_examination() for found in each["findings"]}
    patterns = written_keys()
    unknown = [
        place
        for place in SOURCES - seen
        if place[1] not in loads() and not any(fnmatchcase(place[1], pattern) for pattern in patterns)
    ]
    assert unknown == []


def test_every_source_and_detail_names_an_experiment() -> None:
    names = {each.name for each in catalogue.all_experiments()}
    assert {name for name, _ in SOURCES} <= names
    assert all(any(fnmatchcase(name, pattern) for name in names) for pattern, _ in DETAILS)


def test_every_detail_has_a_reason() -> None:
    assert all(len(reason) > 20 for reason in DETAILS.values())


def test_keys_and_titles_are_told_apart_and_fit_a_table() -> None:
    assert len({each.key for each in PROPERTIES}) == len(PROPERTIES)
    assert len({each.title for each in PROPERTIES}) == len(PROPERTIES)
    assert max(len(each.title) for each in PROPERTIES) <= 24


@pytest.mark.parametrize("kind", DriveKind)
def test_each_kind_of_drive_has_its_properties_once(kind: DriveKind) -> None:
    found = properties_of(kind)
    assert len(set(found)) == len(found) > 20
    assert all(kind in each.kinds for each in found)


@pytest.mark.parametrize("kind", [DriveKind.DISK, DriveKind.HYBRID])
def test_the_slow_end_of_platters_is_no_cache_that_is_full(kind: DriveKind) -> None:
    assert not {"cache_size", "after_cache"} & {each.key for each in properties_of(kind)}


def test_a_file_has_no_link() -> None:
    assert not [each for each in properties_of(DriveKind.FILE) if each.key == "link_rate"]
    assert [each for each in properties_of(DriveKind.FLASH) if each.key == "link_rate"]


def test_a_file_has_no_property_of_flash() -> None:
    keys = {each.key for each in properties_of(DriveKind.FILE)}
    flash = {"mapping_unit", "write_buffer", "spare_area", "compression", "write_amplification", "idle_work", "trim"}
    assert not keys & flash


def test_a_drive_that_needs_no_rest_is_not_told_to_rest() -> None:
    assert property_of("full_recovery").say(0.0) == "not needed"
    assert [action(trusted(full_recovery=rest), "full_recovery") for rest in (0.0, 2e9)] == ["", "let it rest"]


def test_an_interval_below_zero_is_not_written_with_a_dash() -> None:
    assert value_text.span(-0.0362, -0.0342, value_text.percent) == "-3.62 to -3.42 %"
    assert value_text.span(30.5 * 2**20, 34.4 * 2**20, value_text.memory) == "30.5-34.4 MiB"
