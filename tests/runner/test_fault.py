"""A fault of ours is told with all it takes to have it again: build, seed, configuration, virtual time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope import _core
from flashscope.cli.main import FAULT_EXIT_CODE, main
from flashscope.drives.parts.part import load_part
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import FlashscopeError
from flashscope.records import Finding, Record, Status
from flashscope.runner.asked import Asked
from flashscope.runner.build import this_build
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.steps import Idle

from .fakes import FakeExperiment


def panic_of(drive: _core.Drive) -> BaseException:
    with pytest.raises(BaseException, match="virtual time") as caught:
        drive._come_to_an_assertion()
    return caught.value


def no_rest(self: SimulatedDrive, duration_ns: int) -> None:
    """In place of a drive's rest."""
    self.core._come_to_an_assertion()


def test_a_panic_of_the_core_names_its_place_and_the_drive_s_seed_and_time(capfd: pytest.CaptureFixture[str]) -> None:
    drive = _core.Drive(load_part("onyx-32").to_core_json(), 77)
    fault = panic_of(drive)
    assert type(fault).__name__ == "PanicException"
    assert re.search(r", at crates/\w+/src/\S+\.rs:\d+; ", str(fault))
    assert str(fault).endswith(f"the drive has seed 77 and virtual time {drive.now_ns} ns")


@pytest.mark.parametrize("backtrace", [False, True])
def test_rust_s_own_message_is_shown_only_when_it_is_asked_for(
    backtrace: bool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUST_BACKTRACE", raising=False)
    if backtrace:
        monkeypatch.setenv("RUST_BACKTRACE", "0")
    panic_of(_core.Drive(load_part("onyx-32").to_core_json(), 1))
    assert ("panicked at" in capfd.readouterr().err) == backtrace


def test_a_panic_within_a_run_goes_on_with_what_the_run_is_made_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = SimulatedDrive.open("onyx-32", 5)
    monkeypatch.setattr(SimulatedDrive, "idle", no_rest)
    steps = [Idle("a while", 10**9)]
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(BaseException, match="the drive has seed 5") as caught:
            run_experiment(FakeExperiment(steps), drive, Asked(seed=5, command=""), store=store, progress=Silent())
        record = store.load("last")
    (note,) = caught.value.__notes__
    assert note.startswith("seed 5, virtual time ")
    assert note.endswith(f", configuration {record.configuration_hash}, record {record.id}")
    assert record.status is Status.FAILED
    assert "the drive has seed 5 and virtual time" in record.note


def test_a_person_is_told_all_of_it_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedDrive, "idle", no_rest)
    store = tmp_path / "store.sqlite"
    told = CliRunner().invoke(
        main, ["run", "sim:onyx-32?seed=3", "--experiment", "idle-recovery", "--quick", "--store", str(store)]
    )
    assert told.exit_code == FAULT_EXIT_CODE
    with Store(store) as kept:
        record = kept.load("last")
    assert f"build:   {this_build()} on Python" in told.stderr
    assert "run:     seed 3, virtual time " in told.stderr
    assert f"configuration {record.configuration_hash}, record {record.id}" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_refusal_and_a_stop_are_no_faults(tmp_path: Path) -> None:
    class Refusing(FakeExperiment):
        def analyse(self, record: Record) -> list[Finding]:
            raise FlashscopeError("the disk is full")

    drive = SimulatedDrive.open("onyx-32", 5)
    with Store(tmp_path / "store.sqlite") as store, pytest.raises(FlashscopeError) as caught:
        run_experiment(Refusing([Idle("a while", 1)]), drive, Asked(seed=5, command=""), store=store, progress=Silent())
    assert not hasattr(caught.value, "__notes__")
