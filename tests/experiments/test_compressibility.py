import pytest

from flashscope.experiments.compressibility import Compressibility
from flashscope.runner.effort import Effort
from flashscope.workloads.fio_text import to_fio_job_text
from flashscope.workloads.jobs_json import to_json
from tests.experiments.planted import found, planted, run

EXPERIMENT = Compressibility()


@pytest.mark.parametrize("units", [2, 4])
def test_a_drive_that_packs_units_is_found_to_compress(units):
    record = run(EXPERIMENT, planted("thnsns-120", compression__most_units_per_slot=units))
    findings = found(record)
    assert findings["compresses"].value == "yes"
    assert record.truth["compresses"] == "yes"
    assert (
        findings["flash_bytes_per_host_byte_zeros"].low <= 1 / units <= findings["flash_bytes_per_host_byte_zeros"].high
    )
    rates = [point["rate_bytes_per_second"] for point in findings["compresses"].details["curve"]]
    assert rates == sorted(rates) or max(rates) / rates[-1] < 1.01


def test_a_drive_that_only_notes_zeros_is_told_from_one_that_packs():
    drive = planted("thnsns-120", compression__most_units_per_slot=1, compression__zero_detection=True)
    finding = found(run(EXPERIMENT, drive))["compresses"]
    assert finding.value == "yes"
    assert "zeros as less" in finding.statement


@pytest.mark.parametrize("part", ["onyx-32", "x25m-80", "vertex-30", "k5-64"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_drive_without_compression_is_said_to_compress(part, seed):
    record = run(EXPERIMENT, planted(part, seed=seed), seed=seed)
    assert found(record)["compresses"].value == "no"


def test_a_run_that_was_stopped_after_one_kind_of_data_says_that_it_cannot_tell(toy):
    record = toy(1 << 30, kind="file", stop_after="0 % compressible").run(EXPERIMENT)
    assert record.findings[0].value is None


def test_nothing_is_written_when_nothing_may_be():
    assert EXPERIMENT.steps(planted().facts, Effort(read_only=True)) == []


def test_blocks_that_repeat_are_stored_like_any_others_by_a_virtual_drive():
    finding = found(run(EXPERIMENT, planted("thnsns-120", compression__most_units_per_slot=4)))["repeated_rate_ratio"]
    assert finding.low <= 1 <= finding.high or abs(finding.value - 1) < 0.01
    assert finding.details["stores_repeats_once"] == "no"


def test_equal_blocks_are_announced_to_fio_and_kept_from_the_core():
    (step,) = [step for step in EXPERIMENT.steps(planted().facts) if step.name == "repeated blocks"]
    assert "dedupe_percentage=100" in to_fio_job_text(step.jobs, filename="x", engine="libaio")
    assert "repeated_ratio" not in to_json(step.jobs)
