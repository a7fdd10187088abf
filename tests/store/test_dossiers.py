"""A dossier is kept with its newest record, under a checksum, and a damaged one costs no record."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from flashscope.store.damaged.inspection import inspect
from flashscope.store.damaged.repair import repair
from flashscope.store.dossiers import KeptDossier
from flashscope.store.store import Store
from tests.records.make_records import small_record

SAID = {"drive": "sim:onyx-32", "verdict": ["It is a drive."], "records": ["a"]}


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, str]:
    """A store with a record and its dossier."""
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        record_id = store.begin(small_record())
        store.keep_dossier(KeptDossier(record_id, "2026-01-01T00:00:00Z", SAID))
    return path, record_id


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)


def test_the_last_dossier_of_a_record_is_kept(kept: tuple[Path, str]) -> None:
    path, record_id = kept
    later = KeptDossier(record_id, "2026-01-02T00:00:00Z", {**SAID, "verdict": ["It is another one."]})
    with Store(path) as store:
        assert [one.document for one in store.dossiers()] == [SAID]
        store.keep_dossier(later)
        assert store.dossiers() == (later,)
    assert inspect(path).is_sound


def test_a_changed_dossier_is_named_and_not_shown(kept: tuple[Path, str]) -> None:
    path, record_id = kept
    change(path, "UPDATE dossiers SET document_json = '{}'")
    with Store(path) as store:
        assert store.dossiers() == ()
        assert set(store.damaged) == {record_id}
        assert store.load(record_id).id == record_id
    assert [damaged.record_id for damaged in inspect(path).damaged] == [record_id]


def test_a_dossier_that_is_no_json_is_found_even_without_a_checksum(kept: tuple[Path, str]) -> None:
    path, record_id = kept
    change(path, "UPDATE checksums SET layout = 0, head = 'none', steps = 'none', points = 'none'")
    change(path, "UPDATE dossiers SET document_json = '{'")
    assert [damaged.record_id for damaged in inspect(path).damaged] == [record_id]


def test_a_record_with_a_damaged_dossier_is_saved_without_it(kept: tuple[Path, str], tmp_path: Path) -> None:
    path, record_id = kept
    change(path, "UPDATE dossiers SET created_utc = 'never'")
    done = repair(path, tmp_path / "new.sqlite")
    assert done.saved == [record_id]
    assert done.unasked == [record_id]
    with Store(tmp_path / "new.sqlite") as store:
        assert store.dossiers() == ()
        assert store.load(record_id).id == record_id
    assert inspect(tmp_path / "new.sqlite").is_sound


def test_a_sound_dossier_is_saved_with_its_record(kept: tuple[Path, str], tmp_path: Path) -> None:
    repair(kept[0], tmp_path / "new.sqlite")
    with Store(tmp_path / "new.sqlite") as store:
        assert [one.document for one in store.dossiers()] == [SAID]
