"""What was seen inside a drive survives the store whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from flashscope.records import Glass, HeatMap, StepRecord, Table
from flashscope.records.glass import REASON_UNKNOWN, say_reason
from flashscope.store.layout.schema import MIGRATIONS, migrate
from flashscope.store.store import Store
from tests.known import known
from tests.records.make_records import small_record


def glass(looks: int = 120, groups: int = 256) -> Glass:
    random = np.random.default_rng(1)
    values = random.random((looks, groups), dtype=np.float32)
    values[:, 3] = np.nan
    return Glass(
        Table.of(elapsed_ns=("ns", np.arange(looks) * 10**9), write_amplification=("ratio", random.random(looks))),
        {
            "valid_ratio": HeatMap("ratio", values, "group of blocks", 8192),
            "queue_length": HeatMap("count", random.integers(0, 9, (looks, 4)), "bank", 4),
        },
        Table.of(elapsed_ns=("ns", [1, 2]), reason=("code", [0, REASON_UNKNOWN])),
        slots_per_block=256,
    )


def test_glass_is_loaded_as_it_was_saved_and_stays_small(tmp_path: Path) -> None:
    saved = glass()
    record = small_record()
    record.steps = [StepRecord(0, "watched", "workload", glass=saved), StepRecord(1, "not watched", "workload")]
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.begin(record)
        store.save_step(record.id, record.steps[0])  # again: in place of the first, not beside it
        loaded = store.load(record.id)
    assert loaded.step("not watched").glass is None
    found = known(loaded.step("watched").glass)
    assert found.slots_per_block == 256
    for table, kept in ((saved.series, found.series), (saved.decisions, found.decisions)):
        assert list(kept.columns) == list(table.columns)
        for name, column in table.columns.items():
            assert kept.columns[name].unit == column.unit
            assert np.array_equal(kept[name], column.values)
    for name, heat_map in saved.heat_maps.items():
        again = found.heat_maps[name]
        assert (again.unit, again.place, again.places_covered) == (
            heat_map.unit,
            heat_map.place,
            heat_map.places_covered,
        )
        assert again.values.dtype == heat_map.values.dtype
        assert np.array_equal(again.values, heat_map.values, equal_nan=True)
    with sqlite3.connect(path) as connection:
        (size,) = connection.execute("SELECT sum(length(data)) FROM glass_columns").fetchone()
    connection.close()
    assert size < 1_000_000


def test_a_store_from_before_glass_is_opened_and_has_none(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, path, MIGRATIONS[:1])
    connection.close()
    with Store(path) as store:
        record = small_record()
        store.begin(record)
        assert all(step.glass is None for step in store.load(record.id).steps)


@pytest.mark.parametrize("code", [REASON_UNKNOWN, 0, 4, 99])
def test_every_reason_has_words(code: int) -> None:
    assert say_reason(code)
