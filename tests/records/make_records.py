"""Hypothesis strategies for whole records, and one small record by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from flashscope.records import (
    Column,
    Doubt,
    Finding,
    Histogram,
    Labels,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepRecord,
    Table,
    WorkloadResult,
)
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import AgedFacts, DeviceFacts, DriveFacts, FilePlace, SeenPart, VirtualFacts
from flashscope.records.time_cost import TimeCost
from tests.facts import virtual_facts

_text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
_ns = st.integers(0, 2**62)
_number = st.integers(-(2**80), 2**80) | st.floats(allow_nan=False)
_plain = st.recursive(
    st.none() | st.booleans() | _number | _text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_text, inner, max_size=3),
    max_leaves=6,
)
_plain_dict = st.dictionaries(_text, _plain, max_size=3)
_dtypes = st.sampled_from(["<i8", "<u4", "<f8", "|u1", "|b1", "<f4"])


@st.composite
def tables(draw: st.DrawFn, *, least_columns: int = 0) -> Table:
    rows = draw(st.integers(0, 5))
    names = draw(st.lists(_text, unique=True, min_size=least_columns, max_size=3))
    values = st.lists(st.integers(0, 1), min_size=rows, max_size=rows)
    big = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=rows, max_size=rows)
    columns = {}
    for name in names:
        dtype = draw(_dtypes)
        columns[name] = Column(draw(_text), np.array(draw(big if dtype == "<i8" else values), dtype=dtype))
    return Table(columns)


_histograms = st.builds(
    Histogram, st.dictionaries(st.integers(0, 4000), st.integers(1, 2**40), max_size=5), st.integers(0, 2**90), _ns, _ns
)
_workloads = st.builds(
    WorkloadResult,
    _ns,
    tables(),
    st.dictionaries(st.sampled_from(["read", "write", "trim"]), _histograms),
    st.dictionaries(_text, st.integers(0, 2**70), max_size=4),
)
_labels = st.builds(
    lambda role, number: Labels.of(role, family=f"{role}s", number=number), _text, st.integers(0, 9) | _text
)
_byte = st.integers(0, 255)
_attributes = st.builds(
    SmartAttribute, _byte, st.integers(0, 65535), _byte, _byte, st.binary(min_size=6, max_size=6), _text
)
_snapshots = st.builds(
    SmartSnapshot,
    _ns,
    _text,
    _text,
    _text,
    _ns,
    st.lists(_attributes, max_size=4).map(tuple),
    st.none() | st.integers(0, 15_000),
    st.dictionaries(_text, st.integers(0, 2**128 - 1), max_size=4),
)
_ended = st.sampled_from([status for status in Status if status is not Status.RUNNING])
_doubts = st.builds(Doubt, _text, _text, _text)
_findings = st.builds(
    Finding,
    key=_text,
    statement=_text,
    value=st.none() | _number | _text,
    unit=_text,
    low=st.none() | st.floats(allow_nan=False),
    high=st.none() | st.floats(allow_nan=False),
    confidence_ratio=st.floats(0, 1),
    evidence=st.lists(_text, max_size=3).map(tuple),
    doubts=st.lists(_doubts, max_size=2).map(tuple),
    details=_plain_dict,
)


@st.composite
def facts(draw: st.DrawFn) -> DriveFacts:
    """Facts of any drive: what applies to one alone is there or not."""
    words = st.builds(FilePlace, _text, _text, st.lists(_text, max_size=2).map(tuple), path=_text)
    aged = st.none() | st.builds(AgedFacts, st.floats(0, 1), _text, _ns, st.floats(0, 1))
    return DriveFacts(
        address=draw(_text),
        kind_name=draw(_text),
        model=draw(_text),
        firmware=draw(_text),
        serial=draw(_text),
        user_bytes=draw(_ns),
        time_cost=draw(st.sampled_from(TimeCost)),
        capabilities=draw(st.frozensets(st.sampled_from(Capability))),
        why_not=draw(st.dictionaries(st.sampled_from(Capability), _text, max_size=2)),
        never_written=draw(st.booleans()),
        warnings=draw(st.lists(_text, max_size=2).map(tuple)),
        doubts=draw(st.lists(_doubts, max_size=2).map(tuple)),
        partition=draw(st.none() | st.builds(SeenPart, _ns, _ns)),
        place=draw(st.none() | words),
        device=draw(st.none() | st.builds(DeviceFacts, _text, _ns, _text, st.booleans(), _text, _text)),
        virtual=draw(st.none() | st.builds(VirtualFacts, _text, _ns, _text, _text, aged)),
        members=draw(st.lists(_text, max_size=3).map(tuple)),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    kinds = draw(st.lists(st.sampled_from(["workload", "smart", "idle", "trim", "secure erase"]), max_size=4))
    steps = [
        StepRecord(
            index,
            f"step {index}",
            kind,
            draw(_ended),
            draw(_ns),
            draw(_ns),
            draw(_text),
            draw(_plain_dict),
            draw(st.none() | _workloads),
            draw(st.none() | _snapshots),
            labels=draw(_labels),
        )
        for index, kind in enumerate(kinds)
    ]
    return Record(
        id=draw(st.uuids()).hex,
        experiment=draw(_text),
        drive=draw(_text),
        status=draw(_ended),
        created_utc=draw(st.datetimes()).isoformat(),
        seed=draw(st.integers(0, 2**64 - 1)),
        command=draw(_text),
        versions=draw(st.dictionaries(_text, _text, max_size=3)),
        host=draw(_plain_dict),
        configuration=draw(_plain_dict),
        configuration_hash=draw(_text),
        drive_facts=draw(facts()),
        truth=draw(_plain_dict),
        inside=draw(st.none() | tables(least_columns=1)),
        steps=steps,
        findings=draw(st.lists(_findings, max_size=3)),
        doubts=draw(st.lists(_doubts, max_size=2)),
        note=draw(_text),
    )


def small_record(identifier: str = "20261121-040512-onyx-32-demo", status: Status = Status.RUNNING) -> Record:
    return Record(
        id=identifier,
        experiment="demo",
        drive="sim:onyx-32",
        status=status,
        created_utc="2026-11-21T04:05:12Z",
        seed=7,
        command="flashscope run",
        versions={},
        host={},
        configuration={},
        configuration_hash="",
        drive_facts=virtual_facts(1 << 30),
    )


def small_step(index: int, rows: int = 100) -> StepRecord:
    series = Table.of(elapsed_ns=("ns", range(rows)), written_bytes=("bytes", [4096] * rows))
    result = WorkloadResult(rows, series, {"write": Histogram({70: rows}, 70 * rows, 70, 70)}, {"written_bytes": rows})
    return StepRecord(index, f"step {index}", "workload", Status.DONE, workload=result)


def assert_tables_equal(left: Table | None, right: Table | None) -> None:
    assert (left is None) == (right is None)
    if left is None or right is None:
        return
    assert list(left.columns) == list(right.columns)
    for name, column in left.columns.items():
        other = right.columns[name]
        assert column.unit == other.unit
        assert column.values.dtype == other.values.dtype
        np.testing.assert_array_equal(column.values, other.values)
