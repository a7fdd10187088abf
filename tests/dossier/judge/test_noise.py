"""What is inferred from times is not told as certain when the machine or the drive did other work."""

from __future__ import annotations

from flashscope.dossier.judge.rules import noise, too_short
from flashscope.records import Doubt, StepKind, StepRecord, Table, WorkloadResult
from tests.dossier.judge.planted import done, finding, record, ruled
from tests.facts import device_facts

SAID = (
    finding("mapping_unit_bytes", 4096),
    finding("idle_collection_delay_ns", None, statement="Waiting does not help."),
    finding("seq_read", 5e8),
    finding("erase_count_attribute", 173),
)


def test_another_load_on_the_drive_withdraws_what_is_inferred_and_doubts_what_was_seen() -> None:
    shared = record("toy", *SAID, doubts=[Doubt("SharedDrive", "3 GB of 4 GB were of others", "")])
    assert ruled(noise.RULE, shared) == [
        ("mapping_unit_bytes", "withdrawn"),
        ("idle_collection_delay_ns", "withdrawn"),
        ("seq_read", "doubted"),
    ]


def test_a_busy_machine_doubts_all_that_rests_on_times() -> None:
    busy = record("toy", *SAID, doubts=[Doubt("BusyHost", "others used 90 % of the processors", "")])
    assert {ruling for _, ruling in ruled(noise.RULE, busy)} == {"doubted"}
    assert len(ruled(noise.RULE, busy)) == 3


def test_a_machine_that_stood_still_withdraws_freezes_and_doubts_rates() -> None:
    said = finding("longest_freeze_writes_ns", 4e9), finding("hitches_reads_per_hour", 360.0), finding("seq_read", 5e8)
    stalled = record("toy", *said, doubts=[Doubt("Stalled", "the machine stood still once, for up to 4 s", "")])
    assert ruled(noise.RULE, stalled) == [
        ("longest_freeze_writes_ns", "withdrawn"),
        ("hitches_reads_per_hour", "withdrawn"),
        ("seq_read", "doubted"),
    ]


def test_a_quiet_machine_is_not_mentioned() -> None:
    assert ruled(noise.RULE, record("toy", *SAID, doubts=[Doubt("TooShort", "", "")])) == []


def lasting(duration_ns: int) -> StepRecord:
    """A step named "pass" that lasted so long."""
    return done(StepKind.WORKLOAD, name="pass", workload=WorkloadResult(duration_ns, Table(), {}, {}))


def test_a_step_of_milliseconds_says_little_on_a_real_machine() -> None:
    said = finding("compresses", "yes", evidence=("pass",)), finding("seq_read", 5e8, evidence=("pass",))
    real = device_facts(1 << 30)
    short, long = (record("toy", *said, facts=real, steps=[lasting(each)]) for each in (4_000_000, 4_000_000_000))
    assert ruled(too_short.RULE, short) == [("compresses", "withdrawn"), ("seq_read", "doubted")]
    assert ruled(too_short.RULE, long) == []
    assert ruled(too_short.RULE, record("toy", *said, steps=[lasting(4_000_000)])) == [], "virtual time"
