"""The series store: one SQLite file that keeps every sample of every drive, also when the watch is killed.

    append(dump, reading, ...) -> Appended    one transaction: the sample, its notices
    miss(place, reason, ...)                  a reading that gave nothing
    change(...)                               an alert raised or cleared

WAL mode with synchronous=FULL: when a call returns, its data survives a kill at any instant and a power
cut. Samples are never changed or deleted; each keeps the whole dump beside the decoded fields, so `dumps` can be
decoded again with better tables. Several processes may write at once; they wait for each other.

Not kept here: the output of a hook. Not done here: thinning of old samples (one is about 5 KB).
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from flashscope.errors import WrongUse
from flashscope.moment import Moment, elapsed_s, moment_of
from flashscope.records.plain import to_json, without_nan
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.dump import Dump
from flashscope.smart.identity import Identity, identify, readable
from flashscope.smart.watching import series_schema
from flashscope.smart.watching.continuity import notices, replaced
from flashscope.smart.watching.dump_rows import fingerprint, packed, unpacked
from flashscope.smart.watching.sample import Notice, Sample, Value, values_of
from flashscope.store.damage import damage_of_series
from flashscope.store.file import durable_sqlite
from flashscope.store.file.durable_sqlite import path_in_state_directory
from flashscope.store.file.errors import explained

_COLUMNS = (
    "sample_id, identity, place, wall_s, boot_id, boot_s, steady_s, every_s, model, serial, firmware, family, "
    "is_flash, contradiction_count, values_json"
)
_TEXTS = ("identity", "place", "boot_id", "model", "serial", "firmware", "family")


def default_series_path() -> Path:
    """$XDG_STATE_HOME/flashscope/smart.sqlite, by default below ~/.local/state."""
    return path_in_state_directory("smart.sqlite")


@dataclass(frozen=True)
class Appended:
    """The result of `append`. is_new: False when a file held the same dump as last time; then nothing was added.

    drive_before: the drive that was at this place before, when it is another one now; "" otherwise.
    """

    sample: Sample
    notices: tuple[Notice, ...]
    is_new: bool
    drive_before: str = ""


class SeriesStore:
    """The series in one SQLite file. A context manager; use one per thread.

    path: the file; made with its directory when `create`. Raises WrongUse when it is missing (and not to be made),
    no series store, of a newer version, damaged, or cannot be written; nothing is changed then.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        if not create and not path.exists():
            raise WrongUse(f"there is no series store at {path}", advice="make one: flashscope smart watch DEVICE")
        with explained(path, started=False):
            self._connection = durable_sqlite.connect(path, series_schema.judge)
            try:
                series_schema.check(self._connection, path)  # before anything that would change the file
                durable_sqlite.make_durable(self._connection)
                series_schema.prepare(self._connection, path)
            except BaseException:
                self._connection.close()
                raise

    @classmethod
    def open(cls, path: Path | None = None, *, create: bool = True) -> SeriesStore:
        """The store at `path`, or at the default place."""
        return cls(path if path is not None else default_series_path(), create=create)

    def transaction(self) -> contextlib.AbstractContextManager[sqlite3.Connection]:
        """One transaction; durable when the block is left. Raises StoreFailed when it cannot be written."""
        return durable_sqlite.transaction(self._connection, self.path, started=True)

    def append(self, dump: Dump, reading: Reading, place: str, read: Moment, every_s: float | None = None) -> Appended:
        """Keep a sample. place: where it was read. read: when. every_s: the interval of the watch; None by hand.

        Durable on return. A dump with a time of its own that is the same as the last one at its place is not
        kept twice.
        """
        place = readable(place)
        identity, moment = identify(dump, place), moment_of(dump.taken_at_s, read)
        with self.transaction() as connection:
            at_place = self._last_at(connection, place)
            dump_fingerprint = fingerprint(dump)
            if (
                dump.taken_at_s is not None
                and at_place is not None
                and at_place["dump_fingerprint"] == dump_fingerprint
            ):
                return Appended(_sample(at_place), (), False)
            drive_id = _drive_id(connection, identity, dump)
            before, earlier = (*sample_rows(connection, identity.key, 2), None, None)[:2]
            steady_s = before.steady_s + elapsed_s(before.moment, moment)[0] if before is not None else 0.0
            cursor = connection.execute(
                "INSERT INTO samples (drive_id, place, wall_s, boot_id, boot_s, steady_s, every_s, firmware, family, "
                "is_flash, contradiction_count, values_json, dump, dump_fingerprint) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    drive_id,
                    place,
                    moment.wall_s,
                    moment.boot_id,
                    moment.boot_s,
                    steady_s,
                    every_s,
                    readable(dump.firmware),
                    reading.family,
                    reading.is_flash,
                    len(reading.contradictions),
                    _values_json(values_of(reading, dump)),
                    packed(dump),
                    dump_fingerprint,
                ),
            )
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM samples JOIN drives USING (drive_id) WHERE sample_id = ?", (cursor.lastrowid,)
            ).fetchone()
            sample = _sample(row)
            told = notices(sample, before, earlier)
            drive_before = ""
            if at_place is not None and at_place["identity"] != sample.drive:
                drive_before = str(at_place["identity"])
                told = (replaced(sample, drive_before), *told)
            connection.executemany(
                "INSERT INTO notices (sample_id, kind, key, message, details_json) VALUES (?, ?, ?, ?, ?)",
                [(sample.id, one.kind, one.key, one.message, to_json(dict(one.details))) for one in told],
            )
        return Appended(sample, told, True, drive_before)

    def miss(self, place: str, reason: str, read: Moment) -> int:
        """Keep that a reading failed; returns the number of failed readings in a row at this place."""
        with self.transaction() as connection:
            last = self._last_at(connection, place)
            connection.execute(
                "INSERT INTO misses (place, wall_s, reason, after_sample_id) VALUES (?, ?, ?, ?)",
                (readable(place), read.wall_s, readable(reason), last["sample_id"] if last is not None else 0),
            )
        return self.misses_in_a_row(place)

    def misses_in_a_row(self, place: str) -> int:
        """How many readings at a place gave nothing since the last sample from there."""
        with explained(self.path, started=True):
            last = self._last_at(self._connection, place)
            query = "SELECT count(*) FROM misses WHERE place = ? AND after_sample_id >= ?"
            since = last["sample_id"] if last is not None else 0
            return int(self._connection.execute(query, (readable(place), since)).fetchone()[0])

    def drives(self) -> tuple[str, ...]:
        """The identity keys of all drives, in the order of their first samples."""
        with explained(self.path, started=False):
            return tuple(row[0] for row in self._connection.execute("SELECT identity FROM drives ORDER BY drive_id"))

    def drive_at(self, place: str) -> str | None:
        """The drive of the last sample from a place; None when there is none."""
        with explained(self.path, started=False):
            last = self._last_at(self._connection, place)
        return str(last["identity"]) if last is not None else None

    def samples(self, drive: str, *, since_s: float = 0.0) -> tuple[Sample, ...]:
        """A drive's samples in the order they were kept. since_s: only those from this steady time on [s]."""
        query = (
            f"SELECT {_COLUMNS} FROM samples JOIN drives USING (drive_id) "
            "WHERE identity = ? AND steady_s >= ? ORDER BY sample_id"
        )
        with explained(self.path, started=False):
            return tuple(_sample(row) for row in self._connection.execute(query, (drive, since_s)))

    def recent(self, drive: str, window_s: float, at_least: int) -> tuple[Sample, ...]:
        """A drive's samples of the last `window_s` of its steady time, at least `at_least` where there are as many."""
        with explained(self.path, started=False):
            newest = self._connection.execute(
                "SELECT max(steady_s) FROM samples JOIN drives USING (drive_id) WHERE identity = ?", (drive,)
            ).fetchone()
            if newest[0] is None:
                return ()
            least = sample_rows(self._connection, drive, at_least)[::-1]
        inside = self.samples(drive, since_s=newest[0] - window_s)
        return inside if len(inside) >= len(least) else tuple(least)

    def dumps(self, drive: str) -> Iterator[tuple[Moment, Dump]]:
        """Every dump of a drive with its moment, oldest first: to decode them again."""
        query = (
            "SELECT wall_s, boot_id, boot_s, dump FROM samples JOIN drives USING (drive_id) "
            "WHERE identity = ? ORDER BY sample_id"
        )
        with explained(self.path, started=False):
            for row in self._connection.execute(query, (drive,)):
                with damage_of_series("the dump of a sample"):
                    dump = unpacked(row["dump"])
                yield Moment(row["wall_s"], row["boot_id"], row["boot_s"]), dump

    def notices(self, drive: str) -> tuple[tuple[int, Notice], ...]:
        """(sample id, notice) of a drive, oldest first."""
        query = (
            "SELECT sample_id, kind, notices.key, message, details_json FROM notices JOIN samples USING (sample_id) "
            "JOIN drives USING (drive_id) WHERE identity = ? ORDER BY notice_id"
        )
        with explained(self.path, started=False), damage_of_series("a notice"):
            return tuple(
                (row["sample_id"], Notice(row["kind"], row["message"], row["key"], json.loads(row["details_json"])))
                for row in self._connection.execute(query, (drive,))
            )

    @staticmethod
    def _last_at(connection: sqlite3.Connection, place: str) -> sqlite3.Row | None:
        query = (
            f"SELECT {_COLUMNS}, dump_fingerprint FROM samples JOIN drives USING (drive_id) "
            "WHERE place = ? ORDER BY sample_id DESC LIMIT 1"
        )
        row: sqlite3.Row | None = connection.execute(query, (readable(place),)).fetchone()
        return row

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _drive_id(connection: sqlite3.Connection, identity: Identity, dump: Dump) -> int:
    user_bytes = dump.user_bytes if dump.user_bytes is not None and dump.user_bytes < 2**63 else None
    connection.execute(
        "INSERT OR IGNORE INTO drives (identity, identity_kind, model, serial, user_bytes) VALUES (?, ?, ?, ?, ?)",
        (identity.key, identity.kind, identity.model, identity.serial, user_bytes),
    )
    row = connection.execute("SELECT drive_id FROM drives WHERE identity = ?", (identity.key,)).fetchone()
    return int(row[0])


