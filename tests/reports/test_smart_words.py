"""What is said of a drive: a middle value beside each interval, names instead of keys, numbers as people say them."""

from __future__ import annotations

import pytest

from flashscope.reports.smart.names import name_of
from flashscope.reports.smart.numbers import say_middle_of_bytes, say_middle_of_hours
from flashscope.reports.smart.sentences import sentences
from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.span import Span
from flashscope.smart.decoding.words import in_words
from tests.known import known
from tests.smart.readings import completed

TB = 10**12
YEAR = 8766.0


def told(reading: Reading) -> str:
    return " ".join(sentences(reading, clocks([(None, reading)])))


@pytest.mark.parametrize(
    ("span", "of", "said"),
    [
        (Span(3 * YEAR, 1 * YEAR, 7 * YEAR), "", "about 3 years (1 to 7)"),
        (Span(3 * YEAR, 1 * YEAR, 7 * YEAR), " of power-on time", "about 3 years of power-on time (1 to 7)"),
        (Span(100 * 24, 14.6 * 24, 1.64 * YEAR), "", "about 100 days (15 days to 1.6 years)"),
        (
            Span(600 * YEAR, 500 * YEAR, float("inf")),
            "",
            "more than 100 years (more than 100 years to no end can be seen)",
        ),
        (Span(600 * YEAR, 500 * YEAR, 700 * YEAR), "", "more than 100 years"),
    ],
)
def test_a_time_has_a_middle_value_beside_its_interval(span: Span, of: str, said: str) -> None:
    assert say_middle_of_hours(span, of) == said


def test_bytes_have_a_middle_value_too() -> None:
    assert say_middle_of_bytes(Span(120 * TB, 80 * TB, 200 * TB)) == "about 120 TB (80 to 200)"
    assert say_middle_of_bytes(Span(3.69 * TB, 538e9, 22.1 * TB)) == "about 3.69 TB (538 GB to 22.1 TB)"


def test_a_projection_is_said_with_its_middle() -> None:
    used = completed("nvme", endurance_used_percent=25, power_on_time_hours=int(3 * YEAR), host_written_bytes=30 * TB)
    assert "in about 9 years of power-on time (1.5 to 54), by the maker's percentage" in told(used)


def test_a_drive_that_is_new_is_not_given_days_to_live() -> None:
    new = completed("nvme", endurance_used_percent=2, power_on_time_hours=288, host_written_bytes=8 * TB)
    (clock,) = clocks([(None, new)])
    assert clock.remaining_time_hours is None
    assert any("too short a time" in doubt for doubt in clock.doubts)
    assert "days of" not in told(new)
    worn = completed("nvme", endurance_used_percent=30, power_on_time_hours=288, host_written_bytes=80 * TB)
    remaining_hours = known(clocks([(None, worn)])[0].remaining_time_hours)
    assert remaining_hours.value == pytest.approx(288 * 70 / 30, rel=0.01), "at the rate of its life until now"


def test_a_used_up_rating_is_said_although_another_clock_runs_on() -> None:
    worn = completed(
        "micron", life_used_percent=297, spare_left_percent=99.9, power_on_time_hours=46_876, host_written_bytes=TB
    )
    assert "What was promised is used up" in told(worn)
    assert "spare" not in told(worn)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"host_written_bytes": TB, "erase_count_average": 1820, "write_amplification": 121.0}, "121 times"),
        ({"uncorrectable_error_count": 1}, "1 read failed"),
        ({"uncorrectable_error_count": 3_032_437}, "3.03 million reads failed"),
        ({"link_crc_error_count": 2_494_580}, "2.49 million transfers were damaged"),
    ],
)
def test_numbers_are_words_and_never_exponents(values: dict[str, float], said: str) -> None:
    assert said in told(completed("some", **values))


def test_fields_have_names_and_not_keys() -> None:
    assert name_of("host_written_bytes_vendor").full == "Written by the host, by the maker's counter"
    assert name_of("endurance_used_percent_statistics").full.endswith("by the Device Statistics")
    assert in_words("host_read_bytes_vendor") == "what the host read by the maker's counter"
    assert in_words("some_new_thing_count") == "the some new thing"
    packed = completed("apple", erase_count_min=2485, erase_count_average=1274)
    (message,) = [one.message for one in packed.contradictions if one.kind == "EraseCountsOutOfOrder"]
    assert "the lowest erase count is 2\u202f485" in message
    assert "erase_count" not in message
