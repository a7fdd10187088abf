"""Several findings on one drive become one answer, and what speaks against it is kept."""

from __future__ import annotations

import pytest

from flashscope.dossier.answer import Confidence
from flashscope.dossier.join import make_dossier
from flashscope.dossier.known import Known
from flashscope.errors import WrongUse
from flashscope.records import Labels, Status, StepKind, StepRecord, Table, WorkloadResult
from tests.dossier.judge.planted import done
from tests.dossier.planted import GB, answer, flash, number, on, real
from tests.known import known

MATRIX, SHIFTED = "small-write-matrix", "misalignment"
UNIT = "mapping_unit_bytes"


def test_two_methods_that_agree_give_a_high_confidence_and_both_are_evidence() -> None:
    found = answer("mapping_unit", on(1, MATRIX, number(UNIT, 16384)), on(1, SHIFTED, number(UNIT, 16384)))
    assert (found.value, found.text, found.confidence) == (16384, "16 KiB", Confidence.HIGH)
    assert [(each.experiment, each.agrees) for each in found.evidence] == [(MATRIX, True), (SHIFTED, True)]


def test_one_method_with_a_wide_interval_is_not_trusted() -> None:
    found = answer("write_buffer", on(1, "write-buffer", number("write_buffer_bytes", 2**25, 2**24, 2**26)))
    assert found.confidence is Confidence.LOW


def test_numbers_that_contradict_each_other_are_both_said_with_low_confidence() -> None:
    found = answer("mapping_unit", on(1, MATRIX, number(UNIT, 16384)), on(1, SHIFTED, number(UNIT, 4096)))
    assert found.confidence is Confidence.LOW
    assert "But misalignment of 2026-01-01 says 4 KiB." in found.statement
    assert [each.agrees for each in found.evidence] == [True, False]


def test_words_that_contradict_each_other_leave_no_answer() -> None:
    yes, no = number("compresses", "yes"), number("compresses", "no")
    found = answer("compression", on(1, "compressibility", yes), on(9, "compressibility", no))
    assert found.value is None
    assert "contradict each other" in found.why_unknown


def test_intervals_that_meet_agree() -> None:
    depth, fresh = number("seq_read_1m_qd8", 100e6), number("read_rate_fresh_bytes_per_second", 115e6, 105e6, 120e6)
    found = answer("sequential_read", on(1, "crystaldiskmark-8", depth), on(1, "three-states", fresh))
    assert found.confidence is Confidence.HIGH


def test_rates_under_other_conditions_are_no_contradiction() -> None:
    deep, single = number("seq_read_1m_qd8", 500e6), number("seq_read", 100e6)
    found = answer("sequential_read", on(1, "crystaldiskmark-8", deep, single))
    assert found.confidence is Confidence.MEDIUM
    assert all(each.agrees for each in found.evidence)


def test_a_second_method_answers_the_doubt_that_a_run_was_short() -> None:
    short = number("seq_read_1m_qd8", 100e6, doubts=("TooFewSamples",))
    alone = answer("sequential_read", on(1, "crystaldiskmark-8", short))
    fresh = number("read_rate_fresh_bytes_per_second", 101e6)
    both = answer("sequential_read", on(1, "crystaldiskmark-8", short), on(1, "three-states", fresh))
    assert (alone.confidence, both.confidence) == (Confidence.LOW, Confidence.MEDIUM)


def test_the_newest_run_counts_and_a_change_since_is_said() -> None:
    old = on(1, "crystaldiskmark-8", number("seq_read_1m_qd8", 250e6), facts=real())
    new = on(9, "crystaldiskmark-8", number("seq_read_1m_qd8", 120e6), facts=real())
    found = answer("sequential_read", new, old)
    assert found.text == "120 MB/s"
    assert "It was 250 MB/s on 2026-01-01." in found.statement
    assert [doubt.kind for doubt in found.doubts] == ["Drift"]
    assert [each.record_id for each in found.evidence] == [new.id, old.id]


def test_what_cannot_change_must_be_the_same_on_all_days() -> None:
    found = answer("mapping_unit", on(1, MATRIX, number(UNIT, 4096)), on(9, MATRIX, number(UNIT, 16384)))
    assert (found.value, found.confidence) == (16384, Confidence.LOW)


def test_an_older_run_that_could_tell_answers_for_a_newer_one_that_could_not() -> None:
    told, abstained = on(1, MATRIX, number(UNIT, 8192)), on(9, MATRIX, number(UNIT, None))
    assert answer("mapping_unit", told, abstained).value == 8192


