"""The ledger of one run: its journal and its map of generations, and the order in which they and the drive are written.

    intend --fsync--> [write, flush the drive] --> done --fsync--> map --> ...
                                                                   journal large? flush map, begin journal anew

    kill before `intend` is durable    nothing was sent
    kill before `done` is durable      these blocks are in doubt: old or new generation, or torn
    kill later                         the journal says it is done; replaying it corrects the map

So nothing is counted twice, and no block counts as written before it was flushed. Replaying is idempotent: entries hold
the generations themselves.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from pathlib import Path
from typing import Any

import numpy as np

from flashscope.endurance.real.begin_line import read_begin, write_begin
from flashscope.endurance.real.generation_map import GenerationMap
from flashscope.endurance.real.journal import JOURNAL, Entry, Journal, read_journal, write_journal
from flashscope.endurance.real.run_state import Intent, RunState
from flashscope.errors import WrongUse
from flashscope.store.file.disk_words import words_of
from flashscope.store.file.errors import StoreFailed

MAP, LOCK = "generations", "lock"
_ANEW_BYTES = 64 << 20


class Ledger:
    """The open ledger of a run; only one process has it.

    begin: the description of the run, as given to `create`. state: its progress.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = locked(folder)
        with contextlib.ExitStack() as opened:
            opened.callback(os.close, self._lock)
            self._journal = Journal(folder / JOURNAL)
            opened.callback(self._journal.close)
            self.begin = _begin_of(self._journal, folder)
            self.torn_bytes = self._journal.torn_bytes
            self.generations = GenerationMap(folder / MAP, int(self.begin["blocks"]))
            opened.callback(self.generations.close)
            self.state = RunState()
            for entry in self._journal.entries:
                self._took(entry)
            self._journal.entries = ()
            opened.pop_all()

    @classmethod
    def create(cls, folder: Path, begin: dict[str, Any]) -> Ledger:
        """A new ledger. begin: plain data; its "blocks" is the size of the map. Raises WrongUse when there is one."""
        try:
            folder.mkdir(parents=True)
            GenerationMap.create(folder / MAP, int(begin["blocks"])).close()
            (folder / LOCK).touch()
            write_journal(folder / JOURNAL, [Entry({"begin": begin})])
            write_begin(folder, begin)
        except FileExistsError:
            raise WrongUse(f"there is a run at {folder} already") from None
        except OSError as error:
            raise WrongUse(
                f"{folder} could not be made: {words_of(error)[0]}", advice="name another --store"
            ) from error
        except StoreFailed as error:
            raise WrongUse(error.what, advice=error.advice) from error
        return cls(folder)

    @property
    def is_long(self) -> bool:
        """The journal must be begun anew at the next moment without a write under way."""
        return self._journal.size_bytes > _ANEW_BYTES

    def next_generations(self, blocks: np.ndarray) -> np.ndarray:
        """The generations of blocks after their next write, with the write under way counted as done."""
        following = self.generations.next(blocks)
        under_way = self.state.intent
        if under_way is not None and len(under_way.generations):
            following[np.isin(blocks, under_way.blocks)] += np.uint32(1)
        return following

    def intend(self, intent: Intent) -> None:
        """A write is about to be sent. Durable on return. Raises StoreFailed; then nothing may be sent."""
        values, raw = intent.packed()
        self._keep(Entry({"intent": values}, raw))

    def done(
        self, *, written_bytes: int, elapsed_ns: int, read_bytes: int = 0, next_intent: Intent | None = None
    ) -> None:
        """The write is flushed, and, in the same entry, the next one is about to be sent."""
        values: dict[str, Any] = {
            "done": {"written_bytes": written_bytes, "read_bytes": read_bytes, "elapsed_ns": elapsed_ns}
        }
        raw = b""
        if next_intent is not None:
            values["intent"], raw = next_intent.packed()
        self._keep(Entry(values, raw))

    def blanked(self, *, elapsed_ns: int) -> None:
        """Both ends of the drive are zeros, flushed: the intent under way is done, and that it was this is kept."""
        assert self.state.intent is not None, "nothing was sent"
        done = {"written_bytes": self.state.intent.most_bytes, "elapsed_ns": elapsed_ns}
        self._keep(Entry({"done": done, "event": {"blanked": 0}}))

    def resolved(self, found: dict[str, int], blocks: np.ndarray, generations: np.ndarray) -> None:
        """The write in doubt was looked at. found: blocks of each outcome. generations: what the blocks have now."""
        raw = Intent("resolved", 0, 0, blocks, np.ones(len(blocks), dtype=np.int64), generations).packed()[1]
        self._keep(Entry({"resolved": {"found": found}}, raw))

    def event(self, name: str, value: Any) -> None:
        """Anything else that happened; see `run_state.py`."""
        self._keep(Entry({"event": {name: value}}))

    def events(self, **named: Any) -> None:
        """Several things that happened together: all are kept, or none."""
        self._keep(Entry({"event": named}))

    def close(self) -> None:
        """Close it. Closing twice does no harm."""
        self._journal.close()
        self.generations.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _keep(self, entry: Entry) -> None:
        self._journal.append(entry)
        self._took(entry)
        if self.is_long and self.state.intent is None:
            self._begin_anew()

    def _took(self, entry: Entry) -> None:
        if "resolved" in entry.values:
            settled = Intent.unpacked({"kind": "resolved", "most_bytes": 0, "cursor": 0}, entry.raw)
            self.generations.set(settled.blocks, settled.generations)
        finished = self.state.apply(entry)
        if finished is not None and len(finished.generations):
            self.generations.set(finished.blocks, finished.generations)
        begun = self.state.intent
        if "intent" in entry.values and begun is not None and begun.kind == "jobs":
            for first, count in zip(begun.firsts.tolist(), begun.counts.tolist(), strict=True):
                self.generations.forget(first, count)

    def _begin_anew(self) -> None:
        """Replace a long journal by a short one, after the map on disk contains everything of the long one."""
        self.generations.flush()
        path = self._journal.path
        try:
            write_journal(path, [Entry({"begin": self.begin, "state": self.state.to_json()})])
        finally:
            self._journal.close()  # whether its name was taken or not, nothing is appended to it any more
        self._journal = Journal(path)