def sample_rows(connection: sqlite3.Connection, drive: str, count: int, *, up_to_id: int = 2**63 - 1) -> list[Sample]:
    """The newest `count` samples of a drive, newest first. drive: identity key. up_to_id: the last one that counts."""
    query = (
        f"SELECT {_COLUMNS} FROM samples JOIN drives USING (drive_id) "
        "WHERE identity = ? AND sample_id <= ? ORDER BY sample_id DESC LIMIT ?"
    )
    return [_sample(row) for row in connection.execute(query, (drive, up_to_id, count))]


def _values_json(values: dict[str, Value]) -> str:
    rows = {
        key: [one.value, one.unit, one.raw, one.low, one.high, one.provenance, one.origin]
        for key, one in values.items()
    }
    finite = {key: row for key, row in without_nan(rows).items() if None not in (row[0], row[3], row[4])}
    return readable(to_json(finite))


def _sample(row: Any) -> Sample:
    with damage_of_series(f"its sample {row['sample_id']}"):
        return _decoded(row)


def _decoded(row: Any) -> Sample:
    values = {key: Value(*told) for key, told in json.loads(row["values_json"]).items()}
    numbers = [row["wall_s"], row["boot_s"], row["steady_s"], *(one.value for one in values.values())]
    if not all(isinstance(number, int | float) for number in numbers):
        raise ValueError("a value is no number")
    if not all(isinstance(row[name], str) for name in _TEXTS):
        raise ValueError("a name is no text")
    return Sample(
        id=row["sample_id"],
        drive=row["identity"],
        place=row["place"],
        moment=Moment(row["wall_s"], row["boot_id"], row["boot_s"]),
        steady_s=row["steady_s"],
        every_s=row["every_s"],
        model=row["model"],
        serial=row["serial"],
        firmware=row["firmware"],
        family=row["family"],
        is_flash=None if row["is_flash"] is None else bool(row["is_flash"]),
        values=values,
        contradictions=row["contradiction_count"],
    )
