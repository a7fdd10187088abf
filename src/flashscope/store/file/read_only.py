"""Reads a store without any change: not a byte of it changes, and no file appears beside it.

    a process has it open (-wal, -shm beside it)  mode=ro: its journal is read as well
    a copy with its journal (-wal alone)          read from a copy of both: SQLite would leave a -shm behind
    no process has it open                        immutable: SQLite would leave both behind

Another program may begin to write while the file is read as immutable. Then the file changes on disk sooner or later;
if it did, the answer is discarded and the question is repeated.
Not done here: waiting for a store that is rewritten all the time.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flashscope.errors import WrongUse
from flashscope.outputs.sqlite_files import Header
from flashscope.store.file.durable_sqlite import BUSY_TIMEOUT_S
from flashscope.store.file.errors import explained
from flashscope.store.file.place import check_before_opening

Answer = TypeVar("Answer")
_TRIES = 5


def asked(
    path: Path, judge: Callable[[Header, Path], object], question: Callable[[sqlite3.Connection], Answer]
) -> Answer:
    """What `question` returns, given a connection to the store that can only read. The file exists.

    judge: raises WrongUse for a file that is no store of its kind. Raises WrongUse when it is damaged, may not be read,
    is of a newer version or of another program, and when it changes all the time while it is read.
    """
    with explained(path, started=False):
        check_before_opening(path, judge)
        for _ in range(_TRIES):
            before = _state(path)
            if os.path.exists(f"{path}-shm"):
                return _asked_once(path, "mode=ro", question)
            if os.path.exists(f"{path}-wal"):
                return _asked_a_copy(path, question)
            answer = _asked_once(path, "mode=ro&immutable=1", question)
            if _state(path) == before:
                return answer
    raise WrongUse(f"the store {path} changes while it is read", advice="try again")


def _asked_a_copy(path: Path, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "store.sqlite")
        for end in ("", "-wal"):
            shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        return _asked_once(copy, "mode=ro", question)


def _asked_once(file: Path, how: str, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
    address = f"{file.absolute().as_uri()}?{how}"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as store:
        store.row_factory = sqlite3.Row
        return question(store)


def _state(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns
