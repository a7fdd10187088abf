from __future__ import annotations

import numpy as np
import pytest

from flashscope.records import Doubt, Finding
from flashscope.records.abstention import could_not_tell, visible
from flashscope.records.bounds import at_least, at_most, between
from flashscope.reports.agreement import agrees, compare, interval
from flashscope.reports.numbers import bound, named, plain, say
from tests.known import known
from tests.reports import planted

THIN = "\u202f"


@pytest.mark.parametrize(
    ("value", "unit", "key", "text"),
    [
        (4096, "bytes", "", "4 KiB"),
        (130_000_000_000, "bytes", "", "130 GB"),
        (31e6, "bytes/s", "", "31 MB/s"),
        (61_000, "ns", "", "61 µs"),
        (0.71, "ratio", "rate_ratio", "71 %"),
        (8.03, "ratio", "write_amplification_random", "8.03 ×"),
        (173, "attribute id", "erase_count_attribute", "173 (0xAD)"),
        (np.float64(2e9), "bytes", "", "2 GB"),
        (None, "bytes", "", "not found"),
        (float("nan"), "bytes", "", "unknown"),
    ],
)
def test_numbers_are_said_as_people_say_them(value: float | None, unit: str, key: str, text: str) -> None:
    assert say(value, unit, key=key).text == text


def test_the_exact_value_stands_beside_the_said_one() -> None:
    said = say(129922760704, "bytes")
    assert said.exact == f"129{THIN}922{THIN}760{THIN}704 bytes (121 GiB)"
    assert said.raw == "129922760704"
    assert say(33.48468453188273, "ratio").raw == "33.48468453188273"


def test_thousands_are_set_apart_and_fractions_have_six_digits() -> None:
    assert [plain(5000), plain(59131535.4), plain(33.484684)] == [f"5{THIN}000", f"59{THIN}131{THIN}535", "33.4847"]


def test_a_number_is_never_parted_from_its_unit() -> None:
    assert bound("after 130 GB at 31 MB/s, 7 % of 3 runs") == "after 130\u00a0GB at 31\u00a0MB/s, 7\u00a0% of 3 runs"


def test_keys_lose_their_unit() -> None:
    keys = ["first_rate_bytes_per_second", "mapping_unit_bytes", "erase_step_host_bytes"]
    assert [named(key) for key in keys] == ["first rate", "mapping unit", "erase step host bytes"]


def finding(value: float | None, low: float | None = None, high: float | None = None) -> Finding:
    return Finding("rate_fall", "", value, "bytes", low, high)


def test_truth_agrees_when_it_lies_in_the_interval() -> None:
    assert agrees(finding(100, 95, 105), 105)
    assert not agrees(finding(100, 95, 105), 106)


def test_without_an_interval_numbers_agree_to_one_per_cent() -> None:
    assert agrees(finding(100), 101)
    assert not agrees(finding(100), 102)
    assert agrees(finding(None), None)


def test_a_finding_agrees_with_a_bound_that_it_or_a_part_of_its_interval_keeps_to() -> None:
    assert agrees(finding(100), at_most(100))
    assert agrees(finding(101), at_most(100)), "to 1 %"
    assert not agrees(finding(103), at_most(100))
    assert agrees(finding(103, 99, 107), at_most(100))
    assert not agrees(finding(103, 102, 107), between(90, 100))
    assert not agrees(finding(5), at_least(6))


def test_who_claims_nothing_is_neither_right_nor_wrong() -> None:
    open_question = Finding("x", "x", None, "bytes", details=could_not_tell("it was too short"))
    assert agrees(open_question, 16384) is None
    assert agrees(Finding("x", "x", None, "bytes"), at_most(5)) is None
    assert agrees(Finding("x", "x", None, "bytes"), 16384) is False, "nothing there is a claim"


def test_a_bound_is_said_in_words() -> None:
    said = Finding("seq_read", "x", 5e8, "bytes/s")
    record = planted.record("test", findings=[said], truth={"seq_read": at_most(3e8)})
    [row] = compare(record)
    assert (row.truth.text, row.verdict) == ("at most 300 MB/s", "no")


def test_what_was_not_found_disagrees_with_what_is_there() -> None:
    record = planted.falling(findings=[finding(None)], truth={"rate_fall": 5 * planted.GB})
    (row,) = compare(record)
    assert (row.agrees, row.verdict) == (False, "no, it was not found")


def test_an_interval_says_its_unit_once_where_both_ends_share_it() -> None:
    both = known(interval(finding(130e9, 128e9, 132e9)))
    assert both.text == "128 to 132 GB"
    across = known(interval(finding(1e9, 900e6, 1100e6)))
    assert across.text == "900 MB to 1.1 GB"


def test_none_of_those_that_would_have_been_seen_leaves_open_a_smaller_one() -> None:
    none = Finding("x", "x", None, "bytes", details=visible(least=1000, most=5000))
    assert agrees(none, 500) is None
    assert agrees(none, 6000) is None
    assert agrees(none, 2000) is False
    assert agrees(none, None) is True
    assert agrees(none, between(2000, 3000)) is False
    assert agrees(none, between(500, 3000)) is None


def test_what_the_judge_withdrew_claims_nothing_and_is_not_wrong() -> None:
    doubt = Doubt("Judge:TouchesTheImpossible", "its interval reaches 0", "")
    withdrawn = Finding("write_amplification_random", "Withdrawn.", None, "ratio", doubts=(doubt,))
    assert agrees(withdrawn, 8.2) is None
    (row,) = compare(planted.wearing(findings=[withdrawn], truth={withdrawn.key: 8.2}))
    assert row.verdict == "withdrawn"
