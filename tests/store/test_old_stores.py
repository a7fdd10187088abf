"""A store of any earlier layout is read: what it could hold is there afterwards, to the last byte."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.records import (
    NO_LABELS,
    Doubt,
    Finding,
    Labels,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepKind,
    StepRecord,
    Table,
)
from flashscope.store.layout.schema import MIGRATIONS, migrate
from flashscope.store.store import Store
from tests.records.make_records import small_record, small_step

from .test_store import assert_records_equal

_LAYOUT_WITH_NVME = 4
_LAYOUT_WITH_LABELS = 7


def as_kept_by(layout: int, record: Record) -> Record:
    """The record without what that layout had no place for."""
    return replace(record, steps=[_step_as_kept_by(layout, step) for step in record.steps])


def _step_as_kept_by(layout: int, step: StepRecord) -> StepRecord:
    smart: SmartSnapshot | None = step.smart
    if smart is not None and layout < _LAYOUT_WITH_NVME:
        smart = replace(smart, rotation_rpm=None, nvme_health={})
    return replace(step, smart=smart, labels=NO_LABELS if layout < _LAYOUT_WITH_LABELS else step.labels)


def store_of_layout(layout: int, newest: Path, path: Path) -> None:
    """The rows of a store of today in the tables and columns of an earlier layout."""
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, path, MIGRATIONS[:layout])
    connection.execute("ATTACH ? AS newest", (str(newest),))
    for (table,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
        connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newest.{table}")
    connection.close()


def full_record() -> Record:
    """One that has something in every place that the first layout had, and in those of SMART and labels."""
    record = small_record(status=Status.DONE)
    attribute = SmartAttribute(5, 0x33, 100, 99, bytes(range(6)), "Reallocated_Sector_Ct")
    smart = SmartSnapshot(7, "smartctl", "a model", "1.6", 2**35, (attribute,), 7200, {"host_writes": 2**70})
    looked_at = StepRecord(1, "looked at", StepKind.SMART, Status.DONE, 100, 200, smart=smart, parameters={"a": [1, 2]})
    record.steps = [replace(small_step(0, rows=5), labels=Labels.of("burst", number=3)), looked_at]
    doubt = Doubt("NotSteady", "it still falls", "run longer")
    record.findings = [
        Finding("rate", "It runs.", 2.5, "ratio", 2.0, 3.0, 0.95, ("step 0",), (doubt,), {"b": {"c": 1}})
    ]
    record.doubts, record.truth, record.inside = [doubt], {"secret": 3}, Table.of(erase_count=("cycles", [1, 2, 3]))
    return replace(record, seed=2**64 - 1, note="ended as planned", host={"kernel": "6.1"}, versions={"python": "3.11"})


@pytest.mark.parametrize("layout", range(1, len(MIGRATIONS)))
def test_a_record_of_an_earlier_layout_is_read_whole(layout: int, tmp_path: Path) -> None:
    record, newest, old = full_record(), tmp_path / "newest.sqlite", tmp_path / "old.sqlite"
    with Store(newest) as store:
        store.begin(record)
    store_of_layout(layout, newest, old)
    with Store(old) as store:
        assert_records_equal(store.load(record.id), as_kept_by(layout, record))
        assert [one.id for one in store.list()] == [record.id]
