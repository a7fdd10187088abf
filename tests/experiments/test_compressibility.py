import pytest

from flashscope.experiments.compressibility import Compressibility, _flash, _on_a_fuller_drive, _Point
from flashscope.runner.effort import Effort
from flashscope.workloads.fio_text import to_fio_job_text
from flashscope.workloads.jobs_json import to_json
from tests.experiments.planted import planted, run
from tests.experiments.toy import toy
from tests.findings import by_key, holds
from tests.known import number
from tests.steps import jobs_of

EXPERIMENT = Compressibility()


@pytest.mark.parametrize("units", [2, 4])
def test_a_drive_that_packs_units_is_found_to_compress(units: int) -> None:
    record = run(EXPERIMENT, planted("thnsns-120", compression__most_units_per_slot=units))
    findings = by_key(record)
    assert findings["compresses"].value == "yes"
    assert record.truth["compresses"] == "yes"
    assert holds(findings["flash_bytes_per_host_byte_zeros"], 1 / units)
    rates = [point["rate_bytes_per_second"] for point in findings["compresses"].details["curve"]]
    assert rates == sorted(rates) or max(rates) / rates[-1] < 1.01


def test_a_drive_that_only_notes_zeros_is_told_from_one_that_packs() -> None:
    drive = planted("thnsns-120", compression__most_units_per_slot=1, compression__zero_detection=True)
    finding = by_key(run(EXPERIMENT, drive))["compresses"]
    assert finding.value == "yes"
    assert "zeros as less" in finding.statement


@pytest.mark.parametrize("part", ["onyx-32", "x25m-80", "vertex-30", "k5-64"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_drive_without_compression_is_said_to_compress(part: str, seed: int) -> None:
    record = run(EXPERIMENT, planted(part, seed=seed), seed=seed)
    assert by_key(record)["compresses"].value == "no"


def test_a_run_that_was_stopped_after_one_kind_of_data_says_that_it_cannot_tell() -> None:
    record = toy(1 << 30, kind="file", stop_after="0 % compressible").run(EXPERIMENT)
    assert record.findings[0].value is None


def test_nothing_is_written_when_nothing_may_be() -> None:
    assert EXPERIMENT.steps(planted().facts, Effort(read_only=True)) == []


def test_blocks_that_repeat_are_stored_like_any_others_by_a_virtual_drive() -> None:
    finding = by_key(run(EXPERIMENT, planted("thnsns-120", compression__most_units_per_slot=4)))["repeated_rate_ratio"]
    assert holds(finding, 1) or abs(number(finding.value) - 1) < 0.01
    assert finding.details["stores_repeats_once"] == "no"


def test_equal_blocks_are_announced_to_fio_and_kept_from_the_core() -> None:
    (step,) = [step for step in EXPERIMENT.steps(planted().facts) if step.name == "repeated blocks"]
    assert "dedupe_percentage=100" in to_fio_job_text(jobs_of(step), filename="x", engine="libaio")
    assert "repeated_ratio" not in to_json(jobs_of(step))


def test_data_that_was_written_last_and_slowest_met_a_fuller_drive() -> None:
    high, (doubt,) = _on_a_fuller_drive(0.93, ())
    assert (high, doubt.kind) == (1.0, "NotAlike")
    assert _on_a_fuller_drive(1.02, ()) == (1.02, ())


@pytest.mark.parametrize(("high", "told"), [(1.15, False), (0.8, True)])
def test_a_counter_that_none_and_all_would_fit_tells_nothing_of_zeros(high: float, told: bool) -> None:
    (finding,) = _flash([_Point("zeros", False, 1.0, (237e6, 236e6, 238e6), (0.573, 0.0, high))])
    assert (finding.value is not None) == told
    assert finding.statement.startswith("Of zeros 57.3 %" if told else "Could not tell how many bytes of zeros")
