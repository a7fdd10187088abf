"""The store: one SQLite file that keeps every record, even when the process that writes it is killed.

    begin(record) -> save_step(...) -> save_step(...) -> finish(record)

Each call is one transaction in WAL mode with synchronous=FULL: after it returns, its data survives a kill at any
moment and a power cut. A run on a virtual drive can be repeated to the last bit, so its steps survive a kill at once,
and a power cut from `finish` on: waiting for the disk at each of thousands of steps would take longer than the steps.
A run whose process has ended without `finish` is shown as interrupted; a run whose process cannot be checked from here
is shown as unknown (`liveness.py`).
Several processes may write at once; they wait for each other.

Not kept here: raw request logs (latencies are histograms) and reports (they are made from records).
"""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from flashscope.errors import FlashscopeError, WrongUse
from flashscope.records.plain import to_json
from flashscope.records.record import Record, Status, StepRecord
from flashscope.store import points
from flashscope.store.checksums import Part, Row, resealed, seal_anew
from flashscope.store.damage import DamagedRecord, damage_of
from flashscope.store.dossiers import KeptDossier, read_dossiers, write_dossier
from flashscope.store.file import durable_sqlite
from flashscope.store.file.durable_sqlite import path_in_state_directory
from flashscope.store.file.errors import StoreFailed, explained
from flashscope.store.kept_rows import as_text, from_cell, read_kept
from flashscope.store.layout.schema import check_version, judge, migrate
from flashscope.store.liveness import Standing, standing_of, this_process, unknown_text
from flashscope.store.points import PointKey, PointPlace
from flashscope.store.presence import Presence
from flashscope.store.rows import record_rows as rows
from flashscope.store.rows.step_rows import write_step
from flashscope.store.rows.table_rows import INSIDE, write_table
from flashscope.store.summaries import RecordSummary, read_summaries

FREE_BYTES_AT_LEAST = 16 * 2**20
"""Free space that a run needs on the store's file system before it begins [bytes]; a long record takes a few MB."""

_LONGEST_NAME = 60

__all__ = ["RecordSummary", "Store", "StoreFailed", "default_store_path", "make_record_id"]


_STORE_HERE = Path("reports", "records.sqlite")
"""Beside the reports that commands write into the working directory."""


def default_store_path() -> Path:
    """reports/records.sqlite in the working directory where there is one; else the one of the state directory.

    That is $XDG_STATE_HOME/flashscope/records.sqlite, by default below ~/.local/state.
    """
    return _STORE_HERE.absolute() if _STORE_HERE.is_file() else path_in_state_directory("records.sqlite")


def make_record_id(created_utc: str, drive: str, experiment: str) -> str:
    """An id that sorts by time and reads well: "20261121-040512-onyx-32-sustained-sequential-write".

    created_utc: ISO 8601 ("2026-11-21T04:05:12Z"). drive: its address or name, reduced to letters and digits.
    experiment: a job file's name may be anything; reports are named after the id, so what no file should be named is
    left out, and what is too long is cut.
    """
    digits = re.sub(r"\D", "", created_utc)[:14]
    name = re.sub(r"[^a-z0-9]+", "-", re.split("[:/]", drive.lower().split("?")[0])[-1]).strip("-")
    what = re.sub(r"[^\w.+]+", "-", experiment)[:_LONGEST_NAME].strip("-")
    return "-".join(part for part in (digits[:8], digits[8:], name[:24].strip("-"), what) if part)


