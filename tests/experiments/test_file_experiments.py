"""Experiments on files, on virtual drives whose inside is known."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.parts.part import load_part
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.archives import Archives
from flashscope.experiments.copy_within_drive import CopyWithinDrive
from flashscope.experiments.sector_emulation_copy import SectorEmulationCopy
from flashscope.records import Finding, Record, Status
from flashscope.records.capability import Capability
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW, WIDE
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.file_system import WINDOWS_7
from tests.facts import device_facts, directory_facts, file_facts, virtual_facts
from tests.findings import holds
from tests.known import number

QUICK = Effort(Extent.QUICK)
ALL = (CopyWithinDrive(), Archives(), SectorEmulationCopy())


def run(experiment: Experiment, part: str, folder: Path, *, effort: Effort = QUICK) -> Record:
    drive = SimulatedDrive.open(part, 1)
    with Store(folder / "s.sqlite") as store:
        return run_experiment(
            experiment, drive, Asked(seed=1, command="test", effort=effort), store=store, progress=Silent()
        )


def finding(record: Record, key: str) -> Finding:
    return next(found for found in record.findings if found.key == key)


def memory_part(folder: Path, **values: str) -> str:
    """The RAM disk with other values: one request at a time, at a rate that is known."""
    text = (Path(__file__).resolve().parents[2] / "parts/drives/ramdisk.toml").read_text()
    lines = []
    for line in text.splitlines():
        key = line.partition(" = ")[0]
        lines.append(
            f'{key} = {{ value = {values[key]}, origin = "assumed", source = "test" }}' if key in values else line
        )
    (folder / "slow.toml").write_text("\n".join(lines))
    return str(folder / "slow.toml")


def test_a_drive_that_serves_one_after_the_other_has_the_ratio_one(tmp_path: Path) -> None:
    part = memory_part(tmp_path, bus_rate='"300 MB/s"', read_passes="1", write_passes="1")
    found = finding(run(CopyWithinDrive(), part, tmp_path, effort=Effort()), "delay_ratio")
    assert found.value == pytest.approx(1.0, rel=0.01)


def test_a_disk_that_seeks_between_two_places_takes_longer(tmp_path: Path) -> None:
    found = finding(run(CopyWithinDrive(), "hds721616-160", tmp_path, effort=Effort()), "delay_ratio")
    assert isinstance(found.value, float)
    assert found.value > 1.1
    assert found.low is not None
    assert found.high is not None
    assert holds(found, number(found.value))
    assert [doubt.kind for doubt in found.doubts] == ["CacheInTheWay"]


def test_a_disk_loses_by_parallel_work_where_a_flash_drive_gains(tmp_path: Path) -> None:
    disk = finding(run(Archives(), "wd30ezrs", tmp_path, effort=Effort()), "parallel_gain_ratio")
    flash = finding(run(Archives(), "c300-256", tmp_path, effort=Effort()), "parallel_gain_ratio")
    assert number(disk.value) < 0
    assert number(flash.value) > 0.4
    assert "takes" in disk.statement
    assert "faster" in flash.statement


def test_memory_alone_takes_the_computing_time_that_was_planted(tmp_path: Path) -> None:
    found = finding(run(Archives(0.02), "c300-256", tmp_path), "parallel_gain_ratio")
    computing_s = (4_620_000_000 * 13.2e-9 + 5825 * WINDOWS_7.create_ns / 1e9) * 0.02
    assert found.details["memory_serial_s"] == pytest.approx(computing_s, rel=0.1)
    assert found.details["memory_parallel_s"] < found.details["memory_serial_s"] / (0.75 * WINDOWS_7.core_count)


def test_a_drive_with_a_large_unit_gains_by_larger_sectors(tmp_path: Path) -> None:
    found = finding(run(SectorEmulationCopy(1000), "c300-256", tmp_path), "sector_emulation_gain_ratio")
    assert found.low is not None
    assert found.low > 0.02
    assert "gain" in found.statement


def test_a_drive_that_keeps_single_sectors_gains_nothing(tmp_path: Path) -> None:
    part = memory_part(tmp_path)
    found = finding(run(SectorEmulationCopy(300), part, tmp_path), "sector_emulation_gain_ratio")
    assert isinstance(found.value, float)
    assert found.value < 0.02
    assert "gain" not in found.statement


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
def test_the_same_seed_gives_the_same_findings(experiment: Experiment, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    first, second = run(experiment, "onyx-32", tmp_path), run(experiment, "onyx-32", tmp_path / "a")
    assert first.findings == second.findings
    assert first.configuration_hash == second.configuration_hash


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
def test_a_record_stays_small_and_has_a_chart(experiment: Experiment, tmp_path: Path) -> None:
    record = run(experiment, "onyx-32", tmp_path)
    assert record.status is Status.DONE
    assert len(json.dumps(record.configuration)) < 60_000
    (chart,) = charts_of(record)
    for layout in (WIDE, NARROW):
        assert chart.draw(layout)["layer"]
    evidence = {name for found in record.findings for name in found.evidence}
    assert evidence <= {step.name for step in record.steps}


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
@pytest.mark.parametrize("stop_after", range(1, 5))
def test_a_run_that_was_stopped_is_analysed_as_far_as_it_goes(
    experiment: Experiment, stop_after: int, tmp_path: Path
) -> None:
    interruption = Interruption()

    class Stopping(Silent):
        def step_begins(self, index: int) -> None:
            if index == stop_after:
                interruption.request("test")

    drive = SimulatedDrive.open("onyx-32", 1)
    with Store(tmp_path / "s.sqlite") as store:
        record = run_experiment(
            experiment,
            drive,
            Asked(seed=1, command="test", effort=QUICK),
            store=store,
            progress=Stopping(),
            interruption=interruption,
        )
    assert record.status is Status.INTERRUPTED
    assert record.findings
    assert not [doubt for doubt in record.doubts if doubt.kind == "NotAnalysed"]
    charts_of(record)


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
def test_what_a_drive_cannot_take_has_no_steps(experiment: Experiment) -> None:
    facts = virtual_facts(1 << 30)
    assert experiment.steps(file_facts(1 << 30)) == []
    assert experiment.steps(device_facts(1 << 30)) == []
    assert experiment.steps(facts, Effort(read_only=True)) == []
    assert experiment.steps(replace(facts, capabilities=facts.capabilities - {Capability.FILES})) == []
    assert experiment.steps(facts)


def test_a_directory_is_asked_too_and_for_its_sectors_where_a_loop_device_can_be_made() -> None:
    facts = directory_facts(1 << 30)
    assert CopyWithinDrive().steps(facts)
    assert Archives().steps(facts)
    assert SectorEmulationCopy().steps(facts)
    without = replace(facts, capabilities=facts.capabilities - {Capability.VOLUMES})
    assert SectorEmulationCopy().steps(without) == []


def test_the_part_that_the_tests_change_is_there() -> None:
    assert load_part("ramdisk").kind == "memory"
