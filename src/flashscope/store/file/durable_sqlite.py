"""SQLite as all stores of flashscope use it: durable when a call returns, and writers wait for each other."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from flashscope.outputs.sqlite_files import CountedConnection, Header, looking
from flashscope.store.file.errors import explained
from flashscope.store.file.place import check_before_opening

BUSY_TIMEOUT_S = 30.0
"""How long a writer waits for another one [s]; a write takes milliseconds."""


def path_in_state_directory(name: str) -> Path:
    """$XDG_STATE_HOME/flashscope/NAME, by default below ~/.local/state."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return base / "flashscope" / name


def connect(path: Path, judge: Callable[[Header, Path], object]) -> sqlite3.Connection:
    """A connection to the file. File and directory are made when missing; an existing file is not changed yet.

    judge: raises WrongUse for a file that is no store of its kind; called before SQLite opens the file.
    Transactions are begun and ended explicitly. Raises WrongUse, sqlite3.Error and OSError.
    """
    with looking:
        place = check_before_opening(path, judge)
        place.path.parent.mkdir(parents=True, exist_ok=True)
        connection = CountedConnection(place.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


def make_durable(connection: sqlite3.Connection) -> None:
    """Use a write-ahead log, and reach stable storage before a commit returns. Raises sqlite3.Error."""
    _write_ahead(connection)
    wait_for_disk(connection, wait=True)
    connection.execute("PRAGMA foreign_keys = ON")


def wait_for_disk(connection: sqlite3.Connection, *, wait: bool) -> None:
    """Whether commits wait until their data is on stable storage. Raises sqlite3.Error.

    Without waiting, a power cut may undo the last commits, the newest first; a kill undoes none, and the file stays
    whole. The first commit that waits again brings all before it to the disk: they are in the same write-ahead log.
    """
    connection.execute(f"PRAGMA synchronous = {'FULL' if wait else 'NORMAL'}")


@contextlib.contextmanager
def waiting_for_disk(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Commits inside the block wait for the disk, whatever those around it do. path: as for `transaction`."""
    with explained(path, started=True):
        (before,) = connection.execute("PRAGMA synchronous").fetchone()
        wait_for_disk(connection, wait=True)
    try:
        yield
    finally:
        with explained(path, started=True):
            connection.execute(f"PRAGMA synchronous = {before}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode. Here, unlike elsewhere, SQLite does not wait for other processes, so this function does."""
    give_up_s = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_s:
                raise
            time.sleep(0.01)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, path: Path, *, started: bool) -> Iterator[sqlite3.Connection]:
    """One transaction; durable at the end of the block, undone when the block raises.

    path, started: as for `explained`, which decides what is raised when the disk fails.
    """
    with explained(path, started=started):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            roll_back(connection)
            raise


def roll_back(connection: sqlite3.Connection) -> None:
    """Roll back a transaction; SQLite may already have done so when the disk failed."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")
