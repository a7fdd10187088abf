"""A damaged store is told, never a fault: the damaged record is named and left out, the others can be used."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import zlib
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.records import Record, SmartSnapshot, Status, StepRecord, WorkloadResult
from flashscope.records.export import exported
from flashscope.reports.plotting import vega_lite
from flashscope.store.damage import DamagedRecord, suspected
from flashscope.store.damaged.inspection import inspect
from flashscope.store.damaged.repair import DOUBT, STEPS_LOST, repair
from flashscope.store.layout.layouts import NEWEST
from flashscope.store.store import Store
from tests.records.make_records import small_record, small_step
from tests.reports import planted

from .store_fuzzer import POINTS, Ended, prepared, run
from .test_old_stores import full_record, store_of_layout
from .test_store import assert_records_equal

_LAYOUT_BEFORE_CHECKSUMS = 9


def faults(ended: list[Ended]) -> str:
    return "\n".join(f"{one.seed}: {one.code}: {one.command}\n{one.said[-800:]}" for one in ended if one.is_fault)


def to_layout_before_checksums(path: Path) -> None:
    newest = path.with_name("newest.sqlite")
    path.rename(newest)
    store_of_layout(_LAYOUT_BEFORE_CHECKSUMS, newest, path)


def test_sixty_damaged_stores_end_in_words() -> None:
    first = random.randrange(10**6)
    assert faults(run(first, 45, reports=0.05)) == "", f"python -m tests.store.store_fuzzer {first} 45"


def test_damaged_stores_without_checksums_end_in_words() -> None:
    first = random.randrange(10**6)
    ended = run(first, 15, reports=0.2, layout_of=to_layout_before_checksums)
    assert faults(ended) == "", f"cases {first} to {first + 14} of a store without checksums"


@pytest.mark.long
@pytest.mark.parametrize("layout_of", [None, to_layout_before_checksums])
def test_ten_thousand_damaged_stores_end_in_words(layout_of: None) -> None:
    first = random.randrange(10**9)
    ended = run(first, 5000, reports=0.3, layout_of=layout_of)
    assert faults(ended) == "", f"python -m tests.store.store_fuzzer {first} 5000"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with two records: "good", and "bad", which has something in every table."""
    path = tmp_path / "s.sqlite"
    bad = full_record()
    bad.id = "bad"
    with Store(path) as store:
        store.begin(bad)
        store.begin(small_record("good", Status.DONE))
    return path


