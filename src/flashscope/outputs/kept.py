"""Files of flashscope that are not results and that no result ever replaces: stores, their journals, ledgers of runs.

    STORE                                  known by its application_id, in use or not
    STORE-wal, -shm, -journal, -running    by the store beside them, also when they are not there yet
    STORE.endurance/RUN/journal, ...       by the store beside the folder, or by the mark of the journal in it

Any of them under another name (a hard link, a copy) is recognised by how it begins or ends, except maps of
generations from before they had a mark.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from flashscope.outputs.sqlite_files import SIDE_FILES, header_in_wal, is_connected, looking, read_header

RUNNING_SUFFIX = "-running"
"""Suffix of the file beside a store that says which process works on which record."""

BESIDE_STORE = (*SIDE_FILES, RUNNING_SUFFIX)
"""Suffixes of the files beside a store."""

LEDGERS_SUFFIX = ".endurance"
"""The folder beside a store in which the ledgers of its endurance runs are."""

_LEDGER_BEGINS = (b"flashscope wear journal", b"flashscope wear run")
_MAP_ENDS = b"flashscope generations"
_MAP_MARK_BYTES = 64  # more than the mark of a map has
_TOLD_BY = ("journal", "begin")
"""Files of a ledger that have a mark at their beginning."""


def kept_as(path: Path) -> str:
    """Which file of flashscope a path is, as words such as "it is a store of flashscope"; empty when it is none.

    path: absolute, without links; something may stand there or not.
    """
    for suffix in BESIDE_STORE:
        base = path.with_name(path.name.removesuffix(suffix)) if path.name != suffix else path
        if base != path and is_store(base):
            return f"it belongs to the store {base}"
    if is_store(path):
        return "it is a store of flashscope"
    for folder in (path, *path.parents):
        if folder.name.endswith(LEDGERS_SUFFIX) and folder.name != LEDGERS_SUFFIX:
            store = folder.with_name(folder.name.removesuffix(LEDGERS_SUFFIX))
            if is_store(store):
                return f"it is among the ledgers of the store {store}"
    if _is_of_a_ledger(path):
        return "it is part of the ledger of an endurance run"
    if any(_is_of_a_ledger(path.parent / name) for name in _TOLD_BY):
        return f"it is in the ledger of an endurance run, {path.parent}"
    return "it is the journal of a store" if _is_journal_of_store(path) else ""


def is_store(path: Path) -> bool:
    """Whether a store of flashscope, of records or of a series, is at a path."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return False
        with looking:
            if is_connected((status.st_dev, status.st_ino)):
                return True
            header = read_header(path)
    except OSError:
        return False
    return header is not None and header.is_store


def _is_of_a_ledger(path: Path) -> bool:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with path.open("rb") as file:
            head = file.read(_MAP_MARK_BYTES)
            file.seek(max(0, file.seek(0, os.SEEK_END) - _MAP_MARK_BYTES))
            return head.startswith(_LEDGER_BEGINS) or _MAP_ENDS in file.read()
    except OSError:
        return False


def _is_journal_of_store(path: Path) -> bool:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with path.open("rb") as file:
            header = header_in_wal(file)
    except OSError:
        return False
    return header is not None and header.is_store
