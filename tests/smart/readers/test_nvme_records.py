"""Errors, self-tests, endurance groups and events of NVMe drives: text, JSON and raw pages give the same counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.verdict import COPY_NOW, WATCH, judge
from flashscope.smart.readers.nvme_records.recognise import record_of
from flashscope.smart.readers.read import read_dump, read_dumps
from tests.known import known
from tests.smart.readers.changed_bytes import CHANGES, Changes, with_changes

from .pages import hex_dump, nvme_page
from .record_texts import (
    ENDURANCE,
    ENDURANCE_JSON,
    ERRORS,
    ERRORS_JSON,
    EVENTS,
    EVENTS_JSON,
    OLD_ERRORS,
    SELF_TESTS,
    SELF_TESTS_JSON,
    SMARTCTL,
    SMARTCTL_JSON,
)  # fmt: skip
from .vendor_texts import HEALTH


def error_page() -> bytes:
    page = bytearray(4 * 64)
    for place, (count, status) in enumerate(((283, 0x281), (282, 0x2002), (281, 0x6))):
        page[64 * place : 64 * place + 8] = count.to_bytes(8, "little")
        page[64 * place + 12 : 64 * place + 14] = (status << 1 | 1).to_bytes(2, "little")
    return bytes(page)


def self_test_page() -> bytes:
    page = bytearray(564)
    for place, result in enumerate((7, 0, 1, *[15] * 17)):
        page[4 + 28 * place] = 0x20 | result
    return bytes(page)


def endurance_page() -> bytes:
    page = bytearray(512)
    page[3:6] = bytes((100, 10, 7))
    for at, value in ((32, 28030000), (48, 70211), (64, 61450), (80, 92113)):
        page[at : at + 16] = value.to_bytes(16, "little")
    return bytes(page)


def event_page(kinds: tuple[int, ...] = (4, 1, 5, 13)) -> bytes:
    page = bytearray(512)
    page[0] = 0x0D
    page[4:8] = len(kinds).to_bytes(4, "little")
    for kind in kinds:
        event = bytearray(24 + 10 * kind)
        event[0], event[2] = kind, 21
        event[22:24] = (10 * kind).to_bytes(2, "little")
        page += event
    return bytes(page)


def in_hex(page: bytes, log_id: int) -> str:
    return f"Device:nvme0 log-id:{log_id} namespace-id:0xffffffff\n{hex_dump(page)}"


_ERRORS = {"error_entry_count": 3, "error_of_medium_count": 1, "error_inside_count": 1}
_TESTS = {"self_test_count": 3, "self_test_failed_count": 1, "self_test_newest_failed": 1}
_GROUP = {"group_percent_used": 7, "group_avl_spare": 100, "group_media_units_written": 92113,
          "group_data_units_written": 61450, "group_critical_warning": 0,
          "group_endurance_estimate": 28030000}  # fmt: skip
_EVENTS = {"event_count": 4, "event_power_on_count": 1, "event_hardware_error_count": 1, "event_too_hot_count": 1}
TOLD: dict[str, tuple[str, dict[str, int]]] = {
    "errors": (ERRORS, _ERRORS),
    "errors as JSON": (json.dumps(ERRORS_JSON), _ERRORS),
    "errors, raw": (in_hex(error_page(), 1), _ERRORS),
    "errors of old versions": (OLD_ERRORS, {"error_entry_count": 2, "error_of_medium_count": 1}),
    "self-tests": (SELF_TESTS, _TESTS),
    "self-tests as JSON": (json.dumps(SELF_TESTS_JSON), _TESTS),
    "self-tests, raw": (in_hex(self_test_page(), 6), _TESTS),
    "endurance group": (ENDURANCE, _GROUP),
    "endurance group as JSON": (json.dumps(ENDURANCE_JSON), _GROUP),
    "endurance group, raw": (in_hex(endurance_page(), 9), _GROUP),
    "events": (EVENTS, _EVENTS),
    "events as JSON": (json.dumps(EVENTS_JSON), _EVENTS),
    "events, raw": (in_hex(event_page(), 13), _EVENTS),
    "smartctl": (SMARTCTL, {"error_entry_count": 2, "error_of_medium_count": 1, "self_test_failed_count": 1,
                            "self_test_newest_failed": 1, "self_test_count": 3}),
    "smartctl as JSON": (json.dumps(SMARTCTL_JSON), {"error_entry_count": 2, "error_of_medium_count": 1,
                                                     "self_test_newest_failed": 1}),
}  # fmt: skip


@pytest.mark.parametrize("form", TOLD)
def test_every_form_gives_the_same_counts(form: str) -> None:
    text, told = TOLD[form]
    dump = read_dump(text.encode(), "a dump")
    log = dump.vendor_logs["nvme_records"]
    assert {name: log.get(name) for name in told} == told
    assert dump.unread == ()
    assert dump.protocol == "NVMe"


def test_a_health_log_in_an_event_is_not_the_health_now() -> None:
    for text in (EVENTS, json.dumps(EVENTS_JSON)):
        dump = read_dump(text.encode(), "events")
        assert dict(dump.nvme_health) == {}
        assert read(dump).value("endurance_used_percent") is None


def test_logs_one_behind_another_are_all_read() -> None:
    dump = read_dump((HEALTH + ERRORS + SELF_TESTS + ENDURANCE).encode(), "four logs")
    assert dump.nvme_health["percent_used"] == 12
    reading = read(dump)
    assert reading.value("endurance_used_percent") == 12
    assert reading.value("nand_written_bytes") == 92113 * 10**9
    assert reading.value("error_log_medium_count") == 1
    assert reading.value("self_test_failed_count") == 1
    turned = read_dump((ERRORS + HEALTH).encode(), "two logs")
    assert turned.nvme_health["power_on_hours"] == 21044


def test_bytes_of_an_endurance_group_are_rounded_up_billions() -> None:
    field = read(read_dump(ENDURANCE.encode(), "a group")).fields["nand_written_bytes"]
    assert (field.low, field.value, field.high) == (92112 * 10**9, 92113 * 10**9, 92113 * 10**9)


def test_two_groups_are_joined_by_the_worst_share_and_the_sum_of_bytes() -> None:
    other = ENDURANCE.replace("ID:1", "ID:2").replace(": 7%", ": 31%").replace(": 100\n", ": 64\n")
    log = read_dump((ENDURANCE + other).encode(), "two groups").vendor_logs["nvme_records"]
    assert (log["group_percent_used"], log["group_avl_spare"], log["group_media_units_written"]) == (31, 64, 2 * 92113)


def test_a_failed_newest_self_test_is_watched_and_with_lost_data_it_is_urgent() -> None:
    dump = read_dump(SMARTCTL.encode(), "a dump")
    verdict = judge(read(dump), (), dump)
    assert verdict.level == WATCH
    assert any("self-test" in reason for reason in verdict.reasons)
    lost = read_dump(SMARTCTL.replace("Integrity Errors:    0", "Integrity Errors:    4").encode(), "a dump")
    assert judge(read(lost), (), lost).level == COPY_NOW
    passed = read_dump(
        SMARTCTL.replace("Completed: failed segments  ", "Completed without error     ").encode(), "a dump"
    )
    assert judge(read(passed), (), passed).level == "good"


def test_a_page_without_the_number_of_its_log_is_not_guessed() -> None:
    for page in (error_page() * 2, self_test_page()[:512], endurance_page()):
        try:
            dump = read_dump(page, "a page")
        except WrongUse:
            continue
        assert "nvme_records" not in dump.vendor_logs


def test_events_that_a_page_lacks_are_counted_as_missing() -> None:
    dump = read_dump(in_hex(event_page()[:700], 13).encode(), "events")
    assert any("missing" in remark for remark in dump.remarks)
    assert known(dump.vendor_logs["nvme_records"].get("event_count")) < 4


@pytest.mark.parametrize("form", TOLD)
def test_cut_at_any_line_a_count_is_never_larger(form: str) -> None:
    text, _ = TOLD[form]
    text = json.dumps(json.loads(text), indent=1) if text.startswith("{") else text
    whole = read_dump(text.encode(), "whole").vendor_logs["nvme_records"]
    for place in [index for index, sign in enumerate(text) if sign == "\n"]:
        try:
            part = read_dump(text[:place].encode(), "part").vendor_logs.get("nvme_records", {})
        except WrongUse:
            continue
        for name, value in part.items():
            assert value <= whole.get(name, 0), (name, text[:place][-60:])


@settings(max_examples=60, deadline=None)
@given(form=st.sampled_from(sorted(TOLD)), changes=CHANGES, encoding=st.sampled_from(["utf-8", "utf-16"]))
def test_changed_outputs_are_read_or_refused(form: str, changes: Changes, encoding: str) -> None:
    changed_output(form, changes, encoding)


@pytest.mark.long
@settings(max_examples=20_000, deadline=None)
@given(form=st.sampled_from(sorted(TOLD)), changes=CHANGES, encoding=st.sampled_from(["utf-8", "utf-16"]))
def test_20_000_changed_outputs_are_read_or_refused(form: str, changes: Changes, encoding: str) -> None:
    changed_output(form, changes, encoding)


def changed_output(form: str, changes: Changes, encoding: str) -> None:
    """Read an output of which bytes were replaced; counts are whole and not below 0."""
    try:
        dumps = read_dumps(with_changes(TOLD[form][0].encode(encoding), changes), "changed")
    except WrongUse:
        return
    for dump in dumps:
        reading = read(dump)
        judge(reading, (), dump)
        assert all(value >= 0 for value in dump.vendor_logs.get("nvme_records", {}).values())


_TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["error_count", "status_field", "table", "value", "self_test_result", "event_type",
                         "Self test result", "status_code", "status_code_type", "phase_tag"]), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip
_KEYS = st.sampled_from([*ERRORS_JSON, *SELF_TESTS_JSON, *ENDURANCE_JSON, *EVENTS_JSON, *SMARTCTL_JSON])


@settings(max_examples=100, deadline=None)
@given(parts=st.dictionaries(_KEYS, _TREE, max_size=5))
def test_documents_of_any_types_are_read_or_refused(parts: dict[str, object]) -> None:
    for base in (ERRORS_JSON, SELF_TESTS_JSON, ENDURANCE_JSON, EVENTS_JSON, SMARTCTL_JSON):
        try:
            read(read_dump(json.dumps(base | parts).encode(), "a document"))
        except WrongUse:
            continue


def group_page(capacity_bytes: int = 3_840_755_982_336) -> bytes:
    """An endurance group's log of NVMe 2.0, which has the capacity of the group."""
    page = bytearray(endurance_page())
    page[160:176] = capacity_bytes.to_bytes(16, "little")
    return bytes(page)


