from dataclasses import replace

import numpy as np
import pytest

from flashscope.errors import WrongUse
from flashscope.experiments.catalogue import all_experiments, find
from flashscope.experiments.sustained_sequential_write import SustainedSequentialWrite
from flashscope.records import Column, Table
from flashscope.workloads.steps import Workload
from tests.experiments.toy import toy
from tests.findings import by_key, holds
from tests.known import known, number

EXPERIMENT = SustainedSequentialWrite()


@pytest.mark.parametrize("user_gb", [32, 120, 256])
def test_a_planted_fall_is_found_with_its_place_rates_and_ratio(user_gb: int) -> None:
    planted = 1.07 * user_gb * 1e9
    record = toy(user_gb * 10**9, first_rate=310e6, settled_rate=240e6, fall_bytes=planted).run(EXPERIMENT)
    found = by_key(record)
    assert found["rate_fall"].value == pytest.approx(planted, rel=0.02)
    assert holds(found["rate_fall"], number(found["rate_fall"].value))
    assert found["first_rate_bytes_per_second"].value == pytest.approx(310e6, rel=0.02)
    assert found["settled_rate_bytes_per_second"].value == pytest.approx(240e6, rel=0.02)
    assert found["rate_ratio"].value == pytest.approx(240 / 310, rel=0.02)
    details = found["rate_fall"].details
    assert len(details["plateaus"]) == 2
    assert set(details["change_points"][0]) == {"bytes", "low", "high"}
    assert "1.07 drive-fills" in found["rate_fall"].statement


def test_a_flat_drive_is_said_to_be_flat_and_how_small_a_fall_would_have_been_seen() -> None:
    found = by_key(toy().run(EXPERIMENT))
    assert found["rate_fall"].value is None
    assert "No fall" in found["rate_fall"].statement
    assert found["rate_fall"].details["detection_limit_ratio"] < 0.1
    assert found["rate_ratio"].value == 1
    assert found["rate_fall"].doubts == ()


def test_a_rate_that_rises_is_no_fall() -> None:
    found = by_key(toy(first_rate=200e6, settled_rate=300e6, fall_bytes=20e9).run(EXPERIMENT))
    assert found["rate_fall"].value is None
    assert "rises" in found["rate_fall"].statement


def test_the_slowest_stretch_of_the_curve_is_told_beside_the_rate_at_its_end() -> None:
    record = toy().run(EXPERIMENT)
    step = record.the_step_with("long write")
    amounts = np.full(900, 100e6)
    rates = np.repeat([3.5e9, 963e6, 2.08e9], 300) * (1 + 0.001 * np.sin(np.arange(900)))
    series = Table(
        {"elapsed_ns": Column("ns", np.cumsum(amounts / rates) * 1e9), "written_bytes": Column("B", amounts)}
    )
    step.workload = replace(known(step.workload), series=series)
    step.parameters = {}
    found = by_key(replace(record, findings=EXPERIMENT.analyse(record)))
    assert "Falls from 3.5 GB/s to 963 MB/s" in found["rate_fall"].statement
    assert "; from 30" in found["settled_rate_bytes_per_second"].statement
    assert "it writes at 963 MB/s" in found["settled_rate_bytes_per_second"].statement
    assert "it writes at 963 MB/s" in found["rate_ratio"].statement


def test_a_virtual_drive_is_erased_first_and_written_for_2_2_drive_fills_in_800_to_20000_rows() -> None:
    for user_bytes in (64 << 20, 32 * 10**9, 256 * 10**9):
        for rate in (45e6, 700e6):
            drive = toy(user_bytes, first_rate=rate, settled_rate=rate)
            record = drive.run(EXPERIMENT)
            assert record.steps[0].kind == "secure erase"
            workload = known(record.step("sequential write").workload)
            assert 800 <= len(workload.series) <= 20_000
            assert workload.totals["written_bytes"] == pytest.approx(2.2 * user_bytes, rel=0.01)


def test_a_file_is_written_once_and_a_half_within_a_minute_and_the_doubt_is_named() -> None:
    slow = toy(1 << 30, kind="file", first_rate=5e6, settled_rate=5e6)
    record = slow.run(EXPERIMENT)
    (step,) = [step for step in EXPERIMENT.steps(slow.facts) if isinstance(step, Workload)]
    assert step.jobs[0].runtime_ns == 60 * 10**9
    assert step.bytes_to_write == 3 << 29
    assert record.steps[0].kind == "workload"
    kinds = {doubt.kind for doubt in by_key(record)["rate_fall"].doubts}
    assert {"NotTheWholeDrive", "TooShort"} <= kinds


def test_a_block_device_that_was_not_erased_is_doubted() -> None:
    record = toy(kind="block device").run(EXPERIMENT)
    assert "NotFresh" in [doubt.kind for doubt in by_key(record)["rate_fall"].doubts]


def test_a_record_without_any_measurement_gives_a_finding_and_no_error() -> None:
    drive = toy(stop_after="secure erase")
    (finding,) = drive.run(EXPERIMENT).findings
    assert finding.value is None
    assert "no data" in finding.statement


def test_the_catalogue_holds_every_experiment_once_and_explains_a_wrong_name() -> None:
    names = [experiment.name for experiment in all_experiments()]
    assert len(names) == len(set(names))
    assert {"sustained-sequential-write", "small-write-matrix", "smart-inference"} <= set(names)
    assert find("small-write-matrix").name == "small-write-matrix"
    with pytest.raises(WrongUse, match="sustaned") as raised:
        find("sustaned")
    assert "smart-inference" in raised.value.accepted
