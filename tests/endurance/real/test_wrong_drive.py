"""The wrong drive, the wrong store, a run that is over: clear words, and not a byte written."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.guard.consent import Consent
from flashscope.endurance.real.journal import Entry, write_journal
from flashscope.endurance.real.runs import KnownRun, Runs, run_of
from flashscope.endurance.real.settings import parse_budget, parse_distance, parse_until, parse_workloads
from flashscope.errors import WrongUse
from flashscope.records import Status
from tests.own_data import own_data

from .test_wear_run import smart_of
from .worn import MIB, PLAIN, Worn

COOL = {"temperature": 300}
PAUSING = replace(PLAIN, temperature_above_celsius=60.0)


@pytest.fixture
def paused(tmp_path: Path) -> Worn:
    worn = Worn(tmp_path)
    record = worn.begin(PAUSING, read_smart=smart_of(COOL, COOL, {"temperature": 350}))
    assert record.status is Status.INTERRUPTED
    return worn


def test_a_drive_of_another_size_under_the_same_name_is_refused(paused: Worn) -> None:
    other = own_data(13 * MIB)
    paused.path.write_bytes(other)
    with pytest.raises(WrongUse, match=r"is another drive .* user bytes 12582912 then, 13631488 now"):
        paused.resume()
    assert paused.path.read_bytes() == other


def test_a_drive_of_the_same_size_without_this_runs_data_is_refused(paused: Worn) -> None:
    other = own_data(12 * MIB)
    paused.path.write_bytes(other)
    with pytest.raises(WrongUse, match="does not hold this run's data"):
        paused.resume()
    assert paused.path.read_bytes() == other


def test_the_serial_number_tells_a_changed_drive(tmp_path: Path) -> None:
    was = {"kind": "block device", "serial": "A1", "model": "M", "user_bytes": 10, "name": "/dev/sda"}
    write_journal(tmp_path / "journal", [Entry({"begin": {"identity": was}})])
    run = KnownRun(tmp_path, {"identity": was})
    runs = Runs(Path("s"), (run,), ())
    assert run_of(runs, was | {"name": "/dev/sdb"}) is run, "found under another name"
    with pytest.raises(WrongUse, match=r"serial 'A1' then, 'B2' now"):
        run_of(runs, was | {"serial": "B2"})
    with pytest.raises(WrongUse, match="holds no endurance run of /dev/sdc"):
        run_of(runs, was | {"name": "/dev/sdc", "serial": "C3"})


def test_a_store_of_another_drive_says_which_drives_it_knows(paused: Worn, tmp_path: Path) -> None:
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    other = Worn(other_folder)
    other.store_path = paused.store_path
    with pytest.raises(WrongUse, match="holds no endurance run") as told:
        other.resume()
    assert str(paused.path) in told.value.accepted
    assert not any(other.path.read_bytes())


def test_a_new_run_does_not_bury_one_that_is_not_over(paused: Worn) -> None:
    before = paused.path.read_bytes()
    with pytest.raises(WrongUse, match="is not over"):
        paused.begin()
    assert paused.path.read_bytes() == before


def test_a_run_that_is_over_is_not_gone_on_with(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    worn.begin()
    before = worn.path.read_bytes()
    with pytest.raises(WrongUse, match="is over: budget"):
        worn.resume()
    assert worn.path.read_bytes() == before
    assert worn.begin().status is Status.DONE, "a new run may begin"


def test_a_damaged_journal_or_map_is_refused(paused: Worn) -> None:
    journal, generations = paused.folder / "journal", paused.folder / "generations"
    whole = journal.read_bytes()
    shutil.copy(generations, paused.folder / "kept")
    before = paused.path.read_bytes()
    journal.write_bytes(whole[:200] + b"\0\0\0" + whole[203:])
    with pytest.raises(WrongUse, match="damaged"):
        paused.resume()
    journal.write_bytes(whole)
    generations.write_bytes(b"\0" * 100)
    with pytest.raises(WrongUse, match="shortened or belongs to another run"):
        paused.resume()
    assert paused.path.read_bytes() == before


@pytest.mark.parametrize("text", ["0", "0 TB", "-3 GB", "many"])
def test_a_budget_of_nothing_is_refused(text: str) -> None:
    with pytest.raises(WrongUse):
        parse_budget(text)


def test_a_budget_too_small_for_anything_is_refused_with_the_least(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    with pytest.raises(WrongUse, match="too small") as told:
        worn.begin(replace(PLAIN, budget_bytes=MIB))
    assert told.value.accepted == "2101248 bytes or more"
    assert not any(worn.path.read_bytes())


def test_every_rule_that_was_set_aside_is_in_the_record(tmp_path: Path) -> None:
    worn = Worn(tmp_path, consent=Consent(write_ok=True, allow=frozenset({"hard-link"})))
    os.link(worn.path, tmp_path / "another-name")
    record = worn.begin(PAUSING, read_smart=smart_of(COOL, COOL, {"temperature": 350}))
    assert "hard-link" in next(one.message for one in record.doubts if one.kind == "RuleSetAside")
    after = worn.resume(read_smart=smart_of(COOL))
    assert "RuleSetAside" in {one.kind for one in after.doubts}
    ledger = worn.ledger()
    assert [one["allow"] for one in ledger.state.overrides] == [["hard-link"], ["hard-link"]]
    ledger.close()


def test_options_say_what_they_take() -> None:
    assert parse_workloads("random, jesd219") == ("random", "jesd219")
    assert parse_until("3000 cycles") == ("cycles", 3000, 0)
    assert parse_until("2 TB") == ("death", 0, 2 * 10**12)
    assert parse_distance("6 h") == {"checkpoint_ns": 6 * 3600 * 10**9}
    for wrong in (lambda: parse_workloads("zigzag"), lambda: parse_until("soon"), lambda: parse_distance("often")):
        with pytest.raises(WrongUse):
            wrong()
