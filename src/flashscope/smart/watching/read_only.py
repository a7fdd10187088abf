"""Reads a series store without any change (`store/file/read_only.py`)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flashscope.errors import WrongUse
from flashscope.smart.watching import series_schema
from flashscope.store.file import read_only

Answer = TypeVar("Answer")


def asked(path: Path, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
    """What `question` returns, given a connection to the store that can only read.

    Raises WrongUse when there is no such file, when it is empty, damaged, may not be read, is of a newer version or
    of another program, and when it changes all the time while it is read.
    """

    def checked(store: sqlite3.Connection) -> Answer:
        if series_schema.check(store, path):
            raise WrongUse(f"{path} is empty: it has no sample yet", advice="flashscope smart watch DEVICE")
        store.execute("BEGIN")  # all answers are of one moment
        return question(store)

    if not os.path.exists(path):
        raise WrongUse(f"there is no series store at {path}", advice="make one: flashscope smart watch DEVICE")
    return read_only.asked(path, series_schema.judge, checked)
