"""Experiments side by side leave the same records as one after the other, and a stop reaches all of them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.drive import Drive
from flashscope.drives.open import open_drive, probe
from flashscope.experiments.catalogue import find
from flashscope.records import Record, Status
from flashscope.records.plain import plain
from flashscope.runner.asked import Asked
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent, StepAhead
from flashscope.runner.run_many import Several, run_side_by_side
from flashscope.store.store import Store
from tests.runner.fakes import FakeDrive, FakeExperiment, Remembering

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

FACTS = probe(parse_address("sim:onyx-32"))
NAMES = ("small-write-matrix", "sustained-sequential-write")


def several(folder: Path) -> Several:
    address = parse_address("sim:onyx-32")
    return Several(lambda: open_drive(address, destructive=True), folder / "s.sqlite", Asked(seed=0, command="test"))


def run(folder: Path, workers: int) -> list[Record]:
    folder.mkdir()
    experiments = [find(name) for name in NAMES]
    return run_side_by_side(
        experiments, FACTS, several(folder), progress=Silent(), interruption=Interruption(), workers=workers
    )


def test_side_by_side_changes_nothing_in_the_records(tmp_path: Path) -> None:
    alone, together = run(tmp_path / "one", 1), run(tmp_path / "two", 2)
    assert [record.experiment for record in together] == list(NAMES)
    for first, second in zip(alone, together, strict=True):
        assert plain(first.findings) == plain(second.findings)
        assert first.configuration_hash == second.configuration_hash
    with Store(tmp_path / "two" / "s.sqlite", create=False) as store:
        assert {summary.status for summary in store.list()} == {Status.DONE}


def test_a_drive_is_given_back_at_the_end_of_its_run_and_not_when_python_looks_for_circles(tmp_path: Path) -> None:
    drives: list[weakref.ref[object]] = []

    def open_one() -> Drive:
        drive = open_drive(parse_address("sim:onyx-32"), destructive=True)
        drives.append(weakref.ref(drive))
        return drive

    gc.disable()
    try:
        run_side_by_side(
            [find("small-write-matrix")],
            FACTS,
            replace(several(tmp_path), open_drive=open_one),
            progress=Silent(),
            interruption=Interruption(),
        )
        assert [drive() for drive in drives] == [None]
    finally:
        gc.enable()


def test_a_stop_reaches_the_runs_and_their_records_are_kept(tmp_path: Path) -> None:
    interruption = Interruption()

    class StopsEarly(Remembering):
        def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
            interruption.request("a test")

    progress = StopsEarly()
    experiments = [find(name) for name in NAMES]
    records = run_side_by_side(
        experiments, FACTS, several(tmp_path), progress=progress, interruption=interruption, workers=1
    )
    assert [record.status for record in records] == [Status.INTERRUPTED]
    assert progress.told[-1] == "end interrupted"


class _Named(FakeExperiment):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class _Ahead(Remembering):
    def __init__(self) -> None:
        super().__init__()
        self.ahead: list[StepAhead] = []

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        super().run_begins(title, steps)
        self.ahead += steps


@pytest.mark.parametrize(("why", "left"), [("", 3), ("it is a fake", 1)])
def test_the_experiment_that_decides_runs_first_and_the_progress_is_one_for_all(
    why: str, left: int, tmp_path: Path
) -> None:
    began: list[int] = []

    def why_no_more(record: Record) -> str:
        began.append(len(progress.told))
        with Store(tmp_path / "s.sqlite") as store:
            assert [one.experiment for one in store.list()] == ["first"], "nothing else has begun"
        return why

    common = Several(FakeDrive, tmp_path / "s.sqlite", Asked(seed=0, command="test"), why_no_more=why_no_more)
    planned = replace(common, costs_s=[1.0, 5.0, 3.0], wall_s=6.0)
    progress = _Ahead()
    experiments = [_Named(name) for name in ("first", "second", "third")]
    records = run_side_by_side(experiments, FACTS, planned, progress=progress, interruption=Interruption())
    assert [record.experiment for record in records] == ["first", "second", "third"][:left]
    assert len(began) == 1
    assert progress.told == [f"run 3 experiments on {FACTS.address}", "step 0", "end done"]
    assert progress.ahead == [StepAhead("all experiments", 6.0, in_seconds=True)]
    assert progress.shares == sorted(progress.shares)
