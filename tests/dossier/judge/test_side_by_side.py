"""Findings that cannot be true side by side: each rule objects where it should and is silent beside."""

from __future__ import annotations

from dataclasses import replace

from flashscope.dossier.judge.rules import (
    broken_runs,
    bursts_are_no_rates,
    compression,
    deeper_queues,
    freezes,
    latency_of_a_request,
    littles_law,
    no_fall,
    one_arm,
    one_load_one_rate,
    one_mapping_unit,
    one_write_buffer,
    reading_beside_writing,
    real_capacity,
    short_random_tests,
    waiting_helps,
)
from flashscope.records import Doubt, Histogram, Record, Status, StepKind, StepRecord, Table, WorkloadResult
from flashscope.records.latency import bucket_of
from tests.dossier.judge.planted import FLASH, WHOLE_BYTES, done, finding, objections, record, ruled

DOUBT = (Doubt("Ambiguous", "", ""),)
MIB = 1 << 20


def slowest(direction: str, longest_ns: int, depth: int = 1) -> StepRecord:
    """A finished step of 4 KiB requests whose slowest took so long."""
    histogram = Histogram({bucket_of(longest_ns): 1}, longest_ns, longest_ns, longest_ns)
    size = {"weighted": [[4096, 100.0]]}
    job = {"direction": direction, "queue_depth": depth, "read_sizes": size, "write_sizes": size}
    return done(
        StepKind.WORKLOAD, parameters={"jobs": [job]}, workload=WorkloadResult(1, Table(), {"write": histogram}, {})
    )


def test_of_two_mapping_units_the_doubted_one_is_withdrawn() -> None:
    sure = record("misalignment", finding("mapping_unit_bytes", 8192, low=8192, high=8192))
    unsure = record("small-write-matrix", finding("mapping_unit_bytes", 32768, low=4096, high=65536, doubts=DOUBT))
    (said,) = objections(one_mapping_unit.RULE, sure, unsure)
    assert (said.record_id, said.ruling.value, said.against) == (unsure.id, "withdrawn", (sure.id,))


def test_two_mapping_units_of_equal_weight_are_both_doubted() -> None:
    one, other = (record(name, finding("mapping_unit_bytes", size)) for name, size in (("a", 4096), ("b", 8192)))
    assert [each.ruling.value for each in objections(one_mapping_unit.RULE, one, other)] == ["doubted", "doubted"]
    assert ruled(one_mapping_unit.RULE, one, record("c", finding("mapping_unit_bytes", 4096))) == []


def test_buffers_of_different_sizes_are_not_both_believed() -> None:
    def buffer(name: str, size: int, high: int) -> Record:
        return record(name, finding("write_buffer_bytes", size, low=size - MIB, high=high))

    rule = one_write_buffer.RULE
    assert len(ruled(rule, buffer("a", 16 * MIB, 17 * MIB), buffer("b", 64 * MIB, 68 * MIB))) == 2
    assert ruled(rule, buffer("a", 16 * MIB, 17 * MIB), buffer("b", 32 * MIB, 90 * MIB))[0][1] == "withdrawn"
    assert ruled(rule, buffer("a", 16 * MIB, 17 * MIB), buffer("b", 17 * MIB, 18 * MIB)) == []


def test_a_drive_compresses_whichever_way_it_is_asked() -> None:
    direct = {word: record("compressibility", finding("compresses", word)) for word in ("yes", "no")}
    fill = {word: record("three-states", finding("fill_data_matters", word)) for word in ("yes", "no")}
    rule = compression.RULE
    assert ruled(rule, direct["yes"], fill["no"]) == [("fill_data_matters", "withdrawn")]
    assert ruled(rule, direct["no"], fill["yes"]) == [("compresses", "doubted"), ("fill_data_matters", "doubted")]
    assert ruled(rule, direct["yes"], fill["yes"]) == ruled(rule, direct["no"], fill["no"]) == []
    counted = record("smart", finding("flash_bytes_per_host_byte_zeros", 0.3, low=0.2, high=0.4))
    assert ruled(rule, direct["no"], counted) == [("compresses", "withdrawn")]
    assert ruled(rule, direct["yes"], counted) == []