def test_nothing_found_is_an_answer_where_it_would_have_been_seen() -> None:
    seen = number("rate_fall", None, details={"detection_limit_ratio": 0.03})
    blind = number("rate_fall", None, details={"detection_limit_ratio": 1.0})
    assert answer("cache_size", on(1, "sustained-sequential-write", seen)).text == "no fall"
    assert answer("cache_size", on(1, "sustained-sequential-write", blind)).value is None


def test_what_comes_after_a_fall_is_not_asked_without_one() -> None:
    seen = number("rate_fall", None, details={"detection_limit_ratio": 0.03})
    assert make_dossier([on(1, "sustained-sequential-write", seen)]).answer("after_cache") is None


def test_the_reason_why_a_property_is_not_known_is_the_experiment_s_own() -> None:
    told = number(UNIT, None, statement="No unit is visible. More.")
    assert answer("mapping_unit", on(1, MATRIX, told)).why_unknown == "no unit is visible"


def test_an_experiment_that_was_left_out_says_why() -> None:
    found = answer("write_amplification", on(1, MATRIX, facts=real()))
    assert "smart-inference was left out: " in found.why_unknown
    assert "no SMART attributes" in found.why_unknown


def test_an_unfinished_run_is_said_and_not_trusted() -> None:
    stopped = on(1, MATRIX, number(UNIT, 4096, 4096, 4096), status=Status.INTERRUPTED)
    found = answer("mapping_unit", stopped)
    assert found.confidence is Confidence.LOW
    assert [doubt.kind for doubt in found.doubts] == ["Judge:broken-runs"]
    nothing = on(1, "stutter", status=Status.INTERRUPTED)
    assert "stutter was not finished" in answer("tail_latency", nothing).why_unknown


def test_the_worst_sustained_rate_is_the_lowest_of_all_long_writes() -> None:
    plateaus = [
        {"from_bytes": 0, "to_bytes": 9, "rate_bytes_per_second": 400e6, "low": 1, "high": 2},
        {"from_bytes": 9, "to_bytes": 99, "rate_bytes_per_second": 90e6, "low": 89e6, "high": 91e6},
    ]
    fall = number("rate_fall", 9, 8, 10, details={"plateaus": plateaus})
    states = number("write_rate_after_random_writes_bytes_per_second", 20e6, 19e6, 21e6)
    long = on(1, "sustained-sequential-write", fall)
    assert answer("worst_sustained_write", long).text == "90 MB/s"
    assert answer("after_cache", long).text == "90 MB/s"
    assert answer("worst_sustained_write", long, on(1, "three-states", states)).text == "20 MB/s"


def test_of_a_rate_that_falls_twice_both_falls_are_said_and_the_lower_rate_counts() -> None:
    rates = ((0, 3.5e9), (315 * GB, 2.1e9), (442 * GB, 963e6), (1027 * GB, 2.08e9))
    ends = [begin for begin, _ in rates[1:]] + [2246 * GB]
    plateaus = [
        {"from_bytes": begin, "to_bytes": end, "rate_bytes_per_second": rate, "low": rate, "high": rate}
        for (begin, rate), end in zip(rates, ends, strict=True)
    ]
    fall = number("rate_fall", 319 * GB, 302 * GB, 324 * GB, details={"plateaus": plateaus})
    found = answer("after_cache", on(1, "sustained-sequential-write", fall))
    assert found.text == "963 MB/s"
    assert found.statement == "After 319 GB of a long write it goes on at 2.1 GB/s, from 442 GB on at 963 MB/s."
    assert Known([found]).later_fall() == ("2.1 GB/s", "442 GB")


def test_the_longest_freeze_is_that_of_any_work_and_a_short_look_does_not_make_it_doubtful() -> None:
    writes = number("longest_freeze_writes_ns", 233e6, doubts=("NotTheWholeDrive",))
    mixed = number("longest_freeze_mixed_ns", 923e6, doubts=("NotTheWholeDrive", "TooShort"))
    found = answer("longest_freeze", on(1, "stutter", writes, mixed))
    assert found.text == "923 ms"
    assert found.statement == "The longest freeze was 923 ms, under mixed 4 KiB reads and writes."
    assert Known([found]).freeze_work() == "mixed 4 KiB reads and writes"
    assert found.confidence is Confidence.MEDIUM


def test_a_longer_freeze_in_another_experiment_makes_the_longest_one_doubtful() -> None:
    writes = number("longest_freeze_writes_ns", 1570, doubts=("Judge:freezes",))
    mixed = number("longest_freeze_mixed_ns", 389e3)
    found = answer("longest_freeze", on(1, "stutter", writes, mixed))
    assert (found.text, found.confidence) == ("389 us", Confidence.LOW)


