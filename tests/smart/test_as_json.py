"""The JSON of a reading has the promised shape, in finite numbers only."""

from __future__ import annotations

import json

from flashscope.smart.decoding.as_json import reading_json
from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.reading import NO_SMART, Reading
from tests.smart.readings import completed, dump


def test_it_has_the_shape_that_other_programs_rely_on() -> None:
    reading = completed(erase_count_average=3799, rated_pe_cycles=10_000, reported_life_percent=63)
    document = reading_json(reading, clocks([(None, reading)]), dump())
    assert list(document)[:6] == ["family", "is_flash", "confidence", "fields", "contradictions", "clocks"]
    assert document["fields"]["erase_count_average"] == {
        "value": 3799,
        "unit": "cycles",
        "low": 3799,
        "high": 3799,
        "provenance": "verified",
        "raw": 3799,
        "origin": "attribute 200",
        "meaning": "what erase_count_average means",
    }
    assert document["fields"]["remaining_life_ratio"]["raw"] is None
    assert {"key", "used_ratio", "remaining_time_hours", "rating_reached"} <= document["clocks"][0].keys()
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_infinite_ends_are_null() -> None:
    reading = completed("nvme", endurance_used_percent=255, host_written_bytes=1, nand_written_bytes=0)
    document = reading_json(reading, clocks([(None, reading)]), dump())
    (clock,) = document["clocks"]
    assert clock["used_ratio"]["high"] is None
    json.dumps(document, allow_nan=False)


def test_a_contradiction_is_plain() -> None:
    reading = completed(erase_count_average=11_047, rated_pe_cycles=10_000, reported_life_percent=100)
    (one,) = reading_json(reading, (), dump())["contradictions"]
    assert one["kind"] == "LifeDisagrees"
    assert one["believed"] == "remaining_life_ratio"


def test_an_empty_reading_is_whole_too() -> None:
    document = reading_json(Reading(NO_SMART, "", None), (), dump(remarks=("no permission",), unread=("???",)))
    assert document["fields"] == {}
    assert document["verdict"]["level"] == "unknown"
    assert document["remarks"] == ["no permission"]
    assert document["unread"] == ["???"]