def test_waiting_helps_when_one_experiment_saw_that_it_does() -> None:
    no = record("idle-recovery", finding("idle_collection_delay_ns", statement="Nothing; waiting does not help."))
    back = record("fill-and-recovery", finding("recovery_idle_ns", 60 * 10**9))
    nothing = record("fill-and-recovery", finding("recovery_idle_ns", 0))
    assert ruled(waiting_helps.RULE, no, back) == [("idle_collection_delay_ns", "withdrawn")]
    assert ruled(waiting_helps.RULE, no, nothing) == []
    kept, tired_out = (
        record("three-states", finding("write_ratio_after_random_writes", ratio)) for ratio in (1.0, 0.1)
    )
    assert ruled(waiting_helps.RULE, no, kept) == [("idle_collection_delay_ns", "withdrawn")]
    assert ruled(waiting_helps.RULE, no, tired_out) == []
    begins = record("idle-recovery", finding("idle_collection_delay_ns", 10**9))
    tired = record("fill", finding("recovery_idle_ns", statement="Pauses do not bring a full drive back."))
    assert ruled(waiting_helps.RULE, begins, tired) == [("recovery_idle_ns", "doubted")]
    assert ruled(waiting_helps.RULE, no, tired) == []


def test_a_rate_that_falls_in_one_experiment_does_not_stay_up_in_another() -> None:
    up = record("sustained", finding("rate_fall", statement="No fall: 70 GB were written."))
    unknown = record("sustained", finding("rate_fall", statement="It is not known whether the rate falls."))
    slow, fast = (record("fill", finding("collapse_ratio_seq_write", ratio)) for ratio in (0.5, 1.0))
    rule = no_fall.RULE
    assert {key for key, _ in ruled(rule, up, slow)} == {"rate_fall", "collapse_ratio_seq_write"}
    assert ruled(rule, unknown, slow) == ruled(rule, up, fast) == []
    fell = record("sustained", finding("rate_fall", 10**9), finding("rate_ratio", 0.6, low=0.5, high=0.7))
    assert ruled(rule, fell, fast) == [("collapse_ratio_seq_write", "doubted")]
    assert ruled(rule, fell, slow) == []


def test_reading_and_writing_hinder_each_other_or_not() -> None:
    copied = record("copy", finding("delay_ratio", 1.0, low=0.99, high=1.01))
    hinder = record("mixed", finding("interference_ratio_in_turn", 1.2, low=1.15, high=1.25))
    unclear = record("mixed", finding("interference_ratio_in_turn", 1.2, low=0.8, high=1.7))
    assert {key for key, _ in ruled(reading_beside_writing.RULE, copied, hinder)} == {
        "delay_ratio", "interference_ratio_in_turn",
    }  # fmt: skip
    assert ruled(reading_beside_writing.RULE, copied, unclear) == []
    at_once = record("at once", finding("interference_ratio", 0.8, low=0.7, high=0.9))
    assert len(ruled(reading_beside_writing.RULE, hinder, at_once)) == 2
    assert ruled(reading_beside_writing.RULE, copied, at_once) == []


def test_a_disk_serves_one_request_at_a_time() -> None:
    reads = finding("effective_parallelism_reads", 2.5, unit="requests")
    disk = replace(FLASH, capabilities=frozenset())
    assert ruled(one_arm.RULE, record("queue-depth", reads, facts=disk)) == [("effective_parallelism_reads", "doubted")]
    assert ruled(one_arm.RULE, record("queue-depth", reads)) == []