BARE = {"errors": (error_page(), _ERRORS), "self-tests": (self_test_page(), _TESTS),
        "endurance group": (group_page(), _GROUP), "events": (event_page(), _EVENTS)}  # fmt: skip


@pytest.mark.parametrize("form", BARE)
def test_a_bare_page_that_can_be_nothing_else_is_read(form: str) -> None:
    page, told = BARE[form]
    log = read_dump(page, "a bare page").vendor_logs["nvme_records"]
    assert {name: log.get(name) for name in told} == told


@pytest.mark.parametrize(
    "page",
    [
        error_page()[:64] + bytes(192),  # one entry proves nothing
        error_page().replace((282).to_bytes(8, "little"), (280).to_bytes(8, "little")),  # they do not fall by one
        self_test_page() + bytes(12),
        self_test_page().replace(b"\x2f", b"\x2b", 1),  # a result that is reserved
        event_page()[:-1],  # the last event is not whole
        event_page() + b"\1" + bytes(9),  # more than it says
        event_page((0x77, 1)),  # a kind that is not in the standard
        bytes(564),
        bytes(4096),
    ],
    ids=["one error", "numbers", "longer", "result", "cut", "more", "kind", "zeros of 564", "zeros of 4096"],
)
def test_a_bare_page_that_may_be_something_else_is_refused(page: bytes) -> None:
    with pytest.raises(WrongUse):
        read_dump(page, "a bare page")


