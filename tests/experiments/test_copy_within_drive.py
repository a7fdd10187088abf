"""The delay ratio that copy-within-drive makes of a record whose times are planted."""

import pytest

from flashscope.experiments.copy_within_drive import CopyWithinDrive, _statement
from flashscope.records import Labels, Record, Status, StepRecord, Table, WorkloadResult
from tests.facts import virtual_facts
from tests.findings import holds

SECOND_NS = 10**9


@pytest.mark.parametrize("ratio", [0.5, 1.0, 1.64, 3.69])
def test_the_delay_ratio_of_a_record_leaves_out_what_memory_took(ratio: float) -> None:
    """Write 47.75 s and read 34.02 s, of which memory took 0.82 and 1.36 s: the rest is what a copy is held against."""
    copy_s = ratio * (47.75 - 0.82 + 34.02 - 1.36)
    times = {Labels.of("read in memory"): 0.82, Labels.of("write in memory"): 1.36}
    for number, off in ((1, 0.997), (2, 1.003)):
        for role, seconds in (("write", 47.75), ("read", 34.02), ("copy", copy_s * off)):
            times[Labels.of(role, number=number)] = seconds
    steps = [_step(index, labels, seconds) for index, (labels, seconds) in enumerate(times.items())]
    record = record_of_steps(steps)
    (finding,) = CopyWithinDrive().analyse(record)
    assert finding.value == pytest.approx(ratio, rel=0.001)
    assert holds(finding, ratio)


def _step(index: int, labels: Labels, seconds: float) -> StepRecord:
    duration_ns = round(seconds * SECOND_NS)
    totals = {"written_bytes": 4 << 30, "synced_ns": duration_ns, "programs_ended_ns": duration_ns}
    result = WorkloadResult(duration_ns, Table.of(elapsed_ns=("ns", [duration_ns])), {}, totals)
    return StepRecord(index, f"step {index}", "file work", Status.DONE, workload=result, labels=labels)


def record_of_steps(steps: list[StepRecord]) -> Record:
    return Record(
        id="planted", experiment="copy-within-drive", drive="planted", status=Status.DONE, created_utc="", seed=1,
        command="", versions={}, host={}, configuration={}, configuration_hash="", drive_facts=virtual_facts(1 << 30),
        steps=steps,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(1.0, "hardly hinder"), (1.22, "hinder each other a little"), (1.6, "expect freezes"), (0.7, "overlap")],
)
def test_the_words_follow_from_the_ratio(ratio: float, said: str) -> None:
    assert said in _statement(ratio, 6.23 * ratio, 6.23)
