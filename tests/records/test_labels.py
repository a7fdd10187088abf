"""Labels of steps: equal ones are equal, they survive a record, and steps are found by them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.records import NO_LABELS, Finding, Labels, Record, Status, StepRecord
from flashscope.records.plain import from_json, plain, to_json
from tests.facts import virtual_facts
from tests.known import known

_names = st.text(st.characters(categories=["Ll"]), min_size=1, max_size=6).filter(
    lambda name: name not in ("role", "family", "self", "cls")
)
_values = st.text(max_size=6) | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False)


@given(st.text(max_size=5), st.text(max_size=5), st.dictionaries(_names, _values, max_size=4))
def test_labels_come_back_from_a_record_as_they_were(role: str, family: str, values: dict[str, str | int]) -> None:
    labels = Labels.of(role, family=family, **values)
    assert Labels.from_record(from_json(to_json(labels))) == labels
    assert labels.agrees(role, **values)


def test_no_labels_leave_nothing_in_the_record() -> None:
    assert plain(NO_LABELS) == {}
    assert Labels.from_record({}) == NO_LABELS


def test_the_order_in_which_labels_are_given_does_not_matter() -> None:
    assert Labels.of("cell", size=4096, grid=512) == Labels.of("cell", grid=512, size=4096)


def test_a_label_that_is_not_there_is_told_from_one_that_is_zero() -> None:
    labels = Labels.of("burst", number=0)
    assert labels.count("number") == 0
    assert not labels.agrees("burst", pause_s=0)
    with pytest.raises(KeyError):
        labels.number("pause_s")


def _record() -> Record:
    steps = [
        StepRecord(0, "the first burst", "workload", labels=Labels.of("burst", number=1)),
        StepRecord(1, "a pause", "idle"),
        StepRecord(2, "once more", "workload", labels=Labels.of("burst", number=2)),
    ]
    return Record("r", "e", "d", Status.DONE, "", 0, "", {}, {}, {}, "", virtual_facts(1 << 30), steps=steps)


def test_steps_are_found_by_role_and_labels_whatever_they_are_called() -> None:
    record = _record()
    assert [step.index for step in record.steps_with("burst")] == [0, 2]
    found = known(record.step_with("burst", number=2))
    assert found.index == 2
    assert record.step_with("burst", number=3) is None
    assert record.step_with("gap") is None


def test_the_evidence_of_a_finding_is_its_steps_in_the_order_of_the_run() -> None:
    finding = Finding("key", "It is so.", 1, "", evidence=("once more", "the first burst", "a step of another run"))
    assert [step.index for step in _record().evidence_of(finding)] == [0, 2]