def test_a_read_takes_as_long_as_one_of_data() -> None:
    empty = number("access_time_read_4k_ns", 1610, 1600, 1620, doubts=("NotFilled",))
    data = number("rand_read_4k", 94.9e6, 94.8e6, 94.9e6)
    found = answer("read_latency", on(1, "small-write-latency", empty), on(1, "crystaldiskmark-8", data))
    assert found.text == "43.2 us"


def test_what_a_part_merely_assumes_is_said_beside_the_number() -> None:
    buffer = number("write_buffer_bytes", 2**25, 2**25, 2**25)
    assert answer("write_buffer", on(1, "write-buffer", buffer, facts=flash("onyx-32"))).assumed == (
        "size 32 MiB: assumed"
    )
    assert answer("write_buffer", on(1, "write-buffer", buffer, facts=real())).assumed == ""
    stated = flash("onyx-32", address="sim:onyx-32?buffer.size=32MiB")
    assert answer("write_buffer", on(1, "write-buffer", buffer, facts=stated)).assumed == ""


def test_records_of_two_drives_are_refused_by_name() -> None:
    with pytest.raises(WrongUse, match=r"of 2 drives.*serial S1.*serial S2"):
        make_dossier([on(1, MATRIX, facts=real("S1")), on(2, MATRIX, facts=real("S2"))])


def test_no_records_are_refused() -> None:
    with pytest.raises(WrongUse, match="no records"):
        make_dossier([])


def test_a_real_drive_is_the_same_at_another_address() -> None:
    moved = real(address="/dev/sdz")
    dossier = make_dossier([on(1, MATRIX, facts=real()), on(2, SHIFTED, facts=moved)])
    assert len(dossier.records) == 2


def test_another_build_of_a_virtual_drive_is_set_apart() -> None:
    old = on(1, MATRIX, number(UNIT, 4096), versions={"flashscope": "0.9", "results": "b"})
    dossier = make_dossier([old, on(2, SHIFTED, number(UNIT, 16384))])
    assert [each.id for each in dossier.set_apart] == [old.id]
    found = known(dossier.answer("mapping_unit"))
    assert found.value == 16384
    assert found.confidence is not Confidence.LOW


def test_an_upper_bound_is_called_one() -> None:
    found = answer("spare_area", on(1, MATRIX, facts=flash(raw_bytes=36 * 10**9)))
    assert found.text == "up to 11.1 %"


def test_what_follows_from_an_experiment_is_unknown_for_the_reason_of_that_experiment() -> None:
    found = answer("random_write_long_64k", on(1, MATRIX))
    assert found.why_unknown == "idle-recovery was not run"


def test_the_rate_of_long_random_writing_is_that_of_the_requests_that_it_is_said_of() -> None:
    chunks = [_random_chunk(position, seconds) for position, seconds in enumerate((1, 1, 1, 2, 4, 4))]
    counting = on(1, "smart-inference", steps=chunks)
    resting = on(1, "idle-recovery", number("idle_collection_delay_ns", None, details={"tired_bytes_per_second": 7e6}))
    small, large = (answer(key, counting, resting) for key in ("random_write_long", "random_write_long_64k"))
    assert (small.value, large.value) == (0.25e6, 7e6), "4 KiB writes: the last third of the chunks"
    assert ("4 KiB" in small.statement, "64 KiB" in large.statement) == (True, True)
    assert answer("random_write_long", on(1, "smart-inference", steps=chunks[:2]), resting).value is None


def _random_chunk(position: int, seconds: int) -> StepRecord:
    """A chunk of a megabyte written at random."""
    workload = WorkloadResult(seconds * 10**9, Table(), {}, {"written_bytes": 10**6})
    return done(StepKind.WORKLOAD, index=position, labels=Labels.of("load", phase="random"), workload=workload)


def test_what_follows_from_finished_runs_is_trusted_beside_an_unfinished_one() -> None:
    plateaus = [{"from_bytes": 0, "to_bytes": 9, "rate_bytes_per_second": 40e6, "low": 39e6, "high": 41e6}]
    long = on(1, "sustained-sequential-write", number("rate_fall", None, details={"plateaus": plateaus}))
    found = answer("worst_sustained_write", long, on(2, "stutter", status=Status.INTERRUPTED))
    assert found.confidence is Confidence.HIGH


def test_a_file_is_not_doubted_for_being_a_file() -> None:
    rate = number("first_rate_bytes_per_second", 40e6, 39e6, 41e6, doubts=("NotTheBareDrive",))
    assert answer("sequential_write", on(1, "sustained-sequential-write", rate)).confidence is Confidence.HIGH
