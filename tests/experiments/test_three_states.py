import pytest

from flashscope.experiments.three_states import FRESH, RANDOM, ZEROS, ThreeStates, _compresses
from flashscope.records import Status
from flashscope.records.abstention import why_untold
from flashscope.runner.effort import Effort
from flashscope.workloads.steps import SecureErase
from tests.experiments.planted import planted, run
from tests.experiments.toy import toy
from tests.findings import by_key
from tests.known import number

EXPERIMENT = ThreeStates()


def test_random_writing_tires_the_onyx_and_filling_does_not() -> None:
    findings = by_key(run(EXPERIMENT, planted()))
    assert number(findings["write_ratio_after_random_writes"].value) < 0.2
    assert findings["write_ratio_after_random_fill"].value == pytest.approx(1, abs=0.03)
    assert findings["fill_data_matters"].value == "no"
    states = ("fresh", "after_zero_fill", "after_random_fill", "after_random_writes")
    assert {f"{kind}_rate_{state}_bytes_per_second" for kind in ("read", "write") for state in states} < set(findings)


def test_on_a_drive_that_compresses_the_data_of_the_fill_matters() -> None:
    drive = planted(
        "thnsns-120",
        capacity__user_size=30_000_000_512 // 512 * 512,
        geometry__blocks_per_plane=500,
        capacity__reserved_block_count=10,
    )
    record = run(EXPERIMENT, drive)
    findings = by_key(record)
    assert number(findings["write_ratio_after_zero_fill"].value) > 0.95
    assert number(findings["write_ratio_after_random_fill"].value) < 0.9
    assert findings["fill_data_matters"].value == "yes"
    assert findings["fill_data_matters"].details["zero_over_random_fill"] > 1.1


def test_every_state_begins_with_a_secure_erase() -> None:
    steps = EXPERIMENT.steps(planted().facts)
    assert sum(isinstance(step, SecureErase) for step in steps) == 4


def test_a_block_device_that_cannot_be_erased_is_doubted() -> None:
    record = toy(1 << 30, kind="block device", stop_after="after secure erase: write").run(EXPERIMENT)
    assert "NotFresh" in {doubt.kind for finding in record.findings for doubt in finding.doubts}


def test_no_finding_speaks_of_a_secure_erase_that_was_not_done() -> None:
    record = toy(1 << 30, kind="block device", stop_after="after secure erase: write").run(EXPERIMENT)
    said = [finding.statement for finding in record.findings]
    assert not [each for each in said if "secure erase" in each]
    assert by_key(record)["write_rate_fresh_bytes_per_second"].statement.startswith("As it was found it writes")


def test_a_run_that_was_stopped_says_what_it_has() -> None:
    record = toy(1 << 30, stop_after="after secure erase: first state").run(EXPERIMENT)
    assert record.status is Status.INTERRUPTED
    assert record.findings[0].value is None


def test_nothing_is_written_when_nothing_may_be() -> None:
    assert EXPERIMENT.steps(planted().facts, Effort(read_only=True)) == []


def test_fills_that_took_as_long_are_no_evidence_of_compression() -> None:
    fast, slow = (200e6, 199e6, 201e6), (80e6, 79e6, 81e6)
    rates = {(FRESH, "write"): fast, (ZEROS, "write"): fast, (RANDOM, "write"): slow}
    (open_question,) = _compresses(rates, (), alike=True)
    assert open_question.value is None
    assert "both fills took as long" in why_untold(open_question)
    (found,) = _compresses(rates, (), alike=False)
    assert found.value == "yes"


def test_a_drive_that_is_slower_after_zeros_was_not_in_one_state() -> None:
    """A drive with a cache of its own flash may still be emptying it after one fill, and not after the other."""
    rates = {(ZEROS, "write"): (1.21e9, 1.19e9, 1.24e9), (RANDOM, "write"): (2.08e9, 2.07e9, 2.09e9)}
    (open_question,) = _compresses(rates, (), alike=True)
    assert open_question.value is None
    assert "no drive is slower for zeros" in why_untold(open_question)
