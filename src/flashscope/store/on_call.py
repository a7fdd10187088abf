"""The store of a run on a real drive: opened for each call and closed again, so that nothing of it stays mapped.

    begin -> ... hours ... -> save_step -> ... hours ... -> finish
    open,close                open,close                    open,close

SQLite maps a file beside the store into memory. When the file system fails or becomes immutable, the next access to
that memory would end the process by a signal, without a message. When the store is opened anew, the same failure is an
error. Others may read and write the store meanwhile. The run counts as running all the time (`presence.py`).
Not for short runs of virtual drives: each call costs a few more disk writes than with an open store.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from flashscope.errors import WrongUse
from flashscope.records.record import Record, StepRecord
from flashscope.store.file.errors import StoreFailed
from flashscope.store.presence import Presence
from flashscope.store.store import Store


class StoreOnCall:
    """A `Keeper` (keeper.py) with the further methods that an endurance run needs. A context manager.

    path, create: as for `Store`, which is opened once as a test. Raises WrongUse as `Store` does; after a run has begun
    here, every failure of the store is StoreFailed.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        self._has_begun = False
        Store(path, create=create).close()
        self._presence = Presence(path)

    def begin(self, record: Record) -> str:
        """See `Store.begin`."""
        with self._open() as store:
            record_id = store.begin(record)
        self._has_begun = True
        return record_id

    def resume(self, record_id: str) -> Record:
        """See `Store.resume`."""
        with self._open() as store:
            record = store.resume(record_id)
        self._has_begun = True
        return record

    def load(self, reference: str) -> Record:
        """See `Store.load`."""
        with self._open() as store:
            return store.load(reference)

    def save_step(self, record_id: str, step: StepRecord) -> None:
        """See `Store.save_step`."""
        with self._open() as store:
            store.save_step(record_id, step)

    def finish(self, record: Record) -> None:
        """See `Store.finish`."""
        with self._open() as store:
            store.finish(record)

    @contextlib.contextmanager
    def _open(self) -> Iterator[Store]:
        try:
            with Store(self.path, create=False, presence=self._presence) as store:
                yield store
        except WrongUse as error:
            if not self._has_begun:
                raise
            raise StoreFailed(
                error.what, advice=f"{error.advice}; every step before this one is safe in the store"
            ) from error

    def close(self) -> None:
        """The run has stopped working. Closing twice does no harm."""
        self._presence.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
