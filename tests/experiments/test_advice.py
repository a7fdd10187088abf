"""Advice fits the run and the drive: nobody is told to do what was done, or what cannot be done with this drive."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import flashscope
from flashscope.experiments.advice import filled_first, further, once_more
from flashscope.experiments.catalogue import find
from flashscope.records import Record
from flashscope.records.capability import Capability
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.run_warnings import run_warnings
from tests.experiments.planted_drives import examine
from tests.facts import facts_of
from tests.runner.test_run_warnings import record

PACKAGE = Path(flashscope.__file__).parent
OF_A_HOST = ("asynchronous", "libaio", "io_uring", "numjobs", "block device", "secure-erase")
"""Words of advice for a real drive and its host."""
EXPERIMENTS = (
    "stutter",
    "mixed-load-latency",
    "queue-depth",
    "read-write-interference",
    "copy-within-drive",
    "small-write-matrix",
)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """Short runs on a drive of memory, which is simulated fastest and cannot be erased."""
    folder, effort = tmp_path_factory.mktemp("quick"), Effort(Extent.QUICK)
    return [examine(find(name), "sim:ramdisk", folder, effort) for name in EXPERIMENTS]


def advice_of(one: Record, extent: Extent) -> Iterator[str]:
    """What the findings of the record would advise had it been made at that extent."""
    configuration = one.configuration | {"effort": {"extent": extent.value, "read_only": False}}
    of_extent = replace(one, configuration=configuration)
    for finding in find(one.experiment).analyse(of_extent):
        yield from (doubt.advice for doubt in finding.doubts)
    yield from (doubt.advice for doubt in run_warnings(of_extent))


@pytest.mark.parametrize("extent", Extent)
def test_no_run_is_told_to_go_as_far_as_it_went(quick: list[Record], extent: Extent) -> None:
    said = [f"{one.experiment}: {advice}" for one in quick for advice in advice_of(one, extent)]
    assert said
    if extent is Extent.FULL:
        assert [each for each in said if "--full" in each or "--quick" in each] == []
    if extent is Extent.STANDARD:
        assert [each for each in said if "--quick" in each] == []


def test_a_virtual_drive_is_not_told_what_a_host_would_have_to_do(quick: list[Record]) -> None:
    said = [f"{one.experiment}: {advice}" for one in quick for extent in Extent for advice in advice_of(one, extent)]
    assert [each for each in said if any(word in each for word in OF_A_HOST)] == []


def test_an_empty_queue_is_the_hosts_on_a_real_drive_and_the_drives_on_a_virtual_one() -> None:
    (real,) = run_warnings(record(requests=2_000))
    (virtual,) = run_warnings(record(requests=2_000, kind="virtual"))
    assert "asynchronous engine" in real.advice
    assert virtual.kind == "QueueNeverFull"
    assert "the drive takes no more" in virtual.advice


def test_further_advice_depends_on_the_extent() -> None:
    at = {extent: replace(record(), configuration={"effort": {"extent": extent.value}}) for extent in Extent}
    assert further(at[Extent.QUICK], "x") == "run it without --quick"
    assert further(at[Extent.QUICK], "x", only_full=True) == "run it with --full"
    assert further(at[Extent.STANDARD], "x", more="which says more") == "run it with --full, which says more"
    assert further(at[Extent.FULL], "take a larger drive") == "take a larger drive"
    assert further(record(), "x") == "run it with --full", "a record that does not say is taken for the usual"


def test_data_can_be_written_first_on_a_real_drive_and_asked_for_on_a_virtual_one() -> None:
    flash = replace(record(), drive_facts=facts_of("virtual", 1 << 30, Capability.GLASS))
    assert "fill the drive" in filled_first(record())
    assert "?aged=full" in filled_first(flash)
    assert "?aged" not in filled_first(replace(record(), drive_facts=facts_of("virtual", 1 << 30)))
    assert "--seed" in once_more(flash)
    assert "--seed" not in once_more(record())


def test_only_one_place_names_the_options_that_go_further() -> None:
    """Whatever a doubt of an experiment advises about --full or --quick comes from `advice.py`, which knows the run."""
    found = []
    for path in sorted([*(PACKAGE / "experiments").rglob("*.py"), *(PACKAGE / "analysis").rglob("*.py")]):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        described = {id(node.body[0].value) for node in ast.walk(tree)
                     if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                     and isinstance(node.body[0], ast.Expr)}  # fmt: skip
        texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in described)
        found += [f"{path.name}: {node.value}" for node in texts
                  if isinstance(node.value, str) and ("--full" in node.value or "--quick" in node.value)]  # fmt: skip
    allowed = {"advice.py", "marked.py"}  # the second one says it only of a quick run
    assert [each for each in found if each.split(":")[0] not in allowed] == []
