"""--store opens a store, or makes one in a free place; whatever else is there stays as it is, to the byte."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.store.store import Store
from tests.drives.bench import Bench
from tests.reports import planted

from .conftest import Laboratory, node, refused

_COMMANDS = (
    ("list",),
    ("report", "last", "-o", "page.html"),
    ("run", "sim:onyx-32", "--experiment", "stutter", "--quick"),
    ("smart", "watch", "sim:onyx-32", "--once"),
    ("smart", "sim:onyx-32"),
)


@pytest.mark.parametrize("command", _COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_a_database_of_another_program_is_refused_with_its_journals(lab: Laboratory, command: tuple[str, ...]) -> None:
    """SQLite would put a journal back or into the file, and delete it, by opening and closing alone."""
    theirs = lab.folder / "theirs.db"
    with sqlite3.connect(theirs) as open_there:
        open_there.execute("CREATE TABLE kept (a)")
        open_there.execute("PRAGMA journal_mode = WAL")
        open_there.execute("INSERT INTO kept VALUES (1)")
        open_there.commit()
        for end in ("", "-wal"):
            (lab.folder / f"copy.db{end}").write_bytes(Path(f"{theirs}{end}").read_bytes())
    open_there.close()
    before = lab.seen()
    refused(lab.call(*command, "--store", "copy.db"), "copy.db is an SQLite database")
    assert lab.seen() == before


@pytest.mark.parametrize("command", _COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_what_is_no_database_is_refused(lab: Laboratory, command: tuple[str, ...]) -> None:
    (lab.folder / "notes.txt").write_text("mine" * 1000)
    (lab.folder / "notes.txt-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(1000))
    os.mkfifo(lab.folder / "pipe")
    before = lab.seen()
    refused(lab.call(*command, "--store", "notes.txt"), "it is no SQLite file")
    refused(lab.call(*command, "--store", "pipe"), "is no regular file")
    refused(lab.call(*command, "--store", "/dev/null"), "is no regular file")
    assert lab.seen() == before


def test_a_block_device_is_no_store(lab: Laboratory, bench: Bench) -> None:
    image = bench.image(size_bytes=1 << 20)
    device = bench.loop(image)
    (lab.folder / "link").symlink_to(device)
    for command in _COMMANDS:
        for path in (device, "link"):
            refused(lab.call(*command, "--store", path), "is a block device")
    for kind in (Store, SeriesStore):
        with pytest.raises(WrongUse, match="is a block device"):
            kind(Path(device))
    assert image.read_bytes() == bytes(1 << 20)


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_files_beside_a_new_store_that_are_not_its_own_are_kept(lab: Laboratory, end: str) -> None:
    (lab.folder / f"new{end}").write_text("my own file, of this name by chance")
    before = lab.seen()
    refused(
        lab.call("run", "sim:onyx-32", "--experiment", "stutter", "--quick", "--store", "new"), f"new{end} is there"
    )
    assert lab.seen() == before
    (lab.folder / "new").touch()
    before = lab.seen()
    refused(lab.call("list", "--store", "new"), "is another program's file")
    assert lab.seen() == before


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_files_beside_a_store_that_are_not_its_own_are_kept(lab: Laboratory, end: str) -> None:
    beside = Path(f"{lab.store}{end}")
    beside.unlink(missing_ok=True)
    beside.write_text("my own file, of this name by chance")
    before = lab.seen()
    refused(lab.call("list", "--store", lab.store), "is another program's file")
    assert lab.seen() == before
    for content in (b"", bytes(4096)):
        beside.write_bytes(content)
        assert lab.call("list", "--store", lab.store).exit_code == 0


def test_a_node_or_a_link_where_a_store_has_its_journal_is_refused(lab: Laboratory) -> None:
    (lab.folder / "precious").write_text("mine")
    for end in ("-wal", "-journal", "-shm", "-running"):
        beside = lab.folder / f"records.sqlite{end}"
        beside.unlink(missing_ok=True)
        beside.symlink_to("precious")
        before = lab.seen()
        refused(lab.call("list", "--store", lab.store), "is no regular file")
        assert lab.seen() == before
        beside.unlink()
    node(lab.folder / "records.sqlite-wal", stat.S_IFBLK, os.makedev(254, 250))
    refused(lab.call("list", "--store", lab.store), "is no regular file")


def test_a_store_of_a_newer_version_is_left_as_it_is_with_its_journal(lab: Laboratory) -> None:
    with sqlite3.connect(lab.store) as newer:
        newer.execute("PRAGMA user_version = 99")
        newer.execute("CREATE TABLE more (a)")
        newer.commit()
        for end in ("", "-wal"):
            (lab.folder / f"copy.sqlite{end}").write_bytes(Path(f"{lab.store}{end}").read_bytes())
    newer.close()
    refused(lab.call("list", "--store", "copy.sqlite"), "version 99")


def test_a_store_is_reached_through_a_link(lab: Laboratory) -> None:
    (lab.folder / "link").symlink_to(lab.store)
    done = lab.call("list", "--store", "link")
    assert done.exit_code == 0, done.output
    assert "sustained" in done.output
    assert (lab.folder / "link").is_symlink()


def test_looking_at_a_store_that_this_process_has_open_drops_no_lock_of_its(lab: Laboratory) -> None:
    """A close of the file would (POSIX); another process would then take the store for free, and end its journal."""
    with Store(lab.store) as store:
        held = _locks_on(lab.store)
        assert held
        assert lab.report(lab.store, "--force").exit_code == 2
        assert lab.report("page.html").exit_code == 0
        second = threading.Thread(target=lambda: Store(lab.store).close())
        second.start()
        second.join()
        assert _locks_on(lab.store) == held
        store.begin(planted.falling(rows=10))


def _locks_on(path: Path) -> list[str]:
    inode = path.stat().st_ino
    return sorted(
        line.split(":", 1)[1] for line in Path("/proc/locks").read_text().splitlines() if f":{inode} " in line
    )


PLACES = (
    "there.txt", "folder", "pipe", "link", "-", "/dev/null", "/proc/x", "records.sqlite", "records.sqlite-wal",
    "records.sqlite-running", "records.sqlite.endurance/x",
)  # fmt: skip


@pytest.mark.parametrize("new", PLACES)
def test_a_repaired_store_is_made_only_where_nothing_is(new: str, lab: Laboratory) -> None:
    (lab.folder / "there.txt").write_text("mine")
    (lab.folder / "folder").mkdir()
    (lab.folder / "link").symlink_to("nowhere")
    os.mkfifo(lab.folder / "pipe")
    before = lab.seen()
    refused(lab.call("store", "repair", lab.store, new))
    assert lab.seen() == before
