"""Findings that cannot be true at all: each rule objects where it should and is silent beside."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.dossier.judge.rules import (
    above_the_link,
    larger_than_the_drive,
    more_at_once_than_asked,
    possible_numbers,
    scaling,
    states_that_were_made,
    worst_plateau,
    write_amplification,
)
from flashscope.records import Finding, StepKind
from tests.dossier.judge.planted import FLASH, WHOLE_BYTES, asked, done, finding, objections, record, ruled
from tests.facts import virtual_facts


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (finding("write_amplification_random", 8.1, low=0.0, high=9.54), "reaches 0"),
        (finding("drain_rate_bytes_per_second", 0.0, unit="bytes/s"), "reaches 0"),
        (finding("delay_ratio", 2.0, low=-0.4, high=4.4), "reaches below 0"),
        (finding("zero_rate_ratio", 2.0, low=2.5, high=3.0), "does not lie in its interval"),
        (finding("zero_rate_ratio", 2.0, low=1.5, high=float("inf")), "no end"),
    ],
)
def test_numbers_that_cannot_be_are_withdrawn(wrong: Finding, why: str) -> None:
    (said,) = objections(possible_numbers.RULE, record("toy", wrong))
    assert said.ruling.value == "withdrawn"
    assert why in said.reason


@pytest.mark.parametrize(
    "right",
    [
        finding("parallel_gain_ratio", -0.2),
        finding("rber", 0.0, low=0.0, high=1e-9),
        finding("rate_fall"),
        finding("figures_follow", "state"),
        finding("delay_ratio", 2.0, low=1.9, high=2.1),
    ],
)
def test_a_difference_may_be_negative_and_an_open_question_is_no_fault(right: Finding) -> None:
    assert objections(possible_numbers.RULE, record("toy", right)) == []


def test_less_than_all_reaches_the_flash_only_when_the_drive_compresses() -> None:
    low = record("smart-inference", finding("write_amplification_random", 0.8, low=0.7, high=0.9))
    near = record("smart-inference", finding("write_amplification_random", 1.0, low=0.9, high=1.1))
    rule = write_amplification.RULE
    assert ruled(rule, low) == [("write_amplification_random", "withdrawn")]
    assert ruled(rule, near) == [("write_amplification_random", "doubted")]
    assert ruled(rule, low, record("compressibility", finding("compresses", "yes"))) == []


def test_nothing_on_a_drive_is_larger_than_the_drive() -> None:
    rule = larger_than_the_drive.RULE
    assert ruled(rule, record("write-buffer", finding("write_buffer_bytes", 2 * WHOLE_BYTES))) == [
        ("write_buffer_bytes", "withdrawn")
    ]
    assert ruled(rule, record("write-buffer", finding("write_buffer_bytes", WHOLE_BYTES // 2))) == []


def test_a_drive_works_on_no_more_requests_than_it_was_given() -> None:
    rule, key = more_at_once_than_asked.RULE, "effective_parallelism_reads"
    many = finding(key, 54.1, unit="requests", statement="Works on 54.1 at once, reached at queue depth 4.")
    assert ruled(rule, record("queue-depth", many, steps=[asked(64)])) == [(key, "withdrawn")]
    assert ruled(rule, record("queue-depth", replace(many, statement=""), steps=[asked(32)])) == [(key, "withdrawn")]
    assert ruled(rule, record("queue-depth", replace(many, statement=""), steps=[asked(64)])) == []


def test_four_drives_are_at_most_four_times_as_fast() -> None:
    array = replace(virtual_facts(WHOLE_BYTES), members=("a", "b", "c", "d"))
    key = "useful_member_count_write_64_mib"
    said = [finding(key, 4, statement=f"Every drive helps: {gain} times the rate of one.") for gain in (4.97, 3.97)]
    assert ruled(scaling.RULE, record("stripe-scaling", said[0], facts=array)) == [(key, "withdrawn")]
    assert ruled(scaling.RULE, record("stripe-scaling", said[1], facts=array)) == []


def test_no_rate_is_above_the_link() -> None:
    rule, fast = above_the_link.RULE, finding("seq_read", 450e6, unit="bytes/s")
    slow_link = {"part": {"link": {"bytes_per_second": 300_000_000}}}
    both_ways = {"part": {"link": {"bytes_per_second": 300_000_000, "full_duplex": True}}}
    assert ruled(rule, record("as-ssd", fast, configuration=slow_link)) == [("seq_read", "withdrawn")]
    assert ruled(rule, record("as-ssd", fast, configuration=both_ways)) == []
    assert ruled(rule, record("as-ssd", fast)) == [], "the link is not known"


def test_what_is_called_the_link_is_as_fast_as_any_read() -> None:
    burst = record("hd-tune", finding("burst_rate", 132e6, unit="bytes/s"))
    fast, slow = (record("as-ssd", finding("seq_read", rate, unit="bytes/s")) for rate in (257e6, 130e6))
    assert ruled(above_the_link.RULE, burst, fast) == [("burst_rate", "doubted")]
    assert ruled(above_the_link.RULE, burst, slow) == []


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (finding("write_rate_fresh", 5, statement="After secure erase it writes at 5."), StepKind.SECURE_ERASE),
        (finding("write_ratio", 0.1, statement="At 10 %; a secure erase restores it."), StepKind.SECURE_ERASE),
        (finding("trim_helps_after_ns", 10), StepKind.TRIM),
        (finding("idle_collection_delay_ns", 10), StepKind.IDLE),
    ],
)
def test_a_state_has_to_have_been_made(said: Finding, kind: StepKind) -> None:
    facts, rule = virtual_facts(WHOLE_BYTES), states_that_were_made.RULE
    assert ruled(rule, record("toy", said, facts=facts)) == [(said.key, "withdrawn")]
    assert ruled(rule, record("toy", said, facts=facts, steps=[done(kind)])) == []


def plateaus(*rates: float) -> dict[str, object]:
    return {
        "plateaus": [
            {"from_bytes": place * 10**9, "to_bytes": (place + 1) * 10**9, "rate_bytes_per_second": rate}
            for place, rate in enumerate(rates)
        ]
    }


def test_rates_that_leave_out_the_worst_plateau_are_doubted() -> None:
    ends = finding("settled_rate_bytes_per_second", 963e6)
    fell = finding("rate_fall", 10**9, details=plateaus(5e9, 40e6, 963e6))
    rose = finding("rate_fall", 10**9, details=plateaus(5e9, 2e9, 963e6))
    deeper = finding("rate_fall", 10**9, details=plateaus(5e9, 2e9, 963e6, 963e6))
    rule = worst_plateau.RULE
    assert ruled(rule, record("sustained", fell, ends)) == [("settled_rate_bytes_per_second", "doubted")]
    assert ruled(rule, record("sustained", rose, ends)) == [("rate_fall", "doubted")]
    assert ruled(rule, record("sustained", deeper, ends)) == [("rate_fall", "doubted")]
    even = finding("rate_fall", 10**9, details=plateaus(5e9, 963e6))
    assert ruled(rule, record("sustained", even, ends)) == []


def test_these_facts_are_of_a_drive_with_flash() -> None:
    assert FLASH.can_trim
    assert FLASH.can_secure_erase
