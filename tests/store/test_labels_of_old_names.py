"""A store of before steps had labels: every step gets those that the same step would be given today."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from flashscope.records import NO_LABELS, Labels
from flashscope.store.layout.labels_of_old_names import labels_of_old_name
from flashscope.store.layout.schema import MIGRATIONS, migrate
from flashscope.store.store import Store
from tests.records.make_records import small_record, small_step

NAMES = json.loads((Path(__file__).parent / "old_step_names.json").read_text())
"""Experiment -> name of a step -> its labels, as the experiments gave them when labels came."""

_VERSION_BEFORE_LABELS = 6


@pytest.mark.parametrize("experiment", NAMES)
def test_old_names_are_read_as_the_labels_that_the_steps_have_today(experiment: str) -> None:
    for name, labels in NAMES[experiment].items():
        assert labels_of_old_name(experiment, name) == Labels.from_record(labels), name


def test_a_name_that_nobody_looked_for_gets_no_labels() -> None:
    assert labels_of_old_name("small-write-matrix", "secure erase") == NO_LABELS
    assert labels_of_old_name("a job file of a person", "read 4 KiB pass 1") == NO_LABELS
    assert labels_of_old_name("three-states", "") == NO_LABELS


def _store_of_before(path: Path) -> None:
    """A store of the layout before labels, with one record of every experiment and all its steps."""
    with Store(path) as store:
        for experiment, names in NAMES.items():
            record = small_record()
            record.id, record.experiment = experiment, experiment
            for index, name in enumerate(names):
                step = small_step(index, rows=1)
                step.name = name
                record.steps.append(step)
            store.begin(record)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE steps DROP COLUMN labels_json")
        for table in ("checksums", "job_columns", "job_histograms", "examinations", "dossiers"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute(f"PRAGMA user_version = {_VERSION_BEFORE_LABELS}")
    connection.close()


def test_a_store_of_before_is_migrated_and_its_steps_are_found_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    _store_of_before(path)
    with Store(path) as store:
        for experiment, names in NAMES.items():
            kept = {step.name: step.labels for step in store.load(experiment).steps}
            assert kept == {name: Labels.from_record(labels) for name, labels in names.items()}
        assert store.load("small-write-matrix").step_with("cell", request_bytes=65536, aligned=False) is not None


def test_labels_that_are_there_already_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        record = small_record()
        record.experiment = "stutter"
        step = small_step(0)
        step.name, step.labels = "writes", Labels.of("something else")
        record.steps.append(step)
        store.begin(record)
    with sqlite3.connect(path) as connection:
        for table in ("checksums", "job_columns", "job_histograms", "examinations", "dossiers"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute(f"PRAGMA user_version = {_VERSION_BEFORE_LABELS + 1}")
        connection.commit()
        migrate(connection, path, MIGRATIONS)
    connection.close()
    with Store(path) as store:
        assert store.load("last").steps[0].labels == Labels.of("something else")
