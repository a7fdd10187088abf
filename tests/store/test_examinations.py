"""What is left of an examination follows from its records, whatever happened to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.records import Record, Status
from flashscope.records.examination import Examination, identity_of
from flashscope.store.damaged.inspection import inspect
from flashscope.store.damaged.repair import repair
from flashscope.store.examinations import unfinished
from flashscope.store.store import Store
from tests.known import known
from tests.records.make_records import small_record

EXPERIMENTS = ("a", "b", "c")


def examination(began: str = "2026-11-21T04:05:12Z") -> Examination:
    facts = small_record().drive_facts
    effort = {"extent": "quick", "read_only": False}
    return Examination(
        began, identity_of(facts), effort, 2**64 - 1, False, "0.1.0+abc", EXPERIMENTS, {"b": effort}, ("2fills",)
    )


def part(name: str, status: Status, of: Examination | None = None) -> Record:
    """A record of that experiment, kept of that examination."""
    whole = of or examination()
    record = small_record(f"{whole.id}-{name}", status)
    return replace(record, experiment=name, created_utc=whole.id, examination=whole)


def kept(path: Path, *records: Record) -> Path:
    with Store(path) as store:
        for record in records:
            store.begin(record)
    return path


def test_what_was_asked_comes_back_with_each_record(tmp_path: Path) -> None:
    path = kept(tmp_path / "s.sqlite", part("a", Status.DONE), small_record("alone"))
    with Store(path) as store:
        assert store.load(f"{examination().id}-a").examination == examination()
        assert store.load("alone").examination is None


def test_what_is_done_is_left_out_and_all_else_is_left_to_do(tmp_path: Path) -> None:
    parts = part("a", Status.DONE), part("b", Status.INTERRUPTED)
    with Store(kept(tmp_path / "s.sqlite", *parts)) as store:
        found = known(unfinished(store.list(), "sim:onyx-32"))
    assert found.done == {"a": parts[0].id}
    assert found.left == ("b", "c")
    assert found.begun
    assert not found.running


def test_a_failed_experiment_is_left_to_do(tmp_path: Path) -> None:
    parts = [part("a", Status.FAILED), part("b", Status.DONE), part("c", Status.DONE)]
    with Store(kept(tmp_path / "s.sqlite", *parts)) as store:
        found = known(unfinished(store.list(), "sim:onyx-32"))
    assert found.left == ("a",)


def test_one_that_still_runs_is_named(tmp_path: Path) -> None:
    running = part("a", Status.RUNNING)
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(running)
        found = known(unfinished(store.list(), "sim:onyx-32"))
    assert found.running == (running.id,)


@pytest.mark.parametrize("address", ["sim:onyx-32", "sim:other"])
def test_nothing_is_unfinished_when_all_is_done_or_the_drive_is_another(address: str, tmp_path: Path) -> None:
    statuses = [Status.DONE, Status.DONE, Status.DONE if address == "sim:onyx-32" else Status.FAILED]
    path = kept(tmp_path / "s.sqlite", *map(part, EXPERIMENTS, statuses))
    with Store(path) as store:
        assert unfinished(store.list(), address) is None


def test_the_newest_examination_counts(tmp_path: Path) -> None:
    later = examination("2026-11-22T00:00:00Z")
    path = kept(tmp_path / "s.sqlite", part("a", Status.INTERRUPTED), *(part(x, Status.DONE, later) for x in "abc"))
    with Store(path) as store:
        assert unfinished(store.list(), "sim:onyx-32") is None


def test_a_changed_note_is_found_damaged_and_a_repaired_store_keeps_the_sound_ones(tmp_path: Path) -> None:
    import sqlite3

    first, second = part("a", Status.DONE), part("b", Status.DONE)
    path = kept(tmp_path / "s.sqlite", first, second)
    with sqlite3.connect(path) as connection:
        change = "UPDATE examinations SET asked_json = replace(asked_json, 'quick', 'full') WHERE record_id = ?"
        connection.execute(change, (first.id,))
    connection.close()
    found = inspect(path)
    assert [one.record_id for one in found.damaged] == [first.id]
    assert found.sound == [second.id]
    repaired = repair(path, tmp_path / "new.sqlite")
    assert repaired.saved == [second.id]
    with Store(tmp_path / "new.sqlite") as store:
        assert store.load(second.id).examination == second.examination