class Store:
    """The records in one SQLite file. A context manager; use one per thread.

    path: the file. create: make the file and its directory when missing. presence: shows others that the caller
    is at work; without one the store has its own, from the first run that it begins until it is closed.
    repeatable: the runs that this store keeps can be repeated exactly, so only `finish` waits for the disk.
    Raises WrongUse when the file is missing (and not to be made), no store of ours, of a newer version,
    damaged, or cannot be written; nothing is changed then.

    damaged: the records that were found damaged and left out so far, by id. without_checksum: ids of those loaded so
    far that older versions kept, so that damage in them can go unnoticed.
    """

    def __init__(
        self, path: Path, *, create: bool = True, presence: Presence | None = None, repeatable: bool = False
    ) -> None:
        self.path = path
        self._repeatable = repeatable
        self.damaged: dict[str, DamagedRecord] = {}
        self.without_checksum: set[str] = set()
        self._presence, self._own_presence = presence, presence is None
        if not create and not path.exists():
            raise WrongUse(
                f"there is no store at {path}",
                advice="examine a drive first (flashscope examine sim:onyx-32), or name a store with --store",
            )
        with explained(path, started=False):
            self._connection = durable_sqlite.connect(path, judge)
            self._connection.text_factory = as_text
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    @classmethod
    def open(cls, path: Path | None = None, *, create: bool = True) -> Store:
        """The store at `path`, or at the default place."""
        return cls(path if path is not None else default_store_path(), create=create)

    def _prepare(self) -> None:
        check_version(self._connection, self.path)  # before the file could be changed
        durable_sqlite.make_durable(self._connection)
        migrate(self._connection, self.path)
        self._mark_ended_runs()
        if self._repeatable:
            durable_sqlite.wait_for_disk(self._connection, wait=False)

    def _transaction(self, *, started: bool) -> contextlib.AbstractContextManager[sqlite3.Connection]:
        return durable_sqlite.transaction(self._connection, self.path, started=started)

    def begin(self, record: Record, *, point: PointKey | None = None) -> str:
        """Keep a record whose run is about to start; returns its id, which gets "-2", "-3" when it was taken.

        A record that is complete already is kept completely. point: the key to find it again (`points.py`).
        record.id is set to the id that is returned. Raises WrongUse when the store cannot take it, or when less
        than FREE_BYTES_AT_LEAST is free for it: then nothing has been started.
        """
        with explained(self.path, started=False):
            free_bytes = shutil.disk_usage(self.path.parent).free
        if free_bytes < FREE_BYTES_AT_LEAST:
            raise WrongUse(
                f"the disk under the store {self.path} is full: {free_bytes / 1e6:.1f} MB are free",
                accepted=f"at least {FREE_BYTES_AT_LEAST / 1e6:.0f} MB free",
                advice="make room there, or name another file with --store",
            )
        with self._transaction(started=False) as connection:
            record.id = rows.free_id(connection, record.id)
            rows.write_record(connection, record, self._process_json())
            for step in record.steps:
                write_step(connection, record.id, step)
            self._write_end(connection, record)
            seal_anew(connection, record.id)
            if point is not None:
                points.write_point(connection, point, record.id)
        return record.id

    def resume(self, record_id: str) -> Record:
        """The record of an interrupted run, to be continued by this process; it counts as running again.

        The caller holds the lock that excludes all other processes; the status in the record is not used.
        Raises WrongUse when there is none of that id.
        """
        record = self.load(record_id)
        with self._transaction(started=False) as connection, resealed(connection, record.id, Part.HEAD):
            connection.execute(
                "UPDATE records SET status = ?, process_json = ? WHERE id = ?",
                (Status.RUNNING.value, self._process_json(), record.id),
            )
        record.status = Status.RUNNING
        return record

    def save_step(self, record_id: str, step: StepRecord, *, point: PointKey | None = None) -> None:
        """Keep a step; it replaces its earlier state. It is durable on return, unless the run is repeatable.

        point: the key to find the step again (`points.py`).
        Raises StoreFailed when the disk does not take it; what was kept before stays.
        """
        with self._transaction(started=True) as connection:
            with resealed(connection, record_id, Part.STEPS, step_index=step.index):
                write_step(connection, record_id, step)
            if point is not None:
                points.write_point(connection, point, record_id, step.index)

    def finish(self, record: Record) -> None:
        """Keep how a run ended: status, note, truth, inside, findings, doubts. Raises StoreFailed as above.

        The whole record is durable on return.
        """
        with (
            durable_sqlite.waiting_for_disk(self._connection, self.path),
            self._transaction(started=True) as connection,
            resealed(connection, record.id, Part.HEAD),
            resealed(connection, record.id, Part.STEPS, step_index=INSIDE),
        ):
            connection.execute(
                "UPDATE records SET status = ?, note = ?, truth_json = ?, versions_json = ? WHERE id = ?",
                (record.status.value, record.note, to_json(record.truth), to_json(record.versions), record.id),
            )
            self._write_end(connection, record)

    @staticmethod
    def _write_end(connection: sqlite3.Connection, record: Record) -> None:
        rows.write_conclusions(connection, record)
        if record.inside is not None:
            connection.execute("DELETE FROM series_columns WHERE record_id = ? AND step_index = ?", (record.id, INSIDE))
            write_table(connection, record.id, INSIDE, record.inside)

    def keep_dossier(self, dossier: KeptDossier) -> None:
        """Keep what was said of a drive, with the record that it names. Raises StoreFailed as above."""
        with self._transaction(started=True) as connection:
            write_dossier(connection, dossier)

    def dossiers(self) -> tuple[KeptDossier, ...]:
        """What was said of drives, oldest first; `damaged` then names the records whose rows are damaged."""
        with explained(self.path, started=False):
            found = list(read_dossiers(self._connection, self.path))
        self.damaged |= {one.record_id: one for one in found if isinstance(one, DamagedRecord)}
        return tuple(one for one in found if isinstance(one, KeptDossier))

    def points(self, identities: Collection[str]) -> dict[str, PointPlace]:
        """The places of those of these points that are kept here: identity -> place.

        Points of damaged records are left out; `damaged` names these records.
        """
        with explained(self.path, started=False):
            found = points.read_points(self._connection, identities)
            whole = {place.record_id: place.step_index == points.WHOLE_RECORD for place in found.values()}
            sound = {record_id: self._are_points_sound(record_id, head_only) for record_id, head_only in whole.items()}
        return {identity: place for identity, place in found.items() if sound[place.record_id]}

    def _are_points_sound(self, record_id: str, head_only: bool) -> bool:
        parts = (Part.HEAD, Part.POINTS) if head_only else Part
        with self.noting_damage(record_id):
            read_kept(self._connection, record_id, *parts)
            return True
        return False

    def points_of_other_builds(self, keys: Collection[PointKey]) -> dict[str, set[str]]:
        """Which of these points other builds have computed: `asked` of the key -> names of the builds."""
        with explained(self.path, started=False):
            return points.read_other_builds(self._connection, keys)

    def step_parameters(self, place: PointPlace) -> dict[str, Any]:
        """The parameters of a point that is one step of a record."""
        with explained(self.path, started=False), damage_of(self.path, place.record_id):
            return points.read_step_parameters(self._connection, place)

    def load(self, reference: str) -> Record:
        """A complete record, by its id, a unique beginning of it, or "last".

        Raises WrongUse when there is none, DamagedRecord when it cannot be used.
        """
        with explained(self.path, started=False):
            self._connection.execute("BEGIN")  # the same moment for all tables, while others write
            try:
                record_id = self.resolve(reference)
                with damage_of(self.path, record_id):
                    return self._load(record_id)
            finally:
                durable_sqlite.roll_back(self._connection)

    def load_sound(self, record_id: str) -> Record | None:
        """The record of that id; None when it is damaged, which `damaged` then says."""
        with self.noting_damage(record_id):
            return self.load(record_id)
        return None

    def _load(self, record_id: str) -> Record:
        kept = read_kept(self._connection, record_id, Part.HEAD, Part.STEPS)
        record = rows.read_record(kept)
        record.status, record.note = self._shown(kept.head)
        for step in record.steps:
            if step.status is Status.RUNNING and record.status is not Status.RUNNING:
                step.status = Status.UNKNOWN if record.status is Status.UNKNOWN else Status.INTERRUPTED
        if not kept.has_checksum:
            self.without_checksum.add(record.id)
        return record

    @contextlib.contextmanager
    def noting_damage(self, record_id: str) -> Iterator[None]:
        """Leave the block at the moment when that record is found damaged, and note it in `damaged`."""
        try:
            with damage_of(self.path, record_id):
                yield
        except DamagedRecord as damage:
            self.damaged[damage.record_id] = damage

    def resolve(self, reference: str) -> str:
        """The id that an id, a unique beginning of one, or "last" means. Raises WrongUse when none or several do."""
        with explained(self.path, started=False):
            if reference == "last":
                query = "SELECT id FROM records ORDER BY created_utc DESC, id DESC LIMIT 1"
                found = [row["id"] for row in self._connection.execute(query)]
            else:
                # substr rather than LIKE: in a record id "_" and "%" are ordinary characters.
                query = "SELECT id FROM records WHERE substr(id, 1, ?) = ? ORDER BY id"
                found = [row["id"] for row in self._connection.execute(query, (len(reference), reference))]
            found = [record_id for record_id in found if isinstance(record_id, str)]
        if reference in found or len(found) == 1:
            return reference if reference in found else found[0]
        if not found and self._lost_its_head(reference):
            raise DamagedRecord(self.path, reference, "its head is missing")
        if not found or not reference:
            raise WrongUse(
                f"the store {self.path} has no record {reference!r}",
                accepted='a record id, its unique beginning, or "last"',
                advice="see `flashscope list`",
            )
        raise WrongUse(
            f"{reference!r} is the beginning of {len(found)} records, such as {found[0]} and {found[-1]}",
            accepted='a record id, its unique beginning, or "last"',
            advice="add more of the id",
        )

    def _lost_its_head(self, reference: str) -> bool:
        query = "SELECT 1 FROM checksums WHERE record_id = ?"
        with explained(self.path, started=False):
            return self._connection.execute(query, (reference,)).fetchone() is not None

    def list(self) -> tuple[RecordSummary, ...]:
        """All records that can be used, oldest first; `damaged` then names the others."""
        with explained(self.path, started=False):
            found = list(read_summaries(self._connection, self.path, self._shown))
        self.damaged |= {one.record_id: one for one in found if isinstance(one, DamagedRecord)}
        return tuple(one for one in found if isinstance(one, RecordSummary))

    def _mark_ended_runs(self) -> None:
        """Write down which runs were interrupted, so that other hosts know it too."""
        running = self._connection.execute("SELECT id, process_json FROM records WHERE status = 'running'").fetchall()
        ended: list[str] = []
        for row in running:
            with contextlib.suppress(DamagedRecord), damage_of(self.path, row["id"]):
                if standing_of(from_cell(row, "process_json", dict), self.path) is Standing.ENDED:
                    ended.append(row["id"])
        # On a full disk this cannot be written; reading shows the same without it.
        for record_id in ended:
            with contextlib.suppress(FlashscopeError), self._transaction(started=False) as connection:
                self._mark_ended(connection, record_id)

    @staticmethod
    def _mark_ended(connection: sqlite3.Connection, record_id: str) -> None:
        query = "SELECT step_index FROM steps WHERE record_id = ? AND status = 'running'"
        for (index,) in connection.execute(query, (record_id,)).fetchall():
            with resealed(connection, record_id, Part.STEPS, step_index=index):
                change = "UPDATE steps SET status = 'interrupted' WHERE record_id = ? AND step_index = ?"
                connection.execute(change, (record_id, index))
        with resealed(connection, record_id, Part.HEAD):
            connection.execute("UPDATE records SET status = 'interrupted' WHERE id = ?", (record_id,))

    def _shown(self, row: Row) -> tuple[Status, str]:
        """Status and note of a record: as kept, or, for a running record, from the state of its process."""
        status, note = Status(row["status"]), str(row["note"])
        if status is not Status.RUNNING:
            return status, note
        process = from_cell(row, "process_json", dict)
        standing = standing_of(process, self.path)
        if standing is Standing.UNKNOWN:
            return Status.UNKNOWN, unknown_text(process)
        return (status if standing is Standing.RUNS else Status.INTERRUPTED), note

    def _process_json(self) -> str:
        """This process; from now on others see that it works, until the store is closed or the process ends."""
        if self._presence is None:
            self._presence = Presence(self.path)
        return to_json(this_process(self._presence.place))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
        if self._presence is not None and self._own_presence:
            self._presence.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
