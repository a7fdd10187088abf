"""The delay ratio that copy-within-drive makes of a record whose times are planted."""

import pytest

from flashscope.experiments.copy_within_drive import CopyWithinDrive
from flashscope.records import Record, Status, StepRecord, Table, WorkloadResult

SECOND_NS = 10**9


@pytest.mark.parametrize("ratio", [0.5, 1.0, 1.64, 3.69])
def test_the_delay_ratio_of_a_record_leaves_out_what_memory_took(ratio):
    """Write 47.75 s and read 34.02 s, of which memory took 0.82 and 1.36 s: the rest is what a copy is held against."""
    copy_s = ratio * (47.75 - 0.82 + 34.02 - 1.36)
    times = {"read in memory": 0.82, "write in memory": 1.36}
    for number, off in ((1, 0.997), (2, 1.003)):
        times |= {f"write {number}": 47.75, f"read {number}": 34.02, f"copy {number}": copy_s * off}
    steps = [_step(index, name, seconds) for index, (name, seconds) in enumerate(times.items())]
    record = record_of_steps(steps)
    (finding,) = CopyWithinDrive().analyse(record)
    assert finding.value == pytest.approx(ratio, rel=0.001)
    assert finding.low <= ratio <= finding.high


def _step(index: int, name: str, seconds: float) -> StepRecord:
    duration_ns = round(seconds * SECOND_NS)
    totals = {"written_bytes": 4 << 30, "synced_ns": duration_ns, "programs_ended_ns": duration_ns}
    result = WorkloadResult(duration_ns, Table.of(elapsed_ns=("ns", [duration_ns])), {}, totals)
    return StepRecord(index, name, "file work", Status.DONE, workload=result)


def record_of_steps(steps: list[StepRecord]) -> Record:
    return Record(
        id="planted", experiment="copy-within-drive", drive="planted", status=Status.DONE, created_utc="", seed=1,
        command="", versions={}, host={}, configuration={}, configuration_hash="", drive_facts={"kind": "virtual"},
        steps=steps,
    )  # fmt: skip
