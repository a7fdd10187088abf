"""`flashscope dossier`: a drive named by its address or by records, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.records import Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.store.store import Store
from tests.dossier.planted import examined, flash, number, on, real

ONYX = replace(flash("onyx-32"), address="sim:onyx-32")


def at(facts: DriveFacts, *records: Record) -> list[Record]:
    return [replace(record, drive=facts.address, drive_facts=facts) for record in records]


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """A store with a whole examination of one drive, and an older run on another."""
    path = tmp_path / "s.sqlite"
    other = at(real(), on(1, "misalignment", number("mapping_unit_bytes", 4096)))
    with Store(path) as store:
        for record in [*other, *at(ONYX, *(replace(each, created_utc="2026-01-05") for each in examined()))]:
            store.begin(record)
        store.begin(on(1, "jobs", facts=real()))
    return path


def call(store_path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["dossier", "--store", str(store_path), *arguments])


def test_a_drive_is_named_by_its_address_and_the_page_has_25_lines(store_path: Path) -> None:
    done = call(store_path, "sim:onyx-32")
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) <= 25
    assert done.stdout.startswith("PLANTED, a virtual solid-state drive of 32 GB, reads ")


def test_without_a_name_the_drive_that_was_used_last_is_meant(store_path: Path) -> None:
    assert call(store_path).stdout == call(store_path, "sim:onyx-32").stdout


def test_records_are_named_by_their_ids(store_path: Path) -> None:
    done = call(store_path, "01-write-buffer", "01-misalignment-2")
    assert done.exit_code == 0, done.output
    assert "Mapping unit" in done.stdout


def test_all_of_it_is_one_document_for_programs(store_path: Path) -> None:
    document = json.loads(call(store_path, "sim:onyx-32", "--json").stdout)["dossier"]
    unit = next(each for each in document["properties"] if each["property_key"] == "mapping_unit")
    assert (unit["value"], unit["text"], unit["confidence"]) == (16384, "16 KiB", "high")
    assert len(document["records"]) == len(examined())
    assert document["advice"]


def test_everything_is_said_on_request(store_path: Path) -> None:
    said = call(store_path, "sim:onyx-32", "--verbose").stdout
    assert "Advice\n- Align partitions to 16 KiB" in said
    assert "write-buffer  (done, record" in said


def test_what_was_said_is_kept_and_listed(store_path: Path) -> None:
    call(store_path, "sim:onyx-32")
    listed = CliRunner().invoke(main, ["list", "dossiers", "--store", str(store_path)]).stdout
    assert "sim:onyx-32  " in listed
    assert "PLANTED, a virtual solid-state drive" in listed
    document = json.loads(CliRunner().invoke(main, ["list", "dossiers", "--json", "--store", str(store_path)]).stdout)
    assert [each["dossier"]["drive"] for each in document["dossiers"]] == ["sim:onyx-32"]


def test_another_drive_that_had_the_address_before_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.begin(on(1, "misalignment", facts=real("S1")))
        store.begin(on(2, "small-write-matrix", facts=real("S2")))
    done = call(path, real().address)
    assert done.exit_code == 0, done.output
    assert "left out: 1 records of another drive" in done.stderr


def test_a_file_is_no_record(store_path: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text("<html></html>")
    done = call(store_path, str(report))
    assert done.exit_code == 2
    assert "is a file" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sim:nothing"], "has no examination of sim:nothing"),
        (["sim:onyx-32", "sim:other"], "2 drives were named"),
        (["01-misalignment", "01-write-buffer"], "the records are of 2 drives"),
        (["nothing"], "has no record 'nothing'"),
        (["01-jobs"], "tell nothing about the inside"),
    ],
)
def test_what_cannot_be_joined_is_wrong_use(store_path: Path, arguments: list[str], words: str) -> None:
    done = call(store_path, *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