def test_the_longest_freeze_is_the_longest_of_all_experiments() -> None:
    watched = record(
        "stutter", finding("longest_freeze_mixed_ns", 14 * 10**6), finding("hitches_mixed_per_hour", 0, low=0, high=9)
    )
    (freeze, hitches) = objections(freezes.RULE, watched, record("iometer", steps=[slowest("randrw", 566 * 10**6)]))
    assert (freeze.key, hitches.key) == ("longest_freeze_mixed_ns", "hitches_mixed_per_hour")
    assert "iometer saw one of 566 ms in mixed reads and writes of 4 KiB, one at a time" in freeze.reason
    assert ruled(freezes.RULE, watched, record("iometer", steps=[slowest("randrw", 566 * 10**6, depth=16)])) == []
    assert ruled(freezes.RULE, watched, record("iometer", steps=[slowest("randwrite", 566 * 10**6)])) == []
    assert ruled(freezes.RULE, watched, record("iometer", steps=[slowest("randrw", 15 * 10**6)])) == []


def test_an_array_freezes_for_no_shorter_in_one_experiment_than_in_another() -> None:
    array = record("stripe-scaling", finding("stripe_longest_freeze_ns", 33_800))
    key = "longest_freeze_writes_ns"
    longer, alike = (record("stutter", finding(key, value)) for value in (1_590_000, 60_000))
    assert ruled(freezes.RULE, array, longer) == [("stripe_longest_freeze_ns", "doubted")]
    assert ruled(freezes.RULE, array, alike) == []


def test_reads_of_places_that_were_never_written_are_no_reads_of_data() -> None:
    empty = finding("access_time_read_4k_ns", 37_000, doubts=(Doubt("NotFilled", "", ""),))
    full = finding("access_time_read_4k_ns", 37_000)
    of_data = record("crystaldiskmark-3", finding("rand_read_4k", 30e6))
    rule = latency_of_a_request.RULE
    assert ruled(rule, record("as-ssd", empty), of_data) == [("access_time_read_4k_ns", "withdrawn")]
    assert ruled(rule, record("as-ssd", full), of_data) == []


def test_one_request_that_takes_two_times_is_doubted_in_both_experiments() -> None:
    quick, slow, alike = (
        record(name, finding("access_time_write_ns", value)) for name, value in (("a", 43e6), ("b", 118e6), ("c", 50e6))
    )
    assert len(ruled(latency_of_a_request.RULE, quick, slow)) == 2
    assert ruled(latency_of_a_request.RULE, quick, alike) == []


def test_a_deep_queue_brings_nothing_only_where_it_never_does() -> None:
    one = record("queue-depth", finding("effective_parallelism_writes", 1.0, low=1.0, high=1.02, unit="requests"))
    fast, same = (
        record("cdm", finding("rand_write_4k", 10e6), finding("rand_write_4k_qd32", deep)) for deep in (40e6, 11e6)
    )
    assert ruled(deeper_queues.RULE, one, fast) == [("effective_parallelism_writes", "doubted")]
    assert ruled(deeper_queues.RULE, one, same) == []


def test_fewer_units_than_requests_at_work_are_doubted() -> None:
    many, few = (
        record(
            "queue-depth",
            finding("parallel_unit_count", 4),
            finding("effective_parallelism_reads", reads, low=reads, high=reads),
        )
        for reads in (20.0, 5.0)
    )
    assert ruled(deeper_queues.RULE, many) == [("parallel_unit_count", "doubted")]
    assert ruled(deeper_queues.RULE, few) == []


def test_requests_per_second_times_the_time_of_each_are_those_asked_for() -> None:
    step = done(StepKind.WORKLOAD, name="pass", parameters={"jobs": [{"queue_depth": 1}]})

    def said(words: str) -> Record:
        return record("cdm", finding("rand_write_4k", 1e6, statement=words, evidence=("pass",)), steps=[step])

    rule, key = littles_law.RULE, "rand_write_4k"
    assert ruled(rule, said("Runs (2909 requests/s, 206 us each).")) == [(key, "doubted")]
    assert ruled(rule, said("Runs (29.1 thousand requests/s, 206 us each).")) == [(key, "withdrawn")]
    assert ruled(rule, said("Runs (4854 requests/s, 206 us each).")) == []
    assert ruled(rule, said("Runs.")) == []


