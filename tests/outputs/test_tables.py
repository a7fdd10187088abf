"""A table goes into an SQLite file beside what is there: tables of others are never dropped."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from .conftest import Laboratory, refused


@pytest.fixture
def dumps(lab: Laboratory) -> Path:
    folder = lab.folder / "dumps"
    folder.mkdir()
    for seed in (1, 2):
        text = lab.call("smart", f"sim:onyx-32?seed={seed}", "--smartctl-json").output
        (folder / f"{seed}.json").write_text(text)
    return folder


def asked(path: Path, question: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        return database.execute(question).fetchall()


def told(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_somebody_elses_database_keeps_its_tables(lab: Laboratory, dumps: Path) -> None:
    path = lab.folder / "shop.db"
    told(path, "CREATE TABLE orders (a)", "INSERT INTO orders VALUES (7)", "PRAGMA application_id = 77")
    before = lab.seen()
    refused(lab.call("smart", "fleet", dumps, "--sqlite", path), "that flashscope made", "--force")
    assert lab.seen() == before
    for _ in range(2):
        done = lab.call("smart", "fleet", dumps, "--sqlite", path, "--force")
        assert done.exit_code == 0, done.output
        assert asked(path, "SELECT a FROM orders") == [(7,)]
        assert asked(path, "SELECT count(*) FROM drives") == [(2,)]
        assert asked(path, "PRAGMA application_id") == [(77,)]
    refused(lab.call("smart", "fleet", dumps, "--sqlite", path), "--force")


@pytest.mark.parametrize(
    "what", ["TABLE drives (a)", "TABLE Drives (a)", "VIEW drives AS SELECT 1", "INDEX drives ON b (a)"]
)
def test_what_has_the_tables_name_and_is_not_ours_is_not_dropped(lab: Laboratory, dumps: Path, what: str) -> None:
    path = lab.folder / "cars.db"
    told(path, "CREATE TABLE b (a)", f"CREATE {what}", "INSERT INTO b VALUES (3)")
    before = lab.seen()
    refused(lab.call("smart", "fleet", dumps, "--sqlite", path, "--force"), "that flashscope did not make")
    assert lab.seen() == before


def test_its_own_file_is_written_anew_and_what_others_put_into_it_stays(lab: Laboratory, dumps: Path) -> None:
    path = lab.folder / "fleet.sqlite"
    command = ("smart", "fleet", dumps, "--sqlite", path)
    assert lab.call(*command).exit_code == 0
    told(path, "CREATE TABLE notes (a)", "INSERT INTO notes VALUES ('mine')", "DELETE FROM drives")
    assert lab.call(*command).exit_code == 0
    assert asked(path, "SELECT a FROM notes") == [("mine",)]
    assert asked(path, "SELECT count(*) FROM drives") == [(2,)]
    told(path, "DROP TABLE drives", "CREATE TABLE drives (a)")
    refused(lab.call(*command), "that flashscope did not make")


def test_a_database_that_another_program_writes_to_is_waited_for_and_what_it_wrote_stays(
    lab: Laboratory, dumps: Path
) -> None:
    path = lab.folder / "busy.db"
    told(path, "PRAGMA journal_mode = WAL", "CREATE TABLE kept (a)")
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO kept VALUES (1)")
        other.commit()
        assert lab.call("smart", "fleet", dumps, "--sqlite", path, "--force").exit_code == 0
        other.execute("INSERT INTO kept VALUES (2)")
        other.commit()
    assert asked(path, "SELECT a FROM kept") == [(1,), (2,)]
    assert asked(path, "SELECT count(*) FROM drives") == [(2,)]


def test_a_file_that_is_no_database_is_replaced_only_with_force(lab: Laboratory, dumps: Path) -> None:
    path = lab.folder / "notes.txt"
    path.write_text("mine")
    before = lab.seen()
    refused(lab.call("smart", "fleet", dumps, "--sqlite", path), "--force")
    assert lab.seen() == before
    assert lab.call("smart", "fleet", dumps, "--sqlite", path, "--force").exit_code == 0
    assert asked(path, "SELECT count(*) FROM drives") == [(2,)]


def test_a_damaged_database_is_left_as_it_is(lab: Laboratory, dumps: Path) -> None:
    path = lab.folder / "damaged.db"
    told(path, "CREATE TABLE a (b)")
    path.write_bytes(path.read_bytes()[:1000] + b"x" * 5000)
    before = lab.seen()
    refused(lab.call("smart", "fleet", dumps, "--sqlite", path, "--force"), "no table can be written into")
    assert lab.seen() == before
