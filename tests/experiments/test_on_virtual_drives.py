"""The experiments, run on the shipped parts, infer what is inside them: every finding that has a truth agrees."""

from pathlib import Path

import pytest

from flashscope.dossier.judge.judge import judge
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.catalogue import all_experiments
from flashscope.records import Record, Status
from flashscope.reports.agreement import compare
from flashscope.runner.asked import Asked
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from tests.dossier.judge.pairs import unruled_pairs
from tests.experiments.possible import impossible


def examine(part: str, seed: int, folder: Path) -> list[Record]:
    records = []
    with Store(folder / "s.sqlite") as store:
        for experiment in all_experiments():
            drive = SimulatedDrive.open(part, seed)
            if not experiment.steps(drive.facts):  # as `examine`: a drive without error counters, say
                continue
            records.append(
                run_experiment(experiment, drive, Asked(seed=seed, command="test"), store=store, progress=Silent())
            )
    return records


@pytest.mark.parametrize(
    ("part", "falls"),
    [
        ("onyx-32", False),
        pytest.param("thnsns-120", True, marks=pytest.mark.long),
        pytest.param("c300-256", False, marks=pytest.mark.long),
    ],
)
def test_what_is_inferred_is_what_is_inside(part: str, falls: bool, tmp_path: Path) -> None:
    records = examine(part, 11, tmp_path)
    assert {record.status for record in records} == {Status.DONE}
    assert [why for record in records for why in impossible(record)] == []
    assert unruled_pairs(judge(records).records) == []
    rows = [row for record in records for row in compare(record)]
    assert {row.key for row in rows} >= {"rate_fall", "mapping_unit_bytes", "erase_count_attribute"}
    assert [f"{row.key}: {row.inferred.text}, truth {row.truth.text}" for row in rows if row.agrees is False] == []
    (fall,) = [finding for record in records for finding in record.findings if finding.key == "rate_fall"]
    assert (fall.value is not None) == falls


@pytest.mark.long
def test_the_c300_wears_as_its_document_says(tmp_path: Path) -> None:
    """252 GiB per erase step in sequential writing and a write amplification of 252/30.9 at random (F059, F063).

    One number, the reserved blocks, was fitted to these figures; the rest is geometry and greedy collection.
    """
    records = examine("c300-256", 1, tmp_path)
    found = {finding.key: finding.value for record in records for finding in record.findings}
    assert found["erase_step_host_bytes"] == pytest.approx(252 * 2**30, rel=0.02)
    assert found["write_amplification_random"] == pytest.approx(252 / 30.9, rel=0.05)