def read_state(folder: Path) -> RunState:
    """The progress of the run in a folder, from its journal alone. Opens nothing for writing. Raises WrongUse."""
    state = RunState()
    for entry in read_journal(folder / JOURNAL).entries:
        state.apply(entry)
    return state


def _begin_of(journal: Journal, folder: Path) -> dict[str, Any]:
    """The description of the run; the journal and the file beside it must agree."""
    begin: dict[str, Any] | None = journal.entries[0].values.get("begin") if journal.entries else None
    if begin is None:
        raise WrongUse(
            f"the journal in {folder} does not say what run it is of",
            advice=f"put a copy back, or set the run aside: flashscope endure --set-aside {folder.name}",
        )
    if read_begin(folder) != begin:
        raise WrongUse(
            f"the journal in {folder} is of another run than the file beside it says",
            advice=f"put the right one back, or set the run aside: flashscope endure --set-aside {folder.name}",
        )
    return begin


def locked(folder: Path) -> int:
    """Lock the ledger in a folder for as long as the returned descriptor is open, or the process lives.

    Raises WrongUse when another process has it.
    """
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_CREAT, 0o600)
    except OSError as error:
        cause, advice = words_of(error)
        raise WrongUse(f"the run at {folder} cannot be opened: {cause}", advice=advice) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise WrongUse(f"the run at {folder} cannot be locked: {words_of(error)[0]}") from error
        raise WrongUse(f"another process works on the run at {folder}", advice="wait for it, or end it") from None
    return handle
