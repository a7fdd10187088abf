"""No result replaces a store, what belongs to one, a ledger, or the drive of the run; not with --force either."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from flashscope.endurance.real.ledger import Ledger
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.store.store import Store
from tests.drives.bench import Bench
from tests.reports import planted

from .conftest import Laboratory, always_refused, refused


@pytest.fixture
def foreign(lab: Laboratory) -> Path:
    """Another store than the one in use, with a ledger beside it."""
    folder = lab.folder / "elsewhere"
    path = folder / "old.sqlite"
    with Store(path) as store:
        store.begin(planted.falling(rows=10))
    Ledger.create(Path(f"{path}.endurance") / "run", {"blocks": 16}).close()
    return path


@pytest.mark.parametrize("name", ["records.sqlite", "./elsewhere/../records.sqlite", "link", "hard-link"])
def test_the_store_in_use_is_never_replaced(lab: Laboratory, foreign: Path, name: str) -> None:
    (lab.folder / "link").symlink_to(lab.store)
    (lab.folder / "hard-link").hardlink_to(lab.store)
    before = lab.seen()
    always_refused(lab, *lab.report_to(name), because="will not be replaced by a result")
    assert lab.seen() == before
    assert lab.call("list", "--store", lab.store).exit_code == 0


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal", "-running", ".endurance"])
def test_nothing_is_put_where_a_store_has_its_journals(lab: Laboratory, foreign: Path, suffix: str) -> None:
    (lab.folder / "link").symlink_to(f"{foreign}{suffix}")
    with Store(foreign) as opened:  # so that it has a -wal and a -shm
        opened.begin(planted.falling(rows=10))
        before = lab.seen()
        for output in (f"{lab.store}{suffix}", f"{foreign}{suffix}", "link"):
            because = "is a directory" if Path(output).is_dir() else "will not be replaced by a result"
            always_refused(lab, *lab.report_to(output), because=because)
        assert lab.seen() == before


@pytest.mark.parametrize("name", ["journal", "generations", "begin", "lock", "new"])
def test_a_ledger_is_kept_file_by_file_whichever_store_it_belongs_to(lab: Laboratory, foreign: Path, name: str) -> None:
    ledger = Path(f"{foreign}.endurance") / "run"
    (lab.folder / "link").symlink_to(ledger / name)
    (lab.folder / "hard-link").hardlink_to(ledger / (name if name in ("begin", "generations") else "journal"))
    before = lab.seen()
    for output in (ledger / name, "link", "hard-link"):
        always_refused(lab, *lab.report_to(output), because="will not be replaced by a result")
    always_refused(lab, "report", "--store", lab.store, "--charts", ledger, because="will not be replaced")
    assert lab.seen() == before
    foreign.rename(lab.folder / "moved.sqlite")  # the ledger is known by its journal alone
    before = lab.seen()
    always_refused(lab, *lab.report_to(ledger / name), because="endurance run")
    assert lab.seen() == before


def test_a_series_of_smart_watch_is_a_store(lab: Laboratory) -> None:
    with SeriesStore(lab.folder / "smart.sqlite"):
        before = lab.seen()
        always_refused(lab, *lab.report_to("smart.sqlite"), because="it is a store of flashscope")
        always_refused(lab, *lab.report_to("smart.sqlite-wal"), because="belongs to the store")
        assert lab.seen() == before
    before = lab.seen()
    always_refused(lab, "smart", "sim:onyx-32", "--html", "smart.sqlite", because="it is a store")
    always_refused(lab, "smart", "fleet", lab.folder, "--sqlite", "smart.sqlite", because="it is a store")
    sweep = ("sweep", "stutter", "--part", "onyx-32", "--store", lab.store, "--csv", "smart.sqlite")
    always_refused(lab, *sweep, because="it is a store")
    assert lab.seen() == before


def test_a_store_whose_first_page_is_still_in_its_journal_is_known(lab: Laboratory) -> None:
    """As after a kill in the first run: the main file does not say yet whose it is."""
    with Store(lab.folder / "first.sqlite"):
        assert (lab.folder / "first.sqlite").read_bytes()[68:72] == bytes(4)
        for end in ("", "-wal"):
            (lab.folder / f"killed.sqlite{end}").write_bytes((lab.folder / f"first.sqlite{end}").read_bytes())
    before = lab.seen()
    always_refused(lab, *lab.report_to("killed.sqlite"), because="it is a store of flashscope")
    always_refused(lab, *lab.report_to("killed.sqlite-wal"), because="will not be replaced")
    (lab.folder / "killed.sqlite-wal").rename(lab.folder / "renamed")
    always_refused(lab, *lab.report_to("renamed"), because="it is the journal of a store")
    (lab.folder / "renamed").rename(lab.folder / "killed.sqlite-wal")
    assert lab.seen() == before
    assert lab.call("list", "--store", "killed.sqlite").exit_code == 0


def test_a_store_that_is_yet_to_be_made_is_no_place_for_its_report(lab: Laboratory) -> None:
    before = lab.seen()
    command = ("examine", "sim:onyx-32", "--only", "stutter", "--store", "new.sqlite", "-o")
    refused(lab.call(*command, "new.sqlite"), "it is the store of the results")
    for output in ("new.sqlite-wal", "new.sqlite.endurance"):
        refused(lab.call(*command, output), "it is part of the store")
    assert lab.seen() == before


def test_the_file_of_the_run_is_no_place_for_its_report(lab: Laboratory) -> None:
    target = lab.folder / "target.img"
    target.write_bytes(os.urandom(1 << 20))
    (lab.folder / "link").symlink_to(target)
    (lab.folder / "hard-link").hardlink_to(target)
    before = lab.seen()
    for output in ("target.img", "link", "hard-link"):
        for command in (("examine",), ("endure", "--budget", "1GB")):
            drive = ("file:target.img", "--write-ok", "--allow", "hard-link", "--store", lab.store)
            always_refused(lab, *command, *drive, "-o", output, because="it is the drive of this run")
    assert lab.seen() == before


def test_the_file_under_a_loop_device_is_no_place_for_the_report_of_a_run_on_it(lab: Laboratory, bench: Bench) -> None:
    image = bench.image(size_bytes=16 << 20)
    device = bench.loop(image)
    before = lab.seen()
    command = ("examine", device, "--serial", image, "--store", lab.store, "-o", image)
    always_refused(lab, *command, because="it is the file under the drive of this run")
    assert lab.seen() == before


def test_other_programs_journals_are_not_looked_at_with_sqlite(lab: Laboratory) -> None:
    """Somebody's database stays as it is with what its journal holds, and is refused."""
    path = lab.folder / "theirs.db"
    with sqlite3.connect(path) as theirs:
        theirs.execute("PRAGMA journal_mode = WAL")
        theirs.execute("CREATE TABLE kept (a)")
        theirs.commit()
        theirs.execute("INSERT INTO kept VALUES (1)")
        theirs.commit()
        before = lab.seen()
        refused(lab.report("theirs.db"), "--force")
        refused(lab.report("theirs.db-wal"), "--force")
        assert lab.seen() == before
    theirs.close()
