"""A property of a drive is found again in the store, of the same drive only."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.dossier.as_json import dossier_json
from flashscope.dossier.found_in_store import found_in_store
from flashscope.dossier.join import make_dossier
from flashscope.records.drive_facts import DriveFacts
from flashscope.store.dossiers import KeptDossier
from flashscope.store.store import Store
from tests.dossier.planted import examined, real
from tests.known import known

DRIVE = replace(real(), address="/dev/sdx", serial="S123", model="A DRIVE")


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """A store with an examination of a real drive, and the dossier that was made of it."""
    path = tmp_path / "s.sqlite"
    records = [replace(each, drive=DRIVE.address, drive_facts=DRIVE) for each in examined()]
    with Store(path) as store:
        for record in records:
            store.begin(record)
            store.finish(record)
        dossier = make_dossier(records)
        store.keep_dossier(KeptDossier(dossier.records[-1].id, "2026-02-03T00:00:00Z", dossier_json(dossier)))
    return path


def test_the_unit_of_the_same_drive_is_found_under_another_name(store_path: Path) -> None:
    found = known(found_in_store(store_path, replace(DRIVE, address="/dev/sdy"), "no_such_property", "mapping_unit"))
    assert (found.value, found.created_utc) == (16384, "2026-02-03T00:00:00Z")


@pytest.mark.parametrize(
    "other", [replace(DRIVE, serial="S124"), replace(DRIVE, user_bytes=DRIVE.user_bytes + 512), real()]
)
def test_that_of_another_drive_is_not(store_path: Path, other: DriveFacts) -> None:
    assert found_in_store(store_path, other, "mapping_unit") is None


def test_a_store_that_is_not_there_tells_nothing(tmp_path: Path) -> None:
    assert found_in_store(tmp_path / "none.sqlite", DRIVE, "mapping_unit") is None
    assert not (tmp_path / "none.sqlite").exists()


def test_a_property_that_was_not_measured_is_not_told(store_path: Path) -> None:
    assert found_in_store(store_path, DRIVE, "no_such_property") is None
