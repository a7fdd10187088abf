"""Several runs beside one store: a damaged one concerns its own drive alone, and is set aside without a loss."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.endurance.real.journal import Entry, read_journal, write_journal
from flashscope.endurance.real.runs import find_runs
from flashscope.endurance.real.setting_aside import set_aside
from flashscope.errors import WrongUse
from flashscope.records import Status

from .test_wear_run import smart_of
from .worn import PLAIN, Worn

PAUSING = replace(PLAIN, temperature_above_celsius=60.0)
HOT = ({"temperature": 300}, {"temperature": 300}, {"temperature": 350})


@pytest.fixture
def one(tmp_path: Path) -> Worn:
    return paused(tmp_path / "one", tmp_path / "records.sqlite")


@pytest.fixture
def other(one: Worn, tmp_path: Path) -> Worn:
    """Another drive of the same store."""
    return paused(tmp_path / "other", one.store_path)


def paused(folder: Path, store_path: Path) -> Worn:
    """A drive whose run is under way."""
    folder.mkdir()
    worn = Worn(folder)
    worn.store_path = store_path
    assert worn.begin(PAUSING, read_smart=smart_of(*HOT)).status is Status.INTERRUPTED
    return worn


def folder_of(worn: Worn) -> Path:
    (run,) = [run for run in find_runs(worn.store_path).known if run.identity["serial"] == str(worn.path)]
    return run.folder


def damage(journal: Path, at: int) -> None:
    whole = journal.read_bytes()
    journal.write_bytes(whole[:at] + b"\0\0\0" + whole[at + 3 :])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("at", [200, -200])
def test_a_damaged_journal_keeps_no_other_drive_of_the_store_from_going_on_or_beginning(
    one: Worn, other: Worn, tmp_path: Path, at: int
) -> None:
    size = (folder_of(one) / "journal").stat().st_size
    damage(folder_of(one) / "journal", at % size if at > 0 else size // 2)
    assert other.resume(read_smart=smart_of(*HOT[:2])).status is Status.DONE
    assert other.begin().status is Status.DONE
    (tmp_path / "third").mkdir()
    third = Worn(tmp_path / "third")
    third.store_path = one.store_path
    assert third.begin().status is Status.DONE


def test_the_drive_of_a_damaged_journal_is_told_how_to_set_it_aside_and_may_then_begin_anew(one: Worn) -> None:
    folder = folder_of(one)
    damage(folder / "journal", 200)
    before, drive = contents(folder), one.path.read_bytes()
    for attempt in (one.resume, one.begin):
        with pytest.raises(WrongUse, match=r"journal .* is damaged at byte") as told:
            attempt()
        assert f"flashscope endure --set-aside {folder.name}" in told.value.advice
    assert one.path.read_bytes() == drive
    done = set_aside(one.store_path, folder.name)
    assert done.now == folder.with_name(f"{folder.name}.set-aside")
    assert contents(done.now) == before, "nothing is lost"
    assert not folder.exists()
    assert str(one.path) in done.what[0]
    assert "damaged at byte" in done.what[1]
    with pytest.raises(WrongUse, match="holds no endurance run"):
        one.resume()
    assert one.begin().status is Status.DONE


def make_untold(worn: Worn) -> Path:
    """Its ledger as of before there was a file that says what the run is, with a damaged first entry."""
    folder = folder_of(worn)
    (folder / "begin").unlink(missing_ok=True)
    damage(folder / "journal", 100)
    return folder


def test_a_run_that_does_not_say_whose_it_is_keeps_its_own_drive_from_a_new_run_and_is_a_doubt_of_others(
    one: Worn, other: Worn, tmp_path: Path
) -> None:
    untold = make_untold(one)
    assert find_runs(one.store_path).untold == (untold,)
    before = one.path.read_bytes()
    with pytest.raises(WrongUse, match=f"may be the run {untold.name}"):
        one.begin()
    with pytest.raises(WrongUse, match=f"is not known which drive these runs are of.*{untold.name}"):
        one.resume()
    assert one.path.read_bytes() == before
    assert other.resume(read_smart=smart_of(*HOT[:2])).status is Status.DONE
    (tmp_path / "third").mkdir()
    third = Worn(tmp_path / "third")
    third.store_path = one.store_path
    record = third.begin()
    assert record.status is Status.DONE
    assert [doubt.message for doubt in record.doubts if doubt.kind == "RunUntold"] == [
        f"a run beside the store does not say which drive it is of: {untold.name}"
    ]
    set_aside(one.store_path, untold.name)
    assert one.begin().status is Status.DONE


def test_a_journal_that_is_gone_or_of_another_run_is_no_journal_of_this_one(one: Worn, other: Worn) -> None:
    journal = folder_of(one) / "journal"
    shutil.copy(folder_of(other) / "journal", journal)
    with pytest.raises(WrongUse, match="is of another run"):
        one.resume()
    journal.unlink()
    with pytest.raises(WrongUse, match="it is gone"):
        one.resume()
    with pytest.raises(WrongUse, match="it is gone"):
        one.begin()
    assert other.resume(read_smart=smart_of(*HOT[:2])).status is Status.DONE


def test_a_run_is_set_aside_by_the_beginning_of_its_name_as_often_as_needed_and_back_by_renaming(one: Worn) -> None:
    folder = folder_of(one)
    kept = contents(folder)
    first = set_aside(one.store_path, folder.name[:12])
    assert "whole" in first.what[1]
    shutil.copytree(first.now, folder)
    second = set_aside(one.store_path, folder.name)
    assert second.now.name == f"{folder.name}.set-aside-2"
    assert contents(first.now) == contents(second.now) == kept
    with pytest.raises(WrongUse, match="has no run"):
        set_aside(one.store_path, folder.name)
    first.now.rename(folder)
    assert one.resume(read_smart=smart_of(*HOT[:2])).status is Status.DONE


def test_a_run_at_work_is_not_set_aside(one: Worn) -> None:
    ledger = one.ledger()
    with pytest.raises(WrongUse, match="another process works"):
        set_aside(one.store_path, ledger.folder.name)
    ledger.close()
    assert folder_of(one) == ledger.folder


def test_the_file_that_says_what_a_run_is_may_be_damaged_as_long_as_the_journal_tells_it(one: Worn) -> None:
    folder = folder_of(one)
    damage(folder / "begin", 50)
    assert folder_of(one) == folder
    assert one.resume(read_smart=smart_of(*HOT[:2])).status is Status.DONE


def test_a_journal_whose_entries_end_before_the_first_is_whole_says_no_run(one: Worn) -> None:
    folder = folder_of(one)
    entries = read_journal(folder / "journal").entries
    write_journal(folder / "journal", [Entry({"event": {"filled": True}}), *entries])
    with pytest.raises(WrongUse, match="does not say what run it is of"):
        one.resume()