def test_a_rate_that_no_long_write_reaches_is_that_of_a_buffer() -> None:
    long = record("sustained", finding("first_rate_bytes_per_second", 59e6))
    assert ruled(bursts_are_no_rates.RULE, long, record("atto", finding("write_rate_max", 171e6))) == [
        ("write_rate_max", "doubted")
    ]
    slowest = record("hd-tune", finding("seq_write_min", 231e6))
    assert ruled(bursts_are_no_rates.RULE, long, slowest) == [("seq_write_min", "doubted")]
    assert ruled(bursts_are_no_rates.RULE, long, record("cdm", finding("seq_write", 61e6))) == []
    assert ruled(bursts_are_no_rates.RULE, record("atto", finding("write_rate_max", 171e6))) == []


def test_one_load_that_two_programs_run_at_very_different_rates_is_doubted_in_both() -> None:
    fast, near, slow = (
        record(name, finding("seq_write", rate))
        for name, rate in (("crystaldiskmark-3", 138e6), ("as-ssd", 130e6), ("crystaldiskmark-5", 3e6))
    )
    assert len(ruled(one_load_one_rate.RULE, fast, slow)) == 2
    assert ruled(one_load_one_rate.RULE, fast, near) == []
    assert ruled(one_load_one_rate.RULE, fast, record("hd-tune", finding("seq_write", 3e6))) == [], "other requests"
    flushed = finding("seq_write", 3e6, doubts=(Doubt("Judge:littles-law", "", ""),))
    assert ruled(one_load_one_rate.RULE, fast, record("crystaldiskmark-5", flushed)) == []


def test_one_load_that_takes_two_programs_very_different_times_is_doubted_on_both_sides() -> None:
    short, long = (
        record(name, finding("access_time_read_ns", value, unit="ns"))
        for name, value in (("hd-tune", 15e6), ("as-ssd", 31e6))
    )
    assert len(ruled(one_load_one_rate.RULE, short, long)) == 2
    near = record("as-ssd", finding("access_time_read_ns", 20e6, unit="ns"))
    assert ruled(one_load_one_rate.RULE, short, near) == []


def test_random_writes_that_cost_much_do_not_keep_their_rate_for_long() -> None:
    kept = record("fill-and-recovery", finding("collapse_ratio_rand_write_4k", 1.0))
    dear, cheap = (
        record("smart-inference", finding("write_amplification_random", cost, low=cost, high=cost))
        for cost in (7.6, 1.1)
    )
    assert ruled(short_random_tests.RULE, kept, dear) == [("collapse_ratio_rand_write_4k", "doubted")]
    assert ruled(short_random_tests.RULE, kept, cheap) == []


def test_what_was_measured_over_a_whole_drive_needs_all_of_it() -> None:
    fake = record("capacity", finding("real_capacity_bytes", WHOLE_BYTES // 8))
    honest = record("capacity", finding("real_capacity_bytes", WHOLE_BYTES))
    whole = record("sustained-sequential-write", finding("settled_rate_bytes_per_second", 5e6))
    small = record("queue-depth", finding("parallel_unit_count", 4))
    assert ruled(real_capacity.RULE, fake, whole, small) == [("settled_rate_bytes_per_second", "doubted")]
    assert ruled(real_capacity.RULE, honest, whole, small) == []


def test_findings_of_broken_runs_are_doubted() -> None:
    said = finding("seq_write", 59e6, evidence=("write",))
    for status in (Status.FAILED, Status.INTERRUPTED):
        assert ruled(broken_runs.RULE, record("as-ssd", said, status=status)) == [("seq_write", "doubted")]
    assert ruled(broken_runs.RULE, record("as-ssd", said)) == []
    failing = done(StepKind.WORKLOAD, name="write", workload=WorkloadResult(1, Table(), {}, {"failed_requests": 3}))
    (objection,) = objections(broken_runs.RULE, record("as-ssd", said, steps=[failing]))
    assert objection.reason.startswith("3 requests")