def change(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
    connection.execute("PRAGMA writable_schema = RESET")
    assert connection.execute(statement, values).rowcount == 1
    connection.close()


def without_checksums(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE checksums SET layout = 0, head = 'none', steps = 'none', points = 'none'")
    connection.close()


DAMAGE = {
    "UPDATE records SET versions_json = '{' WHERE id = 'bad'": "versions_json is no JSON",
    "UPDATE records SET configuration_json = '[]' WHERE id = 'bad'": "configuration_json holds list instead of dict",
    "UPDATE records SET note = CAST(x'ff80' AS TEXT) WHERE id = 'bad'": "records.note is not UTF-8",
    "UPDATE records SET status = 'dons' WHERE id = 'bad'": "'dons' is not a valid Status",
    "UPDATE records SET drive = NULL WHERE id = 'bad'": "records.drive is empty",
    "UPDATE records SET seed = 'seven' WHERE id = 'bad'": "invalid literal for int()",
    "UPDATE findings SET confidence_ratio = 'high' WHERE record_id = 'bad'": "holds str instead of float",
    "UPDATE findings SET low_json = '[1]' WHERE record_id = 'bad'": "low_json holds list instead of a number",
    "UPDATE doubts SET finding_position = 5 WHERE record_id = 'bad' AND finding_position = 0": "leads to 5",
    "UPDATE steps SET parameters_json = '{\"' WHERE record_id = 'bad' AND step_index = 1": "parameters_json is no JSON",
    "UPDATE steps SET step_index = 9 WHERE record_id = 'bad' AND step_index = 1": "which is not there",
    "UPDATE series_columns SET data = x'0102' WHERE record_id = 'bad' AND step_index = -1": "cannot be read",
    "UPDATE series_columns SET row_count = 2 WHERE record_id = 'bad' AND step_index = -1": "not as many",
    "UPDATE series_columns SET dtype = '|O' WHERE record_id = 'bad' AND step_index = -1": "holds no numbers",
    "UPDATE latency_histograms SET request_count = 1 WHERE record_id = 'bad'": "counts 5 requests instead of 1",
    "UPDATE smart_attributes SET raw = 7 WHERE record_id = 'bad'": "smart_attributes.raw holds int instead of bytes",
    "DELETE FROM checksums WHERE record_id = 'bad'": "its checksum is missing",
}


@pytest.mark.parametrize("statement", DAMAGE)
def test_damage_is_named_and_the_other_record_can_be_used(statement: str, place: Path) -> None:
    without_checksums(place)
    change(place, statement)
    with Store(place) as store:
        listed = [one.id for one in store.list()]
        with pytest.raises(DamagedRecord, match="the record bad") as told:
            store.load("bad")
        assert store.load("good").id == "good"
    assert DAMAGE[statement] in told.value.damage
    assert told.value.exit_code == 1
    assert "good" in listed
    assert [one.record_id for one in inspect(place).damaged] == ["bad"]


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("UPDATE records SET note = 'another' WHERE id = 'bad'", "head"),
        ("UPDATE findings SET value_json = '2.25' WHERE record_id = 'bad'", "head"),
        ("DELETE FROM findings WHERE record_id = 'bad'", "head"),
        ("UPDATE steps SET ended_ns = ended_ns + 1 WHERE record_id = 'bad' AND step_index = 1", "steps"),
        ("DELETE FROM smart_attributes WHERE record_id = 'bad'", "steps"),
        ("UPDATE series_columns SET data = ? WHERE record_id = 'bad' AND step_index = -1", "steps"),
        ("UPDATE points SET step_index = 1 WHERE record_id = 'bad'", "points"),
    ],
)
def test_a_change_that_can_be_read_is_found_by_the_checksum(statement: str, part: str, place: Path) -> None:
    with Store(place) as store, store._transaction(started=True) as connection:
        from flashscope.store.points import write_point

        write_point(connection, POINTS[0], "bad", 0)
    assert inspect(place).is_sound
    values = [zlib.compress(b"\1\0\0\0\0\0\0\0" * 3)] if "?" in statement else []
    change(place, statement, *values)
    (damaged,) = inspect(place).damaged
    assert damaged.damage == f"the checksum of its {part} does not fit what is kept"