def test_without_a_temperature_the_health_log_and_an_endurance_group_are_not_told_apart() -> None:
    """Before, an endurance group was read as the health log, its estimate as the data that were read."""
    with pytest.raises(WrongUse, match=r"02h.*09h"):
        read_dump(endurance_page(), "a bare page")
    health = nvme_page(avail_spare=100, spare_thresh=10, percent_used=7, data_units_read=5, data_units_written=6)
    with pytest.raises(WrongUse, match=r"02h.*09h"):
        read_dump(health, "a bare page")
    assert read_dump(in_hex(health, 2).encode(), "hex").nvme_health["data_units_written"] == 6
    warm = nvme_page(temperature=305, percent_used=7, data_units_read=5, data_units_written=6)
    assert read_dump(warm, "a bare page").nvme_health["data_units_read"] == 5


@settings(max_examples=200, deadline=None)
@given(form=st.sampled_from(sorted(BARE)), changes=CHANGES)
def test_changed_bare_pages_are_read_or_refused(form: str, changes: Changes) -> None:
    try:
        dump = read_dump(with_changes(BARE[form][0], changes), "changed")
    except WrongUse:
        return
    assert all(field.low <= field.high for field in read(dump).fields.values())


@settings(max_examples=300, deadline=None)
@given(page=st.binary(min_size=512, max_size=512) | st.binary(min_size=564, max_size=564))
def test_noise_is_no_record(page: bytes) -> None:
    assert record_of(page) is None