def test_the_checksum_follows_every_change_that_flashscope_makes(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    record = small_record()
    with Store(path) as store:
        store.begin(record, point=POINTS[0])
        store.save_step(record.id, small_step(0), point=POINTS[1])
        store.save_step(record.id, small_step(0, rows=3))
        store.begin(small_record("another", Status.DONE), point=POINTS[0])  # takes the point over
    assert inspect(path).is_sound
    with Store(path) as store:  # whose process has ended: it is marked as interrupted
        assert store.load(record.id).status is Status.INTERRUPTED
        store.resume(record.id)
        record.status, record.inside = Status.DONE, full_record().inside
        store.finish(record)
    found = inspect(path)
    assert found.is_sound
    assert sorted(found.sound) == [record.id, "another"]
    assert found.without_checksum == 0


def test_a_record_without_its_head_is_named(place: Path) -> None:
    change(place, "DELETE FROM records WHERE id = 'bad'")
    with Store(place) as store:
        assert [one.id for one in store.list()] == ["good"]
        assert store.damaged["bad"].damage == "its head is missing"
        with pytest.raises(DamagedRecord, match="its head is missing"):
            store.load("bad")
        taken = small_record("bad")
        assert store.begin(taken) == "bad-2"


def test_records_of_older_stores_are_read_and_counted_as_without_a_checksum(place: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite"
    store_of_layout(_LAYOUT_BEFORE_CHECKSUMS, place, old)
    before = old.read_bytes()
    found = inspect(old)
    assert (found.is_sound, found.without_checksum, sorted(found.sound)) == (True, 2, ["bad", "good"])
    assert old.read_bytes() == before
    with Store(old) as store:
        assert not any(one.has_checksum for one in store.list())
        store.load("bad")
        assert store.without_checksum == {"bad"}
        store.begin(small_record("new", Status.DONE))
    assert inspect(old).without_checksum == 2


def test_a_damaged_point_is_named_and_not_used(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    prepared(path)
    identities = [point.identity for point in POINTS]
    with Store(path) as store:
        assert len(store.points(identities)) == 5
    change(path, "UPDATE steps SET parameters_json = '{}' WHERE record_id = '20261122-lives' AND step_index = 1")
    with Store(path) as store:
        assert set(store.points(identities)) == {POINTS[0].identity, POINTS[1].identity}
        assert list(store.damaged) == ["20261122-lives"]


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_list_names_the_damaged_record_beside_the_others(place: Path) -> None:
    change(place, "UPDATE records SET status = 'dons' WHERE id = 'bad'")
    told = call("list", "--store", place)
    assert told.exit_code == 0
    assert told.stdout.startswith("good ")
    assert "bad is damaged and left out" in told.stderr
    assert f"flashscope store repair {place} NEW" in told.stderr
    document = json.loads(call("list", "--json", "--store", place).stdout)
    assert [row["id"] for row in document["records"]] == ["good"]
    assert [row["id"] for row in document["damaged"]] == ["bad"]


def test_a_command_for_exactly_the_damaged_record_ends_with_exit_code_1(place: Path, tmp_path: Path) -> None:
    change(place, "UPDATE steps SET name = 'x' WHERE record_id = 'bad' AND step_index = 1")
    for command in (("report", "bad", "-o", tmp_path / "x.html"), ("compare", "good", "bad")):
        told = call(*command, "--store", place)
        assert told.exit_code == 1
        assert "the record bad of the store" in told.stderr
        assert "the checksum of its steps does not fit" in told.stderr
    assert not (tmp_path / "x.html").exists()


def test_check_repair_and_export_of_a_sound_store(place: Path, tmp_path: Path) -> None:
    checked = call("store", "check", place)
    assert (checked.exit_code, checked.stdout) == (0, f"{place}: 2 records sound, 0 damaged\n")
    assert json.loads(call("store", "check", place, "--json").stdout)["sound"] is True
    new = tmp_path / "below" / "new.sqlite"
    assert call("store", "repair", place, new).exit_code == 0
    with Store(place) as one, Store(new) as other:
        for name in ("bad", "good"):
            assert_records_equal(one.load(name), other.load(name))
    lines = call("store", "export", place).stdout.splitlines()
    documents = {document["id"]: document for document in map(json.loads, lines)}
    assert documents["bad"]["inside"] == {"erase_count": {"unit": "cycles", "values": [1, 2, 3]}}
    step = documents["bad"]["steps"][0]
    assert step["workload"]["latency"]["write"]["buckets"] == [[70, 71, 5]]
    assert step["workload"]["series"]["elapsed_ns"] == {"unit": "ns", "values": [0, 1, 2, 3, 4]}
    assert documents["bad"]["steps"][1]["smart"]["attributes"][0]["raw"] == "000102030405"


def test_nothing_of_a_record_is_missing_in_its_export() -> None:
    document = exported(full_record())
    places = [(Record, document), (StepRecord, document["steps"][0]), (SmartSnapshot, document["steps"][1]["smart"])]
    places.append((WorkloadResult, document["steps"][0]["workload"]))
    for kind, place in places:
        assert {field.name for field in fields(kind)} <= place.keys()


def test_export_writes_files_that_it_knows_again(place: Path, tmp_path: Path) -> None:
    out, folder = tmp_path / "out.jsonl", tmp_path / "each"
    for _ in range(2):
        assert call("store", "export", place, "-o", out).exit_code == 0
        assert call("store", "export", place, "--folder", folder, "--record", "bad").exit_code == 0
    assert len(out.read_text().splitlines()) == 2
    assert [path.name for path in folder.iterdir()] == ["bad.json"]
    out.write_text("mine")
    assert call("store", "export", place, "-o", out).exit_code == 2
    assert call("store", "export", place, "-o", place).exit_code == 2
    change(place, "UPDATE steps SET name = 'x' WHERE record_id = 'bad' AND step_index = 1")
    told = call("store", "export", place)
    assert told.exit_code == 1
    assert [json.loads(line)["id"] for line in told.stdout.splitlines()] == ["good"]


def test_repair_saves_what_fits_and_names_what_is_lost(place: Path, tmp_path: Path) -> None:
    change(place, "UPDATE records SET note = 'x' WHERE id = 'bad'")
    before, new = place.read_bytes(), tmp_path / "new.sqlite"
    told = call("store", "repair", place, new, "--json")
    document = json.loads(told.stdout)
    assert (told.exit_code, document["saved"]) == (1, ["good"])
    assert [lost["id"] for lost in document["lost"]] == ["bad"]
    assert place.read_bytes() == before
    assert inspect(new).sound == ["good"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    again = call("store", "repair", place, new)
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)


@pytest.fixture(scope="module")
def long_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of thirty records with some pages each."""
    path = tmp_path_factory.mktemp("long") / "s.sqlite"
    with Store(path) as store:
        for number in range(30):
            record = small_record(f"record-{number:02}", Status.DONE)
            record.steps = [small_step(index, rows=2000) for index in range(3)]
            store.begin(record)
    return path


def test_repair_saves_the_records_around_pages_that_sqlite_cannot_read(long_store: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    shutil.copyfile(long_store, path)
    with sqlite3.connect(path) as connection:
        pages = [row[0] for row in connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'series_columns' AND pagetype = 'leaf' ORDER BY pageno"
        )]  # fmt: skip
    connection.close()
    content = bytearray(path.read_bytes())
    start = (pages[len(pages) // 2] - 1) * 4096
    content[start : start + 4096] = bytes([0xA5]) * 4096
    path.write_bytes(content)
    found = inspect(path)
    assert found.faults
    done = repair(path, tmp_path / "new.sqlite")
    assert done.faults
    assert 20 <= len(done.saved) < 30
    assert len(done.saved) + len(done.lost) == 30
    assert inspect(tmp_path / "new.sqlite").sound == done.saved


def test_findings_are_saved_when_what_the_steps_measured_is_damaged(place: Path, tmp_path: Path) -> None:
    change(place, "DELETE FROM smart_attributes WHERE record_id = 'bad'")
    told = call("store", "repair", place, tmp_path / "new.sqlite")
    assert (told.exit_code, "saved in part: bad: its findings" in told.stdout) == (1, True)
    with Store(tmp_path / "new.sqlite") as store:
        saved = store.load("bad")
    assert (saved.steps, saved.findings) == ([], full_record().findings)
    assert saved.doubts[-1] == STEPS_LOST
    assert inspect(tmp_path / "new.sqlite").is_sound
    assert call("report", "bad", "--store", tmp_path / "new.sqlite", "-o", tmp_path / "x.html").exit_code == 0


def test_a_record_whose_checksum_alone_is_lost_is_saved_with_a_doubt(place: Path, tmp_path: Path) -> None:
    change(place, "DELETE FROM checksums WHERE record_id = 'bad'")
    done = repair(place, tmp_path / "new.sqlite")
    assert (sorted(done.saved), done.doubtful, done.lost) == (["bad", "good"], ["bad"], [])
    with Store(tmp_path / "new.sqlite") as store:
        assert store.load("bad").doubts[-1] == DOUBT


def test_a_record_whose_points_are_damaged_is_saved_without_them(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    prepared(path)
    change(path, "UPDATE points SET step_index = 2 WHERE identity = ?", POINTS[3].identity)
    done = repair(path, tmp_path / "new.sqlite")
    assert (len(done.saved), done.unasked) == (5, ["20261122-lives"])
    with Store(tmp_path / "new.sqlite") as store:
        assert set(store.points([point.identity for point in POINTS])) == {POINTS[0].identity, POINTS[1].identity}


def test_a_list_of_tables_that_is_no_text_is_told(place: Path, tmp_path: Path) -> None:
    content = place.read_bytes()
    place.write_bytes(content.replace(b"step_index INTEGER NOT NULL,\n", b'step_index INTEGER NOT NULL"\xc4'))
    assert place.read_bytes() != content
    told = call("list", "--store", place)
    assert (told.exit_code, "is damaged (its list of tables is no text any more)" in told.stderr) == (2, True)
    assert call("store", "check", place).exit_code == 1
    assert call("store", "repair", place, tmp_path / "new.sqlite").exit_code == 1


def test_a_store_that_is_locked_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flashscope.store.file.durable_sqlite.BUSY_TIMEOUT_S", 0.01)
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    told = call("list", "--store", place)
    other.close()
    assert (told.exit_code, "locked by another program" in told.stderr) == (2, True)


@pytest.mark.parametrize(
    "name", ["a#b.sqlite", "a;b?c=d&e%41.sqlite", "blank ", "two\nlines", "ünï", "'quote\".sqlite"]
)
def test_stores_have_any_name(name: str, tmp_path: Path, place: Path) -> None:
    path = tmp_path / name
    shutil.copyfile(place, path)
    assert call("list", "--store", path).exit_code == 0
    assert call("report", "bad", "--store", path, "-o", tmp_path / f"{name}.html").exit_code == 0
    assert call("store", "check", path).exit_code == 0
    assert call("store", "repair", path, f"{path}2").exit_code == 0
    assert call("store", "export", path, "-o", f"{path}.jsonl").exit_code == 0
    assert {f"{name}2", f"{name}.html", f"{name}.jsonl"} <= {one.name for one in tmp_path.iterdir()}


def test_names_that_move_a_cursor_stay_on_their_line_in_a_list_and_in_charts(tmp_path: Path) -> None:
    path, record = tmp_path / "s.sqlite", planted.falling(rows=100)
    record.drive, record.steps[0].name = "file:two\nlines\x1b[2J", "a\x01\x1bname"
    with Store(path) as store:
        store.begin(record)
    listed = call("list", "--store", path).stdout
    assert (listed.count("\n"), "file:two\\nlines\\x1b[2J" in listed) == (1, True)
    chart = {
        "mark": "text",
        "data": {"values": [{"x": 1, "y": record.steps[0].name}]},
        "encoding": {"text": {"field": "y"}},
    }
    assert "a\ufffd\ufffdname" in vega_lite.to_svg(chart)


@pytest.mark.parametrize("command", [("list", "--store"), ("store", "check"), ("store", "export"), ("store", "repair")])
def test_paths_that_the_system_does_not_take_are_wrong_use(command: tuple[str, ...], tmp_path: Path) -> None:
    more = [tmp_path / "new.sqlite"] if command[-1] == "repair" else []
    for path in ("n" * 300, "d/" * 3000 + "s", "a\udcff"):
        told = call(*command, path, *more)
        assert told.exit_code == 2, told.output
        assert "Traceback" not in told.output


def test_a_failure_is_laid_on_damage_only_where_no_checksum_could_show_it(tmp_path: Path) -> None:
    with pytest.raises(DamagedRecord, match="something in it does not fit together"), suspected(tmp_path, {"old"}):
        raise KeyError("rate")
    with pytest.raises(KeyError), suspected(tmp_path, set()):
        raise KeyError("rate")


def test_a_store_begun_now_has_the_newest_layout(place: Path) -> None:
    connection = sqlite3.connect(place)
    assert connection.execute("SELECT DISTINCT layout FROM checksums").fetchall() == [(NEWEST,)]
    connection.close()
